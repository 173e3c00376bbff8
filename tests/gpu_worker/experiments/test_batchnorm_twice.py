"""batchnorm-twice: the ratio 2 - m, gradients untouched, and the momentum that repairs it."""

import pytest
import torch

from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import Measurement
from gpu_worker.experiments import batchnorm_twice as experiment
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run

SMALL = {"layers": 2, "channels": 4, "side": 8, "batch": 4}


@pytest.fixture(scope="module")
def default() -> Measurement:
    return run_experiment("batchnorm-twice", {}, DEFAULT_SEED, "cpu", False)


def test_the_claim_holds_at_every_momentum(default: Measurement) -> None:
    (claim,) = default.claims
    assert (claim.id, claim.verdict) == ("statistics-move-twice", "holds")
    assert [point.x for point in claim.points] == [0.05, 0.1, 0.2, 0.5]
    for point in claim.points:
        assert point.expected == pytest.approx(2 - point.x)
        assert point.observed == pytest.approx(2 - point.x, abs=1e-6)


def test_gradients_are_equal_although_the_statistics_are_not(default: Measurement) -> None:
    facts = default.facts
    assert facts["gradient_difference"] == facts["noise_floor"] == 0.0
    assert (facts["tracked_plain"], facts["tracked_checkpointed"]) == (1, 2)
    assert facts["reentrant_ratio"] == pytest.approx(1.9, abs=1e-6)
    assert facts["ratio"] == pytest.approx(1.9, abs=1e-6)


@pytest.mark.parametrize("momentum", [0.01, 0.1, 0.37, 0.9])
def test_the_repaired_momentum_moves_them_as_one_plain_step(momentum: float) -> None:
    run = make_run("batchnorm-twice", momentum=momentum, **SMALL)
    plain = experiment.run_once(run, momentum, experiment.run_plain)
    repair = experiment.compute_repair(momentum)
    repaired = experiment.run_once(run, repair, experiment.run_every)
    assert (1 - repair) ** 2 == pytest.approx(1 - momentum)
    assert torch.allclose(plain.means, repaired.means, rtol=1e-5, atol=1e-9)


def test_the_claim_fails_where_nothing_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "run_every", experiment.run_plain)
    claim = experiment.decide_twice(make_run("batchnorm-twice", **SMALL))
    assert claim.verdict == "fails"
    assert claim.observed == pytest.approx(1.0)


def test_the_range_of_the_catalog_holds() -> None:
    run = make_run("batchnorm-twice", layers=1, channels=2, side=4, batch=2, momentum=0.9)
    assert experiment.decide_twice(run).verdict == "holds"
