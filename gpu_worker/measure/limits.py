"""A step under a real memory limit: does it fit, and if not, in which phase did it fail?

On a CPU the limit is the kernel's (RLIMIT_DATA, the soft one, put back afterwards); on CUDA
it is the caching allocator's own. An out-of-memory is an answer here, not an error.
"""

import contextlib
import gc
import resource
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from gpu_worker.contracts import Table
from gpu_worker.measure.step import TrainingStep

_CPU_TEXT = "can't allocate memory"
# A CPU allocator's failure is a RuntimeError with these words, not torch.OutOfMemoryError.


@dataclass(frozen=True)
class Attempt:
    """One step under a limit: `phase` is where it ended, `message` the allocator's first
    line, if it refused."""

    name: str
    budget: int
    is_out_of_memory: bool
    phase: str
    message: str | None


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an exception is an allocator that had no more to give."""
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or (
        isinstance(error, RuntimeError) and _CPU_TEXT in str(error)
    )


def try_within(step: TrainingStep, budget: int) -> Attempt:
    """Run one step with `budget` bytes above what the process holds now.

    The optimizer's state, if the step made any, is dropped afterwards.
    """
    phases = ["before"]
    gc.collect()
    try:
        with _limit_memory(budget, is_cuda=step.inputs[0].is_cuda):
            step.run(phases.append)
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        return Attempt(step.name, budget, True, phases[-1], str(error).splitlines()[0][:200])
    finally:
        if step.optimizer is not None:
            step.optimizer.state.clear()
        gc.collect()
    return Attempt(step.name, budget, False, phases[-1], None)


def tabulate_attempts(attempts: Sequence[Attempt]) -> Table:
    rows = tuple(
        (
            one.name,
            one.budget,
            "out_of_memory" if one.is_out_of_memory else "fits",
            one.phase,
            one.message,
        )
        for one in attempts
    )
    return Table("budget", ("arm", "budget", "outcome", "phase", "message"), rows)


@contextlib.contextmanager
def _limit_memory(budget: int, *, is_cuda: bool) -> Iterator[None]:
    if is_cuda:
        torch.cuda.empty_cache()
        before = torch.cuda.get_per_process_memory_fraction()
        total = torch.cuda.get_device_properties(0).total_memory
        held = torch.cuda.memory_reserved()
        torch.cuda.set_per_process_memory_fraction(min(before, (held + budget) / total))
        try:
            yield
        finally:
            torch.cuda.set_per_process_memory_fraction(before)
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (_read_data_bytes() + budget, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _read_data_bytes() -> int:
    """What RLIMIT_DATA is held against: VmData of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    raise OSError("the kernel keeps no VmData of this process")
