"""tradeoff: every claim at the default, formulas over the range, and claims that fail."""

import copy
import dataclasses
import socket
from collections.abc import Callable, Sequence

import pytest
import torch
from torch import Tensor, nn

from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import ClaimResult, Measurement
from gpu_worker.experiments import tradeoff
from gpu_worker.measure.memory import Trace, trace_step
from gpu_worker.measure.setup import open_tensors
from gpu_worker.measure.traffic import Traffic, count_traffic
from gpu_worker.measure.training import Training, decide_training
from gpu_worker.models import Chain, ConvBlock, run_every, run_plain
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run


def index_claims(found: Measurement) -> dict[str, ClaimResult]:
    return {one.id: one for one in found.claims}


@pytest.fixture(scope="module")
def default() -> Measurement:
    return run_experiment("tradeoff", {"pairs": 3}, DEFAULT_SEED, "cpu", False)


def test_every_claim_holds_with_the_reference_numbers(default: Measurement) -> None:
    claims = index_claims(default)
    assert {one.verdict for one in claims.values()} == {"holds"}
    assert claims["gradients-equal"].observed == claims["gradients-equal"].noise_floor == 0.0
    assert claims["weights-equal-after-20-steps"].facts["losses_equal"] is True
    assert (claims["peak-lower"].observed, claims["peak-lower"].expected) == (9_707_528, 32_539_144)
    assert claims["peak-is-in-backward"].expected == 786_436
    assert claims["flops-higher"].observed == pytest.approx(4 / 3, abs=1e-9)
    assert claims["batch-unchanged"].facts["calls"] == 8


def test_each_kind_of_byte_is_named(default: Measurement) -> None:
    plain, checkpointed, again, fused, _ = default.memory
    parameters = 4 * 793_088
    assert plain.parameters == plain.gradients == parameters
    assert plain.optimizer_state == 2 * parameters + 4 * 48
    assert plain.peak is not None
    assert plain.total_peak == plain.peak + 4 * parameters + 4 * 48 + 4 * 4 * 128 * 128
    assert plain.allocator_peak is not None
    assert plain.allocator_peak >= plain.peak
    assert again.peak == plain.peak
    assert checkpointed.peak is not None
    assert fused.peak is not None
    assert checkpointed.peak < fused.peak < plain.peak
    assert again.allocator_peak is None
    assert again.unknown == {"allocator_peak": "not_measured_for_this_arm"}


def test_seconds_come_with_their_interval(default: Measurement) -> None:
    assert default.timing is not None
    assert default.timing.clock == "process"
    assert default.timing.ratio_ci95 is not None
    assert [len(arm.samples) for arm in default.timing.arms] == [3, 3]


@pytest.mark.parametrize(
    "parameters",
    [
        {"dropout": 0.0},
        {"dropout": 0.5, "layers": 2},
        {"plain_blocks": 1, "layers": 3},
        {"layers": 2, "hidden": 16, "heads": 1, "length": 8, "batch": 1},
        {"layers": 2, "hidden": 32, "heads": 32, "length": 64, "batch": 1},
        {"model": "mlp", "layers": 8, "hidden": 256, "length": 64},
        {"model": "mlp", "layers": 2, "hidden": 16, "length": 8, "batch": 1},
        {"model": "mlp", "layers": 5, "plain_blocks": 4, "hidden": 32},
        {"dtype": "bfloat16", "layers": 2, "hidden": 32, "length": 16, "batch": 1},
    ],
)
def test_flops_are_the_formula_over_the_range(parameters: dict[str, object]) -> None:
    given = {"hidden": 64, "length": 32, "batch": 2, "steps": 2, "pairs": 3, **parameters}
    claims = index_claims(run_experiment("tradeoff", given, DEFAULT_SEED, "cpu", False))
    assert claims["flops-higher"].verdict == "holds"
    assert claims["gradients-equal"].verdict == "holds"


@pytest.mark.parametrize("model", ["gpt", "mlp"])
def test_simulated_equals_measured_to_the_byte_and_flop(model: str) -> None:
    given = {"model": model, "layers": 3, "hidden": 64, "length": 32, "steps": 1, "pairs": 3}
    real = run_experiment("tradeoff", given, DEFAULT_SEED, "cpu", False)
    fake = run_experiment("tradeoff", given, DEFAULT_SEED, "cpu", True)
    assert fake.flops == tuple(one for one in real.flops if one.name != "plain-again")
    arms = [one for one in real.memory if one.name != "plain-again"]
    for mine, theirs in zip(fake.memory, arms, strict=True):
        assert dataclasses.replace(mine, allocator_peak=None, unknown={}) == dataclasses.replace(
            theirs, allocator_peak=None, unknown={}
        )
    undecided = {one.id for one in fake.claims if one.verdict == "undecided"}
    assert undecided == {"gradients-equal", "weights-equal-after-20-steps", "no-bytes-leave"}
    assert fake.provenance.gradient_digest is None
    assert fake.timing is not None
    assert fake.timing.unknown == "simulated"


# --- Counter-examples: each claim can fail -------------------------------------------


def trace_wrapped(wrap: Callable[[Tensor], Tensor]) -> Trace:
    run = make_run(layers=2, hidden=32, length=16, batch=2)
    model, x = tradeoff.make_model(run), tradeoff.make_input(run)

    def runner(blocks: Sequence[nn.Module], given: Tensor) -> Tensor:
        return run_every(blocks, wrap(given))

    return trace_step(tradeoff.make_step("", model, x, runner), seed=1)


def test_a_cast_to_bfloat16_fails_the_types_claim() -> None:
    plain = trace_wrapped(lambda x: x)
    cast = trace_wrapped(lambda x: x.bfloat16().float())
    assert tradeoff.decide_types(plain.made, plain.made).verdict == "holds"
    found = tradeoff.decide_types(plain.made, cast.made)
    assert (found.verdict, found.observed) == ("fails", 1)


def test_a_replay_with_less_of_the_batch_fails_the_batch_claim() -> None:
    run = make_run(layers=2, hidden=32, length=16, batch=4)
    model, x = tradeoff.make_model(run), tradeoff.make_input(run)

    def run_halves(blocks: Sequence[nn.Module], given: Tensor) -> Tensor:
        return torch.cat([run_every(blocks, half) for half in given.chunk(2)])

    found = tradeoff.decide_batch(model, x, run_halves)
    assert (found.verdict, found.observed, found.expected) == ("fails", 2, 4)


def test_an_opened_socket_fails_the_claim_that_nothing_leaves() -> None:
    found = tradeoff.decide_traffic(count_traffic(lambda: socket.socket().close()), 0)
    assert found.verdict == "fails"
    assert found.facts["sockets_opened"] == 1


def test_a_written_byte_and_a_collective_fail_it_too() -> None:
    assert tradeoff.decide_traffic(Traffic(1, 0), 0).verdict == "fails"
    assert tradeoff.decide_traffic(Traffic(0, 0), 3).verdict == "fails"
    assert tradeoff.decide_traffic(Traffic(None, 0), 0).verdict == "undecided"


def test_weights_trained_with_an_unrestored_generator_fail_the_training_claim() -> None:
    run = make_run(layers=2, hidden=32, length=16, batch=2, steps=3)
    with open_tensors(run):
        model = tradeoff.make_model(run)
        plain = tradeoff.train(run, model, run_plain)
        right = tradeoff.train(run, model, run_every)
        wrong = tradeoff.train(
            run, model, lambda blocks, x: run_every(blocks, x, restores_generator=False)
        )
    assert decide_training("weights", plain, right, plain).verdict == "holds"
    found = decide_training("weights", plain, wrong, plain)
    assert found.verdict == "fails"
    assert found.facts["losses_equal"] is False


def test_equal_weights_with_another_loss_on_the_way_fail_it_too() -> None:
    plain = Training({"w": torch.ones(2)}, (1.0, 0.5))
    other = Training({"w": torch.ones(2)}, (1.0, 0.25))
    assert decide_training("weights", plain, plain, plain).verdict == "holds"
    assert decide_training("weights", plain, other, plain).verdict == "fails"
    assert decide_training("weights", plain, other, other).verdict == "holds"


def test_equal_gradients_do_not_mean_equal_models_where_batchnorm_keeps_statistics() -> None:
    torch.manual_seed(0)
    model, x = Chain([ConvBlock(4), ConvBlock(4)]), torch.randn(2, 4, 8, 8)
    twin = copy.deepcopy(model)
    model(x, run_plain).sum().backward()
    twin(x, run_every).sum().backward()
    for mine, theirs in zip(model.parameters(), twin.parameters(), strict=True):
        assert mine.grad is not None
        assert theirs.grad is not None
        assert torch.equal(mine.grad, theirs.grad)
    buffers = zip(model.buffers(), twin.buffers(), strict=True)
    assert any(not torch.equal(mine, theirs) for mine, theirs in buffers)
