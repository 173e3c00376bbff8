"""What a policy does to a bank: whole adaptive tests of simulated persons."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assessment.psychometrics.curves import compute_log_probabilities, compute_probability
from assessment.psychometrics.estimation import (
    Estimate,
    estimate_eap,
    estimate_map,
    estimate_mle,
    estimate_wle,
)
from assessment.psychometrics.exposure import check_cap, make_exposure
from assessment.psychometrics.items import Floats, ItemParameters, Mask
from assessment.psychometrics.posterior import (
    STANDARD_PRIOR,
    Posterior,
    Prior,
    start_posterior,
)
from assessment.psychometrics.sessions import Answered, Setting, plan_step
from assessment.psychometrics.stopping import Reason

INTERVAL = (0.025, 0.975)
# The nominal 95 % interval told to learners: quantiles of the posterior.
LARGEST_TABLE = 30_000_000
# Log-probabilities of a bank on the nodes are kept up to 2 x 240 MB.


@dataclass(frozen=True, eq=False)
class Simulation:
    """N simulated tests on a bank of I items; logits.

    Attributes
    ----------
    theta, estimate, standard_error, low, high : (N,) float
    lengths : (N,) int
        Scored items of each test.
    counts : (I,) int
        Tests that saw each item.
    reasons : list of str
        Why each test ended.
    logs : list of list of Answered
        What each person was asked, and how it went.
    """

    theta: Floats
    estimate: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    lengths: NDArray[np.int64]
    counts: NDArray[np.int64]
    reasons: list[Reason]
    logs: list[list[Answered]]

    @property
    def error(self) -> Floats:
        """Estimate minus truth (N,)."""
        return self.estimate - self.theta

    @property
    def is_covered(self) -> Mask:
        """Whether each interval holds the truth (N,)."""
        return np.asarray((self.low <= self.theta) & (self.theta <= self.high))


def simulate(
    setting: Setting,
    thetas: Floats,
    *,
    truth: ItemParameters | None = None,
    report_progress: Callable[[int, int], None] | None = None,
) -> Simulation:
    """Give each person a test. Under a cap the counts are rolled up after each session.

    Parameters
    ----------
    setting : Setting
        Bank, policy, rule; its seed is that of the whole simulation.
    thetas : (N,) float
        True theta of each person.
    truth : ItemParameters or None
        What answers are drawn from when the bank's own parameters are wrong.
    report_progress : callable or None
        Told (persons done, persons) now and then.
    """
    bank, cap = setting.bank, setting.policy.exposure_cap
    if cap is not None:
        length = min(setting.rule.max_items, len(bank))
        check_cap(cap, length=length, num_items=int((~bank.unscored).sum()))
    true_items = bank.items if truth is None else truth
    begin = start_posterior(prior=setting.prior)
    updater = _Updater(bank.items, begin)
    counts = np.zeros(len(bank), dtype=np.int64)
    num_persons = len(thetas)
    results = np.zeros((4, num_persons))
    lengths, reasons, logs = np.zeros(num_persons, dtype=np.int64), [], []
    for person in range(num_persons):
        exposure = make_exposure(person, counts) if cap is not None else None
        own = replace(setting, seed=setting.seed + person, exposure=exposure)
        rng = np.random.default_rng([setting.seed, person, 1])
        p = compute_probability(true_items, thetas[person])[0]
        log, posterior, reason = _run_test(own, p, begin, updater, rng)
        counts[[answer.index for answer in log]] += 1
        lengths[person] = sum(answer.is_scored for answer in log)
        reasons.append(reason)
        logs.append(log)
        results[:, person] = posterior.mean, posterior.sd, *posterior.find_quantiles(INTERVAL)
        if report_progress is not None and (person % 20 == 19 or person + 1 == num_persons):
            report_progress(person + 1, num_persons)
    estimate, standard_error, low, high = results
    truths = np.asarray(thetas, dtype=np.float64)
    return Simulation(truths, estimate, standard_error, low, high, lengths, counts, reasons, logs)


def summarize(simulation: Simulation) -> dict[str, object]:
    """Return the figures of merit as plain JSON; logits, shares and items."""
    error, num_persons = simulation.error, len(simulation.theta)
    counts = simulation.counts
    mean_length = float(simulation.lengths.mean())
    exposure = counts / num_persons
    return {
        "num_simulees": num_persons,
        "num_items": len(counts),
        "rmse": float(np.sqrt(np.mean(error**2))),
        "bias": float(error.mean()),
        "coverage_95": float(simulation.is_covered.mean()),
        "mean_standard_error": float(simulation.standard_error.mean()),
        "mean_length": mean_length,
        "min_length": int(simulation.lengths.min()),
        "max_length": int(simulation.lengths.max()),
        "max_exposure": float(exposure.max(initial=0.0)),
        "max_count": int(counts.max(initial=0)),
        "share_unused": float(np.mean(counts == 0)) if len(counts) else None,
        "overlap": compute_overlap(counts, num_tests=num_persons),
        "reasons": dict(Counter(simulation.reasons)),
        "by_theta": summarize_by_theta(simulation),
    }


def compare_estimators(
    simulation: Simulation, items: ItemParameters, *, prior: Prior = STANDARD_PRIOR
) -> dict[str, dict[str, float | int | None]]:
    """Return what each estimator makes of the same answers: RMSE and bias of those that exist.

    Parameters
    ----------
    items : ItemParameters
        Of the bank that the tests were given with.
    """
    estimators: list[Callable[[ItemParameters, list[int]], Estimate]] = [
        lambda given, right: estimate_eap(given, right, prior=prior),
        lambda given, right: estimate_map(given, right, prior=prior),
        estimate_mle,
        estimate_wle,
        lambda given, right: estimate_wle(given, right, definition="Jeffreys"),
    ]
    errors: dict[str, list[float]] = {}
    for theta, log in zip(simulation.theta, simulation.logs, strict=True):
        scored = [answer for answer in log if answer.is_scored]
        given = items.take([answer.index for answer in scored])
        for estimate in estimators:
            found = estimate(given, [int(answer.is_right) for answer in scored])
            told = errors.setdefault(found.method, [])
            if found.exists and found.theta is not None:
                told.append(found.theta - float(theta))
    return {
        method: {
            "num_without": len(simulation.logs) - len(told),
            "rmse": float(np.sqrt(np.mean(np.square(told)))) if told else None,
            "bias": float(np.mean(told)) if told else None,
        }
        for method, told in errors.items()
    }


def compute_overlap(counts: NDArray[np.int64], *, num_tests: int) -> float | None:
    """Return the mean share of items that two tests have in common (Way 1998)."""
    total = float(counts.sum())
    if num_tests < 2 or total == 0:
        return None
    pairs = float((counts * (counts - 1.0)).sum())
    return pairs / (total * (num_tests - 1.0))


def summarize_by_theta(simulation: Simulation) -> list[dict[str, float | int | None]]:
    """Return bias, RMSE and coverage in bins of one logit of the truth."""
    edges = np.array([-np.inf, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, np.inf])
    rows: list[dict[str, float | int | None]] = []
    for low, high in pairwise(edges):
        inside = (simulation.theta > low) & (simulation.theta <= high)
        error = simulation.error[inside]
        row: dict[str, float | int | None] = {
            "low": float(low) if np.isfinite(low) else None,
            "high": float(high) if np.isfinite(high) else None,
            "num_simulees": int(inside.sum()),
            "bias": None,
            "rmse": None,
            "coverage_95": None,
        }
        if inside.any():
            row["bias"] = float(error.mean())
            row["rmse"] = float(np.sqrt(np.mean(error**2)))
            row["coverage_95"] = float(simulation.is_covered[inside].mean())
        rows.append(row)
    return rows


class _Updater:
    """Bayes' rule on the simulation's nodes, with each item's curve computed once."""

    def __init__(self, items: ItemParameters, begin: Posterior) -> None:
        self._items, self._nodes = items, begin.nodes
        self._tables: tuple[Floats, Floats] | None = None
        if len(items) * len(begin.nodes) <= LARGEST_TABLE:
            log_p, log_q = compute_log_probabilities(items, begin.nodes)
            self._tables = np.exp(log_q).T.copy(), np.exp(log_p).T.copy()

    def update(self, posterior: Posterior, index: int, *, is_right: bool) -> Posterior:
        if self._tables is None:
            return posterior.update(self._items.take([index]), int(is_right))
        weights = posterior.weights * self._tables[int(is_right)][index]
        return Posterior(self._nodes, weights / weights.sum())


def _run_test(
    setting: Setting,
    p: Floats,
    posterior: Posterior,
    updater: _Updater,
    rng: np.random.Generator,
) -> tuple[list[Answered], Posterior, Reason]:
    log: list[Answered] = []
    while True:
        step = plan_step(setting, log, posterior=posterior)
        if step.choice is None:
            assert step.reason is not None
            return log, posterior, step.reason
        index = step.choice.index
        is_right = bool(rng.random() < p[index])
        log.append(Answered(index, is_right, step.choice.is_scored))
        if step.choice.is_scored:
            posterior = updater.update(posterior, index, is_right=is_right)
