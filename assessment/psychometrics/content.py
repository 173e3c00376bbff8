"""Content balance by weighted deviations (Stocking and Swanson 1993)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from assessment.psychometrics.items import Floats, Indexes


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
    given: Floats,
    available: Floats,
    length: int,
) -> Floats:
    """Return the weighted deviation of the whole test if the next item is of each concept.

    Parameters
    ----------
    given : (K,) number of items of each concept so far
    available : (K,) number of items of each concept that may still be asked
    length : planned number of items of the test

    Returns
    -------
    (K,) float
        Sum over targets of weight x the items by which the projected test misses its
        bounds. What remains after the next item is expected in the shares of the bank.
    """
    num_concepts = len(given)
    remaining = max(0.0, length - float(given.sum()) - 1.0)
    shares = available / max(1.0, float(available.sum()))
    projected = given + remaining * shares + np.eye(num_concepts)
    at, lower, upper, weights = _stack_targets(tuple(targets), num_concepts)
    counts = projected[:, at]
    short = np.maximum(0.0, lower * length - counts)
    over = np.maximum(0.0, counts - upper * length)
    return np.asarray((short + over) @ weights)


@lru_cache(maxsize=256)
def _stack_targets(
    targets: tuple[ContentTarget, ...], num_concepts: int
) -> tuple[Indexes, Floats, Floats, Floats]:
    """Return concepts, lower and upper shares and weights of the targets a bank can meet."""
    known = [target for target in targets if target.concept < num_concepts]
    rows = np.array([[t.lower, t.upper, t.weight] for t in known]).reshape(len(known), 3)
    at = np.array([target.concept for target in known], dtype=np.intp)
    return at, rows[:, 0], rows[:, 1], rows[:, 2]
