"""The questions of predictions: three gapless ranges of a quantity the laboratory measures."""

import pytest

from assessment.bank.snapshot import get_snapshot
from assessment.experiments.predictions import _load_questions, find_question
from assessment.feedback.quantities import SOURCES

QUESTIONS = list(_load_questions().values())


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.experiment)
def test_each_question_has_three_ranges_without_a_gap(question):
    first, second, third = question.choices
    assert (first.low, third.high) == (None, None)
    assert (first.high, second.high) == (second.low, third.low)
    for value in (-1.0, first.high, second.high, 1e9):
        assert sum(one.contains(value) for one in question.choices) == 1
    assert question.quantity in SOURCES


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.experiment)
def test_each_question_is_asked_in_four_languages(question):
    for text in (question.text, *(one.text for one in question.choices)):
        assert set(text.best) == {"en", "bg", "fr", "wo"}
        assert all(one.text.strip() for one in text.best.values())


def test_the_question_depends_on_the_item_alone(bank):
    snapshot = get_snapshot(bank)
    item = snapshot.find_item("bg-1")
    assert find_question(item).experiment == "tradeoff"
