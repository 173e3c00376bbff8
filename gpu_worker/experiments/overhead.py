"""What recomputation costs depends on the model, the placement and the operators.

Six kinds of network, each plain and under several placements: FLOPs wherever the counter
can see the operators, time for the three cells that differ most. A ratio of FLOPs needs no
large network, so the default is small. Then what does not decide the cost (the length of
the dataset) and what does (the number of classes).
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from gpu_worker.contracts import ClaimResult, Measurement, Point, Scalar, Table, Timing
from gpu_worker.measure.claims import decide, leave_undecided
from gpu_worker.measure.compare import compute_largest_difference
from gpu_worker.measure.flops import count_flops
from gpu_worker.measure.memory import trace_step
from gpu_worker.measure.passes import Arm, measure_arm, time_arms
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import (
    PLAIN,
    Block,
    Chain,
    Classifier,
    ConvBlock,
    Placement,
    PointwiseBlock,
    RecurrentBlock,
    Runner,
    list_placements,
    make_gpt,
    make_mlp,
    run_every,
    run_plain,
)

MIN_SPREAD = 0.2
# Of FLOP ratios between cells: far more than any one percentage could cover.

MIN_GAP = 0.1
# Between the nearest ends of two intervals of time ratios.

HEADS = 4
CHANNELS = 16
SIDE = 28
SEQUENCE = 64
MLP_WIDTH = 256
ROWS_PER_EXAMPLE = 64
DATASET_WIDTH = 32
# Sizes of the cells beside the parameters; the reference run had the same shapes, larger.

CLASSES = (2, 100, 1_000, 10_000)
DATASETS = (100, 100_000)
# Output layers, and numbers of labelled examples, that are compared.

TIME_BUDGET_S = 0.6
# Of wall time for each timed cell.

TIMED = (("pointwise", "every"), ("conv", "segments"), ("gpt", "every"))
# The dearest cell of the reference run, the cheapest, and the one of the quizzes.


@dataclass(frozen=True)
class Cell:
    """One model under one placement, beside the same model plain."""

    model: str
    placement: str
    plain: Arm
    arm: Arm

    @property
    def flop_ratio(self) -> float | None:
        """None where the counter cannot see the operators."""
        if self.plain.flops.total is None or self.arm.flops.total is None:
            return None
        return self.arm.flops.total / self.plain.flops.total

    @property
    def peak_ratio(self) -> float:
        return self.arm.trace.peak / self.plain.trace.peak


def measure(run: Run) -> Measurement:
    with open_tensors(run):
        return _measure(run)


def _measure(run: Run) -> Measurement:
    cells = measure_cells(run)
    timings = {key: time_cell(run, *key) for key in TIMED}
    classes = [measure_classes(run, each) for each in CLASSES]
    claims = [
        decide_flops(cells),
        decide_times(timings),
        decide_datasets(run),
        decide_classes(classes, rows=count_rows(run)),
    ]
    main = next(cell for cell in cells if cell.model == "gpt" and cell.placement == "every")
    arms = [main.plain, main.arm, measure_again(run)]
    return build_measurement(
        run,
        claims=claims,
        memory=[arm.memory for arm in arms],
        flops=[arm.flop_arm for arm in arms],
        timing=timings["gpt", "every"],
        facts=_collect_facts(run, cells, claims, timings, classes),
        gradients=main.arm.gradients,
        traces={arm.name: arm.trace for arm in arms[:2]},
        tables=[_tabulate_cells(cells, timings), _tabulate_classes(classes)],
    )


# --- Models and placements -----------------------------------------------------------


def count_rows(run: Run) -> int:
    return ROWS_PER_EXAMPLE * run.get_int("batch")


def make_models(run: Run) -> Mapping[str, Callable[[], tuple[Chain, Tensor]]]:
    """From the name of a kind to a maker of a network and its input."""
    layers, hidden, batch = run.get_int("layers"), run.get_int("hidden"), run.get_int("batch")
    dropout, rows = run.get_float("dropout"), count_rows(run)

    def make_blocks(*, is_fused: bool) -> tuple[Chain, Tensor]:
        model = make_gpt(layers, hidden, HEADS, dropout, is_fused=is_fused)
        return model, torch.randn(batch, hidden, hidden)

    return {
        "mlp": lambda: (make_mlp(2 * layers, MLP_WIDTH), torch.randn(rows, MLP_WIDTH)),
        "conv": lambda: (
            Chain([ConvBlock(CHANNELS) for _ in range(layers)]),
            torch.randn(batch, CHANNELS, SIDE, SIDE),
        ),
        "gpt": lambda: make_blocks(is_fused=False),
        "gpt-fused": lambda: make_blocks(is_fused=True),
        "lstm": lambda: (
            Chain([RecurrentBlock(hidden) for _ in range(layers)]),
            torch.randn(batch, SEQUENCE, hidden),
        ),
        "pointwise": lambda: (
            Chain([PointwiseBlock(MLP_WIDTH) for _ in range(layers)]),
            torch.randn(rows, MLP_WIDTH),
        ),
    }


def make_step(run: Run, model: str, placement: Placement, *, name: str) -> TrainingStep:
    torch.manual_seed(run.seed)
    chain, x = make_models(run)[model]()

    def forward() -> Tensor:
        return chain(x, placement.runner).square().mean()  # type: ignore[no-any-return]  # a module's call is untyped

    for block in chain.blocks:
        if isinstance(block, Block):
            block.replays_attention = placement.replays_attention
    return TrainingStep(name, chain, forward, (x,))


def measure_cells(run: Run) -> list[Cell]:
    cells = []
    for model in make_models(run):
        plain = _measure_step(run, model, PLAIN, name="plain")
        cells += [
            Cell(model, one.name, plain, _measure_step(run, model, one, name="checkpointed"))
            for one in list_placements(model)
        ]
    return cells


def _measure_step(run: Run, model: str, placement: Placement, *, name: str) -> Arm:
    step = make_step(run, model, placement, name=name)
    is_main = model == "gpt" and placement.name in ("plain", "every")
    return measure_arm(step, run, with_allocator=is_main, with_timeline=is_main)


def measure_again(run: Run) -> Arm:
    """The third arm: its difference to plain is the noise floor."""
    step = make_step(run, "gpt", PLAIN, name="plain-again")
    return measure_arm(step, run, with_allocator=False)


def time_cell(run: Run, model: str, placement: str) -> Timing:
    chosen = next(one for one in list_placements(model) if one.name == placement)
    return time_arms(
        make_step(run, model, PLAIN, name="plain"),
        make_step(run, model, chosen, name="checkpointed"),
        run,
        pairs=run.get_int("pairs"),
        budget_s=TIME_BUDGET_S,
    )


# --- What the data change ------------------------------------------------------------


@dataclass(frozen=True)
class ClassesRow:
    """One size of the output layer: stored bytes (plain), and FLOPs of both arms."""

    classes: int
    stored: int
    plain_flops: int
    checkpointed_flops: int


def measure_classes(run: Run, classes: int) -> ClassesRow:
    torch.manual_seed(run.seed)
    model = Classifier(make_mlp(2 * run.get_int("layers"), MLP_WIDTH), MLP_WIDTH, classes)
    x = torch.randn(count_rows(run), MLP_WIDTH)
    labels = torch.randint(classes, (count_rows(run),))

    def make(runner: Runner) -> TrainingStep:
        return TrainingStep("", model, lambda: model(x, labels, runner), (x, labels))

    stored = trace_step(make(run_plain), seed=run.seed).stored
    plain = count_flops(make(run_plain), seed=run.seed).total
    checkpointed = count_flops(make(run_every), seed=run.seed).total
    assert stored is not None
    assert plain is not None
    assert checkpointed is not None
    return ClassesRow(classes, stored, plain, checkpointed)


def measure_dataset(run: Run, examples: int) -> dict[str, int]:
    """Bytes and FLOPs of one step whose batch was drawn from so many labelled examples."""
    torch.manual_seed(run.seed)
    model = Classifier(make_mlp(2, DATASET_WIDTH), DATASET_WIDTH, 10)
    data, answers = torch.randn(examples, DATASET_WIDTH), torch.randint(10, (examples,))
    chosen = torch.randint(examples, (count_rows(run),))
    x, labels = data[chosen], answers[chosen]
    step = TrainingStep("", model, lambda: model(x, labels, run_every), (x, labels))
    trace = trace_step(step, seed=run.seed)
    flops = count_flops(step, seed=run.seed).total
    assert trace.stored is not None
    assert flops is not None
    return {"stored": trace.stored, "peak": trace.peak, "flops": flops}


# --- Claims --------------------------------------------------------------------------


def decide_flops(cells: list[Cell]) -> ClaimResult:
    ratios = {
        f"{cell.model} {cell.placement}": ratio
        for cell in cells
        if (ratio := cell.flop_ratio) is not None
    }
    least, most = (choose(ratios, key=ratios.__getitem__) for choose in (min, max))
    return decide(
        "flop-ratio-varies",
        ratios[most] - ratios[least],
        "at_least",
        MIN_SPREAD,
        unit="1",
        facts={
            "least": ratios[least],
            "least_cell": least,
            "most": ratios[most],
            "most_cell": most,
            "cells": len(ratios),
        },
    )


def decide_times(timings: Mapping[tuple[str, str], Timing]) -> ClaimResult:
    """Are two intervals at least MIN_GAP apart? Undecided when this run cannot tell.

    `holds`: the nearest ends of some two are. `fails`: not even the furthest ends of any
    two are, so that the ratios are the same for practical purposes.
    """
    spans = {key: one.ratio_ci95 for key, one in timings.items() if one.ratio_ci95 is not None}
    if not spans:
        reason = "clock_stood_still"
        return leave_undecided("time-ratios-differ", "at_least", unit="1", reason=reason)
    low = min(spans, key=lambda key: spans[key][1])
    high = max(spans, key=lambda key: spans[key][0])
    widest = max(one[1] for one in spans.values()) - min(one[0] for one in spans.values())
    claim = decide(
        "time-ratios-differ",
        spans[high][0] - spans[low][1],
        "at_least",
        MIN_GAP,
        unit="1",
        facts={
            "low_cell": " ".join(low),
            "low_from": spans[low][0],
            "low_to": spans[low][1],
            "high_cell": " ".join(high),
            "high_from": spans[high][0],
            "high_to": spans[high][1],
        },
    )
    if claim.verdict == "fails" and widest >= MIN_GAP:
        return dataclasses.replace(claim, verdict="undecided")
    return claim


def decide_datasets(run: Run) -> ClaimResult:
    first, second = (measure_dataset(run, examples) for examples in DATASETS)
    change = max(abs(second[name] / first[name] - 1) for name in first)
    facts: dict[str, Scalar] = {"examples_few": DATASETS[0], "examples_many": DATASETS[1]}
    facts |= {f"{name}_few": value for name, value in first.items()}
    facts |= {f"{name}_many": value for name, value in second.items()}
    return decide("dataset-length-irrelevant", change, "equal", 0.0, unit="1", facts=facts)


def decide_classes(rows_found: list[ClassesRow], *, rows: int) -> ClaimResult:
    """Each class more keeps four bytes a row: the result of the softmax."""
    first, last = rows_found[0], rows_found[-1]
    claim = decide(
        "classes-add-bytes",
        last.stored,
        "greater",
        first.stored,
        unit="byte",
        facts={
            "classes_few": first.classes,
            "classes_many": last.classes,
            "flop_ratio_few": first.checkpointed_flops / first.plain_flops,
            "flop_ratio_many": last.checkpointed_flops / last.plain_flops,
        },
    )
    points = tuple(
        Point(one.classes, one.stored, first.stored + 4 * rows * (one.classes - first.classes))
        for one in rows_found
    )
    return dataclasses.replace(claim, points=points)


# --- For the page --------------------------------------------------------------------


def _collect_facts(
    run: Run,
    cells: list[Cell],
    claims: list[ClaimResult],
    timings: Mapping[tuple[str, str], Timing],
    classes: list[ClassesRow],
) -> dict[str, Scalar]:
    flops, times = claims[0].facts, claims[1].facts
    main = timings["gpt", "every"]
    low, high = main.ratio_ci95 or (None, None)
    return {
        "layers": run.get_int("layers"),
        "dropout": run.get_float("dropout"),
        "num_cells": len(cells),
        "num_counted": flops["cells"],
        "least_flop_ratio": flops["least"],
        "least_cell": flops["least_cell"],
        "most_flop_ratio": flops["most"],
        "most_cell": flops["most_cell"],
        "flop_spread": claims[0].observed,
        **{f"time_{name}": value for name, value in times.items()},
        "gradient_difference": max(
            compute_largest_difference(cell.plain.gradients, cell.arm.gradients) for cell in cells
        ),
        "stored_few_classes": classes[0].stored,
        "stored_many_classes": classes[-1].stored,
        "num_few_classes": classes[0].classes,
        "num_many_classes": classes[-1].classes,
        "time_ratio": main.ratio,
        "time_low": low,
        "time_high": high,
    }


def _tabulate_cells(cells: list[Cell], timings: Mapping[tuple[str, str], Timing]) -> Table:
    rows: list[tuple[Scalar, ...]] = []
    for cell in cells:
        timing = timings.get((cell.model, cell.placement))
        low, high = (timing.ratio_ci95 if timing else None) or (None, None)
        rows.append(
            (
                cell.model,
                cell.placement,
                cell.arm.stored,
                cell.peak_ratio,
                cell.flop_ratio,
                timing.ratio if timing else None,
                low,
                high,
            )
        )
    columns = ("model", "placement", "stored", "peak_ratio", "flop_ratio")
    return Table("cells", (*columns, "time_ratio", "time_low", "time_high"), tuple(rows))


def _tabulate_classes(classes: list[ClassesRow]) -> Table:
    rows = tuple(
        (one.classes, one.stored, one.checkpointed_flops / one.plain_flops) for one in classes
    )
    return Table("classes", ("classes", "stored", "flop_ratio"), rows)
