"""Estimates of theta: EAP, MAP, MLE and both weighted likelihoods, each with named errors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from assessment.psychometrics.curves import (
    compute_log_information,
    compute_log_likelihood,
    compute_log_probabilities,
    compute_logistic,
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
CLOSE, MAX_TOPS = 0.1, 12
# Humps within .1 of the highest node are climbed before they are compared; flats have many.
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

    def height(theta: ArrayLike) -> Floats:
        at = np.atleast_1d(np.asarray(theta, dtype=np.float64))
        return compute_log_likelihood(items, at, answers) + log_prior(at, prior)

    theta = _climb(slope, height, choose_nodes(items, prior=prior))
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
    levels = _find_levels(items, answers)
    heights = _compute_rise(items, nodes, answers, levels)
    low, high = _find_limits(items, answers, levels)
    if max(low, high) >= heights.max() - NO_GAIN:
        bound: Bound = "lower" if low >= high else "upper"
        theta = bounds[0] if bound == "lower" else bounds[1]
        return _report("MLE", items, theta, answers, exists=False, bound=bound)
    return _finish(
        "MLE",
        items,
        answers,
        slope=lambda theta: float(compute_score(items, theta, answers).sum()),
        height=lambda theta: _compute_rise(items, theta, answers, levels),
        nodes=nodes,
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

    def slope(theta: float) -> float:
        _, jeffreys, warm = _weigh_items(items, theta)
        bias = warm if definition == "Warm" else jeffreys
        return float(compute_score(items, theta, answers).sum() + bias[0] / 2.0)

    nodes = _scan_nodes(items, bounds, inside=True)
    climb = _integrate_excess(items, nodes) if definition == "Warm" else None

    def height(theta: ArrayLike) -> Floats:
        log_information, _, _ = _weigh_items(items, theta)
        values = compute_log_likelihood(items, theta, answers) + log_information / 2.0
        return values if climb is None else values + climb(theta)

    return _finish(method, items, answers, slope=slope, height=height, nodes=nodes, bounds=bounds)


def _weigh_items(items: ItemParameters, theta: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return log I, I' / I and J / I of all items together, each (P,).

    Ratios are means over the items, weighted by their shares of the information; these are
    taken from logarithms, as far from every item the information itself is 0.
    """
    logs = compute_log_information(items, theta)
    top = logs.max(axis=1, keepdims=True)
    shares = np.exp(logs - top)
    total = shares.sum(axis=1)
    parts = compute_parts(items, theta)
    jeffreys = (shares * parts.log_slope).sum(axis=1) / total
    warm = (shares * parts.warm_share).sum(axis=1) / total
    return top[:, 0] + np.log(total), jeffreys, warm


def _integrate_excess(items: ItemParameters, nodes: Floats) -> Callable[[ArrayLike], Floats]:
    """Return what Warm's log weight has more than log(I) / 2, up to a constant.

    It is the integral of (J - I') / (2 I), 0 for 1PL and 2PL items, by the trapezoid rule on
    the nodes and by linear interpolation between: a function of theta and the items alone, so
    that its error is the same whatever the answers.
    """
    _, jeffreys, warm = _weigh_items(items, nodes)
    excess = (warm - jeffreys) / 2.0
    steps = np.diff(nodes) * (excess[1:] + excess[:-1]) / 2.0
    sums = np.concatenate([[0.0], np.cumsum(steps)])

    def find(theta: ArrayLike) -> Floats:
        at = np.atleast_1d(np.asarray(theta, dtype=np.float64))
        return np.asarray(np.interp(at, nodes, sums))

    return find


def _finish(
    method: Method,
    items: ItemParameters,
    answers: Floats,
    *,
    slope: Callable[[float], float],
    height: Callable[[ArrayLike], Floats],
    nodes: Floats,
    bounds: tuple[float, float],
) -> Estimate:
    theta = _climb(slope, height, nodes[(nodes >= bounds[0]) & (nodes <= bounds[1])])
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


def _find_levels(items: ItemParameters, answers: Floats) -> Floats:
    """Return the chance of each answer (I,) at the end of the scale that is far from its item.

    NaN where it is 0, or next to it: such a likelihood is never flat.
    """
    right = np.where(items.b > 0.0, items.c, items.d)
    levels = np.where(answers == 1, right, 1.0 - right)
    return np.where(levels > 1e-200, levels, np.nan)


def _compute_rise(
    items: ItemParameters, theta: ArrayLike, answers: Floats, levels: Floats
) -> Floats:
    """Return the log-likelihood (P,) beside that of the levels.

    A likelihood of items far away is flat but for its last digits, and those decide where it
    is highest: the rise of each answer over its level is computed without cancellation.
    """
    _, s, t = compute_logistic(items, theta)
    gap = items.d - items.c
    rise = np.where(items.b > 0.0, gap * s, -gap * t) * np.where(answers == 1, 1.0, -1.0) / levels
    log_p, log_q = compute_log_probabilities(items, theta)
    plain = np.where(answers == 1, log_p, log_q) - np.log(_fill_levels(levels))
    is_small = np.abs(rise) < 0.5
    small = np.log1p(np.where(is_small, rise, 0.0))
    return np.asarray(np.where(is_small, small, plain).sum(axis=1))


def _find_limits(items: ItemParameters, answers: Floats, levels: Floats) -> tuple[float, float]:
    """Return the log-likelihood at theta = -inf and +inf beside that of the levels."""
    filled = _fill_levels(levels)
    with np.errstate(divide="ignore"):
        low = np.log(np.where(answers == 1, items.c, 1.0 - items.c) / filled)
        high = np.log(np.where(answers == 1, items.d, 1.0 - items.d) / filled)
    return float(low.sum()), float(high.sum())


def _fill_levels(levels: Floats) -> Floats:
    return np.where(np.isnan(levels), 1.0, levels)


def _scan_nodes(
    items: ItemParameters, bounds: tuple[float, float], *, inside: bool = False
) -> Floats:
    """Return nodes close enough around each item to see every hump of a likelihood."""
    corners = (items.b[:, None] + SCAN / items.a[:, None]).ravel()
    nodes = np.unique(np.concatenate([corners, np.linspace(*bounds, 401)]))
    # Two items may put nodes at one place but for the last digit; one of them is enough.
    nodes = nodes[np.append(np.diff(nodes) > 1e-9 * (1.0 + np.abs(nodes[1:])), True)]
    for bound in bounds:
        nodes[np.abs(nodes - bound).argmin()] = bound
    if inside:
        nodes = nodes[(nodes >= bounds[0]) & (nodes <= bounds[1])]
    if len(nodes) > MAX_SCAN:
        nodes = nodes[np.linspace(0, len(nodes) - 1, MAX_SCAN).astype(np.intp)]
    return np.asarray(nodes)


def _climb(
    slope: Callable[[float], float], height: Callable[[ArrayLike], Floats], nodes: Floats
) -> float:
    """Return the highest of the maxima next to nodes that stand above their neighbours.

    An answer that turns right adds a function that rises with theta, so that the highest
    maximum never moves down; a local one could.
    """
    heights = height(nodes)
    padded = np.concatenate([[-np.inf], heights, [-np.inf]])
    is_top = (heights >= padded[:-2]) & (heights >= padded[2:])
    tops = np.flatnonzero(is_top & (heights >= heights.max() - CLOSE))
    tops = np.sort(tops[np.argsort(-heights[tops], kind="stable")[:MAX_TOPS]])
    ends = [_climb_from(slope, nodes, int(at)) for at in tops]
    return ends[0] if len(ends) == 1 else ends[int(np.argmax(height(ends)))]


def _climb_from(slope: Callable[[float], float], nodes: Floats, at: int) -> float:
    """Return the maximum next to a node, or the node at an end of the scale.

    The heights of Warm's likelihood are an integral with an error of its own, so that the
    slope may turn one node later than they say.
    """
    node = float(nodes[at])
    here = slope(node)
    if here == 0.0:
        return node
    step = 1 if here > 0 else -1
    for start in (at, at + step, at + 2 * step):
        if not 0 <= min(start, start + step) <= max(start, start + step) < len(nodes):
            return float(nodes[start])
        ends = sorted((float(nodes[start]), float(nodes[start + step])))
        bracket = _find_turn(slope, *ends)
        if bracket is not None:
            return _find_root(slope, *bracket)
    return node


def _find_turn(
    slope: Callable[[float], float], low: float, high: float
) -> tuple[float, float] | None:
    """Return ends between which the slope turns from rising to falling, or None."""
    if slope(low) > 0 > slope(high):
        return low, high
    inner = np.linspace(low, high, 33)
    is_rising = np.array([slope(float(x)) > 0 for x in inner])
    turns = np.flatnonzero(is_rising[:-1] & ~is_rising[1:])
    return (float(inner[turns[0]]), float(inner[turns[0] + 1])) if len(turns) else None


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
