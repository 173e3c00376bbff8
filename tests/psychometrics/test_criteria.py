from typing import Any

import numpy as np
import pytest

from assessment.psychometrics.criteria import (
    compute_distance_to_b,
    compute_distance_to_peak,
    compute_expected_information,
    compute_expected_variance,
    compute_fisher_information,
    compute_global_discrimination,
    compute_kullback_leibler,
    compute_weighted_information,
)
from assessment.psychometrics.curves import compute_log_likelihood
from assessment.psychometrics.items import Floats, ItemParameters
from assessment.psychometrics.posterior import make_grid_posterior

NODES = np.linspace(-4, 4, 33)
NORMAL = np.exp(-(NODES**2) / 2) / np.sqrt(2 * np.pi)


def weigh_nodes() -> Floats:
    weights = np.full(33, 0.25)
    weights[[0, -1]] /= 2
    return weights


def compute_all(
    rest: ItemParameters, given: ItemParameters, answers: list[int], theta: float
) -> dict[str, Floats]:
    """Every criterion as catR computes it; only its GDI leaves the ends at full weight."""
    plain = np.exp(compute_log_likelihood(given, NODES, answers))
    likelihood, posterior = plain * weigh_nodes(), plain * NORMAL * weigh_nodes()

    def estimate(items: ItemParameters, responses: Floats) -> float:
        return make_grid_posterior(items, responses, nodes=NODES).mean

    return {
        "MFI": compute_fisher_information(rest, theta),
        "bOpt": compute_distance_to_b(rest, theta),
        "thOpt": compute_distance_to_peak(rest, theta),
        "MLWI": compute_weighted_information(rest, NODES, likelihood),
        "MPWI": compute_weighted_information(rest, NODES, posterior),
        "KL": compute_kullback_leibler(rest, NODES, likelihood, theta=theta),
        "KLP": compute_kullback_leibler(rest, NODES, posterior, theta=theta),
        "MEPV": compute_expected_variance(rest, NODES, posterior, theta=theta),
        "GDI": compute_global_discrimination(rest, NODES, plain),
        "GDIP": compute_global_discrimination(rest, NODES, plain * NORMAL),
        "MEI": compute_expected_information(
            rest, theta, given=given, responses=answers, estimate=estimate
        ),
    }


def test_every_criterion_is_that_of_catr(
    reference: dict[str, Any], patterns: dict[str, Any], bank: ItemParameters
) -> None:
    for state in reference["selection_catR"]["states"]:
        pattern = patterns[state["pattern"]]
        order = np.array(state["criterion"]["item"])
        values = compute_all(
            bank.take(order), bank.take(pattern["items"]), pattern["responses"], state["theta"]
        )
        for name, value in values.items():
            best = value.argmin() if name in {"bOpt", "thOpt", "MEPV"} else value.argmax()
            assert order[best] == state["selected"][name]["item"], (state["pattern"], name)
            assert value[best] == pytest.approx(state["selected"][name]["value"], abs=1e-9)
            if name in state["criterion"]:
                assert value == pytest.approx(state["criterion"][name], abs=1e-9)


def test_expected_variance_predicts_by_the_posterior_where_no_theta_is_named(
    bank: ItemParameters,
) -> None:
    posterior = NORMAL * weigh_nodes()
    items = bank.take([3, 20])
    by_hand = []
    for index in (3, 20):
        expected = 0.0
        for answer in (0, 1):
            likelihood = np.exp(compute_log_likelihood(bank.take([index]), NODES, [answer]))
            w = posterior * likelihood
            mean = w @ NODES / w.sum()
            expected += w.sum() / posterior.sum() * (w @ (NODES - mean) ** 2 / w.sum())
        by_hand.append(expected)
    assert compute_expected_variance(items, NODES, posterior) == pytest.approx(by_hand, rel=1e-12)
