"""Selection criteria: what each item of a bank is worth asking next.

Each function returns one value an item, (I,). `nodes` (Q,) and `weights` (Q,) are a
posterior (or a likelihood) on a grid, quadrature weights included; they need not sum to 1,
since the order of items does not depend on their sum.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from assessment.psychometrics.curves import (
    compute_information,
    compute_information_at,
    compute_log_probabilities,
    compute_observed_information,
    compute_probability,
    find_peak,
)
from assessment.psychometrics.items import Floats, ItemParameters, join_items


def compute_distance_to_b(items: ItemParameters, theta: float) -> Floats:
    """bOpt, |b - theta|: lower is better (Owen 1975, simplified)."""
    return np.abs(items.b - theta)


def compute_distance_to_peak(items: ItemParameters, theta: float) -> Floats:
    """thOpt, the distance to the theta where the item tells most: lower is better."""
    return np.abs(find_peak(items) - theta)


def compute_weighted_information(items: ItemParameters, nodes: Floats, weights: Floats) -> Floats:
    """MPWI (or MLWI), information averaged over the weights (van der Linden 1998, eq. 16)."""
    return np.asarray(weights @ compute_information(items, nodes))


def compute_kullback_leibler(
    items: ItemParameters, nodes: Floats, weights: Floats, *, theta: float
) -> Floats:
    """KL (or KLP), divergence of theta from the nodes, averaged over the weights.

    Chang and Ying (1996), with the likelihood or the posterior in place of their interval.
    """
    log_p, log_q = compute_log_probabilities(items, nodes)
    log_p0, log_q0 = compute_log_probabilities(items, theta)
    p0 = np.exp(log_p0)
    mean_log_p, mean_log_q = weights @ log_p, weights @ log_q
    total = weights.sum()
    divergence = p0 * (total * log_p0 - mean_log_p)
    return np.asarray((divergence + np.exp(log_q0) * (total * log_q0 - mean_log_q))[0])


def compute_expected_variance(
    items: ItemParameters, nodes: Floats, weights: Floats, *, theta: float | None = None
) -> Floats:
    """MEPV, the expected posterior variance after the answer: lower is better.

    van der Linden (1998, eq. 20). `theta` predicts the answer at a point, as catR does;
    None predicts it by the whole posterior.
    """
    p = compute_probability(items, nodes)
    centred = nodes - (weights @ nodes) / weights.sum()
    moments = np.stack([weights, weights * centred, weights * centred**2])
    right = moments @ p
    wrong = moments.sum(axis=1)[:, None] - right
    expected = right[0] / weights.sum() if theta is None else compute_probability(items, theta)[0]
    return np.asarray(expected * _find_variance(right) + (1.0 - expected) * _find_variance(wrong))


def _find_variance(moments: Floats) -> Floats:
    mass = np.maximum(moments[0], 1e-300)
    mean = moments[1] / mass
    return np.asarray(np.maximum(moments[2] / mass - mean**2, 0.0))


def compute_global_discrimination(items: ItemParameters, nodes: Floats, weights: Floats) -> Floats:
    """GDI (or GDIP), the variance of P over the weights (Kaplan et al. 2015, eq. 5)."""
    p = compute_probability(items, nodes)
    shares = weights / weights.sum()
    return np.asarray(shares @ p**2 - (shares @ p) ** 2)


def compute_expected_information(
    items: ItemParameters,
    theta: float,
    *,
    given: ItemParameters,
    responses: ArrayLike,
    estimate: Callable[[ItemParameters, Floats], float],
) -> Floats:
    """MEI, observed information at the estimates that either answer would lead to.

    van der Linden (1998, eq. 15). `estimate` maps items and answers to theta; it is called
    twice for each item, so that this criterion is for small banks.
    """
    answers = np.asarray(responses, dtype=np.float64)
    p = compute_probability(items, theta)[0]
    values = np.zeros(len(items))
    for i in range(len(items)):
        item = items.take([i])
        after = join_items(given, item)
        for answer, chance in ((1, p[i]), (0, 1.0 - p[i])):
            there = estimate(after, np.append(answers, answer))
            observed = compute_observed_information(item, there, [answer])
            values[i] += chance * float(observed[0, 0])
    return values


def compute_fisher_information(items: ItemParameters, theta: float) -> Floats:
    """MFI, Fisher information at theta (Lord 1980)."""
    return compute_information_at(items, theta)
