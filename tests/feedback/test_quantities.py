from typing import Any

import pytest
import yaml

from assessment.experiments.predictions import DOCUMENT, find_question
from assessment.feedback.quantities import SOURCES, assemble_prediction, find_quantity
from gpu_worker.catalog import EXPERIMENTS
from tests.feedback.items import make_item
from tests.feedback.measurements import as_stored, make_tradeoff

QUESTION = find_question(make_item())
STORED = as_stored(make_tradeoff(facts={"peak_ratio": 0.2983}))


@pytest.mark.parametrize(
    ("choice", "expected"), [("below-half", True), ("same-or-more", False), (None, None)]
)
def test_a_prediction_is_held_against_the_measurement(
    choice: str | None, expected: bool | None
) -> None:
    assert QUESTION is not None
    told = assemble_prediction(QUESTION, choice=choice, measured=STORED, languages=["bg"])
    assert told["was_right"] is expected
    assert told["measured_choice"] == "below-half"
    assert told["measured"] == 0.2983
    assert told["display"] == "×0,298"
    assert len(told["choices"]) == 3  # type: ignore[arg-type]  # a list of choices


def test_without_a_measurement_nothing_is_judged() -> None:
    assert QUESTION is not None
    told = assemble_prediction(QUESTION, choice="below-half", measured=None, languages=["en"])
    assert (told["was_right"], told["measured"], told["display"]) == (None, None, None)
    other = as_stored(make_tradeoff())
    assert find_quantity("peak-ratio", other) is None
    assert find_quantity("unheard-of", other) is None


QUESTIONS = yaml.safe_load(DOCUMENT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_asks_for_a_quantity_that_its_report_has(
    name: str, real_reports: dict[str, dict[str, Any]]
) -> None:
    assert QUESTIONS[name]["quantity"] in SOURCES
    if name in EXPERIMENTS and not EXPERIMENTS[name].slow:
        assert find_quantity(QUESTIONS[name]["quantity"], real_reports[name]) is not None


def test_a_share_of_nothing_is_unknown() -> None:
    stored = as_stored(make_tradeoff(facts={"calls": 21, "calls_plain": 0}))
    assert find_quantity("call-ratio", stored) is None
    stored["facts"]["calls_plain"] = 12
    assert find_quantity("call-ratio", stored) == 1.75
