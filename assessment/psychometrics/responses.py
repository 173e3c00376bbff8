"""Answers as matrices: persons by items, with what was not answered left out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assessment.psychometrics.items import Floats, Indexes, Mask


@dataclass(frozen=True, eq=False)
class Responses:
    """N rows of answers to I items, equal rows told once.

    Attributes
    ----------
    right : (N, I) float
        1 for a right answer, else 0.
    seen : (N, I) float or None
        1 where there is an answer; None when there is one everywhere.
    weights : (N,) float
        How many persons gave this row.
    """

    right: Floats
    seen: Floats | None
    weights: Floats

    @property
    def num_persons(self) -> int:
        """Number of persons with at least one answer."""
        return round(float(self.weights.sum()))

    @property
    def num_answers(self) -> Indexes:
        """Answers to each item (I,)."""
        if self.seen is None:
            return np.full(self.right.shape[1], self.num_persons, dtype=np.intp)
        return np.rint(self.weights @ self.seen).astype(np.intp)

    @property
    def num_right(self) -> Floats:
        """Right answers to each item (I,)."""
        return np.asarray(self.weights @ self.right)

    def unfold(self) -> Floats:
        """Return the (persons, I) matrix again, NaN where there is no answer."""
        matrix = self.right if self.seen is None else np.where(self.seen > 0, self.right, np.nan)
        return np.repeat(matrix, np.rint(self.weights).astype(np.intp), axis=0)


def make_responses(matrix: ArrayLike, *, weights: ArrayLike | None = None) -> Responses:
    """Check a persons by items matrix of 1, 0 and NaN, and tell equal rows once.

    Raises
    ------
    ValueError
        When a value is none of these, or nobody answered anything.
    """
    values = np.asarray(matrix, dtype=np.float64)
    if values.ndim != 2:
        raise ValueError("answers are a matrix of persons by items")
    is_missing = np.isnan(values)
    if not np.all(is_missing | (values == 0) | (values == 1)):
        raise ValueError("an answer is 1, 0 or missing")
    counts = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64)
    has_answer = ~is_missing.all(axis=1) & (counts > 0)
    values, is_missing, counts = values[has_answer], is_missing[has_answer], counts[has_answer]
    if len(values) == 0:
        raise ValueError("there are no answers")
    first, counts = _fold(values == 1, is_missing, counts)
    right = (values[first] == 1).astype(np.float64)
    seen = (~is_missing[first]).astype(np.float64) if is_missing.any() else None
    return Responses(right, seen, counts)


def _fold(is_right: Mask, is_missing: Mask, counts: Floats) -> tuple[Indexes, Floats]:
    """Return the first row of each pattern and the sum of the weights of its rows."""
    packed = np.packbits(np.concatenate([is_right, is_missing], axis=1), axis=1)
    keys = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return first, np.bincount(inverse, weights=counts).astype(np.float64)
