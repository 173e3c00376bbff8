"""The M-step: all items at once by Fisher scoring, in log a, b and logit c."""

from dataclasses import dataclass, replace

import numpy as np

from assessment.psychometrics.items import Floats, Indexes, ItemParameters, Mask
from assessment.psychometrics.marginal import Expectation, Population, compute_slopes

LOG_A_BOUNDS, B_BOUNDS, LOGIT_C_BOUNDS = (-6.9, 2.3), (-50.0, 50.0), (-9.0, 3.0)
# The legal range of a bank; c up to .95.
LARGEST_STEP = np.array([0.5, 1.0, 1.0])[:, None]
# Scoring steps longer than these leave the region where the quadratic holds.
SCORING_STEPS = 3
# Two steps reach 1e-8 from the last M-step's end; the third is for the first iterations.


@dataclass(frozen=True, eq=False)
class Coordinates:
    """A point of the estimation: items as log a, b, logit c, and the population.

    Attributes
    ----------
    values : (3, I) float
    d : (I,) float, fixed
    models : (I,) int
    population : Population
    """

    values: Floats
    d: Floats
    models: Indexes
    population: Population

    @classmethod
    def from_items(
        cls, items: ItemParameters, models: Indexes, population: Population
    ) -> "Coordinates":
        """Begin at these items; items of the common-a model begin at their mean log a."""
        log_a = np.log(items.a)
        is_common = models == 1
        if is_common.any():
            log_a[is_common] = log_a[is_common].mean()
        c = np.clip(items.c, 1e-300, 1.0 - 1e-12)
        c = np.where(models == 3, np.clip(c, 2e-4, 0.95), c)
        return cls(np.stack([log_a, items.b, np.log(c / (1.0 - c))]), items.d, models, population)

    @property
    def items(self) -> ItemParameters:
        """The items at this point."""
        log_a, b, logit_c = self.values
        c = 1.0 / (1.0 + np.exp(-logit_c))
        return ItemParameters(np.exp(log_a), b, np.where(c < 1e-250, 0.0, c), self.d)

    @property
    def is_free(self) -> Mask:
        """Which of (3, I) are estimated."""
        return np.stack([self.models >= 1, self.models >= 1, self.models == 3])

    @property
    def is_own(self) -> Mask:
        """Which of (3, I) have a packed coordinate of their own: all free but a common a."""
        free = self.is_free
        free[0, self.models == 1] = False
        return free

    @property
    def has_common(self) -> bool:
        """Whether some items share an a."""
        return bool(np.any(self.models == 1))

    def pack(self) -> Floats:
        """Return one vector: common log a, own coordinates, mean and log SD of theta."""
        common = self.values[0, self.models == 1][:1]
        ends = [self.population.mean, np.log(self.population.sd)]
        return np.concatenate([common, self.values[self.is_own], ends])

    def unpack(self, x: Floats) -> "Coordinates":
        """Return the point of a packed vector."""
        values = self.values.copy()
        start = int(self.has_common)
        values[0, self.models == 1] = x[:start].sum()
        values[self.is_own] = x[start:-2]
        population = Population(float(x[-2]), float(np.exp(x[-1])))
        return replace(self, values=_limit(values, self.is_free), population=population)

    def replace_population(self, population: Population) -> "Coordinates":
        """Return the point with another population."""
        return replace(self, population=population)

    def gather_scores(self, scores: Floats) -> Floats:
        """Return scores (3, N, I) as (N, packed items' coordinates)."""
        own = np.moveaxis(scores, 1, 0)[:, self.is_own]
        if not self.has_common:
            return own
        return np.column_stack([scores[0][:, self.models == 1].sum(axis=1), own])

    def gather_precisions(self, precisions: Floats) -> Floats:
        """Return precisions (3, I) of the packed coordinates."""
        own = precisions[self.is_own]
        if not self.has_common:
            return own
        return np.concatenate([[precisions[0, self.models == 1].sum()], own])

    def spread(self, packed: Floats) -> Floats:
        """Return values of packed coordinates for each free (3, I) coordinate, in mask order."""
        full = np.zeros(self.values.shape)
        start = int(self.has_common)
        full[self.is_own] = packed[start:]
        full[0, self.models == 1] = packed[:start].sum()
        return np.asarray(full[self.is_free])


def maximize_items(
    point: Coordinates, expectation: Expectation, nodes: Floats, means: Floats, precisions: Floats
) -> Coordinates:
    """Return the point with items that fit the expected counts best.

    Parameters
    ----------
    means, precisions : (3, I) float
        Of the normal priors of log a, b and logit c.
    """
    for _ in range(SCORING_STEPS):
        gradient, hessian = _differentiate(point, expectation, nodes)
        gradient -= precisions * (point.values - means)
        hessian[[0, 1, 2], [0, 1, 2]] += precisions
        step = _solve(gradient, hessian, point)
        size = np.max(np.abs(step), initial=0.0)
        values = point.values + np.clip(step, -LARGEST_STEP, LARGEST_STEP)
        point = replace(point, values=_limit(values, point.is_free))
        if size < 1e-7:
            break
    return point


def _differentiate(
    point: Coordinates, expectation: Expectation, nodes: Floats
) -> tuple[Floats, Floats]:
    """Return gradient (3, I) and information (3, 3, I), positive, of the expected counts."""
    p, q, slopes = compute_slopes(point.items, nodes)
    pq = p * q
    pull = (expectation.right - expectation.answers * p) / pq
    gradient = np.einsum("kqi,qi->ki", slopes, pull)
    weighted = slopes * (expectation.answers / pq)
    hessian = np.einsum("kqi,lqi->kli", weighted, slopes)
    # Log a bends the likelihood by minus its slope. Where answers pull a down against its prior
    # (an item keyed wrong), steps without this term overshoot for ever.
    hessian[0, 0] += np.maximum(0.0, -gradient[0])
    return gradient, hessian


def _solve(gradient: Floats, hessian: Floats, point: Coordinates) -> Floats:
    """Return the scoring step (3, I); fixed coordinates stay, a common a moves as one."""
    own = point.is_own
    matrix = np.where(own[:, None] & own[None, :], hessian, 0.0)
    matrix[[0, 1, 2], [0, 1, 2]] += np.where(own, 1e-9, 1.0)
    blocks = np.moveaxis(matrix, 2, 0)
    free = np.where(own, gradient, 0.0).T[:, :, None]
    step = np.linalg.solve(blocks, free)[:, :, 0].T
    is_common = point.models == 1
    if is_common.any():
        step[:2, is_common] = _solve_common(gradient[:2, is_common], hessian[:2, :2, is_common])
    return np.asarray(step)


def _solve_common(gradient: Floats, hessian: Floats) -> Floats:
    """Solve for b of each item and one log a of all, by elimination of the b's."""
    bend = np.maximum(hessian[1, 1], 1e-9)
    ratio = hessian[0, 1] / bend
    schur = float((hessian[0, 0] - ratio * hessian[0, 1]).sum())
    common = float((gradient[0] - ratio * gradient[1]).sum()) / max(schur, 1e-9)
    common = float(np.clip(common, -LARGEST_STEP[0, 0], LARGEST_STEP[0, 0]))
    return np.stack([np.full(len(bend), common), (gradient[1] - hessian[0, 1] * common) / bend])


def _limit(values: Floats, is_free: Mask) -> Floats:
    bounds = np.array([LOG_A_BOUNDS, B_BOUNDS, LOGIT_C_BOUNDS])[:, :, None]
    return np.where(is_free, np.clip(values, bounds[:, 0], bounds[:, 1]), values)
