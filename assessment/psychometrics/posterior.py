"""The posterior of theta on a grid, exact to better than 1e-6 for any legal bank.

The trapezoid rule on equally spaced nodes converges exponentially for these integrands
(Trefethen and Weideman 2014, theorem 5.1), once the step is small beside the distance of
the poles of the likelihood, pi / a, and beside the width of the narrowest posterior. The
nodes depend on the items alone, never on the answers: two patterns of answers to the same
items are compared on the same grid, where a posterior of higher answers is stochastically
larger, so that theta is monotone in the answers in the discrete sum as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from assessment.psychometrics.curves import compute_log_likelihood, compute_parts
from assessment.psychometrics.items import Floats, ItemParameters

WIDEST_STEP = 0.1
# An N(0, 1) prior alone is integrated to 1e-16 by a step ten times as wide.
POLE_SHARE, WIDTH_SHARE = 0.4, 0.7
# Steps of .4 / a and .7 / sqrt(information) leave errors under exp(-2 pi^2 / .49) = 3e-18.
REACH_SD = 11.0
# What lies 11 prior SDs beyond the last possible mode weighs less than 1e-26.
MAX_NODES = 40_001
# 40,001 nodes span the widest legal bank at the finest step a session of 1,000 items needs.


@dataclass(frozen=True)
class Prior:
    """A normal prior of theta; `mean` and `sd` in logits."""

    mean: float = 0.0
    sd: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.mean) and np.isfinite(self.sd) and self.sd > 0):
            raise ValueError("a prior needs a finite mean and a positive, finite sd")


STANDARD_PRIOR = Prior()


@dataclass(frozen=True, eq=False)
class Posterior:
    """A discrete posterior of theta.

    Attributes
    ----------
    nodes : (Q,) float, logits, rising
    weights : (Q,) float, sum 1
    """

    nodes: Floats
    weights: Floats

    @cached_property
    def mean(self) -> float:
        """The EAP estimate of theta."""
        return float(self.weights @ self.nodes)

    @cached_property
    def sd(self) -> float:
        """The standard error of the EAP estimate."""
        return float(np.sqrt(self.weights @ (self.nodes - self.mean) ** 2))

    def find_quantiles(self, shares: Sequence[float]) -> tuple[float, ...]:
        """Return the quantiles of theta at these shares, by linear interpolation."""
        half = np.cumsum(self.weights) - self.weights / 2.0
        return tuple(float(q) for q in np.interp(shares, half, self.nodes))

    def update(self, item: ItemParameters, response: int) -> "Posterior":
        """Return the posterior after one more answer (1 right, 0 wrong) to one item."""
        log_likelihood = compute_log_likelihood(item, self.nodes, [response])
        return _normalise(self.nodes, log_likelihood, weights=self.weights)


def make_posterior(
    items: ItemParameters, responses: ArrayLike, *, prior: Prior = STANDARD_PRIOR
) -> Posterior:
    """Return the posterior after these answers, on a grid fitted to these items.

    Parameters
    ----------
    responses : (I,) 1 right and 0 wrong
    """
    items, answers = sort_answers(items, responses)
    nodes = choose_nodes(items, prior=prior)
    log_posterior = compute_log_likelihood(items, nodes, answers) + log_prior(nodes, prior)
    return _normalise(nodes, log_posterior)


def make_grid_posterior(
    items: ItemParameters,
    responses: ArrayLike,
    *,
    nodes: Floats,
    prior: Prior = STANDARD_PRIOR,
) -> Posterior:
    """Return the posterior on stated equally spaced nodes by the trapezoid rule.

    catR, catpie and mirt use 33 nodes on [-4, 4] or 61 on [-6, 6]; constant patterns are
    .05 wrong on the first.
    """
    log_posterior = compute_log_likelihood(items, nodes, responses) + log_prior(nodes, prior)
    ends = np.ones_like(nodes)
    ends[[0, -1]] = 0.5
    return _normalise(nodes, log_posterior, weights=ends)


def start_posterior(*, prior: Prior = STANDARD_PRIOR, num_nodes: int = 161) -> Posterior:
    """Return the prior itself on nodes over 8 SDs to each side."""
    nodes = prior.mean + prior.sd * np.linspace(-8.0, 8.0, num_nodes)
    return _normalise(nodes, log_prior(nodes, prior))


def sort_answers(items: ItemParameters, responses: ArrayLike) -> tuple[ItemParameters, Floats]:
    """Return items and answers in one canonical order, so that the order given changes no bit."""
    answers = np.atleast_1d(np.asarray(responses, dtype=np.float64))
    if answers.shape != (len(items),):
        raise ValueError(f"{answers.size} answers to {len(items)} items")
    if not np.all((answers == 0) | (answers == 1)):
        raise ValueError("an answer is 1 (right) or 0 (wrong)")
    order = np.lexsort((answers, items.d, items.c, items.a, items.b))
    return items.take(order), answers[order]


def log_prior(nodes: Floats, prior: Prior) -> Floats:
    """Return the log density of the prior at the nodes, without its constant."""
    return np.asarray(-0.5 * ((nodes - prior.mean) / prior.sd) ** 2)


def choose_nodes(items: ItemParameters, *, prior: Prior) -> Floats:
    """Return equally spaced nodes that hold every posterior these items can lead to."""
    low = _bound_mode(items, prior, sign=-1.0) - REACH_SD * prior.sd
    high = _bound_mode(items, prior, sign=1.0) + REACH_SD * prior.sd
    step = _choose_step(items, prior, low=low, high=high)
    num_nodes = min(int(np.ceil((high - low) / step)) + 1, MAX_NODES)
    return np.linspace(low, high, num_nodes)


def _bound_mode(items: ItemParameters, prior: Prior, *, sign: float) -> float:
    """Bound the mode for all answers right (sign 1) or wrong (-1), by bisection.

    With asymptotes at 0 and 1 the score of an answer is largest, so this mode lies beyond
    that of any pattern under any asymptotes.
    """
    if len(items) == 0:
        return prior.mean
    shift = prior.sd**2 * float(items.a.sum())
    near, far = 0.0, shift
    for _ in range(12):
        middle = (near + far) / 2.0
        x = items.a * (sign * (prior.mean - items.b) + middle)
        pull = float(items.a @ (1.0 / (1.0 + np.exp(np.minimum(x, 600.0)))))
        near, far = (middle, far) if pull * prior.sd**2 > middle else (near, middle)
    return prior.mean + sign * far


def _choose_step(items: ItemParameters, prior: Prior, *, low: float, high: float) -> float:
    step = WIDEST_STEP * max(prior.sd, 0.0)
    if len(items) == 0:
        return step
    scan = np.linspace(low, high, 129)
    near_peaks = np.unique(np.concatenate([scan, np.clip(items.b, low, high)]))
    information = compute_parts(items, near_peaks).information.sum(axis=1).max()
    sharpest = np.sqrt(information + prior.sd**-2)
    return float(min(step, POLE_SHARE / items.a.max(), WIDTH_SHARE / sharpest))


def _normalise(nodes: Floats, log_values: Floats, *, weights: Floats | None = None) -> Posterior:
    values = np.exp(log_values - log_values.max())
    if weights is not None:
        values = values * weights
    return Posterior(nodes, values / values.sum())
