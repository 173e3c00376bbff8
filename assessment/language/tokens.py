"""The parts of a text that translation may not touch: identifiers, formulas, numbers, units.

Only tokens that have the shape of code or mathematics are taken. Guarding every word in
backquotes, or every acronym, drowns the real findings in false alarms.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_DOTTED = re.compile(rf"(?<![\w.]){_WORD}(?:\.{_WORD})+(?:\(\))?(?!\w)")
_SNAKE = re.compile(r"(?<![\w.])(?:[A-Za-z0-9]+_)+[A-Za-z0-9]+(?:\(\))?(?![\w.]\w|\w)")
_CALL = re.compile(rf"(?<![\w.]){_WORD}\(\)")
_CAMEL = re.compile(r"(?<![\w.])[A-Z]*[a-z]+[A-Z][A-Za-z0-9]*(?!\w)")
_ACRONYM_CAMEL = re.compile(r"(?<![\w.])[A-Z]{2,}[a-z]+[A-Z]+[A-Za-z0-9]*(?!\w)")
_WITH_DIGITS = re.compile(r"(?<![\w.])[A-Za-z]+[0-9]+[A-Za-z0-9]*(?!\w)")
_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
_ASSIGNED = re.compile(rf"(?<![\w.]){_WORD}=(?:[A-Z][a-z]+|[a-z_]{{2,}})(?!\w)")

_OPERAND = r"(?:[0-9]+(?:\.[0-9]+)?[A-Za-z]{0,3}|[A-Za-z][0-9]?)"
_BRACKETS = r"\([^\s()]*(?:\([^\s()]*\)[^\s()]*)*\)"
_ATOM = (
    rf"(?:(?:O|sqrt|log2?|ln|exp|max|min|[a-z]{{2,4}}(?=\(\d)|{_OPERAND})?{_BRACKETS}|{_OPERAND})"
)
_OPERATOR = r"[*/^+=\u00b7\u00d7]"
_FORMULA = re.compile(
    rf"(?<![\w./-]){_ATOM}(?:{_OPERATOR}{_ATOM})+(?![\w-])"
    rf"|(?<![\w.])(?:O|sqrt|log2?|ln|exp|max|min|[a-z]{{2,4}}(?=\(\d)|{_OPERAND})?{_BRACKETS}"
    r"|(?<![\w.])[0-9]+[A-Z](?!\w)"
)
_VARIABLE = re.compile(r"(?<![\w'\u2019.])(?<!\w\()[B-HJ-NP-Zb-hj-z](?![\w'\u2019]|\.\w|\. \d)")
_SPACED = re.compile(r"(?<=[\w)]) ([-+*/=@<>\u2212\u00b7\u00d7\u2264\u2265]|//|<=|>=) (?=[\w(])")
_MATH_LEFT = re.compile(r"(?:(?<![\w.])(?:[0-9][0-9.,]*|[A-Za-z])|\))$")
_MATH_RIGHT = re.compile(r"(?:[0-9]|[A-Za-z](?!\w)|\()")
_NUMBER = re.compile(r"(?<![\w.,])[-\u2212]?\d[\d\u00a0\u202f]*(?:[.,]\d+)*(?:[eE][+-]?\d+)?")
_SPACED_GROUP = re.compile(r"(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))")
_UNIT = re.compile(
    r"\d[ \u00a0\u202f]?([KMGTP]iB|[kKMGTP]?B|[kKMGT]bit|[kMGTP]FLOPs?|ms|ns|[\u00b5\u03bc]s"
    r"|[kMG]?Hz|%)(?!\w)"
)
_PERCENT = re.compile(
    r"\d[ \u00a0\u202f]?(?:%|\u066a|per ?cent|pour ?cent"
    r"|\u043f\u0440\u043e\u0446\u0435\u043d\u0442)"
)
_PLACEHOLDER = re.compile(
    r"\{\{?\s*\$?\w*(?::[^{}\s]*)?\s*\}?\}|%\([a-z_]+\)[sd]|%[sd](?!\w)|\$\{\w+\}|</?[a-z]+/?>"
)

_NO_IDENTIFIERS = frozenset({"e.g", "i.e", "a.m", "p.m", "U.S", "et.al"})
# Dotted abbreviations of English prose.

_PROSE_CALLS = frozenset("s")
# "layer(s)", "GPU(s)": a plural in brackets, no call.


@dataclass(frozen=True)
class Tokens:
    """What of a text must stand unchanged in its translations, each counted."""

    identifiers: Counter[str]
    formulas: Counter[str]
    variables: Counter[str]
    numbers: Counter[float]
    units: Counter[str]
    placeholders: Counter[str]


def find_tokens(text: str, *, names: Iterable[str] = ()) -> Tokens:
    """The tokens of a text. `names` are words of the glossary that stay as they are."""
    return _find_tokens(text, tuple(names))


@lru_cache(maxsize=8192)
def _find_tokens(text: str, names: tuple[str, ...]) -> Tokens:
    placeholders, rest = _take(text, [_PLACEHOLDER])
    assigned, rest = _take(rest, [_ASSIGNED])
    identifiers, rest = _take(rest, [_DOTTED, _SNAKE, _CALL, _FLAG], keep=_is_identifier)
    operators = _find_operators(rest)
    formulas, rest = _take(rest, [_FORMULA], keep=_is_formula)
    symbols = (match[1].replace("\u03bc", "\u00b5") for match in _UNIT.finditer(rest))
    units = Counter(one for one in symbols if one != "%")
    if _PERCENT.search(rest.lower()):
        units["%"] = 1
    names_found, rest = _take_names(rest, names)
    rest = _UNIT.sub(lambda match: match[0][0], rest)
    shaped, rest = _take(rest, [_ACRONYM_CAMEL, _CAMEL, _WITH_DIGITS], keep=_is_identifier)
    variables, rest = _take(rest, [_VARIABLE])
    return Tokens(
        assigned + identifiers + names_found + shaped,
        formulas + operators,
        variables,
        Counter(find_numbers(rest)),
        units,
        placeholders,
    )


def find_numbers(text: str) -> list[float]:
    """The values of the numbers in a text, whatever its separators and digits."""
    found = []
    joined = _SPACED_GROUP.sub("", text)
    for match in _NUMBER.finditer(joined):
        found.append(_read_value(match[0]))
    return found


def strip_tokens(text: str, *, names: Iterable[str] = ()) -> str:
    """The text without its tokens: what a translator had to translate."""
    _, rest = _take(text, [_PLACEHOLDER])
    _, rest = _take(rest, [_DOTTED, _SNAKE, _CALL, _FORMULA, _CAMEL, _WITH_DIGITS])
    _, rest = _take_names(rest, names)
    return rest


def fold_digits(text: str) -> str:
    """Digits of every script as ASCII."""
    return "".join(
        str(unicodedata.digit(one)) if one.isdigit() and not one.isascii() else one for one in text
    )


def _find_operators(text: str) -> Counter[str]:
    """Operators between spaces with a number, a single letter or a bracket on both sides."""
    found: Counter[str] = Counter()
    for match in _SPACED.finditer(text):
        is_math = _MATH_LEFT.search(text[: match.start()]) and _MATH_RIGHT.match(text, match.end())
        if is_math:
            found[match[1].replace("\u2212", "-")] += 1
    return found


def _take(
    text: str, patterns: list[re.Pattern[str]], *, keep: Callable[[str], bool] | None = None
) -> tuple[Counter[str], str]:
    """The matches of some patterns, and the text with gaps where they stood."""
    found: Counter[str] = Counter()

    def remember(match: re.Match[str]) -> str:
        if keep is not None and not keep(match[0]):
            return match[0]
        found[match[0]] += 1
        return " \u00b6 "

    for pattern in patterns:
        text = pattern.sub(remember, text)
    return found, text


def _take_names(text: str, names: Iterable[str]) -> tuple[Counter[str], str]:
    """Names of the glossary; "GPUs" counts as "GPU", "FLOP" as "FLOPs"."""
    found: Counter[str] = Counter()
    for name in sorted(names, key=len, reverse=True):
        pattern = _match_name(name)
        found[name] += len(pattern.findall(text))
        text = pattern.sub(" \u00b6 ", text)
    return +found, text


@lru_cache(maxsize=256)
def _match_name(name: str) -> re.Pattern[str]:
    stem = name[:-1] if name.endswith("s") else name
    return re.compile(rf"(?<![\w.]){re.escape(stem)}s?(?![A-Za-z0-9_])")


def _is_identifier(token: str) -> bool:
    return token not in _NO_IDENTIFIERS and not re.fullmatch(r"[A-Za-z]\.[A-Za-z]", token)


def _is_formula(token: str) -> bool:
    """A bracket without digit, operator or function before it is a remark in prose."""
    if not token.startswith("(") and token.endswith(")"):
        inner = token[token.index("(") + 1 : -1]
        return inner not in _PROSE_CALLS and bool(inner)
    if token.startswith("("):
        return bool(re.search(r"[0-9A-Za-z][*/^+=][0-9A-Za-z]", token)) and not re.search(
            r"[a-z]{3,}", token
        )
    return True


def _read_value(token: str) -> float:
    """The value; "16,384" and "16.384" are read as groups, "0,5" and "1.25" as decimals."""
    plain = re.sub(r"[\u00a0\u202f]", "", fold_digits(token)).replace("\u2212", "-")
    if "," in plain and "." in plain:
        group = "," if plain.rindex(",") < plain.rindex(".") else "."
        plain = plain.replace(group, "")
    elif re.fullmatch(r"-?[1-9]\d{0,2}([.,]\d{3})+", plain):
        plain = re.sub(r"[.,]", "", plain)
    try:
        return float(plain.replace(",", "."))
    except ValueError:
        # Dotted section numbers ("1.2.3") and dates: any stable value will do.
        return float(re.sub(r"[^\d]", "", plain) or 0)
