"""overhead: the table of cells, and what does and does not decide the cost."""

import pytest

from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import ClaimResult, Measurement, TimeArm, Timing
from gpu_worker.experiments import overhead as experiment
from gpu_worker.measure.compare import digest_tensors
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run


@pytest.fixture(scope="module")
def default() -> Measurement:
    return run_experiment("overhead", {"pairs": 3, "batch": 1}, DEFAULT_SEED, "cpu", False)


def index_claims(found: Measurement) -> dict[str, ClaimResult]:
    return {one.id: one for one in found.claims}


def make_timing(low: float, high: float) -> Timing:
    arms = (TimeArm("plain", (1.0,), 1.0), TimeArm("checkpointed", (1.5,), 1.5))
    return Timing("process", arms, (low + high) / 2, (low, high))


def test_every_claim_holds_or_is_about_time(default: Measurement) -> None:
    claims = index_claims(default)
    times = claims.pop("time-ratios-differ")
    assert times.verdict in ("holds", "undecided")
    assert {one.verdict for one in claims.values()} == {"holds"}


def test_flop_ratios_are_those_of_the_formulas(default: Measurement) -> None:
    cells = next(table for table in default.tables if table.name == "cells")
    ratios = {(row[0], row[1]): row[4] for row in cells.rows}
    assert len(ratios) == 20
    # L = 8 layers, the first without an input gradient: 1 + c / (3L - 1), c replayed.
    assert ratios["mlp", "every"] == pytest.approx(31 / 23)
    assert ratios["mlp", "alternate"] == pytest.approx(27 / 23)
    assert ratios["mlp", "segments"] == pytest.approx(29 / 23)
    # Dropout 0.1 behind the last product, so that early stop runs it again: 1 + c / (3L).
    assert ratios["gpt", "every"] == pytest.approx(4 / 3)
    assert ratios["gpt", "alternate"] == ratios["gpt", "segments"] == pytest.approx(7 / 6)
    # s = h: attention without its last projection is 10 of a block's 84 parts.
    assert ratios["gpt", "attention"] == pytest.approx(1 + 10 / 84)
    uncounted = {model for (model, _), ratio in ratios.items() if ratio is None}
    assert uncounted == {"lstm", "pointwise"}


def test_a_larger_output_layer_adds_four_bytes_a_row_and_class(default: Measurement) -> None:
    claim = index_claims(default)["classes-add-bytes"]
    assert [point.x for point in claim.points] == [2, 100, 1_000, 10_000]
    assert [point.observed for point in claim.points] == [point.expected for point in claim.points]
    assert claim.facts["flop_ratio_few"] == pytest.approx(1.3475, abs=1e-4)
    assert claim.facts["flop_ratio_many"] == pytest.approx(1.0571, abs=1e-4)


def test_gradients_are_equal_in_every_cell(default: Measurement) -> None:
    assert default.facts["gradient_difference"] == 0.0


@pytest.mark.parametrize("parameters", [{"layers": 3}, {"layers": 5, "hidden": 32, "dropout": 0.0}])
def test_the_spread_holds_over_the_range(parameters: dict[str, object]) -> None:
    run = make_run("overhead", **{"hidden": 64, "batch": 1, **parameters})
    assert experiment.decide_flops(experiment.measure_cells(run)).verdict == "holds"


def test_one_percentage_for_all_would_fail() -> None:
    run = make_run("overhead", batch=1, hidden=32, layers=3)
    cells = [one for one in experiment.measure_cells(run) if one.placement == "every"]
    assert experiment.decide_flops(cells).verdict == "fails"


@pytest.mark.parametrize(
    ("spans", "verdict"),
    [
        ([(1.0, 1.2), (1.8, 2.0)], "holds"),
        ([(1.0, 1.5), (1.3, 2.0)], "undecided"),
        ([(1.40, 1.42), (1.41, 1.44)], "fails"),
        ([(1.00, 1.05), (1.10, 1.16)], "undecided"),
    ],
)
def test_a_claim_about_time_may_stay_open(spans: list[tuple[float, float]], verdict: str) -> None:
    timings = {(str(i), "every"): make_timing(*span) for i, span in enumerate(spans)}
    assert experiment.decide_times(timings).verdict == verdict


def test_the_batch_decides_what_the_dataset_does_not() -> None:
    small, large = (make_run("overhead", batch=batch) for batch in (1, 2))
    assert experiment.measure_dataset(small, 100) == experiment.measure_dataset(small, 5_000)
    assert experiment.measure_dataset(small, 100) != experiment.measure_dataset(large, 100)


def test_the_same_seed_gives_the_same_gradients() -> None:
    digests = {
        digest_tensors(experiment.measure_again(make_run("overhead")).gradients) for _ in range(2)
    }
    assert len(digests) == 1
