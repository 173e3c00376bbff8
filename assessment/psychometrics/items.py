"""Item parameters of the 1PL to 4PL models, as arrays, in the natural logistic metric (D = 1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Indexes = NDArray[np.intp]
Mask = NDArray[np.bool_]

A_MIN, A_MAX, B_MAX = 1e-3, 10.0, 50.0
# The legal range of a bank: outside it a parameter is a typing error, not an item.

NORMAL_OGIVE_D = 1.702
# Haley (1952): the logistic curve with this factor is within .01 of the normal ogive.


@dataclass(frozen=True, eq=False)
class ItemParameters:
    """Parameters of I items: P = c + (d - c) / (1 + exp(-a (theta - b))).

    Attributes
    ----------
    a, b, c, d : (I,) float
        Discrimination per logit, difficulty in logits, lower and upper asymptote.
    """

    a: Floats
    b: Floats
    c: Floats
    d: Floats

    def __len__(self) -> int:
        return len(self.a)

    def take(self, indexes: Sequence[int] | Indexes | Mask) -> "ItemParameters":
        """Return the items at these indexes (or under this mask), in that order."""
        at = np.asarray(indexes)
        at = at if at.dtype == np.bool_ else at.astype(np.intp)
        return ItemParameters(self.a[at], self.b[at], self.c[at], self.d[at])


def make_items(
    a: ArrayLike, b: ArrayLike, *, c: ArrayLike = 0.0, d: ArrayLike = 1.0, metric: float = 1.0
) -> ItemParameters:
    """Check and broadcast item parameters; `metric` is the D they were calibrated in.

    Parameters
    ----------
    a, b, c, d : float or (I,) float
    metric : float
        1.0 for the logistic metric, 1.702 for the normal-ogive metric; a is multiplied by it.

    Raises
    ------
    ValueError
        When a value is not finite or not legal.
    """
    arrays = [np.atleast_1d(np.asarray(x, dtype=np.float64)) for x in (a, b, c, d)]
    if any(x.ndim != 1 for x in arrays):
        raise ValueError("item parameters must be scalars or one-dimensional")
    a_, b_, c_, d_ = (np.array(x) for x in np.broadcast_arrays(*arrays))
    items = ItemParameters(a_ * metric, b_, c_, d_)
    _check_items(items)
    return items


def make_items_from_slopes(
    slope: ArrayLike, intercept: ArrayLike, *, c: ArrayLike = 0.0, d: ArrayLike = 1.0, metric: float
) -> ItemParameters:
    """Make items from the slope-intercept form, a theta + intercept, so that b = -intercept / a.

    The metric is asked for each time, as mirt's `d` is an intercept and not a difficulty.
    """
    slopes = np.asarray(slope, dtype=np.float64)
    if np.any(slopes == 0):
        raise ValueError("a slope of 0 has no difficulty")
    return make_items(slopes, -np.asarray(intercept) / slopes, c=c, d=d, metric=metric)


def join_items(first: ItemParameters, second: ItemParameters) -> ItemParameters:
    """Return both sets of items, the first before the second."""
    return ItemParameters(
        *(np.concatenate([getattr(first, n), getattr(second, n)]) for n in ("a", "b", "c", "d"))
    )


def _check_items(items: ItemParameters) -> None:
    legal = {
        "a": (items.a >= A_MIN) & (items.a <= A_MAX),
        "b": np.abs(items.b) <= B_MAX,
        "c": (items.c >= 0) & (items.c < items.d),
        "d": items.d <= 1,
    }
    for name, is_legal in legal.items():
        if not np.all(is_legal):  # A NaN compares false and ends here too.
            index = int(np.argmin(is_legal))
            raise ValueError(f"item {index}: {name} = {getattr(items, name)[index]} is not legal")
