"""What replay repeats besides arithmetic: BatchNorm's running statistics move twice.

A step with momentum m takes a running mean from 0 to m mu. A checkpointed block runs twice,
so its mean goes on to m mu (2 - m), while every gradient stays the same. The momentum
1 - sqrt(1 - m) repairs it: two of its steps decay the old value as one step of m does
(pytorch #96136, open; ratio and repair derived here).
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from gpu_worker.contracts import ClaimResult, Measurement, Point, Table
from gpu_worker.measure.claims import decide_sweep
from gpu_worker.measure.compare import compute_largest_difference, copy_gradients
from gpu_worker.measure.passes import UNTIMED_PASSES, Arm, measure_arm
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import Chain, ConvBlock, Runner, run_every, run_plain

MOMENTA = (0.05, 0.1, 0.2, 0.5)
# Beside the run's own: from slow averages to fast ones (torch's default is 0.1).

TOLERANCE = 1e-6
# Running statistics are float32: two updates round to about 2e-7 of their value.

ARMS: dict[str, Runner] = {
    "plain": run_plain,
    "checkpointed": run_every,
    "reentrant": lambda blocks, x: run_every(blocks, x, is_reentrant=True),
    "plain-again": run_plain,
}


@dataclass(frozen=True)
class Outcome:
    """One step from fresh statistics: where they went, and the gradients."""

    means: Tensor
    tracked: int
    gradients: dict[str, Tensor]


def measure(run: Run) -> Measurement:
    with open_tensors(run):
        return _measure(run)


def _measure(run: Run) -> Measurement:
    momentum = run.get_float("momentum")
    outcomes = {name: run_once(run, momentum, runner) for name, runner in ARMS.items()}
    outcomes["repaired"] = run_once(run, compute_repair(momentum), run_every)
    arms = {name: _measure_arm(run, name) for name in ("plain", "checkpointed", "plain-again")}
    claim = decide_twice(run)
    plain, checkpointed = outcomes["plain"], outcomes["checkpointed"]
    facts = {
        "momentum": momentum,
        "ratio": claim.observed,
        "expected_ratio": 2 - momentum,
        "reentrant_ratio": find_worst_ratio(plain, outcomes["reentrant"], 2 - momentum),
        "tracked_plain": plain.tracked,
        "tracked_checkpointed": checkpointed.tracked,
        "gradient_difference": compute_largest_difference(plain.gradients, checkpointed.gradients),
        "noise_floor": compute_largest_difference(
            plain.gradients, outcomes["plain-again"].gradients
        ),
        "repaired_momentum": compute_repair(momentum),
        "repaired_ratio": find_worst_ratio(plain, outcomes["repaired"], 1.0),
        "peak_plain": arms["plain"].trace.peak,
        "peak_checkpointed": arms["checkpointed"].trace.peak,
    }
    return build_measurement(
        run,
        claims=[claim],
        memory=[arm.memory for arm in arms.values()],
        flops=[arm.flop_arm for arm in arms.values()],
        facts=facts,
        gradients=checkpointed.gradients,
        traces={name: arms[name].trace for name in ("plain", "checkpointed")},
        tables=[_tabulate(outcomes, momentum)],
        passes=UNTIMED_PASSES,
    )


# --- The network ---------------------------------------------------------------------


def make_model(run: Run, momentum: float) -> Chain:
    torch.manual_seed(run.seed)
    channels = run.get_int("channels")
    return Chain([ConvBlock(channels, momentum=momentum) for _ in range(run.get_int("layers"))])


def make_input(run: Run) -> Tensor:
    torch.manual_seed(run.seed + 1)
    side = run.get_int("side")
    x = torch.randn(run.get_int("batch"), run.get_int("channels"), side, side)
    # Reentrant checkpoints lose all gradients when no input asks for one.
    return x.requires_grad_()


def run_once(run: Run, momentum: float, runner: Runner) -> Outcome:
    model, x = make_model(run, momentum), make_input(run)
    step = TrainingStep("", model, lambda: model(x, runner).square().mean(), (x,))
    step.reset(run.seed)
    step.run()
    layers = [one for one in model.modules() if isinstance(one, nn.BatchNorm2d)]
    means = [one.running_mean for one in layers if one.running_mean is not None]
    tracked = {
        int(one.num_batches_tracked) for one in layers if one.num_batches_tracked is not None
    }
    assert len(tracked) == 1
    return Outcome(torch.cat(means).double(), tracked.pop(), copy_gradients(model))


def _measure_arm(run: Run, name: str) -> Arm:
    model, x = make_model(run, run.get_float("momentum")), make_input(run)
    runner = ARMS[name]
    step = TrainingStep(name, model, lambda: model(x, runner).square().mean(), (x,))
    return measure_arm(step, run, with_allocator=name != "plain-again")


# --- Claims --------------------------------------------------------------------------


def compute_repair(momentum: float) -> float:
    """The momentum r with (1 - r)^2 = 1 - m: two updates of r decay as one of m does."""
    return float(1 - (1 - momentum) ** 0.5)


def find_worst_ratio(plain: Outcome, other: Outcome, expected: float) -> float:
    """The ratio of running means, of all channels the one furthest from `expected`."""
    ratios = other.means / plain.means
    return float(ratios[(ratios - expected).abs().argmax()])


def decide_twice(run: Run) -> ClaimResult:
    points = []
    for momentum in sorted({*MOMENTA, run.get_float("momentum")}):
        plain = run_once(run, momentum, run_plain)
        checkpointed = run_once(run, momentum, run_every)
        expected = 2 - momentum
        points.append(Point(momentum, find_worst_ratio(plain, checkpointed, expected), expected))
    return decide_sweep(
        "statistics-move-twice",
        points,
        unit="1",
        tolerance=TOLERANCE,
        shown=run.get_float("momentum"),
    )


def _tabulate(outcomes: dict[str, Outcome], momentum: float) -> Table:
    plain = outcomes["plain"]
    rows = tuple(
        (
            name,
            compute_repair(momentum) if name == "repaired" else momentum,
            one.tracked,
            float((one.means / plain.means).mean()),
            compute_largest_difference(plain.gradients, one.gradients),
        )
        for name, one in outcomes.items()
    )
    columns = ("arm", "momentum", "updates", "mean_ratio", "gradient_difference")
    return Table("statistics", columns, rows)
