"""What must be true on a CUDA device. Skipped where there is none (docs/gpu.md)."""

import json

import pytest
import torch

from gpu_worker.catalog import DEFAULT_SEED, EXPERIMENTS, list_large_parameters
from gpu_worker.measure.cuda import CudaBackend
from gpu_worker.measure.memory import trace_step
from gpu_worker.measure.setup import Run, open_tensors, prepare_process
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import compute_peak, compute_peak_without_gradients, make_chain_step

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device"),
]

CPU_ONLY = {"no-bytes-leave"}
# A claim about the process's own write calls, which the driver makes too.


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


@pytest.mark.parametrize(
    "name", [one.name for one in EXPERIMENTS.values() if "cuda" in one.devices]
)
@pytest.mark.parametrize("is_large", [False, True])
def test_every_claim_holds_on_the_device(name: str, is_large: bool) -> None:
    """ "Equal" is not above the difference of two plain runs."""
    parameters = list_large_parameters(EXPERIMENTS[name]) if is_large else {}
    found = run_experiment(name, parameters, DEFAULT_SEED, "cuda", False)
    failing = [one for one in found.claims if one.verdict == "fails" and one.id not in CPU_ONLY]
    assert not failing
    print(json.dumps({"experiment": name, "large": is_large, "facts": found.facts}))
