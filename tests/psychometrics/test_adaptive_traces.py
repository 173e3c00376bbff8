from typing import Any

import numpy as np
import pytest

from assessment.psychometrics.banks import make_bank
from assessment.psychometrics.choices import choose_next_item, make_rng
from assessment.psychometrics.items import ItemParameters
from assessment.psychometrics.policy import Policy
from assessment.psychometrics.posterior import make_grid_posterior
from assessment.psychometrics.stopping import Sprt, classify, compute_log_ratio

NODES = np.linspace(-4, 4, 33)


def run_trace(
    items: ItemParameters, answers: dict[int, int], *, criterion: Any, length: int
) -> list[tuple[int, float, float]]:
    """Run catR's test: first item by information at 0, then by the criterion, EAP on 33 nodes."""
    bank = make_bank(items)
    given: list[int] = []
    steps = []
    posterior = make_grid_posterior(items.take([]), [], nodes=NODES)
    for position in range(length):
        choice = choose_next_item(
            bank,
            posterior,
            administered=given,
            policy=Policy(criterion=criterion if given else "MFI"),
            rng=make_rng(1, position=position),
        )
        assert choice is not None
        given.append(choice.index)
        posterior = make_grid_posterior(
            items.take(given), [answers[index] for index in given], nodes=NODES
        )
        steps.append((choice.index, posterior.mean, posterior.sd))
    return steps


def test_all_48_adaptive_runs_are_those_of_catr(
    reference: dict[str, Any], patterns: dict[str, Any], bank: ItemParameters
) -> None:
    traces = reference["cat_traces"]["traces"]
    assert len(traces) == 48
    for trace in traces:
        pattern = patterns[trace["pattern"]]
        answers = dict(zip(pattern["items"], pattern["responses"], strict=True))
        steps = run_trace(bank, answers, criterion=trace["criterion"], length=len(trace["steps"]))
        for (index, theta, se), step in zip(steps, trace["steps"], strict=True):
            assert index == step["item"], (trace["pattern"], trace["criterion"])
            assert theta == pytest.approx(step["theta"], abs=1e-9)
            assert se == pytest.approx(step["se"], abs=1e-9)


def test_the_ratio_test_decides_as_in_the_reference(
    patterns: dict[str, Any], bank: ItemParameters
) -> None:
    for pattern in patterns.values():
        if not pattern["items"]:
            continue
        expected = pattern["sprt"]
        sprt = Sprt(cut=expected["cut"], delta=expected["delta"], alpha=0.05, beta=0.05)
        items = bank.take(pattern["items"])
        ratio = compute_log_ratio(items, pattern["responses"], sprt)
        assert ratio == pytest.approx(expected["log_LR"], abs=1e-9)
        assert classify(items, pattern["responses"], sprt) == expected["decision_alpha05_beta05"]
