"""How memory grows with depth: N + 1 activations plain, 2 sqrt(N) with checkpoints.

Chain of N layers Linear(d, d) + ReLU on b rows. A = 4bd bytes is one activation, W = 4d^2
one weight, B = 4d one bias; 8 bytes are the loss and its gradient. With gradients allocated
beforehand every peak is a formula, exact to the byte (Chen et al. 2016, arXiv:1604.06174,
for the order; the constants are derived here from the lives of the tensors).
"""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from gpu_worker.contracts import ClaimResult, Measurement, Point, Scalar, Scaling, Series, Table
from gpu_worker.measure.claims import decide, decide_sweep
from gpu_worker.measure.compare import compute_largest_difference
from gpu_worker.measure.memory import trace_step
from gpu_worker.measure.passes import Arm, measure_arm
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep, count_bytes
from gpu_worker.models import make_relu_chain, run_plain, run_segments

FLOAT_BYTES = 4


@dataclass(frozen=True)
class Sizes:
    """Bytes of one activation, one weight, one bias."""

    activation: int
    weight: int
    bias: int

    def compute_plain_peak(self, layers: int) -> int:
        """(N + 1)A + W + B + 8: every activation, and the gradient in flight."""
        return (layers + 1) * self.activation + self._compute_rest()

    def compute_segment_peak(self, layers: int, segments: int) -> int:
        """(S + N/S)A + W + B + 8, for S >= 2 that divides N; least at S = sqrt(N)."""
        return (segments + layers // segments) * self.activation + self._compute_rest()

    def compute_segment_stored(self, layers: int, segments: int) -> int:
        """(S - 1 + N/S)A + 4 at the end of forward: boundaries, last segment, the loss."""
        return (segments - 1 + layers // segments) * self.activation + 4

    def compute_parameters(self, layers: int) -> int:
        return layers * (self.weight + self.bias)

    def _compute_rest(self) -> int:
        return self.weight + self.bias + 8


@dataclass(frozen=True)
class Depth:
    """One depth of the sweep, in bytes."""

    layers: int
    plain: int
    sqrt: int
    parameters: int


def measure(run: Run) -> Measurement:
    with open_tensors(run):
        return _measure(run)


def _measure(run: Run) -> Measurement:
    sizes = find_sizes(run)
    depths = [measure_depth(run, layers) for layers in list_depths(run)]
    layers = run.get_int("layers")
    segments = choose_segments(layers)
    plain = measure_arm(make_step(run, layers, 1), run)
    checkpointed = measure_arm(make_step(run, layers, segments), run)
    again = measure_arm(make_step(run, layers, 1, name="plain-again"), run, with_allocator=False)
    sweep = {each: _trace_peak(run, layers, each) for each in list_segments(run)}
    claims = [
        *decide_depths(sizes, depths),
        _decide_segments(sizes, layers, sweep, segments),
        decide_both_positive(sizes, layers, segments, plain, checkpointed),
    ]
    return build_measurement(
        run,
        claims=claims,
        memory=[plain.memory, checkpointed.memory, again.memory],
        flops=[plain.flop_arm, checkpointed.flop_arm, again.flop_arm],
        facts=_collect_facts(run, sizes, depths, plain, checkpointed, again, segments),
        gradients=checkpointed.gradients,
        traces={arm.name: arm.trace for arm in (plain, checkpointed)},
        scaling=_describe_scaling(sizes, depths),
        tables=[_tabulate_depths(sizes, depths), _tabulate_segments(sizes, layers, sweep)],
        passes=("memory", "flops")
        if run.simulate
        else ("gradients", "memory", "allocator", "flops"),
    )


# --- The chain -----------------------------------------------------------------------


def find_sizes(run: Run) -> Sizes:
    width, rows = run.get_int("width"), run.get_int("rows")
    return Sizes(FLOAT_BYTES * rows * width, FLOAT_BYTES * width**2, FLOAT_BYTES * width)


def list_depths(run: Run) -> list[int]:
    """The depths of the sweep in order, with `layers` among them where it is a square."""
    layers = run.get_int("layers")
    is_square = math.isqrt(layers) ** 2 == layers
    return sorted({*run.get_ints("depths"), *([layers] if is_square else [])})


def list_segments(run: Run) -> list[int]:
    """The segment counts to try; none given means every divisor from 2 on."""
    layers = run.get_int("layers")
    given = run.get_ints("segments")
    return sorted(set(given)) or [each for each in range(2, layers + 1) if layers % each == 0]


def choose_segments(layers: int) -> int:
    """The divisor with the least S + N/S: sqrt(N) where that is whole."""
    divisors = [each for each in range(2, layers + 1) if layers % each == 0]
    return min(divisors, key=lambda each: (each + layers // each, each))


def make_step(run: Run, layers: int, segments: int, *, name: str | None = None) -> TrainingStep:
    """One segment means plain."""
    torch.manual_seed(run.seed)
    model = make_relu_chain(layers, run.get_int("width"))
    x = torch.randn(run.get_int("rows"), run.get_int("width"))

    def forward() -> Tensor:
        if segments == 1:
            return model(x, run_plain).sum()  # type: ignore[no-any-return]  # a module's call is untyped
        runner = lambda blocks, given: run_segments(blocks, given, segments=segments)  # noqa: E731  # reads as a formula
        return model(x, runner).sum()  # type: ignore[no-any-return]  # a module's call is untyped

    return TrainingStep(
        name or ("plain" if segments == 1 else "checkpointed"), model, forward, (x,)
    )


def measure_depth(run: Run, layers: int) -> Depth:
    return Depth(
        layers,
        plain=_trace_peak(run, layers, 1),
        sqrt=_trace_peak(run, layers, math.isqrt(layers)),
        parameters=count_bytes(make_step(run, layers, 1).module.parameters()),
    )


def _trace_peak(run: Run, layers: int, segments: int) -> int:
    return trace_step(make_step(run, layers, segments), seed=run.seed).peak


# --- Claims --------------------------------------------------------------------------


def decide_depths(sizes: Sizes, depths: Sequence[Depth]) -> list[ClaimResult]:
    first, last = depths[0], depths[-1]
    plain, sqrt = sizes.compute_plain_peak, sizes.compute_segment_peak
    return [
        decide_sweep(
            "plain-peak",
            [Point(one.layers, one.plain, plain(one.layers)) for one in depths],
            unit="byte",
        ),
        decide_sweep(
            "sqrt-peak",
            [
                Point(one.layers, one.sqrt, sqrt(one.layers, math.isqrt(one.layers)))
                for one in depths
            ],
            unit="byte",
        ),
        decide(
            "peak-grows",
            last.sqrt / first.sqrt,
            "equal",
            sqrt(last.layers, math.isqrt(last.layers))
            / sqrt(first.layers, math.isqrt(first.layers)),
            unit="1",
            facts={"first": first.layers, "last": last.layers},
        ),
        decide(
            "parameter-bytes-linear",
            last.parameters / first.parameters,
            "equal",
            last.layers / first.layers,
            unit="1",
            facts={"first": first.layers, "last": last.layers, "bytes": last.parameters},
        ),
    ]


def _decide_segments(
    sizes: Sizes, layers: int, sweep: dict[int, int], segments: int
) -> ClaimResult:
    points = [
        Point(each, peak, sizes.compute_segment_peak(layers, each)) for each, peak in sweep.items()
    ]
    best = min(sweep, key=lambda each: sweep[each])
    facts: dict[str, Scalar] = {"layers": layers, "best_segments": best}
    return decide_sweep("segment-peak", points, unit="byte", shown=segments, facts=facts)


def decide_both_positive(
    sizes: Sizes, layers: int, segments: int, plain: Arm, checkpointed: Arm
) -> ClaimResult:
    """Activations are stored and computation is repeated: neither is zero."""
    assert plain.flops.total is not None
    assert checkpointed.flops.total is not None
    ratio = checkpointed.flops.total / plain.flops.total
    formula = compute_flop_ratio(layers, segments)
    found = decide(
        "both-are-positive",
        checkpointed.stored,
        "equal",
        sizes.compute_segment_stored(layers, segments),
        unit="byte",
        facts={
            "layers": layers,
            "segments": segments,
            "activations_stored": (checkpointed.stored - 4) / sizes.activation,
            "flop_ratio": ratio,
            "flop_ratio_expected": formula,
            "dropout": 0.0,
            "early_stop": True,
        },
    )
    is_costly = ratio > 1 and abs(ratio - formula) <= 1e-6 and checkpointed.stored > 0
    return found if is_costly else _fail(found)


def compute_flop_ratio(layers: int, segments: int) -> float:
    """(3N - 1 + N - N/S) / (3N - 1), early stop or not: a ReLU ends each segment.

    The first layer needs no input gradient; the last segment is not replayed.
    """
    plain = 3 * layers - 1
    return (plain + layers - layers // segments) / plain


def _fail(claim: ClaimResult) -> ClaimResult:
    return dataclasses.replace(claim, verdict="fails")


# --- What is shown -------------------------------------------------------------------


def _collect_facts(
    run: Run,
    sizes: Sizes,
    depths: Sequence[Depth],
    plain: Arm,
    checkpointed: Arm,
    again: Arm,
    segments: int,
) -> dict[str, Scalar]:
    first, last = depths[0], depths[-1]
    difference = floor = None
    if not run.simulate:
        difference = compute_largest_difference(plain.gradients, checkpointed.gradients)
        floor = compute_largest_difference(plain.gradients, again.gradients)
    return {
        "layers": run.get_int("layers"),
        "segments": segments,
        "peak_plain": plain.trace.peak,
        "peak_checkpointed": checkpointed.trace.peak,
        "peak_ratio": checkpointed.trace.peak / plain.trace.peak,
        "stored_plain": plain.stored,
        "stored_checkpointed": checkpointed.stored,
        "flop_ratio": (checkpointed.flops.total or 0) / (plain.flops.total or 1),
        "activation_bytes": sizes.activation,
        "weight_share": sizes.weight / sizes.activation,
        "first_depth": first.layers,
        "last_depth": last.layers,
        "first_peak": first.sqrt,
        "last_peak": last.sqrt,
        "last_plain_peak": last.plain,
        "growth": last.sqrt / first.sqrt,
        "plain_growth": last.plain / first.plain,
        "parameter_growth": last.parameters / first.parameters,
        "plain_exponent": fit_exponent(depths, [one.plain for one in depths]),
        "sqrt_exponent": fit_exponent(depths, [one.sqrt for one in depths]),
        "gradient_difference": difference,
        "noise_floor": floor,
    }


def fit_exponent(depths: Sequence[Depth], values: Sequence[int]) -> float:
    """Slope of log(bytes) over log(N). Shown, never gated: it depends on W/A."""
    slope, _ = np.polyfit(np.log([one.layers for one in depths]), np.log(values), 1)
    return round(float(slope), 6)


def _describe_scaling(sizes: Sizes, depths: Sequence[Depth]) -> Scaling:
    x = tuple(float(one.layers) for one in depths)
    columns = {
        "plain": (
            [one.plain for one in depths],
            [sizes.compute_plain_peak(one.layers) for one in depths],
        ),
        "checkpointed": (
            [one.sqrt for one in depths],
            [sizes.compute_segment_peak(one.layers, math.isqrt(one.layers)) for one in depths],
        ),
        "parameters": (
            [one.parameters for one in depths],
            [sizes.compute_parameters(one.layers) for one in depths],
        ),
    }
    series = tuple(
        Series(name, x, tuple(map(float, y)), tuple(map(float, theory)), fit_exponent(depths, y))
        for name, (y, theory) in columns.items()
    )
    return Scaling("layers", "byte", series)


def _tabulate_depths(sizes: Sizes, depths: Sequence[Depth]) -> Table:
    rows = tuple(
        (
            one.layers,
            one.plain,
            sizes.compute_plain_peak(one.layers),
            one.sqrt,
            sizes.compute_segment_peak(one.layers, math.isqrt(one.layers)),
            one.parameters,
        )
        for one in depths
    )
    columns = ("layers", "plain", "plain_formula", "checkpointed", "formula", "parameters")
    return Table("depths", columns, rows)


def _tabulate_segments(sizes: Sizes, layers: int, sweep: dict[int, int]) -> Table:
    rows = tuple(
        (each, peak, sizes.compute_segment_peak(layers, each)) for each, peak in sweep.items()
    )
    return Table("segments", ("segments", "peak", "formula"), rows)
