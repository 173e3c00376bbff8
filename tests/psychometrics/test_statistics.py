import numpy as np
import pytest

from assessment.psychometrics.responses import make_responses
from assessment.psychometrics.statistics import (
    compute_alpha,
    compute_share_interval,
    describe_items,
)

MATRIX = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 1]], dtype=float)


def test_item_statistics_by_hand() -> None:
    first, second, third = describe_items(make_responses(MATRIX))
    assert (first.share_right, second.share_right, third.share_right) == (0.8, 0.6, 0.4)
    by_hand = np.corrcoef(MATRIX[:, 0], MATRIX[:, 1] + MATRIX[:, 2])[0, 1]
    assert first.item_rest == pytest.approx(by_hand)
    assert first.num_answers == 5


def test_alpha_by_hand() -> None:
    total = MATRIX.sum(axis=1).var(ddof=1)
    by_hand = 1.5 * (1 - MATRIX.var(axis=0, ddof=1).sum() / total)
    assert compute_alpha(make_responses(MATRIX)) == pytest.approx(by_hand)


def test_the_interval_of_a_share_from_wilson() -> None:
    # 8 of 10 in Newcombe's (1998) method 3: .4902 to .9433.
    assert compute_share_interval(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    low, high = compute_share_interval(0, 20) or (None, None)
    assert low == 0.0
    assert high == pytest.approx(0.1611, abs=1e-4)
    assert compute_share_interval(0, 0) is None


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        ([[1, 0]], "too_few_complete_rows"),
        ([[1, 1], [1, 0], [1, 1]], "no_spread"),
        ([[1, np.nan], [0, 1], [np.nan, 1]], "too_few_complete_rows"),
    ],
)
def test_what_cannot_be_known_is_not_told(matrix: list[list[float]], reason: str) -> None:
    first = describe_items(make_responses(matrix))[0]
    assert (first.item_rest, first.reason) == (None, reason)
    assert first.share_right is not None


def test_no_alpha_without_spread_or_items() -> None:
    assert compute_alpha(make_responses([[1, 1]] * 5)) is None
    assert compute_alpha(make_responses([[1], [0], [1]])) is None
    assert compute_alpha(make_responses([[1, 0], [0, 1]])) is None


def test_an_item_nobody_answered() -> None:
    matrix = [[1, np.nan], [0, np.nan], [1, np.nan]]
    second = describe_items(make_responses(matrix))[1]
    assert (second.num_answers, second.share_right, second.reason) == (0, None, "no_answers")
