"""The four words for a misconception, each from a log worked out by hand."""

import pytest

from assessment.feedback.beliefs import AnsweredItem, classify_belief, classify_beliefs

M = "accuracy-is-the-price"


RIGHT = AnsweredItem(frozenset({M}), frozenset(), is_right=True)
CHOSEN = AnsweredItem(frozenset({M}), frozenset({M}), is_right=False)
WRONG_OTHERWISE = AnsweredItem(frozenset({M, "x"}), frozenset({"x"}), is_right=False)
ELSEWHERE = AnsweredItem(frozenset({"x"}), frozenset(), is_right=True)


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        ([], "not_tested"),
        ([ELSEWHERE], "not_tested"),
        ([RIGHT], "not_chosen"),
        ([WRONG_OTHERWISE], "not_chosen"),
        ([CHOSEN], "chosen_once"),
        ([RIGHT, CHOSEN], "chosen_once"),
        ([CHOSEN, WRONG_OTHERWISE], "chosen_once"),
        ([CHOSEN, CHOSEN], "chosen_again"),
        ([CHOSEN, RIGHT], "later_right"),
        ([CHOSEN, RIGHT, CHOSEN], "chosen_again"),
        ([CHOSEN, ELSEWHERE], "chosen_once"),
    ],
)
def test_a_belief_has_the_state_that_its_answers_show(answers, state):
    assert classify_belief(M, answers).state == state


def test_what_asks_for_attention_comes_first():
    records = classify_beliefs([M, "x", "y"], [WRONG_OTHERWISE, RIGHT])
    assert [one.slug for one in records] == ["x", M, "y"]
