import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessment.language.numbers import format_count, format_number
from assessment.language.reading import (
    NumberRefused,
    parse_number,
    parse_quantity,
    write_plainly,
)


@pytest.mark.parametrize(
    ("raw", "lang", "value"),
    [
        ("0,5", "bg", 0.5),
        ("0.5", "bg", 0.5),
        ("0,5", "en", 0.5),
        ("1\u00a0234,5", "bg", 1234.5),
        ("1\u202f234,5", "fr", 1234.5),
        ("1.234,5", "wo", 1234.5),
        ("1,234.5", "en", 1234.5),
        ("3,145", "bg", 3.145),
        ("3.145", "en", 3.145),
        ("0,145", "en", 0.145),
        ("12,345,678", "en", 12_345_678),
        ("1e-3", "en", 0.001),
        ("\u22121", "en", -1),
        (" 7 ", "fr", 7),
        (".5", "en", 0.5),
        ("+3", "bg", 3),
    ],
)
def test_it_reads_the_learners_number(raw: str, lang: str, value: float) -> None:
    assert parse_number(raw, lang).value == value


@pytest.mark.parametrize(
    ("raw", "lang", "reason"),
    [
        ("3,145", "en", "ambiguous"),
        ("3.145", "bg", "ambiguous"),
        ("16.000", "fr", "ambiguous"),
        ("nan", "en", "not_finite"),
        ("-Infinity", "en", "not_finite"),
        ("1e999", "en", "not_finite"),
        ("1_0", "en", "underscore"),
        ("\u0660\u066b\u0665", "en", "other_digits"),
        ("\uff11", "en", "other_digits"),
        ("\u00bd", "en", "fraction"),
        ("5/3", "en", "fraction"),
        ("1,2,3", "en", "bad_groups"),
        ("1 2 3", "bg", "bad_groups"),
        ("1,234.5.6", "en", "bad_groups"),
        ("", "en", "empty"),
        ("  ", "en", "empty"),
        ("9" * 61, "en", "too_long"),
        ("0x10", "en", "not_a_number"),
        ("twelve", "en", "not_a_number"),
        ("True", "en", "not_a_number"),
        ("1\x00", "en", "not_a_number"),
    ],
)
def test_it_refuses_with_a_reason(raw: str, lang: str, reason: str) -> None:
    with pytest.raises(NumberRefused) as refused:
        parse_number(raw, lang)
    assert refused.value.reason == reason


def test_an_ambiguous_number_names_both_readings() -> None:
    with pytest.raises(NumberRefused) as refused:
        parse_number("3,145", "en")
    assert refused.value.readings == (3.145, 3145.0)


@pytest.mark.parametrize(
    ("raw", "lang", "hints"),
    [("3,145", "en", ["3.145", "3145"]), ("1.167", "bg", ["1,167", "1167"])],
)
def test_each_reading_can_be_written_so_that_it_is_the_only_one(
    raw: str, lang: str, hints: list[str]
) -> None:
    with pytest.raises(NumberRefused) as refused:
        parse_number(raw, lang)
    readings = refused.value.readings
    assert [write_plainly(one, lang) for one in readings] == hints
    assert [parse_number(one, lang).value for one in hints] == list(readings)


def test_it_says_what_it_understood() -> None:
    typed = parse_quantity("1\u00a0234,5 MiB", "bg")
    assert (typed.value, typed.decimal, typed.group, typed.unit) == (1234.5, ",", "\u00a0", "MiB")
    assert parse_quantity("1e3", "en").unit is None
    assert parse_quantity("5%", "en").unit == "%"


def list_readings(raw: str, lang: str) -> tuple[float, ...]:
    """The number that was read, or the readings of an ambiguous one."""
    try:
        return (parse_number(raw, lang).value,)
    except NumberRefused as refused:
        return refused.readings


@given(st.integers(-(10**14), 10**14), st.sampled_from(["bg", "fr", "wo"]))
def test_a_count_that_we_print_is_read_back_or_called_ambiguous(value: int, lang: str) -> None:
    assert value in list_readings(format_count(value, lang), lang)


@given(st.floats(-999, 999), st.sampled_from(["en", "bg", "fr", "wo"]))
def test_a_number_that_we_print_is_read_back(value: float, lang: str) -> None:
    if abs(value) >= 1e-3:
        shown = format_number(value, lang, digits=15)
        assert parse_number(shown, lang).value == pytest.approx(value, rel=1e-12)


@given(st.text(max_size=80), st.sampled_from(["en", "bg", "fr", "wo"]))
def test_nothing_typed_makes_it_fail(raw: str, lang: str) -> None:
    with contextlib.suppress(NumberRefused):
        parse_quantity(raw, lang)
