"""What must hold of a bank before it is published: texts, languages, evidence, options."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assessment.bank.audit import Audit
from assessment.bank.parsing import list_evidence
from assessment.bank.specs import (
    BankSpec,
    EvidenceSpec,
    ItemSpec,
    TextSpec,
    walk_bank_texts,
    walk_item_texts,
)
from assessment.language.guard import GuardFinding, check_alone, check_pair, check_places
from assessment.language.texts import SOURCE_LANGUAGE
from gpu_worker.catalog import EXPERIMENTS, get_experiment, resolve_parameters

REQUIRED = ("en", "bg")
# Languages that every text of the bank has.

SEED_REQUIRED = ("en", "bg", "fr", "wo")
# Languages of the items that came from the two original pages.

LEVELS = ("error", "warning")
# An error stops publishing.

_LETTER = r"(?:\([A-Fa-f1-6]\)|[A-F1-6])"
_REFERS_TO_OTHERS = re.compile(
    r"(?i:\b(all|none|both|neither|each|any|two) (of )?(the|these|them)( (above|below|others?)\b"
    r"|( \w+)? (answers|options|statements)\b|\.?$))"
    rf"|(?i:\b(options?|answers?|statements?)) {_LETTER}(?!\w)"
    rf"|^(?i:both |neither |only )?{_LETTER} (and|or|nor) {_LETTER}\.?$"
    r"|(?i:\b(first|second|third|last)( (two|three)| and (second|third|fourth|last))? "
    r"(options?|answers?|statements?)\b)"
)
# Options that point to other options break when the order is shuffled.


@dataclass(frozen=True)
class Finding:
    """One fault of a bank: whose text or field, in which language, what is wrong."""

    level: str
    code: str
    owner: str
    place: str
    language: str | None
    message: str
    excerpt: str = ""
    suggestion: str | None = None

    def as_json(self) -> dict[str, str | None]:
        return dict(vars(self))


def lint_bank(bank: BankSpec, *, unchanged: Collection[str] = ()) -> list[Finding]:
    """Every finding, errors first. Items that are `unchanged` (slugs) are not looked at again."""
    names = list_names(bank.glossary)
    if unchanged:
        items = {slug: item for slug, item in bank.items.items() if slug not in unchanged}
        bank = replace(bank, items=items)
    found = list(_lint_texts(bank, names))
    if not unchanged:
        found += _lint_unused(bank)
    for item in bank.items.values():
        found += lint_item(item)
    for quiz in bank.quizzes.values():
        if quiz.language not in quiz.title.best:
            message = f"the title is missing in the quiz's own language, {quiz.language}"
            found.append(Finding("error", "language", f"quiz:{quiz.slug}", "title", None, message))
    return sorted(found, key=lambda one: (LEVELS.index(one.level), one.owner, one.place))


def lint_item(item: ItemSpec) -> list[Finding]:
    """What one item shows by itself, its texts' guard apart."""
    return [*_lint_languages(item), *_lint_options(item), *_lint_evidence(item)]


def report_audit(audit: Audit) -> list[Finding]:
    """Guessers over their limit and flags without a waiver, as warnings."""
    found = []
    for score in audit.new:
        if not score.is_passed:
            message = f"the guesser {score.guesser} earns {score.score:.0%} of the new items"
            found.append(Finding("warning", "guesser", "bank", "", score.language, message))
    for flag in audit.flags:
        if flag.waiver is None:
            owner = f"item:{flag.slug}"
            found.append(Finding("warning", flag.code, owner, "", flag.language, flag.message))
    return found


def guard_item(item: ItemSpec, *, names: Sequence[str]) -> list[Finding]:
    """The text guard over all texts of one item."""
    owner = f"item:{item.slug}"
    return _guard_texts(owner, dict(walk_item_texts(item)), names)


def list_names(glossary: Mapping[str, object]) -> list[str]:
    """The glossary's identifiers, which stay as they are in every language."""
    found = glossary.get("identifiers", [])
    return [str(one) for one in found] if isinstance(found, list) else []


def has_errors(findings: Iterable[Finding]) -> bool:
    return any(one.level == "error" for one in findings)


def _lint_texts(bank: BankSpec, names: Sequence[str]) -> Iterator[Finding]:
    owners: dict[str, dict[str, TextSpec]] = {}
    for owner, place, text in walk_bank_texts(bank):
        owners.setdefault(owner, {})[place] = text
    for owner, texts in owners.items():
        yield from _guard_texts(owner, texts, names)
        if not owner.startswith("item:"):
            yield from _lint_missing(owner, texts, REQUIRED)


def _guard_texts(owner: str, texts: Mapping[str, TextSpec], names: Sequence[str]) -> list[Finding]:
    found = []
    for language in sorted({one for text in texts.values() for one in text.best}):
        pairs = {
            place: (text.source, text.best[language].text)
            for place, text in texts.items()
            if language in text.best
        }
        for place, faults in check_places(pairs, language, names=names).items():
            found += [_report_guard(owner, place, language, one) for one in faults]
    for place, text in texts.items():
        if text.seed is not None and text.seed[1] != text.best[text.seed[0]].text:
            # An older wording may be clumsy, but it may not damage what is code.
            faults = check_alone(text.seed[1], text.seed[0])
            faults += check_pair(text.source, text.seed[1], text.seed[0], names=names)
            serious = [one for one in faults if one.code not in ("untranslated", "number")]
            found += [_report_guard(owner, place, text.seed[0], one) for one in serious]
    return found


def _report_guard(owner: str, place: str, language: str, fault: GuardFinding) -> Finding:
    return Finding(
        "error",
        fault.code,
        owner,
        place,
        language,
        fault.reason,
        fault.excerpt,
        fault.suggestion,
    )


def _lint_languages(item: ItemSpec) -> Iterator[Finding]:
    has_seed = item.stem.seed is not None
    required = SEED_REQUIRED if has_seed else REQUIRED
    yield from _lint_missing(f"item:{item.slug}", dict(walk_item_texts(item)), required)


def _lint_missing(
    owner: str, texts: Mapping[str, TextSpec], required: Sequence[str]
) -> Iterator[Finding]:
    for place, text in texts.items():
        for language in required:
            if language not in text.best:
                message = f"the text is missing in {language}"
                yield Finding("error", "language", owner, place, language, message)


def _lint_options(item: ItemSpec) -> Iterator[Finding]:
    """Options must differ in every language and must not point to one another."""
    owner = f"item:{item.slug}"
    for language in sorted({one for option in item.options for one in option.text.best}):
        seen: dict[str, str] = {}
        for option in item.options:
            if language not in option.text.best:
                continue
            text = " ".join(option.text.best[language].text.casefold().split()).rstrip(".")
            if text in seen:
                message = f"says the same as option {seen[text]}"
                place = f"option:{option.handle}"
                yield Finding("error", "same_options", owner, place, language, message)
            seen[text] = option.handle
    for option in item.options:
        text = option.text.best[SOURCE_LANGUAGE].text
        if item.shuffle and not option.pinned and _REFERS_TO_OTHERS.search(text):
            message = "points to other options, whose order is shuffled: pin it or reword it"
            yield Finding(
                "error", "refers_to_options", owner, f"option:{option.handle}", "en", message, text
            )


def _lint_evidence(item: ItemSpec) -> Iterator[Finding]:
    owner = f"item:{item.slug}"
    if item.key_evidence is None:
        message = "nothing says what supports the key, if only `grade: text`"
        yield Finding("warning", "evidence", owner, "evidence", None, message)
    for place, evidence in list_evidence(item):
        if evidence.experiment is None:
            continue
        if evidence.experiment not in EXPERIMENTS:
            message = f"there is no experiment {evidence.experiment!r} yet: it will say not_run"
            yield Finding("warning", "evidence", owner, place, None, message)
            continue
        for problem in _list_evidence_problems(evidence):
            yield Finding("error", "evidence", owner, place, None, problem)


def _list_evidence_problems(evidence: EvidenceSpec) -> Iterator[str]:
    assert evidence.experiment is not None
    experiment = get_experiment(evidence.experiment)
    for link in evidence.claims:
        if link.claim not in experiment.claims:
            yield f"{evidence.experiment} makes no claim {link.claim!r}"
    device = evidence.needs or "cpu"
    try:
        resolve_parameters(experiment, evidence.parameters, device=device)
    except ValueError as error:
        yield f"parameters: {error}"


def _lint_unused(bank: BankSpec) -> Iterator[Finding]:
    used = {one.misconception for item in bank.items.values() for one in item.options}
    for item in bank.items.values():
        used |= {near.misconception for near in item.numeric.near} if item.numeric else set()
    for slug in bank.misconceptions.keys() - used:
        owner = f"misconception:{slug}"
        yield Finding("warning", "unused", owner, "", None, "no option stands for it")
