"""Classical item statistics, which say nothing rather than something they cannot know."""

import math
from dataclasses import dataclass

import numpy as np

from assessment.psychometrics.items import Floats
from assessment.psychometrics.responses import Responses

Z_95 = 1.959963984540054
# The two-sided 5 % point of the normal distribution.
MIN_PERSONS = 3
# A correlation of two persons is 1 or -1 whatever they answered.


@dataclass(frozen=True)
class ItemStatistics:
    """Of one item; None where it cannot be known, with the reason.

    Attributes
    ----------
    share_right, low, high : float or None
        Share of right answers with its 95 % interval (Wilson 1927).
    item_rest : float or None
        Correlation of the item with the sum of the others, complete rows only.
    """

    num_answers: int
    share_right: float | None
    low: float | None
    high: float | None
    item_rest: float | None
    reason: str | None = None


def describe_items(responses: Responses) -> list[ItemStatistics]:
    """Return the statistics of each item."""
    matrix = responses.unfold()
    complete = matrix[~np.isnan(matrix).any(axis=1)]
    return [_describe_item(matrix[:, i], complete, i) for i in range(matrix.shape[1])]


def compute_alpha(responses: Responses) -> float | None:
    """Return Cronbach's alpha of the complete rows, or None where there is no spread."""
    matrix = responses.unfold()
    complete = matrix[~np.isnan(matrix).any(axis=1)]
    num_items = complete.shape[1]
    if len(complete) < MIN_PERSONS or num_items < 2:
        return None
    total = float(complete.sum(axis=1).var(ddof=1))
    if total == 0.0:
        return None
    within = float(complete.var(axis=0, ddof=1).sum())
    return float(num_items / (num_items - 1.0) * (1.0 - within / total))


def compute_share_interval(num_right: int, num_answers: int) -> tuple[float, float] | None:
    """Return the 95 % interval of a share (Wilson 1927), or None without answers."""
    if num_answers == 0:
        return None
    share, n = num_right / num_answers, float(num_answers)
    middle = share + Z_95**2 / (2.0 * n)
    reach = Z_95 * math.sqrt(share * (1.0 - share) / n + Z_95**2 / (4.0 * n * n))
    scale = 1.0 + Z_95**2 / n
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def _describe_item(answers: Floats, complete: Floats, index: int) -> ItemStatistics:
    given = answers[~np.isnan(answers)]
    interval = compute_share_interval(int(given.sum()), len(given))
    if interval is None:
        return ItemStatistics(0, None, None, None, None, "no_answers")
    share = float(given.mean())
    rest = complete.sum(axis=1) - complete[:, index]
    if len(complete) < MIN_PERSONS:
        correlation, reason = None, "too_few_complete_rows"
    elif np.ptp(complete[:, index]) == 0 or np.ptp(rest) == 0:
        correlation, reason = None, "no_spread"
    else:
        correlation, reason = float(np.corrcoef(complete[:, index], rest)[0, 1]), None
    return ItemStatistics(len(given), share, *interval, correlation, reason)
