from typing import Any

import numpy as np
import pytest

from assessment.psychometrics.calibration import (
    FIXED,
    ONE_PL,
    THREE_PL,
    TWO_PL,
    Settings,
    calibrate,
    make_priors,
)
from assessment.psychometrics.curves import compute_probability
from assessment.psychometrics.items import Floats, ItemParameters, make_items
from assessment.psychometrics.marginal import (
    Population,
    compute_expectation,
    compute_item_scores,
    make_nodes,
)
from assessment.psychometrics.responses import Responses, make_responses


def load_lsat(reference: dict[str, Any], name: str) -> Responses:
    counts = reference["calibration_LSAT"]["data"][name]["pattern_counts"]
    matrix = [[int(answer) for answer in pattern] for pattern in counts]
    return make_responses(matrix, weights=list(counts.values()))


def draw_answers(
    items: ItemParameters, num_persons: int, *, seed: int, mean: float = 0.0, sd: float = 1.0
) -> Floats:
    rng = np.random.default_rng(seed)
    theta = mean + sd * rng.standard_normal(num_persons)
    return (rng.random((num_persons, len(items))) < compute_probability(items, theta)).astype(float)


def draw_items(num_items: int, *, seed: int, c: float = 0.0) -> ItemParameters:
    rng = np.random.default_rng(seed)
    return make_items(rng.lognormal(0.1, 0.3, num_items), rng.standard_normal(num_items), c=c)


FLAT_START = make_items(np.ones(5), 0.0)


@pytest.mark.parametrize("name", ["LSAT6", "LSAT7"])
@pytest.mark.parametrize(("model", "key"), [(ONE_PL, "onepl_common_a"), (TWO_PL, "twopl")])
def test_lsat_is_calibrated_as_by_mirt(
    name: str, model: int, key: str, reference: dict[str, Any]
) -> None:
    expected = reference["calibration_LSAT"]["data"][name][key]["mirt"]
    result = calibrate(load_lsat(reference, name), models=model, start=FLAT_START)
    assert result.is_converged
    assert result.items.a == pytest.approx(np.broadcast_to(expected["a"], 5), abs=1e-4)
    assert result.items.b == pytest.approx(expected["b"], abs=1e-4)
    assert result.log_likelihood == pytest.approx(expected["logLik"], abs=1e-4)


def test_the_published_figures_of_lsat(reference: dict[str, Any]) -> None:
    six = load_lsat(reference, "LSAT6")
    one, two = (calibrate(six, models=model, start=FLAT_START) for model in (ONE_PL, TWO_PL))
    assert one.items.a == pytest.approx([0.7551] * 5, abs=1e-3)
    assert one.items.b == pytest.approx([-3.6153, -1.3224, -0.3176, -1.7301, -2.7802], abs=1e-3)
    assert one.log_likelihood == pytest.approx(-2466.9376, abs=1e-3)
    assert two.log_likelihood == pytest.approx(-2466.6534, abs=1e-3)
    seven = calibrate(load_lsat(reference, "LSAT7"), models=TWO_PL, start=FLAT_START)
    assert seven.items.a == pytest.approx([0.9875, 1.0808, 1.7075, 0.7650, 0.7357], abs=1e-3)
    assert seven.items.b == pytest.approx([-1.8793, -0.7475, -1.0572, -0.6353, -2.5208], abs=1e-3)
    assert seven.log_likelihood == pytest.approx(-2658.8051, abs=1e-3)


def test_a_fixed_slope_and_a_free_variance_are_the_rasch_model(reference: dict[str, Any]) -> None:
    # The same model as the common a: its variance is a^2 and its b is a b.
    expected = reference["calibration_LSAT"]["data"]["LSAT6"]["rasch_a1_free_variance"]
    result = calibrate(load_lsat(reference, "LSAT6"), models=ONE_PL, start=FLAT_START)
    assert result.items.a[0] ** 2 == pytest.approx(expected["var"], abs=1e-3)
    assert result.items.a * result.items.b == pytest.approx(expected["b"], abs=1e-3)


def test_the_score_is_the_slope_of_the_likelihood(reference: dict[str, Any]) -> None:
    responses = load_lsat(reference, "LSAT7")
    items = make_items([1.1, 0.9, 1.4, 0.8, 0.7], [-1.0, -0.6, -1.2, -0.4, -2.0], c=0.1)
    nodes, population = make_nodes(61, 6.0), Population(0.2, 0.9)
    total = np.einsum(
        "kni,n->ki", compute_item_scores(responses, items, nodes, population), responses.weights
    )
    h = 1e-5
    for k, shift in enumerate(("a", "b", "c")):
        moved = []
        for sign in (1, -1):
            a, b, c = items.a.copy(), items.b.copy(), items.c.copy()
            if shift == "a":
                a[2] *= np.exp(sign * h)
            elif shift == "b":
                b[2] += sign * h
            else:
                c[2] = 1 / (1 + np.exp(-(np.log(0.1 / 0.9) + sign * h)))
            there = ItemParameters(a, b, c, items.d)
            moved.append(compute_expectation(responses, there, nodes, population).log_likelihood)
        assert total[k, 2] == pytest.approx((moved[0] - moved[1]) / (2 * h), rel=1e-5)


def test_standard_errors_are_the_spread_of_estimates() -> None:
    truth = draw_items(8, seed=4)
    estimates, errors = [], []
    for seed in range(60):
        responses = make_responses(draw_answers(truth, 600, seed=100 + seed))
        result = calibrate(responses, models=TWO_PL, start=make_items(np.ones(8), 0.0))
        estimates.append(np.concatenate([result.items.a, result.items.b]))
        errors.append(np.concatenate([result.se_a, result.se_b]))
    ratio = np.median(errors, axis=0) / np.std(estimates, axis=0)
    assert np.median(ratio) == pytest.approx(1.0, abs=0.1)
    assert ratio.min() > 0.7
    assert ratio.max() < 1.5


def test_parameters_are_recovered() -> None:
    truth = draw_items(30, seed=8)
    result = calibrate(
        make_responses(draw_answers(truth, 3000, seed=9)),
        models=TWO_PL,
        start=make_items(np.ones(30), 0.0),
    )
    z_a = (result.items.a - truth.a) / result.se_a
    z_b = (result.items.b - truth.b) / result.se_b
    assert np.sqrt(np.mean(z_a**2)) == pytest.approx(1.0, abs=0.3)
    assert np.sqrt(np.mean(z_b**2)) == pytest.approx(1.0, abs=0.3)


def test_missing_answers_are_left_out_and_not_taken_as_wrong() -> None:
    truth = draw_items(20, seed=8)
    matrix = draw_answers(truth, 4000, seed=10)
    matrix[np.random.default_rng(1).random(matrix.shape) < 0.5] = np.nan
    responses = make_responses(matrix)
    result = calibrate(responses, models=TWO_PL, start=make_items(np.ones(20), 0.0))
    assert result.num_answers.tolist() == np.sum(~np.isnan(matrix), axis=0).tolist()
    assert np.sqrt(np.mean((result.items.b - truth.b) ** 2)) < 0.1


def test_anchors_hold_the_scale_for_a_stronger_population() -> None:
    truth = draw_items(30, seed=12)
    matrix = draw_answers(truth, 4000, seed=13, mean=0.8, sd=1.3)
    models = np.where(np.arange(30) < 15, FIXED, TWO_PL)
    start = make_items(
        np.where(models == FIXED, truth.a, 1.0), np.where(models == FIXED, truth.b, 0.0)
    )
    result = calibrate(make_responses(matrix), models=models, start=start, estimate_population=True)
    assert result.population.mean == pytest.approx(0.8, abs=0.07)
    assert result.population.sd == pytest.approx(1.3, abs=0.07)
    assert result.items.b[:15].tolist() == truth.b[:15].tolist()
    assert result.se_b[:15].tolist() == [0.0] * 15
    assert np.sqrt(np.mean((result.items.b - truth.b)[15:] ** 2)) < 0.1


def test_a_floor_is_estimated_on_request() -> None:
    truth = draw_items(20, seed=14, c=0.25)
    priors = make_priors(20, log_a=0.1, log_a_sd=0.3, b_sd=1.5, c=0.2, logit_c_sd=0.5)
    result = calibrate(
        make_responses(draw_answers(truth, 5000, seed=15)),
        models=THREE_PL,
        start=make_items(np.ones(20), 0.0, c=0.2),
        priors=priors,
    )
    assert result.is_converged
    assert np.mean(result.items.c) == pytest.approx(0.25, abs=0.03)
    z_b = (result.items.b - truth.b) / result.se_b
    assert np.sqrt(np.mean(z_b**2)) == pytest.approx(1.0, abs=0.4)
    assert np.all(result.se_c > 0)


def test_a_prior_pulls_and_never_below_the_prior_alone() -> None:
    matrix = np.array([[1.0, 1.0]] * 40)
    priors = make_priors(2, log_a_sd=0.3, b=[0.5, -0.5], b_sd=0.8)
    result = calibrate(
        make_responses(matrix), models=TWO_PL, start=make_items(np.ones(2), 0.0), priors=priors
    )
    assert np.all(result.items.b < [0.5, -0.5])
    assert np.all(result.items.b > -3)
    assert np.all(result.se_b < 0.8)


def test_the_objective_is_at_its_top(reference: dict[str, Any]) -> None:
    responses = load_lsat(reference, "LSAT7")
    best = calibrate(responses, models=TWO_PL, start=FLAT_START)
    nodes = make_nodes(61, 6.0)
    rng = np.random.default_rng(2)
    for _ in range(20):
        near = make_items(
            best.items.a + rng.normal(0, 0.02, 5), best.items.b + rng.normal(0, 0.02, 5)
        )
        there = compute_expectation(responses, near, nodes, Population(0.0, 1.0))
        assert there.log_likelihood < best.log_likelihood


def test_an_item_that_all_got_right_needs_a_prior() -> None:
    matrix = [[1, 1], [1, 0], [1, 1]]
    with pytest.raises(ValueError, match="item 0 has no wrong"):
        calibrate(make_responses(matrix), models=TWO_PL, start=make_items(np.ones(2), 0.0))


def test_an_item_keyed_wrong_ends_flat_and_not_in_circles() -> None:
    matrix = draw_answers(make_items(np.ones(10), np.linspace(-1, 1, 10)), 1000, seed=5)
    matrix[:, 0] = 1 - matrix[:, 0]
    matrix[:, 1] = np.random.default_rng(6).random(1000) < 0.5
    priors = make_priors(10, log_a_sd=0.5, b_sd=2.0)
    result = calibrate(
        make_responses(matrix), models=TWO_PL, start=make_items(np.ones(10), 0.0), priors=priors
    )
    assert result.is_converged
    assert result.num_iterations < 60
    assert np.all(result.items.a[:2] < 0.4)
    assert np.all(result.items.a[2:] > 0.7)


def test_what_cannot_be_told_apart_is_refused() -> None:
    responses = make_responses([[1, 0], [0, 1]])
    start = make_items(np.ones(2), 0.0)
    with pytest.raises(ValueError, match="anchor"):
        calibrate(responses, models=TWO_PL, start=start, estimate_population=True)
    with pytest.raises(ValueError, match="3 items"):
        calibrate(responses, models=TWO_PL, start=make_items(np.ones(3), 0.0))
    with pytest.raises(ValueError, match="no answers"):
        make_responses([[np.nan, np.nan]])
    with pytest.raises(ValueError, match="1, 0 or missing"):
        make_responses([[0.5, 1.0]])


def test_folding_equal_rows_changes_nothing() -> None:
    matrix = draw_answers(draw_items(4, seed=1), 200, seed=2)
    matrix[::7, 1] = np.nan
    responses = make_responses(matrix)
    assert responses.num_persons == 200
    assert len(responses.right) < 60
    unfolded = responses.unfold()
    assert sorted(map(str, unfolded.tolist())) == sorted(map(str, matrix.tolist()))


def test_a_run_that_is_cut_short_says_so(reference: dict[str, Any]) -> None:
    settings = Settings(max_iterations=2)
    result = calibrate(
        load_lsat(reference, "LSAT6"), models=TWO_PL, start=FLAT_START, settings=settings
    )
    assert (result.is_converged, result.num_iterations) == (False, 2)
