"""Where to put checkpoints: the square root, recursive bisection, and the best by planning.

A chain of layers Linear + ReLU. A_i are the bytes of the activation behind layer i, W_i and
B_i those of its weight and bias. Bisection checkpoints the first half, and inside it the
first half again: (log2 N + 2)A + W + B + 8 bytes at N/2 log2 N layers replayed (the order is
Chen et al. 2016, arXiv:1604.06174, section 4.3; the constants are derived here). The plan
is a dynamic programme over single-level placements whose cost model counts every tensor,
the gradients in flight included; a search over all placements of short chains checks it.
"""

import dataclasses
import functools
import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from gpu_worker.contracts import ClaimResult, Measurement, Point, Scalar, Scaling, Series, Table
from gpu_worker.measure.claims import decide, decide_sweep
from gpu_worker.measure.compare import compute_largest_difference
from gpu_worker.measure.memory import trace_step
from gpu_worker.measure.passes import SIMULATED_PASSES, UNTIMED_PASSES, Arm, measure_arm
from gpu_worker.measure.planning import (
    LOSS_BYTES,
    ChainSizes,
    Cuts,
    compute_peak,
    list_placements,
    plan_cuts,
)
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import Chain, Runner, run_plain, run_segments


def measure(run: Run) -> Measurement:
    with open_tensors(run):
        return _measure(run)


def _measure(run: Run) -> Measurement:
    sizes = make_uniform(run, run.get_int("layers"))
    arms = measure_arms(run, sizes)
    depths = [measure_depth(run, layers) for layers in sorted(set(run.get_ints("depths")))]
    searches = [search(run, layers) for layers in sorted(set(run.get_ints("exhaustive")))]
    claims = [decide_bisection(depths), decide_plan(searches)]
    return build_measurement(
        run,
        claims=claims,
        memory=[arm.memory for arm in arms.values()],
        flops=[arm.flop_arm for arm in arms.values()],
        facts=_collect_facts(run, arms, depths, searches),
        gradients=arms["planned"].gradients,
        traces={name: arms[name].trace for name in ("plain", "sqrt", "bisection", "planned")},
        scaling=_describe_scaling(depths),
        tables=[_tabulate_arms(arms), _tabulate_searches(searches)],
        passes=SIMULATED_PASSES if run.simulate else UNTIMED_PASSES,
    )


# --- Chains and placements -----------------------------------------------------------


def make_uniform(run: Run, layers: int) -> ChainSizes:
    return ChainSizes((run.get_int("width"),) * (layers + 1), run.get_int("rows"))


def make_uneven(run: Run, layers: int) -> ChainSizes:
    """Widths drawn between a half and the double of the run's, in steps of an eighth."""
    rng = random.Random(run.seed + layers)
    width = run.get_int("width")
    widths = tuple(width * rng.randint(4, 16) // 8 for _ in range(layers + 1))
    return ChainSizes(widths, run.get_int("rows"))


def make_step(run: Run, sizes: ChainSizes, runner: Runner, *, name: str = "") -> TrainingStep:
    torch.manual_seed(run.seed)
    layers = [
        nn.Sequential(nn.Linear(before, after), nn.ReLU())
        for before, after in itertools.pairwise(sizes.widths)
    ]
    model, x = Chain(layers), torch.randn(sizes.rows, sizes.widths[0])
    return TrainingStep(name, model, lambda: model(x, runner).sum(), (x,))


def run_cuts(blocks: Sequence[nn.Module], x: Tensor, *, cuts: Cuts) -> Tensor:
    """Checkpoint every segment between cuts but the last, which would be replayed at once."""
    edges = (0, *cuts, len(blocks))
    for low, high in itertools.pairwise(edges[:-1]):
        x = checkpoint(run_plain, blocks[low:high], x, use_reentrant=False)
    return run_plain(blocks[edges[-2] :], x)


def run_bisection(blocks: Sequence[nn.Module], x: Tensor) -> Tensor:
    """Checkpoint the first half, and go on in either half in the same way."""
    if len(blocks) == 1:
        return run_plain(blocks, x)
    middle = len(blocks) // 2
    x = checkpoint(run_bisection, blocks[:middle], x, use_reentrant=False)
    return run_bisection(blocks[middle:], x)


# --- What is measured ----------------------------------------------------------------


@dataclass(frozen=True)
class DepthPeaks:
    """Peaks in bytes of one uniform chain; `expected` is bisection's formula."""

    layers: int
    plain: int
    bisection: int
    planned: int
    expected: int


@dataclass(frozen=True)
class Search:
    """All placements of one short chain of uneven widths, each measured.

    `surprises` counts placements whose measured peak the cost model had wrong.
    """

    layers: int
    placements: int
    best: int
    planned: int
    cuts: Cuts
    surprises: int

    @property
    def ratio(self) -> float:
        return self.planned / self.best


def measure_arms(run: Run, sizes: ChainSizes) -> dict[str, Arm]:
    segments = max(1, math.isqrt(sizes.layers))
    runners: dict[str, Runner] = {
        "plain": run_plain,
        "sqrt": functools.partial(run_segments, segments=segments),
        "bisection": run_bisection,
        "planned": functools.partial(run_cuts, cuts=plan_cuts(sizes)),
        "plain-again": run_plain,
    }
    return {
        name: measure_arm(
            make_step(run, sizes, runner, name=name),
            run,
            with_allocator=name in ("plain", "planned"),
        )
        for name, runner in runners.items()
    }


def measure_depth(run: Run, layers: int) -> DepthPeaks:
    sizes = make_uniform(run, layers)
    levels = layers.bit_length() - 1
    expected = (levels + 2) * sizes.get_activation(1) + sizes.get_gradients(1) + LOSS_BYTES
    return DepthPeaks(
        layers,
        plain=_trace_peak(run, sizes, run_plain),
        bisection=_trace_peak(run, sizes, run_bisection),
        planned=_trace_peak(run, sizes, functools.partial(run_cuts, cuts=plan_cuts(sizes))),
        expected=expected,
    )


def search(run: Run, layers: int) -> Search:
    sizes = make_uneven(run, layers)
    peaks = {
        cuts: _trace_peak(run, sizes, functools.partial(run_cuts, cuts=cuts))
        for cuts in list_placements(layers)
    }
    cuts = plan_cuts(sizes)
    return Search(
        layers,
        placements=len(peaks),
        best=min(peaks.values()),
        planned=peaks[cuts],
        cuts=cuts,
        surprises=sum(compute_peak(sizes, one) != peak for one, peak in peaks.items()),
    )


def _trace_peak(run: Run, sizes: ChainSizes, runner: Runner) -> int:
    return trace_step(make_step(run, sizes, runner), seed=run.seed).peak


# --- Claims --------------------------------------------------------------------------


def decide_bisection(depths: list[DepthPeaks]) -> ClaimResult:
    points = [Point(one.layers, one.bisection, one.expected) for one in depths]
    return decide_sweep("bisection-peak", points, unit="byte")


def decide_plan(searches: list[Search]) -> ClaimResult:
    """The plan against the best of all placements; the plan is among them."""
    least = min(one.ratio for one in searches)
    claim = decide(
        "never-better-than-exhaustive",
        least,
        "at_least",
        1.0,
        unit="1",
        facts={
            "largest_ratio": max(one.ratio for one in searches),
            "is_optimal": all(one.planned == one.best for one in searches),
            "placements": sum(one.placements for one in searches),
            "surprises": sum(one.surprises for one in searches),
        },
    )
    points = tuple(Point(one.layers, one.ratio, 1.0) for one in searches)
    return dataclasses.replace(claim, points=points)


# --- For the page --------------------------------------------------------------------


def _collect_facts(
    run: Run, arms: dict[str, Arm], depths: list[DepthPeaks], searches: list[Search]
) -> dict[str, Scalar]:
    plain = arms["plain"]
    facts: dict[str, Scalar] = {
        "layers": run.get_int("layers"),
        "activation": make_uniform(run, 1).get_activation(1),
        "segments": math.isqrt(run.get_int("layers")),
        "planned_segments": len(plan_cuts(make_uniform(run, run.get_int("layers")))) + 1,
        "first_depth": depths[0].layers,
        "last_depth": depths[-1].layers,
        "first_bisection": depths[0].bisection,
        "last_bisection": depths[-1].bisection,
        "last_plain": depths[-1].plain,
        "searched_layers": searches[-1].layers,
        "placements": sum(one.placements for one in searches),
        "is_optimal": all(one.planned == one.best for one in searches),
        "largest_ratio": max(one.ratio for one in searches),
        "surprises": sum(one.surprises for one in searches),
    }
    for name, arm in arms.items():
        if name != "plain-again":
            facts[f"peak_{name}"] = arm.trace.peak
            facts[f"flop_ratio_{name}"] = _compute_flop_ratio(arm, plain)
    if plain.gradients:
        planned, again = arms["planned"].gradients, arms["plain-again"].gradients
        facts["gradient_difference"] = compute_largest_difference(plain.gradients, planned)
        facts["noise_floor"] = compute_largest_difference(plain.gradients, again)
    return facts


def _compute_flop_ratio(arm: Arm, plain: Arm) -> float:
    assert arm.flops.total is not None
    assert plain.flops.total is not None
    return arm.flops.total / plain.flops.total


def _describe_scaling(depths: list[DepthPeaks]) -> Scaling:
    x = tuple(float(one.layers) for one in depths)
    return Scaling(
        "layers",
        "byte",
        (
            Series("plain", x, tuple(float(one.plain) for one in depths)),
            Series(
                "bisection",
                x,
                tuple(float(one.bisection) for one in depths),
                theory=tuple(float(one.expected) for one in depths),
            ),
            Series("planned", x, tuple(float(one.planned) for one in depths)),
        ),
    )


def _tabulate_arms(arms: dict[str, Arm]) -> Table:
    rows = tuple(
        (name, arm.stored, arm.trace.peak, _compute_flop_ratio(arm, arms["plain"]))
        for name, arm in arms.items()
    )
    return Table("placements", ("placement", "stored", "peak", "flop_ratio"), rows)


def _tabulate_searches(searches: list[Search]) -> Table:
    rows = tuple(
        (
            one.layers,
            one.placements,
            one.best,
            one.planned,
            one.ratio,
            ", ".join(map(str, one.cuts)),
        )
        for one in searches
    )
    return Table("search", ("layers", "placements", "best", "planned", "ratio", "cuts"), rows)
