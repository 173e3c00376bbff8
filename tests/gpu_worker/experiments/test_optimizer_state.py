import dataclasses
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import Measurement, RunReport, decode_worker_message
from gpu_worker.experiments import optimizer_state
from gpu_worker.experiments.optimizer_state import Depth
from gpu_worker.measure.optimizers import States
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def default() -> Measurement:
    limits = resource.getrlimit(resource.RLIMIT_DATA)
    found = run_experiment("optimizer-state", {"steps": 5}, DEFAULT_SEED, "cpu", False)
    assert resource.getrlimit(resource.RLIMIT_DATA) == limits
    return found


def test_every_claim_holds_with_the_reference_numbers(default: Measurement) -> None:
    claims = {one.id: one for one in default.claims}
    assert {one.verdict for one in claims.values()} == {"holds"}
    assert claims["moment-bytes"].observed == 8.0
    assert claims["momentum-bytes"].observed == claims["momentum-bytes"].facts["plain"] == 4.0
    assert claims["state-linear-in-depth"].observed == 16.0
    assert default.facts["counters"] == 4 * 48
    assert default.trace is not None
    assert default.scaling is not None
    assert default.scaling.series[0].y == (133_120.0, 532_480.0, 2_129_920.0)


def test_mixed_precision_is_2_2_4_8(default: Measurement) -> None:
    mixed = next(one for one in default.tables if one.name == "mixed")
    assert [row[2] for row in mixed.rows] == [2.0, 2.0, 4.0, 8.0]


def test_memory_runs_out_in_the_optimizer_with_and_without_checkpoints(tmp_path: Path) -> None:
    """In a process of its own, as a worker runs it: one with a used heap has room to reuse."""
    path = tmp_path / "report.json"
    subprocess.run(
        [sys.executable, "-m", "gpu_worker.lab", "optimizer-state", "--steps=5", "--out", path],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        timeout=120,
        check=True,
    )
    report = decode_worker_message(path.read_bytes())
    assert isinstance(report, RunReport)
    assert report.measurement is not None
    budget = next(one for one in report.measurement.tables if one.name == "budget")
    rows = {str(row[0]): row[2:] for row in budget.rows}
    assert rows["sgd-plain"][0] == rows["sgd-checkpointed"][0] == "fits"
    for arm in ("adamw-plain", "adamw-checkpointed"):
        outcome, phase, message = rows[arm]
        assert (outcome, phase) == ("out_of_memory", "optimizer")
        assert "allocate" in str(message)


def test_totals_fall_by_the_activations_alone(default: Measurement) -> None:
    facts = {name: value for name, value in default.facts.items() if isinstance(value, int)}
    saved = facts["total_plain"] - facts["total_checkpointed"]
    assert saved == facts["peak_plain"] - facts["peak_checkpointed"]


# --- Counter-examples ----------------------------------------------------------------

RIGHT = [
    States("sgd", "plain", 0, 0, ()),
    States("sgd", "checkpointed", 0, 0, ()),
    States("momentum", "plain", 400, 0, ("float32",)),
    States("momentum", "checkpointed", 400, 0, ("float32",)),
    States("adamw", "plain", 800, 8, ("float32",)),
    States("adamw", "checkpointed", 800, 8, ("float32",)),
]


def replace_last(**changes: object) -> list[States]:
    return [*RIGHT[:-1], dataclasses.replace(RIGHT[-1], **changes)]  # type: ignore[arg-type]  # by name


def test_moments_in_float64_fail() -> None:
    wrong = replace_last(moments=1600, types=("float64",))
    assert optimizer_state.decide_moments(RIGHT, 100, 2).verdict == "holds"
    assert optimizer_state.decide_moments(wrong, 100, 2).verdict == "fails"
    assert optimizer_state.decide_types(RIGHT, 100).verdict == "holds"
    assert optimizer_state.decide_types(wrong, 100).verdict == "fails"


def test_two_moments_and_none_fail_the_momentum_claim() -> None:
    assert optimizer_state.decide_momentum(RIGHT, 100).verdict == "holds"
    for moments in (0, 800):
        wrong = [*RIGHT[:3], dataclasses.replace(RIGHT[3], moments=moments), *RIGHT[4:]]
        assert optimizer_state.decide_momentum(wrong, 100).verdict == "fails"


def test_a_counter_more_fails_the_moments() -> None:
    assert optimizer_state.decide_moments(replace_last(counters=12), 100, 2).verdict == "fails"


def test_a_smaller_state_under_checkpoints_fails() -> None:
    depths = [Depth(4, 100), Depth(16, 400)]
    assert optimizer_state.decide_both_arms(RIGHT, depths, depths).verdict == "holds"
    wrong = replace_last(moments=400)
    assert optimizer_state.decide_both_arms(wrong, depths, depths).verdict == "fails"
    halved = [Depth(4, 100), Depth(16, 200)]
    assert optimizer_state.decide_both_arms(RIGHT, depths, halved).verdict == "fails"


def test_state_that_grows_as_a_square_or_a_root_fails() -> None:
    run = make_run("optimizer-state")
    base = optimizer_state.compute_depth_moments(run, 4)
    for growth in (4, 256):
        depths = [Depth(4, base), Depth(64, base * growth)]
        assert optimizer_state.decide_depths(run, depths).verdict == "fails"
    depths = [Depth(4, base), Depth(64, base * 16)]
    assert optimizer_state.decide_depths(run, depths).verdict == "holds"
