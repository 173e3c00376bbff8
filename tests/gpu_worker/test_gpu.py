"""What must be true on a CUDA device. Skipped where there is none (docs/gpu.md)."""

import json

import pytest
import torch
from torch.utils.checkpoint import get_device_states

from gpu_worker.catalog import DEFAULT_SEED, EXPERIMENTS, get_experiment, list_large_parameters
from gpu_worker.contracts import Measurement
from gpu_worker.measure.cuda import CudaBackend
from gpu_worker.measure.memory import trace_step
from gpu_worker.measure.setup import Run, open_tensors, prepare_process
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import Runner, make_gpt, run_every, run_plain
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import compute_peak, compute_peak_without_gradients, make_chain_step

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device"),
]

CARDS_FOR_RANKS = 2
# Of the default of `combine`; with fewer its ranks run on the CPU, and only as large as it can.


def measure(name: str, **parameters: object) -> Measurement:
    return run_experiment(name, parameters, DEFAULT_SEED, "cuda", False)


@pytest.mark.parametrize(("layers", "rows", "width"), [(8, 256, 256), (16, 1024, 64)])
def test_the_tracer_meets_the_hand_formula_and_the_allocator_is_not_below(
    layers: int, rows: int, width: int
) -> None:
    prepare_process(seed=0, device="cuda")
    with open_tensors(Run("tradeoff", {}, 0, "cuda", False)):
        step = make_chain_step(layers, rows=rows, width=width)
        # The first product loads the library and its workspace.
        step.run()
        grown = trace_step(step, seed=0, with_gradients=False)
        allocated = trace_step(step, seed=0)
        device = trace_step(step, seed=0, backend=CudaBackend())
    assert grown.peak == compute_peak_without_gradients(layers, rows, width)
    assert allocated.peak == compute_peak(layers, rows, width)
    assert device.peak >= allocated.peak
    assert device.events, "the allocator's history is empty"
    assert max(event.live for event in device.events) == device.peak


@pytest.mark.parametrize("runner", [run_plain, run_every])
def test_the_allocator_is_not_below_the_tracer_on_blocks(runner: Runner) -> None:
    prepare_process(seed=0, device="cuda")
    with open_tensors(Run("tradeoff", {}, 0, "cuda", False)):
        model, x = make_gpt(4, 128, 4, 0.1), torch.randn(4, 128, 128)
        step = TrainingStep("gpt", model, lambda: model(x, runner).sum(), (x,))
        step.reset(0)
        step.run()
        tracer = trace_step(step, seed=0)
        device = trace_step(step, seed=0, backend=CudaBackend())
    assert device.peak >= tracer.peak
    assert device.stored is not None
    assert tracer.stored is not None
    assert device.stored >= tracer.stored


@pytest.mark.parametrize(
    "name", [one.name for one in EXPERIMENTS.values() if "cuda" in one.devices]
)
@pytest.mark.parametrize("is_large", [False, True], ids=["default", "large"])
def test_every_claim_holds_on_the_device(name: str, is_large: bool) -> None:
    """ "Equal" is not above the difference of two plain runs."""
    if name == "combine" and is_large and torch.cuda.device_count() < CARDS_FOR_RANKS:
        with pytest.raises(ValueError, match="too few cards"):
            measure(name, **list_large_parameters(get_experiment(name)))
        return
    found = measure(name, **(list_large_parameters(EXPERIMENTS[name]) if is_large else {}))
    assert [one for one in found.claims if one.verdict == "fails"] == []
    assert {one.id for one in found.claims} == set(EXPERIMENTS[name].claims)
    undecided = {one.id for one in found.claims if one.verdict == "undecided"}
    assert undecided <= {"no-bytes-leave", "time-ratios-differ"}
    print(json.dumps({"experiment": name, "large": is_large, "facts": found.facts}))


def test_evidence_names_the_card_and_times_it_by_its_own_clock() -> None:
    found = measure("tradeoff", pairs=5)
    assert found.environment.device == "cuda"
    assert found.environment.device_name == torch.cuda.get_device_name()
    assert found.timing is not None
    assert found.timing.clock == "cuda"
    plain = found.memory[0]
    assert plain.allocator_peak is not None
    assert plain.peak is not None
    assert plain.allocator_peak >= plain.peak


def test_two_runs_have_the_same_bytes_flops_and_gradient_bits() -> None:
    first, second = (measure("tradeoff", pairs=3, steps=2) for _ in range(2))
    assert [(one.stored, one.peak) for one in first.memory] == [
        (one.stored, one.peak) for one in second.memory
    ]
    assert first.flops == second.flops
    assert first.provenance.gradient_digest == second.provenance.gradient_digest


def test_what_is_kept_on_the_host_is_spared_the_card() -> None:
    stored = {one.name: one.stored or 0 for one in measure("offload", pairs=3).memory}
    assert stored["save-on-cpu"] < 0.1 * stored["plain"]
    assert stored["offloaded"] < 0.1 * stored["plain"]


def test_memory_runs_out_in_the_optimizer_with_and_without_checkpoints() -> None:
    facts = measure("optimizer-state", steps=2).facts
    assert (facts["adamw_out_of_memory"], facts["sgd_fits"]) == (2, 2)


def test_a_checkpoint_keeps_the_generator_of_the_devices_of_its_inputs() -> None:
    """And of no other: a region that moves to a card from a CPU input is not restored there
    (pytorch #121212)."""
    devices, states = get_device_states(torch.ones(1, device="cuda"))
    assert list(devices) == [torch.cuda.current_device()]
    assert len(states) == 1
