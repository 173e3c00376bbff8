"""Item parameters from answers: marginal maximum (a posteriori) likelihood by EM.

Bock and Aitkin (1981) with normal priors on log a, b and logit c (Mislevy 1986). The E-step
is two matrix products over persons, the M-step a few Fisher-scoring steps of all items at
once, and the sequence is accelerated by Anderson's method (Walker and Ni 2011), which keeps
the EM step wherever the extrapolated one lowers the objective.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from assessment.psychometrics.acceleration import Anderson
from assessment.psychometrics.items import A_MAX, A_MIN, B_MAX, Floats, Indexes, ItemParameters
from assessment.psychometrics.marginal import (
    Expectation,
    Population,
    compute_expectation,
    compute_item_scores,
    make_nodes,
)
from assessment.psychometrics.maximization import Coordinates, maximize_items
from assessment.psychometrics.responses import Responses

FIXED, ONE_PL, TWO_PL, THREE_PL = 0, 1, 2, 3
# What is estimated of an item: nothing; b and an a common to all such items; a, b; a, b, c.


@dataclass(frozen=True, eq=False)
class ItemPriors:
    """Normal priors of I items; an infinite SD is no prior.

    Attributes
    ----------
    log_a, b, logit_c : (I,) float, means
    log_a_sd, b_sd, logit_c_sd : (I,) float
    """

    log_a: Floats
    log_a_sd: Floats
    b: Floats
    b_sd: Floats
    logit_c: Floats
    logit_c_sd: Floats

    @property
    def means(self) -> Floats:
        """(3, I), in the order log a, b, logit c."""
        return np.stack([self.log_a, self.b, self.logit_c])

    @property
    def precisions(self) -> Floats:
        """(3, I), 1 / sd^2, 0 for no prior."""
        return np.stack([self.log_a_sd, self.b_sd, self.logit_c_sd]) ** -2.0


def make_priors(
    num_items: int,
    *,
    log_a: ArrayLike = 0.0,
    log_a_sd: ArrayLike = np.inf,
    b: ArrayLike = 0.0,
    b_sd: ArrayLike = np.inf,
    c: ArrayLike = 0.2,
    logit_c_sd: ArrayLike = np.inf,
) -> ItemPriors:
    """Make priors of one value for all items or one for each; c is told as a probability."""
    floor = np.asarray(c, dtype=np.float64)
    values = (log_a, log_a_sd, b, b_sd, np.log(floor / (1.0 - floor)), logit_c_sd)
    return ItemPriors(*(np.broadcast_to(np.asarray(v, np.float64), num_items) for v in values))


@dataclass(frozen=True, eq=False)
class Calibration:
    """Estimated parameters with their errors; a proposal until somebody publishes it.

    Attributes
    ----------
    items : ItemParameters
    se_a, se_b, se_c : (I,) float
        By the cross-product of the persons' scores plus the priors' precision; 0 where a
        parameter was fixed, NaN where the information is singular.
    models : (I,) int
        FIXED, ONE_PL, TWO_PL or THREE_PL.
    num_answers : (I,) int
    log_likelihood : float
        Marginal, without priors.
    population : Population
        Mean and SD of theta; (0, 1) unless anchors let them be estimated.
    """

    items: ItemParameters
    se_a: Floats
    se_b: Floats
    se_c: Floats
    models: Indexes
    num_answers: Indexes
    log_likelihood: float
    population: Population
    num_iterations: int
    is_converged: bool
    covariance: Floats = field(repr=False)


@dataclass(frozen=True)
class Settings:
    """How the EM runs: nodes on [-reach, reach] logits, tolerance of one step, most steps."""

    num_nodes: int = 61
    reach: float = 6.0
    tolerance: float = 1e-6
    max_iterations: int = 500


DEFAULT_SETTINGS = Settings()
STANDARD_POPULATION = Population(0.0, 1.0)


def calibrate(
    responses: Responses,
    *,
    models: ArrayLike,
    start: ItemParameters,
    priors: ItemPriors | None = None,
    estimate_population: bool = False,
    population: Population = STANDARD_POPULATION,
    settings: Settings = DEFAULT_SETTINGS,
) -> Calibration:
    """Estimate the items' parameters.

    Parameters
    ----------
    models : (I,) int
        What to estimate of each item; FIXED items are anchors.
    start : ItemParameters
        Where to begin; the values of what is fixed, d included.
    priors : ItemPriors or None
        None estimates by marginal maximum likelihood.
    estimate_population : bool
        Estimate mean and SD of theta too, on nodes over a wider range; only with anchors,
        since they cannot be told apart from items that are all free.
    population : Population
        Of theta; where the estimation of it begins, else held.

    Raises
    ------
    ValueError
        When an item without a prior on b was answered all right or all wrong.
    """
    kinds = np.broadcast_to(np.asarray(models, dtype=np.intp), len(start))
    priors = priors if priors is not None else make_priors(len(start))
    _check(responses, kinds, priors, estimate_population=estimate_population)
    nodes = _choose_nodes(settings, population, estimate_population=estimate_population)
    point = Coordinates.from_items(start, kinds, population)
    accelerator = Anderson(depth=6)
    x, is_converged, num_iterations = point.pack(), False, 0
    while not is_converged and num_iterations < settings.max_iterations:
        num_iterations += 1
        point = point.unpack(x)
        expectation = compute_expectation(responses, point.items, nodes, point.population)
        objective = expectation.log_likelihood + _log_prior(point, priors)
        stepped = maximize_items(point, expectation, nodes, priors.means, priors.precisions)
        if estimate_population:
            stepped = stepped.replace_population(expectation.find_population(nodes))
        image = stepped.pack()
        is_converged = bool(np.max(np.abs(image - x), initial=0.0) < settings.tolerance)
        x = image if is_converged else accelerator.advance(x, image, objective)
    point = point.unpack(x)
    expectation = compute_expectation(responses, point.items, nodes, point.population)
    return _report(
        responses, point, expectation, nodes, priors, num_iterations, is_converged=is_converged
    )


def _choose_nodes(
    settings: Settings, population: Population, *, estimate_population: bool
) -> Floats:
    """Return the settings' nodes, with as fine a step over twice the range for an unknown class."""
    reach = settings.reach * max(1.0, population.sd) + abs(population.mean)
    reach = 2.0 * reach if estimate_population else reach
    intervals = round((settings.num_nodes - 1) * reach / settings.reach)
    return make_nodes(intervals + 1, reach)


def _check(
    responses: Responses, kinds: Indexes, priors: ItemPriors, *, estimate_population: bool
) -> None:
    if responses.right.shape[1] != len(kinds):
        raise ValueError(f"{responses.right.shape[1]} columns of answers to {len(kinds)} items")
    if estimate_population and not np.any(kinds == FIXED):
        raise ValueError("a free population needs an anchor")
    right, answers = responses.num_right, responses.num_answers
    is_constant = ((right == 0) | (right == answers)) & (kinds != FIXED) & np.isinf(priors.b_sd)
    if np.any(is_constant):
        index = int(np.argmax(is_constant))
        raise ValueError(
            f"item {index} has no wrong or no right answer: it needs a prior on b, or more answers"
        )


def _log_prior(point: Coordinates, priors: ItemPriors) -> float:
    """Log density of the priors of what is estimated, without constants."""
    distances = (point.values - priors.means) ** 2 * priors.precisions
    return float(-0.5 * distances[point.is_free].sum())


def _report(
    responses: Responses,
    point: Coordinates,
    expectation: Expectation,
    nodes: Floats,
    priors: ItemPriors,
    num_iterations: int,
    *,
    is_converged: bool,
) -> Calibration:
    covariance = _compute_covariance(responses, point, nodes, priors)
    errors = np.zeros(point.values.shape)
    variances = np.maximum(np.diag(covariance), 0.0)
    errors[point.is_free] = np.sqrt(point.spread(variances))
    items = point.items
    legal = ItemParameters(
        np.clip(items.a, A_MIN, A_MAX), np.clip(items.b, -B_MAX, B_MAX), items.c, items.d
    )
    return Calibration(
        legal,
        errors[0] * items.a,
        errors[1],
        errors[2] * items.c * (1.0 - items.c),
        point.models,
        responses.num_answers,
        expectation.log_likelihood,
        point.population,
        num_iterations,
        is_converged,
        covariance,
    )


def _compute_covariance(
    responses: Responses, point: Coordinates, nodes: Floats, priors: ItemPriors
) -> Floats:
    """Invert the sum of the persons' score products plus the priors' precision.

    The packed coordinates are log a (the common one once), b and logit c of what is free.
    """
    scores = compute_item_scores(responses, point.items, nodes, point.population)
    packed = point.gather_scores(scores)
    information = packed.T @ (packed * responses.weights[:, None])
    information[np.diag_indices_from(information)] += point.gather_precisions(priors.precisions)
    if len(information) == 0:
        return information
    try:
        return np.asarray(np.linalg.inv(information))
    except np.linalg.LinAlgError:
        return np.full_like(information, np.nan)
