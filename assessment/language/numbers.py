"""Numbers as a language writes them (CLDR, by Babel). Wolof has its own data there."""

import math
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel import numbers as cldr

from assessment.language.negotiation import parse_tag
from assessment.language.texts import FALLBACKS, SOURCE_LANGUAGE

BINARY_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
# IEC 80000-13 symbols; they stand unchanged in every language of the bank.

FLOP_UNITS = ("FLOPs", "kFLOPs", "MFLOPs", "GFLOPs", "TFLOPs")
# Decimal prefixes, as vendors and papers count operations.

TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "\u00b5s"))
# SI symbols, the largest first; below a microsecond nothing here can be measured.

SIGNIFICANT_DIGITS = 3
# "9,26 MiB": the third digit is the last one that says something to a reader.

TIMES = "\u00d7"
# The multiplication sign in front of a ratio.

MOST_DECIMALS = 5
# Of a ratio or a share near 0 or 1: enough that a small price does not read as none.

LEAST_TOLD = 10.0**-MOST_DECIMALS
# A smaller distance from 1 is noise; a smaller value is written as a power of ten.

_SUPERSCRIPTS = str.maketrans(
    "-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
)


def format_number(value: float, lang: str, *, digits: int = 4) -> str:
    """Up to `digits` significant digits; whole numbers in full, tiny ones as a power of ten."""
    _require_finite(value)
    if value == int(value) and abs(value) < 1e15:
        return format_count(int(value), lang)
    if not 1e-3 <= abs(value) < 1e15:
        return _format_power(value, lang)
    return _format_decimals(value, lang, most=_count_decimals(value, digits))


def format_count(value: int, lang: str) -> str:
    """A whole number with the groups of the language."""
    return str(cldr.format_decimal(value, format="#,##0", locale=get_locale(lang)))


def format_bytes(value: float, lang: str, *, unit: str | None = None) -> str:
    """Bytes in a binary unit, the largest that leaves at least 1, or the unit given."""
    _require_finite(value)
    power = BINARY_UNITS.index(unit) if unit else _choose_power(value, 1024, len(BINARY_UNITS))
    return f"{_format_short(value / 1024**power, lang, whole=power == 0)} {BINARY_UNITS[power]}"


def format_flops(value: float, lang: str) -> str:
    """Floating point operations with a decimal prefix."""
    _require_finite(value)
    power = _choose_power(value, 1000, len(FLOP_UNITS))
    return f"{_format_short(value / 1000**power, lang, whole=power == 0)} {FLOP_UNITS[power]}"


def format_seconds(value: float, lang: str) -> str:
    """Seconds, milliseconds or microseconds."""
    _require_finite(value)
    size, unit = next((pair for pair in TIME_UNITS if abs(value) >= pair[0]), TIME_UNITS[-1])
    if value == 0:
        size, unit = TIME_UNITS[0]
    return f"{_format_short(value / size, lang)} {unit}"


def format_ratio(value: float, lang: str) -> str:
    """A factor with three decimals, or as many as tell it from 0 and 1: a replay of 0.03 %
    must not read as none."""
    _require_finite(value)
    if 0 < abs(value) <= LEAST_TOLD:
        return f"{TIMES}{_format_power(value, lang)}"
    return f"{TIMES}{_format_decimals(value, lang, least=2, most=_count_telling(value, 3))}"


def format_times(value: float, lang: str) -> str:
    """A factor of growth or of time to three digits, where more would say nothing."""
    _require_finite(value)
    if value == int(value):
        return f"{TIMES}{format_count(int(value), lang)}"
    decimals = _count_decimals(value, SIGNIFICANT_DIGITS)
    if abs(value) >= 0.1:
        decimals = min(decimals, 2)
    return f"{TIMES}{_format_decimals(value, lang, least=decimals, most=decimals)}"


def format_percent(share: float, lang: str, *, decimals: int = 1) -> str:
    """A share (0.285) in per cent, with the space and sign of the language.

    What is not 0 does not read as 0 %, what is not all does not read as 100 %.
    """
    _require_finite(share)
    locale = get_locale(lang)
    pattern = str(locale.percent_formats[None].pattern)
    if 0 < abs(share) <= LEAST_TOLD:
        return pattern.replace("#,##0", _format_power(100 * share, lang))
    most = max(decimals, _count_telling(share, decimals + 2) - 2)
    digits = "#,##0" + ("." + "#" * most if most else "")
    pattern = pattern.replace("#,##0", digits)
    return str(cldr.format_percent(share + 0.0, format=pattern, locale=locale))


def format_quantity(value: float, unit: str, lang: str) -> str:
    """A number in one of the units of the worker's contract (byte, flop, s, count, 1)."""
    if unit == "byte":
        return format_bytes(value, lang)
    if unit == "flop":
        return format_flops(value, lang)
    if unit == "s":
        return format_seconds(value, lang)
    if unit in ("1", "count"):
        return format_number(value, lang)
    return f"{format_number(value, lang)} {unit}"


@lru_cache(maxsize=256)
def get_locale(lang: str) -> Locale:
    """The CLDR locale of a tag, else of its fallbacks, else English."""
    tag = parse_tag(lang) or SOURCE_LANGUAGE
    primary = tag.split("-")[0]
    for one in (tag, primary, *FALLBACKS.get(primary, ())):
        try:
            return Locale.parse(one, sep="-")
        except (UnknownLocaleError, ValueError):
            continue
    return Locale.parse(SOURCE_LANGUAGE)


def _format_short(value: float, lang: str, *, whole: bool = False) -> str:
    """Three significant digits, two decimals at most; zeros are kept ("31,0")."""
    if whole and value == int(value):
        return format_count(int(value), lang)
    decimals = min(_count_decimals(value, SIGNIFICANT_DIGITS), 2)
    if value == 0 or (value != 0 and abs(value) < 0.005):
        return format_number(value, lang)
    return _format_decimals(value, lang, least=decimals, most=decimals)


def _format_decimals(value: float, lang: str, *, least: int = 0, most: int) -> str:
    """Adding zero makes a plain zero of a negative one."""
    pattern = "#,##0" + ("." + "0" * least + "#" * (most - least) if most else "")
    return str(cldr.format_decimal(value + 0.0, format=pattern, locale=get_locale(lang)))


def _format_power(value: float, lang: str) -> str:
    """7.4e-4 as a person writes it: mantissa, times, ten with a raised exponent."""
    mantissa, _, exponent = f"{value:.{SIGNIFICANT_DIGITS - 1}e}".partition("e")
    digits = _format_decimals(float(mantissa), lang, most=SIGNIFICANT_DIGITS - 1)
    return f"{digits} {TIMES} 10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


def _count_decimals(value: float, digits: int) -> int:
    if value == 0:
        return 0
    return max(0, digits - 1 - math.floor(math.log10(abs(value))))


def _count_telling(value: float, least: int) -> int:
    """Decimals that show how far a value is from 0 and from 1, where it is at all."""
    gaps = [gap for gap in (abs(value), abs(value - 1)) if gap > LEAST_TOLD]
    return max(least, min(MOST_DECIMALS, -math.floor(math.log10(min(gaps)))))


def _choose_power(value: float, base: int, num_units: int) -> int:
    """The power whose rounded number stays below the base: never "1,024 KiB"."""
    power = 0
    while abs(value) >= base - 0.5 and power < num_units - 1:
        value, power = value / base, power + 1
    return power


def _require_finite(value: float) -> None:
    if not math.isfinite(value):
        raise ValueError("only finite numbers can be shown")
