"""Item response curves and information, 1PL to 4PL, stable for any legal parameters.

Shapes: theta (P,), items I, results (P, I). x = a (theta - b); s = 1 / (1 + exp(-x)).
Every quantity is built from s and 1 - s, each computed without cancellation, so that
nothing overflows or turns into NaN for a in [1e-3, 10] and |b| up to 50.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assessment.psychometrics.items import Floats, ItemParameters

TINY = 1e-280
# Below it exp() has lost its digits, and logarithms are taken of the exponent instead.
MATRIX = 1_000_000
# Cells of a likelihood computed at once: 8 MB an array, so that 1,000 answers need no gigabyte.
PIECE = 8192
# Eight temporaries of 64 KiB stay in a core's second-level cache.


@dataclass(frozen=True)
class CurveParts:
    """What information and scores are made of; every array (P, I).

    Attributes
    ----------
    s, t : logistic function and its complement
    right, wrong : P'/P and P'/Q, per logit
    a : discriminations, broadcast
    """

    s: Floats
    t: Floats
    right: Floats
    wrong: Floats
    a: Floats

    @property
    def information(self) -> Floats:
        """Fisher information P'^2 / (P Q) (Lord 1980, eq. 5-9)."""
        return self.right * self.wrong

    @property
    def warm_share(self) -> Floats:
        """P'' / P', so that the J of Warm (1989, eq. 15) is the information times it."""
        return self.a * (self.t - self.s)

    @property
    def log_slope(self) -> Floats:
        """First derivative of the log of the information by theta."""
        return 2.0 * self.warm_share - (self.right - self.wrong)


def compute_logistic(items: ItemParameters, theta: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return x = a (theta - b), 1 / (1 + exp(-x)) and 1 / (1 + exp(x)), each (P, I)."""
    x = items.a * (np.atleast_1d(np.asarray(theta, dtype=np.float64))[:, None] - items.b)
    e = np.exp(-np.abs(x))
    high = 1.0 / (1.0 + e)
    low = e * high
    is_right = x >= 0
    return x, np.where(is_right, high, low), np.where(is_right, low, high)


def compute_probability(items: ItemParameters, theta: ArrayLike) -> Floats:
    """Return the probability of a right answer.

    Parameters
    ----------
    theta : (P,) float, logits

    Returns
    -------
    (P, I) float in [c, d]
        P = c + (d - c) s (Barton and Lord 1981).
    """
    _, s, _ = compute_logistic(items, theta)
    return items.c + (items.d - items.c) * s


def compute_parts(items: ItemParameters, theta: ArrayLike) -> CurveParts:
    """Return the parts of information and score at theta (P,), each (P, I)."""
    x, s, t = compute_logistic(items, theta)
    gap = items.d - items.c
    with np.errstate(under="ignore"):
        inverse_s = 1.0 + np.exp(np.minimum(-x, 600.0))
        inverse_t = 1.0 + np.exp(np.minimum(x, 600.0))
        right = items.a * gap * t / (items.c * inverse_s + gap)
        wrong = items.a * gap * s / ((1.0 - items.d) * inverse_t + gap)
    return CurveParts(s, t, right, wrong, np.broadcast_to(items.a, s.shape))


def compute_information(items: ItemParameters, theta: ArrayLike) -> Floats:
    """Return the Fisher information (P, I), per logit squared."""
    return compute_parts(items, theta).information


def compute_log_information(items: ItemParameters, theta: ArrayLike) -> Floats:
    """Return the log of the information (P, I), finite where the information itself is 0."""
    x, _, _ = compute_logistic(items, theta)
    log_p, log_q = compute_log_probabilities(items, theta)
    log_bell = -np.logaddexp(0.0, x) - np.logaddexp(0.0, -x)
    return np.asarray(2.0 * (np.log(items.a * (items.d - items.c)) + log_bell) - log_p - log_q)


def compute_information_at(items: ItemParameters, theta: float) -> Floats:
    """Return the Fisher information (I,) at one theta; the fast form for whole banks.

    The same value as `compute_information`, with one exponential an item:
    I = a^2 (d-c)^2 (s t)^2 / (P Q). Large banks go through in pieces that stay in the cache.
    """
    if len(items) <= PIECE:
        return _compute_piece(items.a, items.b, items.c, items.d, theta)
    values = np.empty(len(items))
    for start in range(0, len(items), PIECE):
        at = slice(start, start + PIECE)
        values[at] = _compute_piece(items.a[at], items.b[at], items.c[at], items.d[at], theta)
    return values


def _compute_piece(a: Floats, b: Floats, c: Floats, d: Floats, theta: float) -> Floats:
    e = np.exp(-np.abs(a * (theta - b)))
    root = a * (d - c) * e / (1.0 + e)
    # With e = exp(-|x|), s t = e / (1 + e)^2, and P and Q have 1 + e in their denominators;
    # below b the asymptotes change places.
    is_below = theta < b
    left, right = np.where(is_below, c, d), np.where(is_below, d, c)
    near, far = left + right * e, (1.0 - left) + (1.0 - right) * e
    # Where e has underflowed to 0 under an asymptote of 0 or 1 the quotient is 0 / 0: it is 0.
    # The square is never formed, as it underflows long before the information does.
    return np.asarray(root * (root / np.maximum(near * far, 1e-300)))


def compute_item_information(items: ItemParameters, index: int, theta: float) -> float:
    """Return the Fisher information of one item at one theta, without an array."""
    a, b = float(items.a[index]), float(items.b[index])
    c, d = float(items.c[index]), float(items.d[index])
    e = math.exp(-abs(a * (theta - b)))
    root = a * (d - c) * e / (1.0 + e)
    left, right = (c, d) if theta < b else (d, c)
    return root * (root / max((left + right * e) * ((1.0 - left) + (1.0 - right) * e), 1e-300))


def compute_observed_information(
    items: ItemParameters, theta: ArrayLike, responses: ArrayLike
) -> Floats:
    """Return minus the second derivative of the log-likelihood, (P, I); it may be negative.

    Parameters
    ----------
    responses : (I,) or (P, I), 1 right and 0 wrong
    """
    parts = compute_parts(items, theta)
    bend = parts.a * (parts.t - parts.s)
    is_right = np.asarray(responses, dtype=np.bool_)
    return np.where(
        is_right, parts.right * (parts.right - bend), parts.wrong * (parts.wrong + bend)
    )


def compute_score(items: ItemParameters, theta: ArrayLike, responses: ArrayLike) -> Floats:
    """Return the first derivative of the log-likelihood by theta, (P, I)."""
    parts = compute_parts(items, theta)
    return np.where(np.asarray(responses, dtype=np.bool_), parts.right, -parts.wrong)


def compute_log_probabilities(items: ItemParameters, theta: ArrayLike) -> tuple[Floats, Floats]:
    """Return log P and log Q, each (P, I), finite for every theta."""
    x, s, t = compute_logistic(items, theta)
    gap = items.d - items.c
    return (
        _take_log(items.c + gap * s, x, low=items.c, high=items.d),
        _take_log((1.0 - items.d) + gap * t, -x, low=1.0 - items.d, high=1.0 - items.c),
    )


def _take_log(p: Floats, x: Floats, *, low: Floats, high: Floats) -> Floats:
    """Log of low + (high - low) s(x), by its exponent where p has vanished."""
    if p.size == 0 or p.min() > TINY:
        return np.log(p)
    with np.errstate(divide="ignore"):
        log_low, log_high = np.log(low), np.log(high)
        exact = np.logaddexp(log_low - x, log_high) - np.logaddexp(0.0, -x)
        return np.where(p > TINY, np.log(p), exact)


def compute_log_likelihood(items: ItemParameters, theta: ArrayLike, responses: ArrayLike) -> Floats:
    """Return the log-likelihood (P,) of one pattern of answers (I,) at each theta."""
    is_right = np.asarray(responses, dtype=np.bool_)
    thetas = np.atleast_1d(np.asarray(theta, dtype=np.float64))
    sums = np.empty(len(thetas))
    size = max(1, MATRIX // max(1, len(items)))
    for start in range(0, len(thetas), size):
        log_p, log_q = compute_log_probabilities(items, thetas[start : start + size])
        sums[start : start + size] = np.where(is_right, log_p, log_q).sum(axis=1)
    return sums


def find_peak(items: ItemParameters) -> Floats:
    """Return theta (I,) where each item tells most; closed form for d = 1, else by search.

    Birnbaum (1968): b + log((1 + sqrt(1 + 8 c)) / 2) / a. With d < 1 the peak is found by
    golden-section search on [b - 20/a, b + 20/a], as the information has one maximum.
    """
    peak = items.b + np.log((1.0 + np.sqrt(1.0 + 8.0 * items.c)) / 2.0) / items.a
    for i in np.flatnonzero(items.d < 1.0):
        peak[i] = _search_peak(items.take([int(i)]))
    return peak


def _search_peak(item: ItemParameters) -> float:
    ratio = (np.sqrt(5.0) - 1.0) / 2.0
    low, high = float(item.b[0] - 20.0 / item.a[0]), float(item.b[0] + 20.0 / item.a[0])
    for _ in range(80):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        at_left, at_right = compute_information(item, [left, right])[:, 0]
        low, high = (left, high) if at_left < at_right else (low, right)
    return (low + high) / 2.0
