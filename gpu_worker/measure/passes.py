"""The passes over one arm, each a run of its own from the same seeded start.

(0) gradients, with no instrument at all; (1) memory trace; (2) allocator cross-check;
(3) FLOPs; timing is a pass over pairs of arms (timing.py). A simulation makes (1) and (3)
on fake tensors. The FLOP counter never shares a pass with the tracer: its module tracker
keeps replayed tensors alive (a peak of 28.3 MB was read for a true 9.7 MB).
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from torch import Tensor

from gpu_worker.contracts import FlopArm, MemoryArm, Timing
from gpu_worker.measure.allocator import ProfilerBackend
from gpu_worker.measure.compare import copy_gradients
from gpu_worker.measure.cuda import CudaBackend
from gpu_worker.measure.flops import Flops, count_flops
from gpu_worker.measure.memory import Trace, trace_step
from gpu_worker.measure.progress import tell
from gpu_worker.measure.sampling import shorten_trace
from gpu_worker.measure.setup import Run
from gpu_worker.measure.step import TrainingStep
from gpu_worker.measure.timing import Sampling, measure_pairs

MEASURED_PASSES = ("gradients", "memory", "allocator", "flops", "timing")
UNTIMED_PASSES = ("gradients", "memory", "allocator", "flops")
SIMULATED_PASSES = ("memory", "flops")


@dataclass(frozen=True)
class Arm:
    """What one arm showed. `gradients` is empty in a simulation: fake tensors hold none."""

    name: str
    trace: Trace
    memory: MemoryArm
    flops: Flops
    flop_arm: FlopArm
    gradients: dict[str, Tensor] = field(default_factory=dict)

    @property
    def stored(self) -> int:
        assert self.trace.stored is not None
        return self.trace.stored


def measure_arm(
    step: TrainingStep, run: Run, *, with_allocator: bool = True, with_timeline: bool = True
) -> Arm:
    """Every pass but timing; in a simulation memory and FLOPs only."""
    gradients = {} if run.simulate else find_gradients(step, seed=run.seed)
    trace = trace_step(step, seed=run.seed)
    allocator, why = (
        find_allocator_peak(step, run)
        if with_allocator or run.simulate
        else (None, "not_measured_for_this_arm")
    )
    flops = count_flops(step, seed=run.seed)
    return _build_arm(step, trace, flops, allocator, why, with_timeline, gradients)


def find_gradients(step: TrainingStep, *, seed: int) -> dict[str, Tensor]:
    """Gradients of one step with no instrument."""
    step.reset(seed)
    step.run()
    return copy_gradients(step.module)


def find_allocator_peak(step: TrainingStep, run: Run) -> tuple[int | None, str]:
    """Peak that the allocator saw above the baseline, or None with the reason's code."""
    if run.simulate:
        return None, "simulated"
    backend = CudaBackend() if run.device == "cuda" else ProfilerBackend()
    trace = trace_step(step, seed=run.seed, backend=backend)
    if not trace.events and run.device != "cuda":
        return None, "profiler_saw_nothing"
    return trace.peak, ""


def time_arms(
    first: TrainingStep, second: TrainingStep, run: Run, *, pairs: int, budget_s: float = 2.0
) -> Timing:
    """Interleaved pairs of two arms; second / first is the ratio."""
    clock = "cuda" if run.device == "cuda" else "process"
    return measure_pairs(
        _repeat(first, run.seed),
        _repeat(second, run.seed),
        names=(first.name, second.name),
        sampling=Sampling(pairs=pairs, budget_s=budget_s, clock=clock),
        seed=run.seed,
    )


def leave_untimed(reason: str) -> Timing:
    """No seconds, and why."""
    return Timing("process", (), None, None, unknown=reason)


def describe_memory(
    name: str,
    trace: Trace,
    *,
    allocator_peak: int | None,
    unknown: dict[str, str] | None = None,
    with_timeline: bool = True,
    optimizer_state: int | None = None,
) -> MemoryArm:
    """The bytes of an arm as they travel. `total_peak` counts everything that was alive."""
    return MemoryArm(
        name=name,
        stored=trace.stored,
        peak=trace.peak,
        total_peak=trace.peak + sum(trace.baseline.values()),
        allocator_peak=allocator_peak,
        parameters=trace.baseline.get("parameter"),
        gradients=trace.baseline.get("gradient"),
        optimizer_state=trace.baseline.get("optimizer")
        if optimizer_state is None
        else optimizer_state,
        timeline=shorten_trace(trace) if with_timeline else None,
        unknown=unknown or {},
    )


def _repeat(step: TrainingStep, seed: int) -> Callable[[], None]:
    def run_once() -> None:
        step.reset(seed)
        step.run()

    return run_once


def _build_arm(
    step: TrainingStep,
    trace: Trace,
    flops: Flops,
    allocator: int | None,
    why: str,
    with_timeline: bool,
    gradients: dict[str, Tensor],
) -> Arm:
    memory = describe_memory(
        step.name,
        trace,
        allocator_peak=allocator,
        unknown={"allocator_peak": why} if allocator is None else {},
        with_timeline=with_timeline,
    )
    arm = flops.to_arm(step.name)
    tell(memory, arm)
    return Arm(step.name, trace, memory, flops, arm, gradients)
