"""Whatever a run within the catalogue's ranges finds, its texts are whole and true to it."""

import copy
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessment.feedback.claim_words import tell_claim
from assessment.feedback.figures.listing import describe_figure, list_figures, make_figure
from assessment.feedback.messages import LANGUAGES, get_catalogue
from assessment.feedback.narratives import collect_facts, narrate
from assessment.feedback.tables import assemble_table
from assessment.language import numbers
from tests.feedback.measurements import QUICK_NAMES

COUNTS = st.sampled_from([0, 1, 2, 5, 21, 1_000, 2**20 - 1, 2**40])
FLOATS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 1e-12, 7.4e-4, 0.0004, 0.9996, 1.00003, 4 / 3, 999_999.5]),
    st.floats(0, 1e6, allow_nan=False),
)

BROKEN = re.compile(r"nan|\binf\b|None|[{}$]|\?\?\?|(?<![\w.,])-0(?![.,\d])|  ", re.IGNORECASE)
# A placeholder, a number that is none, a negative zero, a hole.

PLURALS = {
    "en": r"(?<![\d.,])1 (layers|steps|training steps|calls|times|blocks|writes|updates|classes)\b",
    "bg": r"(?<![\d.,\u00a0])1 (слоя|стъпки|извиквания|пъти|блока|записа|обновявания|класа)\b",
    "fr": r"(?<![\d.,\u202f])1 (couches|appels|blocs|écritures|mises à jour|classes|paramètres)\b",
    "wo": r"(?!)",
}


def vary(report: dict[str, Any], data: st.DataObject) -> dict[str, Any]:
    """The report with other numbers: its facts, and those of its claims."""
    varied = copy.deepcopy(report)
    for facts in (varied["facts"], *(claim["facts"] for claim in varied["claims"])):
        for name, fact in facts.items():
            if isinstance(fact, bool):
                facts[name] = data.draw(st.booleans())
            elif isinstance(fact, int):
                facts[name] = data.draw(COUNTS)
            elif isinstance(fact, float):
                facts[name] = data.draw(FLOATS)
    for claim in varied["claims"]:
        if claim["observed"] is not None:
            strategy = FLOATS if isinstance(claim["observed"], float) else COUNTS
            claim["observed"] = data.draw(strategy)
    return varied


def check_text(text: str, lang: str) -> None:
    assert text
    assert not BROKEN.search(text), text
    assert not re.search(PLURALS[lang], text), text


@pytest.mark.parametrize("name", QUICK_NAMES)
@settings(max_examples=8, deadline=None, report_multiple_bugs=False)
@given(data=st.data())
def test_every_text_of_any_report_is_whole(
    name: str, real_reports: dict[str, dict[str, Any]], data: st.DataObject
) -> None:
    report = vary(real_reports[name], data)
    for lang in LANGUAGES:
        told = narrate(report, name, [lang])
        assert told.text != get_catalogue(lang).find_text(
            "narrative-generic", collect_facts(report)
        )
        check_text(told.text, lang)
        for claim in report["claims"]:
            words = tell_claim(claim, name, [lang])
            assert words is not None, claim["id"]
            check_text(words.text, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", QUICK_NAMES)
def test_the_tables_and_alternatives_of_a_real_report_are_whole(
    name: str, lang: str, real_reports: dict[str, dict[str, Any]]
) -> None:
    report, catalogue = real_reports[name], get_catalogue(lang)
    for figure in list_figures(report):
        check_text(describe_figure(figure, report, [lang]).text, lang)
        made = make_figure(figure, report, [lang])
        for cell in (*made.columns, *(cell for row in made.rows for cell in row)):
            check_text(cell, lang)
    arms = [arm["name"] for arm in report["memory"]]
    assert [one for one in arms if catalogue.name("arm", one) == one and "_" not in one] == []
    for table in report["tables"]:
        shown = assemble_table(table, catalogue)
        assert shown["title"] != table["name"]


@given(share=st.floats(1e-12, 1 - 1e-5, exclude_max=True), lang=st.sampled_from(LANGUAGES))
def test_a_share_of_some_never_reads_as_none_or_all(share: float, lang: str) -> None:
    shown = numbers.format_percent(share, lang)
    assert re.search(r"[1-9]", shown)
    assert not shown.startswith("100")


@given(value=st.integers(0, 2**60), lang=st.sampled_from(LANGUAGES))
def test_bytes_have_at_most_four_digits_before_the_unit(value: int, lang: str) -> None:
    shown = numbers.format_bytes(value, lang)
    number, _, unit = shown.rpartition(" ")
    assert unit in numbers.BINARY_UNITS
    assert len(re.sub(r"\D", "", number)) <= 4 or unit == "TiB"
