"""A learner writes units in the language of the session."""

import json
from pathlib import Path

import pytest

from assessment.language import units
from assessment.language.reading import parse_quantity
from assessment.language.units import name_unit


@pytest.mark.parametrize(
    ("typed", "symbol"),
    [
        ("MiB", "MiB"),
        ("mib", "MiB"),
        ("МиБ", "MiB"),
        ("Mio", "MiB"),
        ("mebibytes", "MiB"),
        ("MB", "MB"),
        ("МБ", "MB"),
        ("Mo", "MB"),
        ("мегабайта", "MB"),
        ("Kb", "kB"),
        ("GiB", "GiB"),
        ("байта", "B"),
        ("octets", "B"),
        ("per  cent", "%"),
        ("процента", "%"),
        ("pour cent", "%"),
        ("пъти", ""),
        ("fois", ""),
        ("yoon", ""),
        ("\u00d7", ""),
        ("тензора", ""),
        ("parsecs", "parsecs"),
    ],
)
def test_a_unit_is_known_by_its_names(typed: str, symbol: str) -> None:
    assert name_unit(typed) == symbol


def test_no_name_stands_for_two_units() -> None:
    path = Path(units.__file__).with_name("unit_names.json")
    names = json.loads(path.read_text("utf-8"))
    every = [one for found in names["units"].values() for one in found] + names["counted"]
    assert len(set(every)) == len(every)
    assert [one for one in every if one != one.casefold()] == []


@pytest.mark.parametrize(
    ("raw", "lang", "value", "symbol"),
    [
        ("9,26 МиБ", "bg", 9.26, "MiB"),
        ("1 234,5 Mio", "fr", 1234.5, "MiB"),
        ("112 ГБ", "bg", 112, "GB"),
        ("16,67 на сто", "bg", 16.67, "%"),
        ("16,67%", "wo", 16.67, "%"),
        ("\u00d71,33", "bg", 1.33, ""),
        ("x1.33", "en", 1.33, ""),
        ("1.33\u00d7", "en", 1.33, ""),
        ("1,9 пъти", "bg", 1.9, ""),
        ("20 tensors", "en", 20, ""),
    ],
)
def test_number_and_unit_are_read_together(raw: str, lang: str, value: float, symbol: str) -> None:
    typed = parse_quantity(raw, lang)
    assert typed.unit is not None
    assert (typed.raw, typed.value, name_unit(typed.unit)) == (raw, value, symbol)
