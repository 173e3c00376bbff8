"""Whether items behave as their curves say."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assessment.psychometrics.chi_square import compute_chi_square_tail
from assessment.psychometrics.curves import compute_probability
from assessment.psychometrics.items import Floats, Indexes, ItemParameters
from assessment.psychometrics.marginal import (
    Population,
    compute_posteriors,
    make_nodes,
    weigh_nodes,
)
from assessment.psychometrics.responses import Responses

STANDARD_POPULATION = Population(0.0, 1.0)
SMALLEST_CELL = 1.0
# Orlando and Thissen (2000) join score groups until each expected count is at least 1.


@dataclass(frozen=True)
class ItemFit:
    """S-X2 of one item; None where it cannot be computed, with the reason."""

    statistic: float | None
    df: int | None
    p_value: float | None
    reason: str | None = None


@dataclass(frozen=True, eq=False)
class MeanSquares:
    """Mean squares of standardized residuals of I items; 1 under the model, NaN unanswered.

    Attributes
    ----------
    outfit, infit : (I,) float
        Plain, and weighted by information.
    """

    outfit: Floats
    infit: Floats


def compute_s_x2(
    responses: Responses,
    items: ItemParameters,
    *,
    num_free: Indexes,
    population: Population = STANDARD_POPULATION,
) -> list[ItemFit]:
    """Return S-X2 of each item (Orlando and Thissen 2000, eq. 7): observed against expected
    shares of right answers among persons of equal total score.

    Parameters
    ----------
    num_free : (I,) int
        Parameters estimated of each item, taken off the degrees of freedom.
    """
    if responses.seen is not None:
        return [ItemFit(None, None, None, "incomplete_answers")] * len(items)
    expected = _predict_by_score(items, population)
    scores = np.rint(responses.right.sum(axis=1)).astype(np.intp)
    sizes = np.bincount(scores, weights=responses.weights, minlength=len(items) + 1)
    fits = []
    for i in range(len(items)):
        weights = responses.weights * responses.right[:, i]
        right = np.bincount(scores, weights=weights, minlength=len(items) + 1)
        cells = _join_groups(sizes[1:-1].tolist(), right[1:-1].tolist(), expected[1:-1, i].tolist())
        fits.append(_judge(cells, int(num_free[i])))
    return fits


def compute_mean_squares(
    responses: Responses, items: ItemParameters, *, population: Population = STANDARD_POPULATION
) -> MeanSquares:
    """Return outfit and infit, averaged over each person's posterior; for any design.

    A draw from a person's posterior together with the answers follows the model itself, so
    that both have mean 1 where the model holds, adaptive tests included.
    """
    nodes = make_nodes(61, 6.0)
    posterior, _ = compute_posteriors(responses, items, nodes, population)
    posterior *= responses.weights[:, None]
    p = np.clip(compute_probability(items, nodes), 1e-12, 1.0 - 1e-12)
    right = posterior.T @ responses.right
    seen = np.ones_like(responses.right) if responses.seen is None else responses.seen
    wrong = posterior.T @ (seen - responses.right)
    squares = right * (1.0 - p) ** 2 + wrong * p**2
    with np.errstate(invalid="ignore", divide="ignore"):
        outfit = (squares / (p * (1.0 - p))).sum(axis=0) / (right + wrong).sum(axis=0)
        infit = squares.sum(axis=0) / ((right + wrong) * p * (1.0 - p)).sum(axis=0)
    return MeanSquares(outfit, infit)


def compute_score_distribution(items: ItemParameters, theta: Floats) -> Floats:
    """Return P(score | theta), (I + 1, P), by Lord and Wingersky's (1984) recursion."""
    p = compute_probability(items, theta)
    shares = np.zeros((len(items) + 1, len(theta)))
    shares[0] = 1.0
    for j in range(len(items)):
        shares[1 : j + 2] = shares[1 : j + 2] * (1.0 - p[:, j]) + shares[: j + 1] * p[:, j]
        shares[0] *= 1.0 - p[:, j]
    return shares


def _predict_by_score(items: ItemParameters, population: Population) -> Floats:
    """Return the expected share (I + 1, I) of right answers to each item at each score."""
    nodes = make_nodes(61, 6.0)
    density = np.exp(weigh_nodes(nodes, population))
    p = compute_probability(items, nodes)
    all_scores = compute_score_distribution(items, nodes) @ density
    expected = np.zeros((len(items) + 1, len(items)))
    for i in range(len(items)):
        rest = items.take([j for j in range(len(items)) if j != i])
        without = compute_score_distribution(rest, nodes)
        expected[1:, i] = without @ (p[:, i] * density) / np.maximum(all_scores[1:], 1e-300)
    return expected


def _join_groups(
    sizes: Sequence[float], right: Sequence[float], expected: Sequence[float]
) -> list[tuple[float, ...]]:
    """Join neighbouring score groups until both expected counts reach SMALLEST_CELL."""
    cells: list[tuple[float, ...]] = []
    size = seen = hoped = 0.0
    for n, r, e in zip(sizes, right, expected, strict=True):
        size, seen, hoped = size + n, seen + r, hoped + n * e
        if min(hoped, size - hoped) >= SMALLEST_CELL:
            cells.append((float(size), float(seen), float(hoped)))
            size = seen = hoped = 0.0
    if cells and size > 0:
        cells[-1] = tuple(float(a + b) for a, b in zip(cells[-1], (size, seen, hoped), strict=True))
    return cells


def _judge(cells: list[tuple[float, ...]], num_free: int) -> ItemFit:
    df = len(cells) - num_free
    if df < 1:
        return ItemFit(None, None, None, "too_few_groups")
    statistic = sum(
        (seen - hoped) ** 2 * (1.0 / hoped + 1.0 / (size - hoped)) for size, seen, hoped in cells
    )
    return ItemFit(statistic, df, compute_chi_square_tail(statistic, df=df))
