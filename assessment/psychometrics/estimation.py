"""Estimates of theta: EAP, MAP, MLE and both weighted likelihoods, each with named errors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from assessment.psychometrics.curves import (
    compute_log_probabilities,
    compute_observed_information,
    compute_parts,
    compute_score,
)
from assessment.psychometrics.items import Floats, ItemParameters
from assessment.psychometrics.posterior import (
    STANDARD_PRIOR,
    Prior,
    choose_nodes,
    log_prior,
    make_posterior,
    sort_answers,
)

Method = Literal["EAP", "MAP", "MLE", "WLE-Warm", "WLE-Jeffreys"]
Bound = Literal["lower", "upper"]

BOUNDS = (-10.0, 10.0)
# The stated scale of unpriored estimates: ten population SDs to each side.
SCAN = np.concatenate([np.arange(-40, -8, 2), np.linspace(-8, 8, 65), np.arange(10, 41, 2)])
# Offsets, in units of 1/a, at which a likelihood is looked at around each item.
MAX_SCAN = 6000
# Forty items bring so many; more items leave no finer humps, as their curves overlap.
NO_GAIN = 1e-12
# A likelihood that rises by less than this over its limits has no maximum inside.


@dataclass(frozen=True)
class Estimate:
    """An estimate of theta with its errors, in logits; every number is finite or None.

    Attributes
    ----------
    theta : float or None
        None where there is no answer to estimate from. At a bound of the scale when the
        estimate does not exist or lies beyond it.
    se : float or None
        The posterior SD for EAP, else the error by expected information.
    se_expected, se_observed : float or None
        By expected (Fisher) and by observed (Hessian) information; with the prior's
        1/sd^2 for MAP. None where that information is not positive.
    exists : bool
        False when the likelihood has no maximum at a finite theta.
    bound : "lower", "upper" or None
        The end of the scale the estimate was put at.
    """

    method: Method
    theta: float | None
    se: float | None
    se_expected: float | None = None
    se_observed: float | None = None
    exists: bool = True
    bound: Bound | None = None


def estimate_eap(
    items: ItemParameters, responses: ArrayLike, *, prior: Prior = STANDARD_PRIOR
) -> Estimate:
    """Return the posterior mean and SD of theta (Bock and Mislevy 1982), exact to 1e-6.

    Parameters
    ----------
    responses : (I,) 1 right and 0 wrong
    """
    posterior = make_posterior(items, responses, prior=prior)
    return Estimate("EAP", posterior.mean, posterior.sd)


def estimate_map(
    items: ItemParameters, responses: ArrayLike, *, prior: Prior = STANDARD_PRIOR
) -> Estimate:
    """Return the highest mode of the posterior (Birnbaum 1969; Samejima 1969)."""
    items, answers = sort_answers(items, responses)

    def slope(theta: float) -> float:
        score = float(compute_score(items, theta, answers).sum())
        return score - (theta - prior.mean) / prior.sd**2

    nodes = choose_nodes(items, prior=prior)
    heights = _sum_log_likelihood(items, nodes, answers) + log_prior(nodes, prior)
    theta = _climb(slope, nodes, heights)
    return _report("MAP", items, theta, answers, precision=prior.sd**-2)


def estimate_mle(
    items: ItemParameters, responses: ArrayLike, *, bounds: tuple[float, float] = BOUNDS
) -> Estimate:
    """Return the maximum-likelihood estimate inside the bounds, or say that there is none.

    It does not exist for constant patterns, nor where (with lower asymptotes) the likelihood
    is highest at an infinite theta; `theta` is then the bound on that side.
    """
    items, answers = sort_answers(items, responses)
    if len(items) == 0:
        return Estimate("MLE", None, None, exists=False)
    nodes = _scan_nodes(items, bounds)
    heights = _sum_log_likelihood(items, nodes, answers)
    low, high = _find_limits(items, answers)
    if max(low, high) >= heights.max() - NO_GAIN:
        bound: Bound = "lower" if low >= high else "upper"
        theta = bounds[0] if bound == "lower" else bounds[1]
        return _report("MLE", items, theta, answers, exists=False, bound=bound)
    return _finish(
        "MLE",
        items,
        answers,
        slope=lambda theta: float(compute_score(items, theta, answers).sum()),
        nodes=nodes,
        heights=heights,
        bounds=bounds,
    )


def estimate_wle(
    items: ItemParameters,
    responses: ArrayLike,
    *,
    definition: Literal["Warm", "Jeffreys"] = "Warm",
    bounds: tuple[float, float] = BOUNDS,
) -> Estimate:
    """Return the weighted-likelihood estimate inside the bounds.

    "Warm" is the root of score + J / (2 I) (Warm 1989, eq. 15), "Jeffreys" the maximum of
    L sqrt(I), the root of score + I' / (2 I). They are equal for 1PL and 2PL items and
    differ by up to .45 on constant patterns of 3PL items. Of several roots, the one with
    the highest weighted likelihood.
    """
    method: Method = "WLE-Warm" if definition == "Warm" else "WLE-Jeffreys"
    items, answers = sort_answers(items, responses)
    if len(items) == 0:
        return Estimate(method, None, None, exists=False)

    def slopes(theta: ArrayLike) -> Floats:
        parts = compute_parts(items, theta)
        bias = parts.warm_j if definition == "Warm" else parts.information_slope
        score = np.where(answers == 1, parts.right, -parts.wrong).sum(axis=1)
        information = np.maximum(parts.information.sum(axis=1), 1e-300)
        return np.asarray(score + bias.sum(axis=1) / (2.0 * information))

    nodes = _scan_nodes(items, bounds, inside=True)
    at_nodes = slopes(nodes)
    steps = np.diff(nodes) * (at_nodes[1:] + at_nodes[:-1]) / 2.0
    heights = np.concatenate([[0.0], np.cumsum(steps)])
    return _finish(
        method,
        items,
        answers,
        slope=lambda theta: float(slopes(theta)[0]),
        nodes=nodes,
        heights=heights,
        bounds=bounds,
    )


def _finish(
    method: Method,
    items: ItemParameters,
    answers: Floats,
    *,
    slope: Callable[[float], float],
    nodes: Floats,
    heights: Floats,
    bounds: tuple[float, float],
) -> Estimate:
    inside = (nodes >= bounds[0]) & (nodes <= bounds[1])
    theta = _climb(slope, nodes[inside], heights[inside])
    bound: Bound | None = None
    if theta <= bounds[0] and slope(bounds[0]) < 0:
        bound = "lower"
    elif theta >= bounds[1] and slope(bounds[1]) > 0:
        bound = "upper"
    return _report(method, items, theta, answers, bound=bound)


def _report(
    method: Method,
    items: ItemParameters,
    theta: float,
    answers: Floats,
    *,
    precision: float = 0.0,
    exists: bool = True,
    bound: Bound | None = None,
) -> Estimate:
    expected = float(compute_parts(items, theta).information.sum()) + precision
    observed = float(compute_observed_information(items, theta, answers).sum()) + precision
    se_expected, se_observed = _invert(expected), _invert(observed)
    return Estimate(method, theta, se_expected, se_expected, se_observed, exists, bound)


def _invert(information: float) -> float | None:
    return float(information**-0.5) if information > 1e-200 else None


def _sum_log_likelihood(items: ItemParameters, nodes: Floats, answers: Floats) -> Floats:
    log_p, log_q = compute_log_probabilities(items, nodes)
    return np.asarray(np.where(answers == 1, log_p, log_q).sum(axis=1))


def _find_limits(items: ItemParameters, answers: Floats) -> tuple[float, float]:
    """Return the log-likelihood at theta = -inf and +inf."""
    with np.errstate(divide="ignore"):
        low = np.where(answers == 1, np.log(items.c), np.log1p(-items.c))
        high = np.where(answers == 1, np.log(items.d), np.log1p(-items.d))
    return float(low.sum()), float(high.sum())


def _scan_nodes(
    items: ItemParameters, bounds: tuple[float, float], *, inside: bool = False
) -> Floats:
    """Return nodes close enough around each item to see every hump of a likelihood."""
    corners = (items.b[:, None] + SCAN / items.a[:, None]).ravel()
    nodes = np.unique(np.concatenate([corners, np.linspace(*bounds, 401)]))
    if inside:
        nodes = nodes[(nodes >= bounds[0]) & (nodes <= bounds[1])]
    if len(nodes) > MAX_SCAN:
        nodes = nodes[np.linspace(0, len(nodes) - 1, MAX_SCAN).astype(np.intp)]
    return nodes


def _climb(slope: Callable[[float], float], nodes: Floats, heights: Floats) -> float:
    """Return the maximum next to the highest node, or that node at an end of the scale."""
    at = int(np.argmax(heights))
    here = slope(float(nodes[at]))
    if here == 0.0:
        return float(nodes[at])
    other = at + 1 if here > 0 else at - 1
    if not 0 <= other < len(nodes):
        return float(nodes[at])
    low, high = float(nodes[min(at, other)]), float(nodes[max(at, other)])
    if slope(low) > 0 > slope(high):
        return _find_root(slope, low, high)
    inner = np.linspace(low, high, 65)
    is_rising = np.array([slope(float(x)) > 0 for x in inner])
    turns = np.flatnonzero(is_rising[:-1] & ~is_rising[1:])
    if len(turns) == 0:
        return float(nodes[at])
    return _find_root(slope, float(inner[turns[0]]), float(inner[turns[0] + 1]))


def _find_root(slope: Callable[[float], float], low: float, high: float) -> float:
    """Return the root between a positive and a negative slope (Illinois false position)."""
    at_low, at_high = slope(low), slope(high)
    for _ in range(200):
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        if not low < middle < high:
            middle = (low + high) / 2.0
        value = slope(middle)
        if value == 0.0 or high - low < 1e-14 * (1.0 + abs(low)):
            return middle
        if value > 0:
            low, at_low, at_high = middle, value, at_high / 2.0
        else:
            high, at_high, at_low = middle, value, at_low / 2.0
    return (low + high) / 2.0
