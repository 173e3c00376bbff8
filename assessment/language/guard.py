"""The text guard: what a translation may not touch stands unchanged (DESIGN, decision 12).

It works on three views: one text alone, a translation beside its source, and the options
of one question together. It knows nothing of files or items; `assessment.bank.lint` says
where a finding stands.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assessment.language.confusables import (
    DIRECTION_MARKS,
    HIDDEN,
    ISOLATES,
    OVERRIDES,
    describe_character,
    find_scripts,
    make_skeleton,
)
from assessment.language.texts import get_direction
from assessment.language.tokens import Tokens, find_tokens
from assessment.language.untranslated import find_untranslated

CODES = (
    "identifier",
    "homoglyph",
    "two_renderings",
    "half_damaged_options",
    "number",
    "unit",
    "formula",
    "placeholder",
    "untranslated",
    "direction_mark",
    "hidden_character",
)
# What the guard finds. Codes are stable.

_TOKEN = re.compile(r"[\w.]*\w")
_DOTTED_ANY = re.compile(r"\w+(?:\.\w+)+(?:\(\))?")
_ASCII_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CYRILLIC = dict(zip("acyABC", "\u0430\u0441\u0443\u0410\u0412\u0421", strict=True))
# Words of one letter in Cyrillic languages that look Latin.

_NAMED_A = re.compile(r"(?<!\w)A(?=[,.;:)]|$| and )")
# The letter as a name, not the English article.

_LONE_LATIN = re.compile(r"(?:(?<=[\u0400-\u04ff,;:.!?] )|^)[acyABC](?= [\u0400-\u04ff])")


@dataclass(frozen=True)
class GuardFinding:
    """One fault: `excerpt` is what stands there, `suggestion` what should."""

    code: str
    excerpt: str
    reason: str
    suggestion: str | None = None


def check_alone(text: str, lang: str) -> list[GuardFinding]:
    """Faults that one text shows without its source."""
    return [
        *_check_marks(text, lang),
        *_check_scripts(text),
        *_check_damaged_dotted(text),
    ]


def check_pair(
    source: str, text: str, lang: str, *, names: Sequence[str] = ()
) -> list[GuardFinding]:
    """Faults of a translation beside its source."""
    theirs, ours = find_tokens(source, names=names), find_tokens(text, names=names)
    missing = _list_missing(theirs, ours)
    found = [_explain_missing(one, text) for one in missing]
    found += _check_numbers(theirs, ours)
    found += _check_counted("unit", theirs.units, ours.units)
    found += _check_counted("placeholder", theirs.placeholders, ours.placeholders)
    found += _check_single_letters(source, theirs, text)
    reason = find_untranslated(source, text, lang, names=names)
    if reason is not None:
        found.append(
            GuardFinding("untranslated", text[:80], reason, "Translate it, or leave it out.")
        )
    return found


def check_options_alone(options: Sequence[str]) -> list[list[GuardFinding]]:
    """Per option: identifiers among the options that are identifiers no more.

    Without a source, a set of options that are code shows it: whoever is not ASCII among
    dotted names has been translated.
    """
    whole = [_DOTTED_ANY.fullmatch(one.strip()) is not None for one in options]
    intact = [one and option.isascii() for one, option in zip(whole, options, strict=True)]
    root = _find_root([one for one, ok in zip(options, intact, strict=True) if ok])
    renderings = _find_heads([one for one, ok in zip(options, whole, strict=True) if ok])
    found: list[list[GuardFinding]] = []
    for option, is_whole, is_intact in zip(options, whole, intact, strict=True):
        is_damaged = is_whole and not is_intact and (any(intact) or _has_code_segment(option))
        found.append([_explain_damaged(option, root, renderings)] if is_damaged else [])
    return found


def check_places(
    places: Mapping[str, tuple[str, str]], lang: str, *, names: Sequence[str] = ()
) -> dict[str, list[GuardFinding]]:
    """Faults over all texts of one item in one language: place -> (source, translation).

    An identifier that is right in one place and missing in another is rendered two ways;
    one that is right in some options only leaves the others half damaged.
    """
    found = {
        place: check_alone(text, lang) + check_pair(source, text, lang, names=names)
        for place, (source, text) in places.items()
    }
    kept = _count_kept(places, names)
    for place, findings in found.items():
        found[place] = [_compare_places(one, place, kept) for one in _drop_echoes(findings)]
    return found


def _check_marks(text: str, lang: str) -> list[GuardFinding]:
    found = []
    is_rtl = get_direction(lang) == "rtl"
    marks = DIRECTION_MARKS.findall(text)
    if marks and (not is_rtl or OVERRIDES.search(text) or not _are_isolates_closed(marks)):
        shown = ", ".join(dict.fromkeys(map(describe_character, marks)))
        reason = f"an invisible direction mark stands here: {shown}"
        plain = DIRECTION_MARKS.sub("", text)
        found.append(GuardFinding("direction_mark", _excerpt(text, marks[0]), reason, plain[:200]))
    hidden = HIDDEN.findall(text)
    if hidden:
        shown = ", ".join(dict.fromkeys(map(describe_character, hidden)))
        plain = HIDDEN.sub("", text)
        reason = f"an invisible character stands here: {shown}"
        found.append(
            GuardFinding("hidden_character", _excerpt(text, hidden[0]), reason, plain[:200])
        )
    return found


def _are_isolates_closed(marks: Iterable[str]) -> bool:
    waiting: list[str] = []
    for mark in marks:
        if mark in ISOLATES:
            waiting.append(ISOLATES[mark])
        elif not waiting or waiting.pop() != mark:
            return False
    return not waiting


def _check_scripts(text: str) -> list[GuardFinding]:
    """Words that mix Latin with another script: no language does that inside one word."""
    found = []
    for token in dict.fromkeys(_TOKEN.findall(text)):
        for word in token.split("."):
            scripts = find_scripts(word)
            if len(scripts) < 2 or "LATIN" not in scripts:
                continue
            skeleton = make_skeleton(word)
            others = ", ".join(sorted(scripts - {"LATIN"})).capitalize()
            reason = f"letters of another script ({others}) stand among Latin ones"
            suggestion = skeleton if skeleton.isascii() else None
            found.append(GuardFinding("homoglyph", word, reason, suggestion))
    return found


def _check_single_letters(source: str, theirs: Tokens, text: str) -> list[GuardFinding]:
    """A Latin letter that stands alone in Cyrillic prose and is no variable of the source.

    The preposition and the conjunctions of one letter are the words that a keyboard most
    often leaves in the wrong script.
    """
    if "CYRILLIC" not in find_scripts(text):
        return []
    known = {*theirs.variables, *_NAMED_A.findall(source)}
    known.update(*(re.findall(r"[A-Za-z]", one) for one in theirs.formulas))
    found = []
    for letter in dict.fromkeys(_LONE_LATIN.findall(text)):
        if letter not in known:
            reason = "a Latin letter stands here as a word of another script"
            found.append(GuardFinding("homoglyph", letter, reason, _CYRILLIC[letter]))
    return found


def _check_damaged_dotted(text: str) -> list[GuardFinding]:
    """A dotted name of which some segments are code and some are not ASCII."""
    found = []
    for token in dict.fromkeys(_DOTTED_ANY.findall(text)):
        if token.isascii() or not _has_code_segment(token):
            continue
        if any(len(find_scripts(one)) > 1 for one in token.split(".")):
            continue
        reason = "a code identifier has been translated or is written in another script"
        skeleton = make_skeleton(token)
        suggestion = skeleton if skeleton.isascii() else None
        found.append(GuardFinding("identifier", token, reason, suggestion))
    return found


def _has_code_segment(token: str) -> bool:
    return any(_ASCII_WORD.fullmatch(one) for one in token.removesuffix("()").split("."))


def _explain_damaged(option: str, root: str | None, renderings: Counter[str]) -> GuardFinding:
    head = option.split(".")[0]
    reason = "a code identifier has been translated; its neighbours are still code"
    others = [one for one in renderings if one != head and not one.isascii()]
    if others and root is not None:
        reason += f"; {root!r} is also rendered as {others[0]!r}"
    kept = [one if _ASCII_WORD.fullmatch(one) else "?" for one in option.strip().split(".")]
    if root is not None and kept[0] == "?":
        kept[0] = root
    return GuardFinding("identifier", option.strip(), reason, ".".join(kept))


def _find_root(options: Sequence[str]) -> str | None:
    """The first segment that all intact identifiers share."""
    heads = {one.strip().split(".")[0] for one in options}
    return heads.pop() if len(heads) == 1 else None


def _find_heads(options: Sequence[str]) -> Counter[str]:
    return Counter(one.strip().split(".")[0] for one in options)


def _list_missing(theirs: Tokens, ours: Tokens) -> list[tuple[str, str]]:
    """(code, token) of what the source has and the translation has not."""
    found = [("identifier", one) for one in theirs.identifiers if one not in ours.identifiers]
    found += [("formula", one) for one in theirs.formulas if one not in ours.formulas]
    return found + [("formula", one) for one in theirs.variables if one not in ours.variables]


def _explain_missing(missing: tuple[str, str], text: str) -> GuardFinding:
    """Why a token of the source is missing: look-alike letters, other case, or gone."""
    code, token = missing
    for word in re.findall(r"[^\s,;:!?\"'\u201e\u201c\u00ab\u00bb]+", text):
        bare = word.strip("().") if not token.endswith(")") else word
        if bare == token:
            continue
        if make_skeleton(bare) == token:
            return GuardFinding("homoglyph", bare, "look-alike letters stand in this name", token)
        if bare.lower() == token.lower():
            reason = f"{token!r} of the source is written another way"
            return GuardFinding("two_renderings", bare, reason, token)
    return GuardFinding(code, token, f"{token!r} of the source is missing or changed", token)


def _check_numbers(theirs: Tokens, ours: Tokens) -> list[GuardFinding]:
    gone = sorted(set(theirs.numbers) - set(ours.numbers))
    new = sorted(set(ours.numbers) - set(theirs.numbers))
    found = []
    for value in gone:
        reason = f"the number {value:g} of the source is missing"
        if new:
            reason += f"; here stands {new[0]:g}"
        found.append(GuardFinding("number", f"{value:g}", reason, f"{value:g}"))
    if not gone:
        for value in new:
            reason = f"the number {value:g} does not stand in the source"
            found.append(GuardFinding("number", f"{value:g}", reason, None))
    return found


def _check_counted(code: str, theirs: Counter[str], ours: Counter[str]) -> list[GuardFinding]:
    found = []
    for token in theirs:
        if token not in ours:
            reason = f"{token!r} of the source is missing or changed"
            found.append(GuardFinding(code, token, reason, token))
    for token in ours:
        if token not in theirs:
            found.append(GuardFinding(code, token, f"{token!r} does not stand in the source"))
    return found


def _count_kept(
    places: Mapping[str, tuple[str, str]], names: Sequence[str]
) -> dict[str, dict[str, bool]]:
    """identifier -> place -> whether the translation kept it there."""
    kept: dict[str, dict[str, bool]] = {}
    for place, (source, text) in places.items():
        ours = find_tokens(text, names=names).identifiers
        for token in find_tokens(source, names=names).identifiers:
            kept.setdefault(token, {})[place] = token in ours
    return kept


def _compare_places(
    finding: GuardFinding, place: str, kept: Mapping[str, Mapping[str, bool]]
) -> GuardFinding:
    """The finding, named more exactly where other places of the item have the token right."""
    if finding.code != "identifier" or finding.excerpt not in kept:
        return finding
    token = finding.excerpt
    good = [one for one, is_right in kept[token].items() if is_right]
    if good:
        reason = f"{token!r} stands unchanged in {good[0]} but not here"
        return GuardFinding("two_renderings", token, reason, token)
    if place.startswith("option:"):
        whole = [
            one for one, by in kept.items() if any(by.get(p) for p in by if p.startswith("option:"))
        ]
        if whole:
            reason = f"{token!r} is damaged while other options keep their identifiers"
            return GuardFinding("half_damaged_options", token, reason, token)
    return finding


def _drop_echoes(findings: Sequence[GuardFinding]) -> list[GuardFinding]:
    """One finding a fault: a look-alike found alone and beside the source is one."""
    found: list[GuardFinding] = []
    for one in findings:
        is_echo = any(
            one.code == "homoglyph" == other.code
            and one.suggestion is not None
            and other.suggestion is not None
            and (one.suggestion in other.suggestion or other.suggestion in one.suggestion)
            for other in found
        )
        if not is_echo:
            found.append(one)
    return found


def _excerpt(text: str, needle: str, *, around: int = 20) -> str:
    """The surroundings of an invisible character, with it made visible."""
    place = text.index(needle)
    cut = text[max(0, place - around) : place + around + 1]
    return "".join(
        f"<U+{ord(one):04X}>" if DIRECTION_MARKS.match(one) or HIDDEN.match(one) else one
        for one in cut
    )
