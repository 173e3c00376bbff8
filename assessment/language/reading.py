"""Reads a number that a person typed, in the conventions of their language.

Nothing is guessed: what two readers would read as two numbers is refused, with both
readings, and so is whatever Python's float() takes but nobody means (nan, 1_0).
"""

import math
import re
import unicodedata
from dataclasses import dataclass, replace

from babel import numbers as cldr

from assessment.language.numbers import get_locale
from assessment.language.units import TIMES_SIGNS

MAX_LENGTH = 60
# Characters of a typed number; a 64-bit float never needs more than 25.

REASONS = (
    "empty",
    "too_long",
    "not_a_number",
    "not_finite",
    "underscore",
    "other_digits",
    "fraction",
    "bad_groups",
    "ambiguous",
)
# Why a number is refused. Codes are stable.

_GROUP_SPACES = " \u00a0\u202f\u2009'\u2019"
# Spaces and apostrophes that separate groups of three somewhere (CLDR).

_MINUSES = str.maketrans({"\u2212": "-", "\u2013": "-", "\ufe63": "-", "\uff0d": "-"})
_BODY = re.compile(rf"[0-9][0-9.,{_GROUP_SPACES}]*|[.,][0-9]+")
_WHOLE = re.compile(r"(?P<sign>[+-]?) ?(?P<body>.*?)(?P<exponent>[eE][+-]?[0-9]{1,3})?", re.S)
_QUANTITY = re.compile(r"(?P<number>.*[0-9.,])\s*(?P<unit>[^\W\d_][\w/^*. -]*|[%\u00d7])", re.S)
_FACTOR = re.compile(rf"(?P<sign>[{TIMES_SIGNS}])\s*(?P<number>[0-9.,].*)", re.S)


class NumberRefused(ValueError):
    """The text is no single number. `readings` holds the numbers it could have meant."""

    def __init__(self, reason: str, readings: tuple[float, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.readings = readings


@dataclass(frozen=True)
class TypedNumber:
    """What was understood of a typed text, kept beside it."""

    raw: str
    value: float
    decimal: str | None
    group: str | None
    unit: str | None = None


def parse_number(raw: str, lang: str) -> TypedNumber:
    """The number that `raw` says in `lang`. Raises NumberRefused with its reason."""
    text = unicodedata.normalize("NFC", raw).translate(_MINUSES).strip()
    _refuse_odd(text)
    parts = _WHOLE.fullmatch(text)
    body = parts["body"].strip() if parts else ""
    if parts is None or _BODY.fullmatch(body) is None:
        raise NumberRefused("not_a_number")
    decimal, group = _find_separators(body, lang, sign=-1 if parts["sign"] == "-" else 1)
    plain = _strip_groups(body, decimal, group)
    value = float(f"{parts['sign']}{plain}{parts['exponent'] or ''}")
    if not math.isfinite(value):
        raise NumberRefused("not_finite")
    return TypedNumber(raw, value, decimal, group)


def parse_quantity(raw: str, lang: str) -> TypedNumber:
    """A number, with a unit behind it or not ("9,26 MiB"), or a factor with its sign before it."""
    factor = _FACTOR.fullmatch(raw.strip()) if len(raw) <= MAX_LENGTH else None
    if factor is not None:
        number = parse_number(factor["number"], lang)
        return replace(number, raw=raw, unit=factor["sign"])
    match = _QUANTITY.fullmatch(raw.strip()) if len(raw) <= 2 * MAX_LENGTH else None
    if match is None or re.fullmatch(r"[eE][+-]?[0-9]*", match["unit"]):
        return parse_number(raw, lang)
    if not (match["unit"][0].isalpha() or match["unit"] in "%\u00d7"):
        # One half is a letter to `re`, and no unit.
        return parse_number(raw, lang)
    return replace(parse_number(match["number"], lang), raw=raw, unit=match["unit"].strip())


def write_plainly(value: float, lang: str) -> str:
    """The value without groups and with the decimal sign of `lang`: only one reading."""
    return f"{value:.12g}".replace(".", _get_decimal_sign(lang))


def _get_decimal_sign(lang: str) -> str:
    return str(cldr.get_decimal_symbol(get_locale(lang)))


def _refuse_odd(text: str) -> None:
    if not text:
        raise NumberRefused("empty")
    if len(text) > MAX_LENGTH:
        raise NumberRefused("too_long")
    if "_" in text:
        raise NumberRefused("underscore")
    if re.fullmatch(r"[+-]?(nan|inf|infinity|\u221e)", text.lower()):
        raise NumberRefused("not_finite")
    if "/" in text or any(unicodedata.category(one) == "No" for one in text):
        raise NumberRefused("fraction")
    if any(one.isdigit() and not one.isascii() for one in text):
        raise NumberRefused("other_digits")


def _find_separators(body: str, lang: str, *, sign: int) -> tuple[str | None, str | None]:
    """Which sign is the decimal one and which groups, or NumberRefused."""
    spaces = {one for one in body if one in _GROUP_SPACES}
    marks = [one for one in body if one in ".,"]
    if len(spaces) > 1 or len(set(marks) | spaces) > 2:
        raise NumberRefused("bad_groups")
    space = spaces.pop() if spaces else None
    if not marks:
        return None, space
    if space is not None or len(set(marks)) == 2:
        return _split_two(body, marks, space)
    if len(marks) > 1:
        return None, marks[0]
    return _read_one_mark(body, marks[0], lang, sign=sign)


def _split_two(body: str, marks: list[str], space: str | None) -> tuple[str | None, str | None]:
    """Two different signs: the last one is the decimal sign, and it stands once."""
    decimal = marks[-1]
    group = space or next(one for one in marks if one != decimal)
    if marks.count(decimal) > 1 or body.rfind(group) > body.find(decimal):
        raise NumberRefused("bad_groups")
    return decimal, group


def _read_one_mark(body: str, mark: str, lang: str, *, sign: int) -> tuple[str | None, str | None]:
    """One sign, once. "3,145" is 3.145 in Bulgarian; in English it could be either."""
    own = _get_decimal_sign(lang)
    before, after = body.split(mark)
    is_like_group = len(after) == 3 and 1 <= len(before) <= 3 and not before.startswith("0")
    if mark != own and is_like_group:
        readings = (sign * float(f"{before}.{after}"), sign * float(before + after))
        raise NumberRefused("ambiguous", readings)
    return mark, None


def _strip_groups(body: str, decimal: str | None, group: str | None) -> str:
    whole, _, fraction = body.partition(decimal) if decimal else (body, "", "")
    if group is not None:
        first, *rest = whole.split(group)
        if not 1 <= len(first) <= 3 or any(len(one) != 3 for one in rest):
            raise NumberRefused("bad_groups")
        whole = first + "".join(rest)
    return f"{whole or '0'}.{fraction or '0'}"
