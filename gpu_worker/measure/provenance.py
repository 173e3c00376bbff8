"""What it takes to measure the same thing again, and where it was measured."""

import functools
import os
import platform
import shlex
from pathlib import Path

import torch

from gpu_worker.catalog import Values
from gpu_worker.contracts import Environment, Json, Provenance
from gpu_worker.measure.digests import compute_code_digest, compute_torch_digest
from gpu_worker.measure.setup import Run


def describe_environment(run: Run) -> Environment:
    return Environment(
        device="simulated" if run.simulate else run.device,
        device_name=find_device_name(run.device),
        torch=torch.__version__,
        python=platform.python_version(),
        threads=torch.get_num_threads(),
        instruction_set=torch.backends.cpu.get_cpu_capability(),
        load_average=round(os.getloadavg()[0], 2),
    )


def describe_run(
    run: Run, *, backend: str, passes: tuple[str, ...], gradient_digest: str | None
) -> Provenance:
    return Provenance(
        code_digest=compute_code_digest(),
        torch_digest=compute_torch_digest(),
        parameters=_to_json(run.parameters),
        seed=run.seed,
        gradient_digest=gradient_digest,
        backend=backend,
        passes=passes,
        command=write_command(run),
    )


def write_command(run: Run) -> str:
    """The command of the laboratory that measures this run again."""
    words = ["./remat", "lab", run.experiment]
    for name, value in run.parameters.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        if text:
            words += [f"--{name.replace('_', '-')}", text]
    words += ["--seed", str(run.seed), "--device", run.device]
    return shlex.join([*words, *(["--simulate"] if run.simulate else []), "--json"])


def _to_json(values: Values) -> dict[str, Json]:
    return {name: [*value] if isinstance(value, list) else value for name, value in values.items()}


@functools.cache
def find_device_name(device: str) -> str:
    if device == "cuda":
        return torch.cuda.get_device_name()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
