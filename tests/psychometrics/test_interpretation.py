import numpy as np
import pytest

from assessment.psychometrics.interpretation import (
    compute_expected_score,
    describe_interval,
    estimate_mastery,
)
from assessment.psychometrics.items import make_items
from assessment.psychometrics.posterior import Posterior, make_posterior, start_posterior

QUIZ = make_items(np.ones(8), np.linspace(-2, 2, 8), c=0.25)


def test_the_expected_score_is_a_sum_of_curves() -> None:
    point = Posterior(np.array([0.3, 0.5]), np.array([1.0, 0.0]))
    by_hand = sum(0.25 + 0.75 / (1 + np.exp(-(0.3 - b))) for b in QUIZ.b)
    assert compute_expected_score(QUIZ, point).mean == pytest.approx(by_hand)


def test_more_answers_narrow_the_interval() -> None:
    answers = [1, 1, 1, 0, 1, 0, 1, 0]
    few = compute_expected_score(QUIZ, make_posterior(QUIZ.take(range(2)), answers[:2]))
    many = compute_expected_score(QUIZ, make_posterior(QUIZ, answers))
    assert few.low < many.low < many.mean < many.high < few.high


def test_the_interval_is_told_in_whole_items() -> None:
    plain = describe_interval(QUIZ, start_posterior())
    assert (plain.low, plain.high, plain.num_items, plain.place) == (3, 7, 8, "inside")
    scale = (-2.0, 2.0)
    best = describe_interval(QUIZ, make_posterior(QUIZ, [1] * 8), scale=scale)
    worst = describe_interval(QUIZ, make_posterior(QUIZ, [0] * 8), scale=scale)
    assert (best.place, worst.place) == ("at_or_above", "at_or_below")
    assert 0 <= worst.low < worst.high <= best.high == 8


def test_mastery_of_a_concept_follows_its_answers_first() -> None:
    concepts = np.array([0] * 6 + [1] * 6)
    items = make_items(np.ones(12), np.tile(np.linspace(-1, 1, 6), 2), c=0.25)
    found = estimate_mastery(
        items,
        [1] * 6 + [0] * 6,
        concepts,
        reference=items,
        reference_concepts=concepts,
        b_sd=np.full(12, 0.8),
    )
    strong, weak = found[0], found[1]
    assert strong.share > weak.share + 0.2
    assert strong.probability > weak.probability
    assert strong.probability_low < strong.probability < strong.probability_high
    assert strong.share_low < strong.share < strong.share_high
    assert (strong.num_answers, weak.num_answers) == (6, 6)


def test_an_unasked_concept_rests_on_the_others_and_is_less_sure() -> None:
    items = make_items(np.ones(16), np.tile(np.linspace(-1, 1, 8), 2))
    reference_concepts = np.array([0] * 8 + [1] * 8)
    found = estimate_mastery(
        items.take(range(8)),
        [1, 1, 1, 1, 1, 0, 1, 1],
        np.zeros(8, dtype=np.intp),
        reference=items,
        reference_concepts=reference_concepts,
    )
    asked, unasked = found[0], found[1]
    assert unasked.num_answers == 0
    assert 0.5 < unasked.share < asked.share
    assert unasked.share_high - unasked.share_low > asked.share_high - asked.share_low
    assert unasked.probability_low == unasked.probability_high == unasked.probability


def test_mastery_is_the_same_each_time() -> None:
    arguments = {"reference": QUIZ, "reference_concepts": np.zeros(8, dtype=np.intp)}
    runs = [
        estimate_mastery(QUIZ, [1] * 8, np.zeros(8, np.intp), b_sd=np.full(8, 0.8), **arguments)
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
