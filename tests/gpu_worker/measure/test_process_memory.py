"""What the kernel and Python say of tensors, and why no evidence is made from it."""

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import torch

from gpu_worker.limits import MALLOC_ENVIRONMENT
from gpu_worker.measure.memory import StorageTracer

ROOT = Path(__file__).parents[3]

RESIDENT = """
import torch
from gpu_worker.measure.setup import prepare_process
from gpu_worker.measure.memory import trace_step
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import make_mlp, run_plain

def read_resident():
    lines = open("/proc/self/status", encoding="ascii").read().splitlines()
    return 1024 * int(next(one for one in lines if one.startswith("VmRSS")).split()[1])

prepare_process(seed=0, device="cpu")
model, x = make_mlp(12, 256), torch.randn(4096, 256)
step = TrainingStep("", model, lambda: model(x, run_plain).sum(), (x,))
stored = trace_step(step, seed=0).stored
step.reset(0)
before = read_resident()
loss = step.forward()
held = read_resident() - before
del loss
print(stored, held, read_resident() - before)
"""


def test_resident_memory_follows_the_tensors_under_the_two_thresholds() -> None:
    """With glibc's defaults the heap keeps what was freed: a limit of memory would strike
    elsewhere than the tensors do, and resident memory even inverts the comparison."""
    done = subprocess.run(
        [sys.executable, "-c", RESIDENT],
        cwd=ROOT,
        env={**os.environ, **MALLOC_ENVIRONMENT, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    stored, held, left = map(int, done.stdout.split())
    assert stored == (2 * 12 - 1) * 4 * 4096 * 256 + 4
    assert abs(held - stored) < 0.1 * stored
    assert left < 0.05 * stored


def test_neither_cuda_s_statistics_nor_python_s_heap_see_a_tensor_on_a_cpu() -> None:
    """Both say 0 without an error: a report made from them would claim that nothing is used."""
    tracemalloc.start()
    kept = torch.ones(4 << 20)
    seen, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seen < 1 << 20
    tracer = StorageTracer()
    tracer.start({"input": [kept]})
    assert tracer.stop({}).baseline["input"] == 16 << 20
    if not torch.cuda.is_available():
        assert torch.cuda.max_memory_allocated() == 0
