"""sqrt-n: formulas to the byte over depth, segments and W/A, and what a wrong one does."""

import pytest

from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import ClaimResult, Measurement
from gpu_worker.experiments import sqrt_n
from gpu_worker.experiments.sqrt_n import Depth, Sizes
from gpu_worker.measure.memory import trace_step
from gpu_worker.measure.setup import prepare_process
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run


def index_claims(found: Measurement) -> dict[str, ClaimResult]:
    return {one.id: one for one in found.claims}


@pytest.fixture(scope="module")
def default() -> Measurement:
    return run_experiment("sqrt-n", {}, DEFAULT_SEED, "cpu", False)


def test_every_claim_holds_at_every_depth(default: Measurement) -> None:
    claims = index_claims(default)
    assert {one.verdict for one in claims.values()} == {"holds"}
    for name in ("plain-peak", "sqrt-peak"):
        points = claims[name].points
        assert [one.x for one in points] == [4, 9, 16, 25, 36, 49, 64, 100]
        assert all(one.observed == one.expected for one in points)
    assert claims["parameter-bytes-linear"].observed == 25
    assert claims["peak-grows"].observed == pytest.approx(4.936, abs=1e-3)
    assert claims["segment-peak"].facts["best_segments"] == 6
    assert claims["both-are-positive"].facts["activations_stored"] == 11
    assert claims["both-are-positive"].facts["flop_ratio"] == pytest.approx(137 / 107, abs=1e-9)


def test_exponents_are_shown_and_near_the_reference(default: Measurement) -> None:
    assert default.scaling is not None
    exponents = {one.name: one.exponent for one in default.scaling.series}
    assert exponents["plain"] == pytest.approx(0.934, abs=1e-3)
    assert exponents["checkpointed"] == pytest.approx(0.496, abs=1e-3)
    assert exponents["parameters"] == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("layers", [4, 36, 100, 400])
@pytest.mark.parametrize(("rows", "width"), [(128, 8), (32, 32), (8, 64), (1, 64)])
def test_peaks_are_the_formula_from_w_over_a_1_16_to_64(layers: int, rows: int, width: int) -> None:
    run = make_run("sqrt-n", rows=rows, width=width)
    prepare_process(seed=0, device="cpu")
    sizes = Sizes(4 * rows * width, 4 * width**2, 4 * width)
    found = sqrt_n.measure_depth(run, layers)
    root = round(layers**0.5)
    assert found.plain == (layers + 1) * sizes.activation + sizes.weight + sizes.bias + 8
    assert found.sqrt == 2 * root * sizes.activation + sizes.weight + sizes.bias + 8
    assert found.parameters == layers * (sizes.weight + sizes.bias)


@pytest.mark.parametrize(
    ("layers", "segments"), [(12, 2), (12, 3), (12, 6), (12, 12), (30, 5), (30, 10), (48, 24)]
)
@pytest.mark.parametrize(("rows", "width"), [(64, 8), (8, 32)])
def test_equal_segments_are_the_formula(layers: int, segments: int, rows: int, width: int) -> None:
    run = make_run("sqrt-n", rows=rows, width=width, layers=layers)
    prepare_process(seed=0, device="cpu")
    trace = trace_step(sqrt_n.make_step(run, layers, segments), seed=1)
    a, w, b = 4 * rows * width, 4 * width**2, 4 * width
    assert trace.peak == (segments + layers // segments) * a + w + b + 8
    assert trace.stored == (segments - 1 + layers // segments) * a + 4


@pytest.mark.parametrize(("layers", "segments"), [(12, []), (13, []), (35, []), (144, [12])])
def test_any_allowed_depth_decides_its_claims(layers: int, segments: list[int]) -> None:
    given = {"layers": layers, "segments": segments, "depths": [4, 9], "rows": 16, "width": 8}
    claims = index_claims(run_experiment("sqrt-n", given, DEFAULT_SEED, "cpu", False))
    assert {one.verdict for one in claims.values()} == {"holds"}


def test_simulated_equals_measured() -> None:
    given = {"depths": [4, 16], "layers": 12, "rows": 16, "width": 8}
    real = run_experiment("sqrt-n", given, DEFAULT_SEED, "cpu", False)
    fake = run_experiment("sqrt-n", given, DEFAULT_SEED, "cpu", True)
    assert fake.tables == real.tables
    assert fake.flops == real.flops
    assert index_claims(fake) == index_claims(real)


# --- Counter-examples ----------------------------------------------------------------

SIZES = Sizes(4096, 256, 32)


def make_depths(*, off_by: int = 0) -> list[Depth]:
    return [
        Depth(
            layers,
            SIZES.compute_plain_peak(layers),
            SIZES.compute_segment_peak(layers, root) + off_by,
            SIZES.compute_parameters(layers),
        )
        for layers, root in ((4, 2), (9, 3), (16, 4))
    ]


def test_one_byte_beside_the_formula_fails_the_claim() -> None:
    right = {one.id: one.verdict for one in sqrt_n.decide_depths(SIZES, make_depths())}
    wrong = {one.id: one.verdict for one in sqrt_n.decide_depths(SIZES, make_depths(off_by=1))}
    assert set(right.values()) == {"holds"}
    assert wrong["sqrt-peak"] == "fails"
    assert wrong["plain-peak"] == "holds"


def test_constant_memory_would_fail_the_growth_claim() -> None:
    constant = [
        Depth(one.layers, one.plain, make_depths()[0].sqrt, one.parameters) for one in make_depths()
    ]
    verdicts = {one.id: one for one in sqrt_n.decide_depths(SIZES, constant)}
    assert verdicts["peak-grows"].observed == 1
    assert verdicts["peak-grows"].verdict == "fails"


def test_quadratic_parameters_would_fail_theirs() -> None:
    squared = [Depth(one.layers, one.plain, one.sqrt, one.layers**2) for one in make_depths()]
    verdicts = {one.id: one.verdict for one in sqrt_n.decide_depths(SIZES, squared)}
    assert verdicts["parameter-bytes-linear"] == "fails"


def test_savings_without_computation_would_fail(default: Measurement) -> None:
    from gpu_worker.measure.passes import measure_arm

    run = make_run("sqrt-n", rows=16, width=8, layers=4, depths=[4, 9])
    plain = measure_arm(sqrt_n.make_step(run, 4, 1), run, with_allocator=False)
    right = measure_arm(sqrt_n.make_step(run, 4, 2), run, with_allocator=False)
    sizes = sqrt_n.find_sizes(run)
    assert sqrt_n.decide_both_positive(sizes, 4, 2, plain, right).verdict == "holds"
    assert sqrt_n.decide_both_positive(sizes, 4, 2, plain, plain).verdict == "fails"
