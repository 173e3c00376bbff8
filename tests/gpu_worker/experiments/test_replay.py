import pytest
import torch

from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import Measurement
from gpu_worker.experiments import replay
from gpu_worker.measure.compare import copy_weights
from gpu_worker.measure.passes import measure_arm
from gpu_worker.models import run_plain
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run

CASES = [
    (layers, segments)
    for layers in (2, 6, 12, 30, 144)
    for segments in (2, 3, 5, 6, 12)
    if layers % segments == 0
]


@pytest.fixture(scope="module")
def default() -> Measurement:
    return run_experiment("replay", {}, DEFAULT_SEED, "cpu", False)


def test_every_claim_holds(default: Measurement) -> None:
    claims = {one.id: one for one in default.claims}
    assert {one.verdict for one in claims.values()} == {"holds"}
    assert claims["forward-runs-again"].observed == 21
    assert default.facts["flops_in_forward"] == default.facts["flops_in_forward_plain"]


def test_a_segment_is_replayed_just_before_its_gradients() -> None:
    found = run_experiment("replay", {"layers": 6, "segments": 3}, DEFAULT_SEED, "cpu", False)
    order = next(one for one in found.tables if one.name == "order")
    words = {str(row[0]): str(row[1]) for row in order.rows}
    forward = "f0 f1 f2 f3 f4 f5"
    assert words["plain"] == f"{forward} grad5 grad4 grad3 grad2 grad1 grad0"
    assert words["checkpointed"] == (f"{forward} grad5 grad4 b2 b3 grad3 grad2 b0 b1 grad1 grad0")


@pytest.mark.parametrize(("layers", "segments"), CASES)
def test_calls_are_2n_less_the_last_segment(layers: int, segments: int) -> None:
    run = make_run("replay", layers=layers, segments=segments, width=8, rows=4)
    model, x = replay.make_model(run), replay.make_input(run)
    calls = replay.count_calls(model, x, replay.make_runner(run))
    assert calls.count("forward") + calls.count("backward") == 2 * layers - layers // segments


def test_post_hooks_miss_what_early_stop_leaves(default: Measurement) -> None:
    """The last layer of a replayed segment begins twice and ends once."""
    calls = next(one for one in default.tables if one.name == "calls")
    rows = {row[0]: row[1:] for row in calls.rows}
    assert rows[2] == (1, 1, 1)
    assert rows[1] == (1, 1, 2)


def test_reentrant_checkpoints_lose_gradients_with_a_warning_only(default: Measurement) -> None:
    assert default.facts["reentrant_missing_gradients"] == 22
    assert default.facts["reentrant_warned"] is True


# --- Counter-examples ----------------------------------------------------------------


def test_without_checkpoints_the_replay_claim_fails() -> None:
    run = make_run("replay", layers=4, segments=2, width=8, rows=4)
    model, x = replay.make_model(run), replay.make_input(run)
    plain = replay.count_calls(model, x, run_plain)
    found = replay.decide_calls(run, plain, plain)
    assert (found.verdict, found.observed, found.expected) == ("fails", 4, 6)


def test_a_missing_or_another_gradient_fails() -> None:
    run = make_run("replay", layers=4, segments=2, width=8, rows=4)
    model, x = replay.make_model(run), replay.make_input(run)
    arms = {
        name: measure_arm(replay.make_step(name, model, x, runner), run, with_allocator=False)
        for name, runner in (
            ("plain", run_plain),
            ("checkpointed", replay.make_runner(run)),
            ("plain-again", run_plain),
        )
    }
    assert replay.decide_gradients(model, arms).verdict == "holds"
    gradients = arms["checkpointed"].gradients
    name = next(iter(gradients))
    gradients[name] = gradients[name] + 1
    assert replay.decide_gradients(model, arms).observed == 1
    del gradients[name]
    assert replay.decide_gradients(model, arms).observed == 1


def test_a_changed_weight_fails() -> None:
    run = make_run("replay", layers=2, segments=2, width=8, rows=4)
    model = replay.make_model(run)
    before = copy_weights(model)
    with torch.no_grad():
        next(model.parameters())[0, 0] += 1e-3
    assert replay.decide_weights(before, copy_weights(model)).verdict == "fails"
