"""Content balance by weighted deviations (Stocking and Swanson 1993)."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ContentTarget:
    """The share of a test, `lower` to `upper`, that a concept should have; `weight` per item."""

    concept: int
    lower: float
    upper: float
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.lower <= self.upper <= 1 or self.weight < 0 or self.concept < 0:
            raise ValueError(f"not a content target: {self}")


def compute_penalties(
    targets: Sequence[ContentTarget],
    *,
    given: Sequence[int],
    available: Sequence[int],
    length: int,
) -> list[float]:
    """Return the weighted deviation of the whole test if the next item is of each concept.

    Parameters
    ----------
    given : (K,) number of items of each concept so far
    available : (K,) number of items of each concept that may still be asked
    length : planned number of items of the test

    Returns
    -------
    (K,) list of float
        Sum over targets of weight x the items by which the projected test misses its
        bounds. What remains after the next item is expected in the shares of the bank.
    """
    remaining = max(0, length - sum(given) - 1)
    per_item = remaining / max(1, sum(available))
    total, changes = 0.0, [0.0] * len(given)
    for target in targets:
        at = target.concept
        if at >= len(given):  # A target that this bank cannot meet.
            continue
        lower, upper = target.lower * length, target.upper * length
        count = given[at] + per_item * available[at]
        miss = max(0.0, lower - count, count - upper)
        total += target.weight * miss
        changes[at] += target.weight * (max(0.0, lower - count - 1.0, count + 1.0 - upper) - miss)
    return [total + change for change in changes]
