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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from gpu_worker.contracts import ClaimResult, Measurement, Point, Scalar, Scaling, Series, Table
from gpu_worker.measure.claims import decide, decide_sweep
from gpu_worker.measure.compare import compute_largest_difference
from gpu_worker.measure.memory import trace_step
from gpu_worker.measure.passes import SIMULATED_PASSES, UNTIMED_PASSES, Arm, measure_arm
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import Chain, Runner, run_plain, run_segments

FLOAT_BYTES = 4

LOSS_BYTES = 8
# The loss and the one that is its gradient, alive all through backward.

Cuts = tuple[int, ...]
# Layer numbers after which a new segment begins, rising; () is plain.


@dataclass(frozen=True)
class ChainSizes:
    """Widths d_0 ... d_N of a chain on `rows` rows; d_0 is that of its input."""

    widths: tuple[int, ...]
    rows: int

    @property
    def layers(self) -> int:
        return len(self.widths) - 1

    def get_activation(self, layer: int) -> int:
        """A_i in bytes, for i from 1 to N; the input (i = 0) is baseline and counts 0."""
        return FLOAT_BYTES * self.rows * self.widths[layer] if layer else 0

    def get_gradients(self, layer: int) -> int:
        """W_i + B_i in bytes, as a new gradient before it is added to the old one."""
        return FLOAT_BYTES * self.widths[layer] * (self.widths[layer - 1] + 1)


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


def list_placements(layers: int) -> Iterator[Cuts]:
    """All 2^(N-1) single-level placements."""
    inner = range(1, layers)
    for count in range(layers):
        yield from itertools.combinations(inner, count)


# --- The cost model ------------------------------------------------------------------


def compute_peak(sizes: ChainSizes, cuts: Cuts) -> int:
    """Peak bytes of a step above the baseline, gradients allocated before."""
    boundaries = peak = 0
    for low, high in itertools.pairwise((0, *cuts, sizes.layers)):
        boundaries += sizes.get_activation(low)
        peak = max(peak, boundaries + list_segment_peaks(sizes, low)[high])
    return peak


@functools.cache
def list_segment_peaks(sizes: ChainSizes, low: int) -> dict[int, int]:
    """For every `high`, the peak of a segment of the layers low+1 ... high.

    It counts above all boundaries up to the segment's own input. Backward through the ReLU
    of layer i: what is kept up to i, the gradients of its result and of its pre-activation;
    the very last result has an expanded number for a gradient. Through its Linear: what is
    kept up to i - 1, the gradients of pre-activation and input, and new ones of weight and
    bias. Replay, in all segments but the last: the gradient that arrives, what is kept up
    to i, and layer i's pre-activation. Forward is never higher than these.
    """
    peaks: dict[int, int] = {}
    kept = backward = replay = 0
    for i in range(low + 1, sizes.layers + 1):
        own, is_end = sizes.get_activation(i), i == sizes.layers
        through_relu = kept + (2 if is_end else 3) * own
        through_linear = kept + own + sizes.get_activation(i - 1) + sizes.get_gradients(i)
        backward = max(backward, through_relu, through_linear)
        replay = max(replay, kept + 2 * own)
        peaks[i] = LOSS_BYTES + max(backward, 0 if is_end else own + replay)
        kept += own
    return peaks


@functools.cache
def plan_cuts(sizes: ChainSizes) -> Cuts:
    """The single-level placement of least peak under the cost model.

    Below a bound on the peak, a segment may begin behind layer r with some least sum of
    boundaries; a smaller sum never hurts what follows, so the least is all there is to
    know. The bound is found by bisection over bytes.
    """
    least, most = 0, compute_peak(sizes, ())
    best: Cuts = ()
    while least < most:
        bound = (least + most) // 2
        found = _find_cuts_below(sizes, bound)
        if found is None:
            least = bound + 1
        else:
            best, most = found, compute_peak(sizes, found)
    return best


def _find_cuts_below(sizes: ChainSizes, bound: int) -> Cuts | None:
    """Cuts whose peak is at most `bound`; None when there are none."""
    layers = sizes.layers
    sums: dict[int, tuple[int, Cuts]] = {0: (0, ())}
    for low in range(layers):
        if low not in sums:
            continue
        boundaries, cuts = sums[low]
        peaks = list_segment_peaks(sizes, low)
        if boundaries + peaks[layers] <= bound:
            return cuts
        for high in range(low + 1, layers):
            if boundaries + peaks[high] > bound:
                continue
            total = boundaries + sizes.get_activation(high)
            if high not in sums or total < sums[high][0]:
                sums[high] = (total, (*cuts, high))
    return None


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
