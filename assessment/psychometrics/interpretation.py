"""What an ability means: items of a quiz, mastery of concepts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assessment.psychometrics.cold_start import draw_plausible_items
from assessment.psychometrics.curves import compute_probability
from assessment.psychometrics.items import Floats, Indexes, ItemParameters
from assessment.psychometrics.posterior import (
    STANDARD_PRIOR,
    Posterior,
    Prior,
    make_posterior,
)

SHARES = (0.025, 0.975)
CONCEPT_SD = 0.7
# A choice: with it, abilities on two concepts correlate 1 / (1 + .49) = .67 in a population,
# so that answers on one concept tell of another, yet its own answers soon outweigh them.
MASTERY_CUT = 0.7
# Mastery is an expected share of .7 right on the concept, guessing taken off.
NUM_DRAWS = 200
# Draws of uncertain difficulties: the ends of a 95 % interval to about .02.


@dataclass(frozen=True)
class ExpectedScore:
    """Items of a quiz that the learner would get right, with a 95 % interval."""

    mean: float
    low: float
    high: float
    num_items: int


@dataclass(frozen=True)
class PlainInterval:
    """What a learner is told in place of a theta: between `low` and `high` of `num_items`.

    `place` says whether the interval lies inside the scale, or at its lower or upper end,
    where all that can be said is "at or below", "at or above".
    """

    low: int
    high: int
    num_items: int
    place: Literal["inside", "at_or_below", "at_or_above"]


@dataclass(frozen=True)
class Mastery:
    """Of one concept.

    Attributes
    ----------
    num_answers : int
        Scored answers on it; with none, the estimate rests on the other concepts.
    probability : float
        That the true share is at or above the cut.
    probability_low, probability_high : float
        95 % interval of that probability over what the item difficulties may truly be.
    share, share_low, share_high : float
        Expected share of the concept's items known, guessing taken off, with 95 % interval.
    """

    num_answers: int
    probability: float
    probability_low: float
    probability_high: float
    share: float
    share_low: float
    share_high: float


def compute_expected_score(items: ItemParameters, posterior: Posterior) -> ExpectedScore:
    """Return the expected number right on these items (the test characteristic curve)."""
    scores = compute_probability(items, posterior.nodes).sum(axis=1)
    low, high = np.interp(posterior.find_quantiles(SHARES), posterior.nodes, scores)
    return ExpectedScore(float(posterior.weights @ scores), float(low), float(high), len(items))


def describe_interval(
    items: ItemParameters, posterior: Posterior, *, scale: tuple[float, float] = (-4.0, 4.0)
) -> PlainInterval:
    """Return the 95 % interval of the expected score in whole items, rounded outwards.

    `scale` is the range of theta within which the bank can tell learners apart.
    """
    score = compute_expected_score(items, posterior)
    low, high = int(np.floor(score.low + 1e-9)), int(np.ceil(score.high - 1e-9))
    theta_low, theta_high = posterior.find_quantiles(SHARES)
    place: Literal["inside", "at_or_below", "at_or_above"] = "inside"
    if theta_low <= scale[0] or high == 0:
        place = "at_or_below"
    elif theta_high >= scale[1] or low == len(items):
        place = "at_or_above"
    return PlainInterval(low, high, len(items), place)


def estimate_mastery(
    items: ItemParameters,
    answers: Sequence[int],
    concepts: Indexes,
    *,
    reference: ItemParameters,
    reference_concepts: Indexes,
    prior: Prior = STANDARD_PRIOR,
    b_sd: Floats | None = None,
    cut: float = MASTERY_CUT,
    seed: int = 0,
) -> dict[int, Mastery]:
    """Return the mastery of each concept of the reference items.

    A concept's ability is normal around the overall theta with SD CONCEPT_SD: answers on the
    other concepts make its prior, the answers on it its likelihood.

    Parameters
    ----------
    items, answers, concepts : of the I scored answers
    reference, reference_concepts : of the J items that define each concept
    b_sd : (J,) float or None
        Errors of the reference difficulties: .8 for provisional ones, 0 by default.
    """
    given = np.asarray(answers, dtype=np.float64)
    spread = np.zeros(len(reference)) if b_sd is None else b_sd
    rng = np.random.default_rng(seed)
    found: dict[int, Mastery] = {}
    for concept in sorted(set(np.asarray(reference_concepts).tolist())):
        inside = np.asarray(concepts) == concept
        own = reference_concepts == concept
        others = make_posterior(items.take(~inside), given[~inside], prior=prior)
        around = Prior(others.mean, float(np.hypot(others.sd, CONCEPT_SD)))
        posterior = make_posterior(items.take(inside), given[inside], prior=around)
        plausible = draw_plausible_items(
            reference.take(own),
            spread[own],
            num_draws=NUM_DRAWS if spread[own].any() else 1,
            rng=rng,
        )
        found[concept] = _judge(
            posterior, reference.take(own), plausible, cut=cut, num_answers=int(inside.sum())
        )
    return found


def _judge(
    posterior: Posterior,
    reference: ItemParameters,
    plausible: Sequence[ItemParameters],
    *,
    cut: float,
    num_answers: int,
) -> Mastery:
    known = _compute_known_share(reference, posterior.nodes)
    low, high = np.interp(posterior.find_quantiles(SHARES), posterior.nodes, known)
    chances = [_find_chance(items, posterior, cut) for items in plausible]
    return Mastery(
        num_answers,
        _find_chance(reference, posterior, cut),
        float(np.quantile(chances, SHARES[0])),
        float(np.quantile(chances, SHARES[1])),
        float(posterior.weights @ known),
        float(low),
        float(high),
    )


def _find_chance(items: ItemParameters, posterior: Posterior, cut: float) -> float:
    """Return the chance that the known share, which rises with theta, is at or above the cut."""
    known = _compute_known_share(items, posterior.nodes)
    needed = np.interp(cut, known, posterior.nodes)
    below = np.cumsum(posterior.weights) - posterior.weights / 2.0
    return float(1.0 - np.interp(needed, posterior.nodes, below))


def _compute_known_share(items: ItemParameters, nodes: Floats) -> Floats:
    """Return the mean over items of (P - c) / (d - c), the chance of a right answer unguessed."""
    p = compute_probability(items, nodes)
    return np.asarray(((p - items.c) / (items.d - items.c)).mean(axis=1))
