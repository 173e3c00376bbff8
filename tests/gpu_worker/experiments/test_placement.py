"""placement: bisection by its formula, and a cost model that is right to the byte."""

import functools
import random

import pytest

from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import ClaimResult, Measurement
from gpu_worker.experiments import placement as experiment
from gpu_worker.measure import planning
from gpu_worker.measure.memory import trace_step
from gpu_worker.measure.planning import ChainSizes, Cuts
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run


def index_claims(found: Measurement) -> dict[str, ClaimResult]:
    return {one.id: one for one in found.claims}


@pytest.fixture(scope="module")
def default() -> Measurement:
    return run_experiment("placement", {}, DEFAULT_SEED, "cpu", False)


def test_every_claim_holds(default: Measurement) -> None:
    claims = index_claims(default)
    assert {one.verdict for one in claims.values()} == {"holds"}
    facts = claims["never-better-than-exhaustive"].facts
    assert facts == {"largest_ratio": 1.0, "is_optimal": True, "placements": 168, "surprises": 0}


def test_bisection_is_its_formula_to_the_byte(default: Measurement) -> None:
    a, w, b = 4 * 128 * 16, 4 * 16 * 16, 4 * 16
    points = index_claims(default)["bisection-peak"].points
    assert [(point.x, point.observed) for point in points] == [
        (2**levels, (levels + 2) * a + w + b + 8) for levels in range(1, 8)
    ]


def test_bisection_replays_half_a_chain_a_level(default: Measurement) -> None:
    run = make_run("placement", layers=16, width=8, rows=8)
    arms = experiment.measure_arms(run, experiment.make_uniform(run, 16))
    plain, bisection = arms["plain"].flops.total, arms["bisection"].flops.total
    assert plain is not None
    assert bisection is not None
    assert bisection / plain == pytest.approx(1 + 16 / 2 * 4 / (3 * 16 - 1))


@pytest.mark.parametrize(("rows", "width"), [(128, 8), (16, 16), (8, 64)])
def test_bisection_holds_whatever_the_weights_weigh(rows: int, width: int) -> None:
    run = make_run("placement", rows=rows, width=width, depths=[2, 8, 32])
    depths = [experiment.measure_depth(run, layers) for layers in (2, 8, 32)]
    assert experiment.decide_bisection(depths).verdict == "holds"


def test_the_cost_model_is_right_to_the_byte_on_random_chains() -> None:
    rng = random.Random(5)
    run = make_run("placement")
    for _ in range(60):
        layers = rng.randint(1, 9)
        widths = tuple(rng.choice([5, 8, 12, 16, 24, 32]) for _ in range(layers + 1))
        sizes = ChainSizes(widths, rng.choice([4, 32, 128]))
        count = rng.randint(0, layers - 1)
        cuts: Cuts = tuple(sorted(rng.sample(range(1, layers), count)))
        runner = functools.partial(experiment.run_cuts, cuts=cuts)
        peak = trace_step(experiment.make_step(run, sizes, runner), seed=1).peak
        assert peak == planning.compute_peak(sizes, cuts), (sizes, cuts)


@pytest.mark.parametrize("seed", range(30))
def test_the_plan_is_the_best_of_all_placements(seed: int) -> None:
    rng = random.Random(seed)
    layers = rng.randint(2, 10)
    sizes = ChainSizes(tuple(rng.randint(2, 40) for _ in range(layers + 1)), rng.randint(1, 64))
    best = min(planning.compute_peak(sizes, cuts) for cuts in planning.list_placements(layers))
    assert planning.compute_peak(sizes, planning.plan_cuts(sizes)) == best


def test_all_placements_are_tried_once() -> None:
    placements = list(planning.list_placements(6))
    assert len(placements) == len(set(placements)) == 2**5


def test_a_long_plan_beats_the_square_root_and_not_bisection(default: Measurement) -> None:
    peaks = {arm.name: arm.peak or 0 for arm in default.memory}
    assert peaks["bisection"] < peaks["planned"] < peaks["sqrt"] < peaks["plain"]


def test_claims_fail_for_a_wrong_formula_and_an_impossible_plan() -> None:
    run = make_run("placement", rows=16, width=8)
    depth = experiment.measure_depth(run, 8)
    wrong = experiment.DepthPeaks(8, depth.plain, depth.bisection, depth.planned, depth.plain)
    assert experiment.decide_bisection([wrong]).verdict == "fails"
    better = experiment.Search(4, 8, best=100, planned=99, cuts=(2,), surprises=0)
    assert experiment.decide_plan([better]).verdict == "fails"


def test_a_simulation_gives_the_same_bytes() -> None:
    small = {"layers": 9, "depths": [2, 8], "exhaustive": [4], "width": 8, "rows": 16}
    real = run_experiment("placement", small, 3, "cpu", False)
    simulated = run_experiment("placement", small, 3, "cpu", True)
    assert [arm.peak for arm in real.memory] == [arm.peak for arm in simulated.memory]
    assert [arm.total for arm in real.flops] == [arm.total for arm in simulated.flops]
    assert {one.verdict for one in simulated.claims} == {"holds"}
