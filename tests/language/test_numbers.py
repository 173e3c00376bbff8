import pytest

from assessment.language import numbers

NBSP, NNBSP = "\u00a0", "\u202f"


@pytest.mark.parametrize(
    ("value", "lang", "shown"),
    [
        (9_707_528, "bg", "9,26 MiB"),
        (9_707_528, "en", "9.26 MiB"),
        (9_707_528, "wo", "9,26 MiB"),
        (32_539_144, "bg", "31,0 MiB"),
        (0, "fr", "0 B"),
        (8, "fr", "8 B"),
        (1000, "fr", f"1{NNBSP}000 B"),
        (1000, "wo", "1.000 B"),
        (1024, "en", "1.00 KiB"),
        (786_432, "bg", "768 KiB"),
        (2**50, "en", "1,024 TiB"),
    ],
)
def test_bytes(value: float, lang: str, shown: str) -> None:
    assert numbers.format_bytes(value, lang) == shown


def test_bytes_in_the_unit_asked_for() -> None:
    assert numbers.format_bytes(512 * 1024, "bg", unit="MiB") == "0,50 MiB"


@pytest.mark.parametrize(
    ("value", "lang", "shown"),
    [
        (0.0, "bg", "0"),
        (1_234_567, "bg", f"1{NBSP}234{NBSP}567"),
        (3.14159, "fr", "3,142"),
        (-0.5, "en", "-0.5"),
        (7.4e-4, "bg", "7,4 \u00d7 10\u207b\u2074"),
        (9.999e-5, "en", "1 \u00d7 10\u207b\u2074"),
        (2.5e18, "en", "2.5 \u00d7 10\u00b9\u2078"),
    ],
)
def test_plain_numbers(value: float, lang: str, shown: str) -> None:
    assert numbers.format_number(value, lang) == shown


def test_ratio_percent_seconds_and_flops() -> None:
    assert numbers.format_ratio(4 / 3, "bg") == "\u00d71,333"
    assert numbers.format_ratio(1.0238095, "en") == "\u00d71.024"
    assert numbers.format_percent(0.285, "fr") == f"28,5{NBSP}%"
    assert numbers.format_percent(0.7, "bg") == "70%"
    assert numbers.format_seconds(0.42, "bg") == "420 ms"
    assert numbers.format_seconds(1.5, "wo") == "1,50 s"
    assert numbers.format_seconds(0, "en") == "0 s"
    assert numbers.format_flops(1.234e9, "bg") == "1,23 GFLOPs"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1.0, "\u00d71.00"),
        (1.00027, "\u00d71.0003"),
        (0.99996, "\u00d70.99996"),
        (0.0004, "\u00d70.0004"),
        (4e-7, "\u00d74 \u00d7 10\u207b\u2077"),
        (1.8999998396, "\u00d71.90"),
        (-0.0, "\u00d70.00"),
    ],
)
def test_a_small_price_does_not_read_as_none(value: float, shown: str) -> None:
    assert numbers.format_ratio(value, "en") == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.0, "0%"),
        (-0.0, "0%"),
        (0.0003, "0.03%"),
        (2e-7, "2 \u00d7 10\u207b\u2075%"),
        (0.9997, "99.97%"),
        (1.0, "100%"),
    ],
)
def test_some_is_neither_none_nor_all(share: float, shown: str) -> None:
    assert numbers.format_percent(share, "en") == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(4.93645, "4.94"), (25.0, "25"), (19.955, "20.0"), (0.99996, "1.00"), (0.01234, "0.0123")],
)
def test_growth_and_time_have_three_digits(value: float, shown: str) -> None:
    assert numbers.format_times(value, "en") == f"\u00d7{shown}"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(2**20 - 1, "1.00 MiB"), (1023, "1,023 B"), (2**30 - 2**9, "1.00 GiB")],
)
def test_no_unit_reads_as_a_thousand_and_twenty_four(value: int, shown: str) -> None:
    assert numbers.format_bytes(value, "en") == shown


def test_quantities_follow_the_contract_units() -> None:
    shown = [numbers.format_quantity(12, unit, "en") for unit in ("byte", "flop", "count", "1")]
    assert shown == ["12 B", "12 FLOPs", "12", "12"]


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_finite_is_never_shown(value: float) -> None:
    for show in (numbers.format_bytes, numbers.format_number, numbers.format_ratio):
        with pytest.raises(ValueError, match="finite"):
            show(value, "en")


def test_an_unknown_language_reads_english() -> None:
    assert numbers.format_number(0.5, "xx-Nope") == "0.5"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (5e-324, "4.94 \u00d7 10\u207b\u00b3\u00b2\u2074"),
        (9.999e-5, "1 \u00d7 10\u207b\u2074"),
        (-1.7976931348623157e308, "-1.8 \u00d7 10\u00b3\u2070\u2078"),
        (7.4e-4, "7.4 \u00d7 10\u207b\u2074"),
    ],
)
def test_every_finite_number_has_a_form(value: float, shown: str) -> None:
    assert numbers.format_number(value, "en").replace("\u2212", "-") == shown
