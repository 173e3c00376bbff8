"""The process of one run: imports torch, waits for one request, measures it, and ends.

Started by the supervisor as `python -m gpu_worker.sandbox REGISTRY DEVICE PARENT RESULT`.
The request comes as one JSON line on standard input; what this process has to say goes as
JSON lines to RESULT, an inherited file descriptor. Standard output and error belong to
the experiment and are thrown away by the worker.
"""

import importlib
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

from gpu_worker import limits
from gpu_worker.contracts import FlopArm, MemoryArm
from gpu_worker.measure import progress
from gpu_worker.measure.digests import compute_code_digest, compute_torch_digest

MAX_DETAIL = 2000
# The contract's limit on `detail`.

CUDA_HOST_MIB = 16384
# Room on the host for the driver's own mappings and lazily loaded kernels. Not run on a card.

CUDA_SHARE = 0.9
# Of the card's memory: an allocation above it fails in torch and not in the driver.

_MEMORY_SIGNS = ("DefaultCPUAllocator: can't allocate memory", "CUDA out of memory")
# torch 2.13 raises a plain RuntimeError for the first, and OutOfMemoryError for the second.

Send = Callable[[Mapping[str, object]], None]


def main(arguments: list[str]) -> int:
    registry_name, device = arguments[0], arguments[1]
    parent, result = int(arguments[2]), int(arguments[3])
    limits.die_with_parent(parent)
    os.set_inheritable(result, False)
    with os.fdopen(result, "wb", buffering=0) as channel:

        def send(message: Mapping[str, object]) -> None:
            channel.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")

        registry = importlib.import_module(registry_name)
        registry.load_torch()
        send({"ready": describe_worker(device), "cpu_s": time.process_time()})
        line = sys.stdin.buffer.readline()
        _close_input()
        if line:
            request = json.loads(line)
            follow_progress(request, send)
            send(answer_request(request, registry.run_experiment))
    return 0


def answer_request(
    request: Mapping[str, object], run_experiment: Callable[..., object]
) -> dict[str, object]:
    """The last message of this process: {"measured": ...} or {"failed": reason, ...}."""
    memory_mib, cpu_s = request["memory_mib"], request["cpu_s"]
    assert isinstance(memory_mib, int)
    assert isinstance(cpu_s, int | float)
    try:
        limit_memory(str(request["device"]), memory_mib=memory_mib, cpu_s=cpu_s)
        found = run_experiment(
            request["experiment"],
            request["parameters"],
            request["seed"],
            request["device"],
            request["simulate"],
        )
        return {"measured": asdict(found)}  # type: ignore[call-overload]  # a dataclass
    except (Exception, SystemExit) as error:
        return {
            "failed": name_reason(error),
            "detail": f"{type(error).__name__}: {error}"[:MAX_DETAIL],
            "traceback": traceback.format_exc()[-8000:],
        }


def follow_progress(request: Mapping[str, Any], send: Send) -> None:
    """After each arm, send all arms so far as a measurement that is marked partial."""
    from gpu_worker.measure.report import build_measurement
    from gpu_worker.measure.setup import Run

    names = ("experiment", "parameters", "seed", "device", "simulate")
    run = Run(**{name: request[name] for name in names})
    memory: list[MemoryArm] = []
    flops: list[FlopArm] = []

    def handle(memory_arm: MemoryArm, flop_arm: FlopArm) -> None:
        memory.append(memory_arm)
        flops.append(flop_arm)
        found = build_measurement(run, claims=(), memory=memory, flops=flops, facts={})
        send({"partial": asdict(replace(found, partial=True))})

    progress.listen(handle)


def limit_memory(device: str, *, memory_mib: int, cpu_s: float) -> None:
    """The limits of this run. On CUDA tensors live on the card, which torch bounds itself."""
    if device == "cpu":
        limits.limit_run(memory_mib=memory_mib, cpu_s=cpu_s)
        return
    import torch

    limits.limit_run(memory_mib=memory_mib + CUDA_HOST_MIB, cpu_s=cpu_s)
    torch.cuda.set_per_process_memory_fraction(CUDA_SHARE)


def name_reason(error: BaseException) -> str:
    """The code of contracts.REASONS for what an experiment raised."""
    text = str(error)
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if "OutOfMemoryError" in kinds or isinstance(error, MemoryError):
        return "out_of_memory"
    if any(sign in text for sign in _MEMORY_SIGNS):
        return "out_of_memory"
    if "NonFiniteError" in kinds or isinstance(error, FloatingPointError):
        return "non_finite"
    if isinstance(error, ValueError) and "is not finite" in text:
        return "non_finite"
    if "ProcessExitedException" in kinds:
        # A rank of a group was killed; torch ends the others.
        return "killed"
    if "CheckpointError" in kinds:
        return "invalid_setup"
    if isinstance(error, ValueError) and text.startswith("device:"):
        return "unsupported_device"
    return "crashed"


def describe_worker(device: str) -> dict[str, str]:
    """What a hello tells of this worker: the code and torch that a run here would use."""
    import torch

    from gpu_worker.measure.provenance import find_device_name

    return {
        "code_digest": compute_code_digest(),
        "torch_digest": compute_torch_digest(),
        "torch": torch.__version__,
        "device_name": find_device_name(device),
    }


def _close_input() -> None:
    """Standard input becomes empty: an experiment that reads it must not wait."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
