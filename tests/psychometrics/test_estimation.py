from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessment.psychometrics.curves import compute_log_information, compute_log_likelihood
from assessment.psychometrics.estimation import (
    Estimate,
    estimate_eap,
    estimate_map,
    estimate_mle,
    estimate_wle,
)
from assessment.psychometrics.items import ItemParameters, make_items
from assessment.psychometrics.posterior import (
    Prior,
    make_grid_posterior,
    make_posterior,
    start_posterior,
)
from tests.psychometrics.strategies import answered_items

GRIDS = {"EAP_grid33_pm4": np.linspace(-4, 4, 33), "EAP_grid61_pm6": np.linspace(-6, 6, 61)}
NOISE = 1e-9
# Rounding of sums of logarithms as large as 30,000; ten digits below any use.


def estimate_jeffreys(items: ItemParameters, answers: list[int]) -> Estimate:
    return estimate_wle(items, answers, definition="Jeffreys")


def list_answered(patterns: dict[str, Any]) -> list[dict[str, Any]]:
    return [pattern for pattern in patterns.values() if pattern["items"]]


def test_eap_is_exact(patterns: dict[str, Any], bank: ItemParameters) -> None:
    for pattern in list_answered(patterns):
        estimate = estimate_eap(bank.take(pattern["items"]), pattern["responses"])
        assert estimate.theta == pytest.approx(pattern["EAP_exact"]["theta"], abs=1e-6)
        assert estimate.se == pytest.approx(pattern["EAP_exact"]["se"], abs=1e-6)


@pytest.mark.parametrize("grid", GRIDS)
def test_eap_on_the_common_grids(grid: str, patterns: dict[str, Any], bank: ItemParameters) -> None:
    for pattern in list_answered(patterns):
        items = bank.take(pattern["items"])
        posterior = make_grid_posterior(items, pattern["responses"], nodes=GRIDS[grid])
        assert posterior.mean == pytest.approx(pattern[grid]["theta"], abs=1e-9)
        assert posterior.sd == pytest.approx(pattern[grid]["se"], abs=1e-9)


def test_map_with_both_errors(patterns: dict[str, Any], bank: ItemParameters) -> None:
    for pattern in list_answered(patterns):
        estimate = estimate_map(bank.take(pattern["items"]), pattern["responses"])
        assert estimate.theta == pytest.approx(pattern["MAP"]["theta"], abs=1e-6)
        assert estimate.se_expected == pytest.approx(pattern["MAP"]["se_expected"], abs=1e-6)
        assert estimate.se_observed == pytest.approx(pattern["MAP"]["se_observed"], abs=1e-6)


def test_mle_exists_or_says_that_it_does_not(
    patterns: dict[str, Any], bank: ItemParameters
) -> None:
    for pattern in list_answered(patterns):
        estimate = estimate_mle(bank.take(pattern["items"]), pattern["responses"], bounds=(-6, 6))
        expected = pattern["MLE"]
        assert estimate.exists == expected["exists"]
        if not expected["exists"]:
            bound = "upper" if expected["theta"] == "Inf" else "lower"
            assert (estimate.bound, estimate.theta) == (bound, 6.0 if bound == "upper" else -6.0)
            continue
        assert estimate.theta == pytest.approx(expected["theta"], abs=1e-6)
        assert estimate.se_expected == pytest.approx(expected["se_expected"], abs=1e-6)
        assert estimate.se_observed == pytest.approx(expected["se_observed"], abs=1e-6)


def test_both_weighted_likelihoods(patterns: dict[str, Any], bank: ItemParameters) -> None:
    for pattern in list_answered(patterns):
        items, answers = bank.take(pattern["items"]), pattern["responses"]
        warm = estimate_wle(items, answers)
        jeffreys = estimate_wle(items, answers, definition="Jeffreys")
        assert warm.theta == pytest.approx(pattern["WLE"]["theta"], abs=1e-6)
        assert warm.se_expected == pytest.approx(pattern["WLE"]["se_expected"], abs=1e-6)
        assert jeffreys.theta == pytest.approx(pattern["WLE"]["theta_jeffreys"], abs=1e-6)


def test_no_answer_leaves_the_prior(bank: ItemParameters) -> None:
    nothing = bank.take([])
    eap, mode = estimate_eap(nothing, []), estimate_map(nothing, [])
    assert (eap.theta, eap.se) == pytest.approx((0.0, 1.0), abs=1e-9)
    assert (mode.theta, mode.se_expected) == pytest.approx((0.0, 1.0), abs=1e-12)
    assert estimate_mle(nothing, []) == Estimate("MLE", None, None, exists=False)
    assert estimate_wle(nothing, []).theta is None


def test_a_floor_can_take_the_maximum_away() -> None:
    # Right on the hardest and wrong on the rest: guessing explains it best, at -inf.
    items = make_items([1.0, 1.0, 1.0], [-1.0, 0.0, 2.0], c=0.3)
    estimate = estimate_mle(items, [0, 0, 1])
    assert (estimate.exists, estimate.bound, estimate.theta) == (False, "lower", -10.0)


def test_a_maximum_beyond_the_scale_is_put_at_its_end() -> None:
    items = make_items(1.0, [11.0, 13.0])
    estimate = estimate_mle(items, [1, 0])
    assert (estimate.exists, estimate.bound, estimate.theta) == (True, "upper", 10.0)


def test_theta_falls_with_wrong_answers_where_catsim_lets_it_rise() -> None:
    items = make_items(1.0, [2.0, 2.3, 2.6, 3.1])
    thetas = [
        estimate_eap(items.take([0]), [0]).theta,
        estimate_eap(items, [0, 0, 0, 0]).theta,
        estimate_eap(items, [1, 1, 1, 0]).theta,
        estimate_eap(items, [1, 1, 1, 1]).theta,
    ]
    # The report rounds, and its 33 nodes end at 4: exact are -.137, -.325, 1.682 and 2.231.
    assert thetas == pytest.approx([-0.14, -0.32, 1.68, 2.22], abs=0.015)


def integrate_by_brute_force(items: ItemParameters, answers: list[int]) -> tuple[float, float]:
    x = np.linspace(-130, 130, 130_001)
    log_w = compute_log_likelihood(items, x, answers) - x**2 / 2
    w = np.exp(log_w - log_w.max())
    mean = (w @ x) / w.sum()
    return mean, float(np.sqrt(w @ (x - mean) ** 2 / w.sum()))


@settings(max_examples=25, deadline=None)
@given(answered_items(max_size=10))
def test_eap_is_exact_for_any_bank(pair: tuple[ItemParameters, list[int]]) -> None:
    items, answers = pair
    mean, sd = integrate_by_brute_force(items, answers)
    estimate = estimate_eap(items, answers)
    assert estimate.theta == pytest.approx(mean, abs=1e-6)
    assert estimate.se == pytest.approx(sd, abs=1e-6)


ESTIMATORS = (estimate_eap, estimate_map, estimate_mle, estimate_wle, estimate_jeffreys)


@given(answered_items(), st.data())
def test_a_wrong_answer_turned_right_never_lowers_theta(
    pair: tuple[ItemParameters, list[int]], data: st.DataObject
) -> None:
    items, answers = pair
    at = data.draw(st.integers(0, len(answers) - 1))
    wrong = [*answers[:at], 0, *answers[at + 1 :]]
    right = [*answers[:at], 1, *answers[at + 1 :]]
    for estimate in ESTIMATORS:
        low, high = estimate(items, wrong).theta, estimate(items, right).theta
        assert low is not None
        assert high is not None
        assert high >= low - NOISE


def test_of_several_humps_a_right_answer_never_chooses_a_lower_one() -> None:
    # Sharp items under floors and ceilings give likelihoods of many humps, some nearly equal.
    rng = np.random.default_rng(17)
    for _ in range(150):
        items = make_items(
            rng.uniform(1, 10, 8),
            rng.normal(0, 2.5, 8),
            c=rng.uniform(0.1, 0.7, 8),
            d=rng.uniform(0.75, 1, 8),
        )
        answers = rng.integers(0, 2, 8)
        answers[3] = 0
        turned = answers.copy()
        turned[3] = 1
        for estimate in ESTIMATORS:
            low, high = estimate(items, answers).theta, estimate(items, turned).theta
            assert low is not None
            assert high is not None
            assert high >= low - NOISE


def test_a_likelihood_that_is_flat_but_for_its_last_digits_falls_for_no_right_answer() -> None:
    # Fifty logits away with asymptotes .00001 apart: it varies by 1e-15 over the whole scale.
    items = make_items([0.7, 1.2, 0.6, 0.8], [50, -50, -50, 50], c=0.99, d=0.99001)
    thetas = [estimate_mle(items, [0, right, 1, 1]).theta for right in (0, 1)]
    assert thetas[0] is not None
    assert thetas[1] is not None
    assert thetas[0] <= thetas[1]


def test_weighted_likelihoods_hold_far_from_every_item() -> None:
    # The information of a guessable item 40 logits away is exp(-800), a 0 in floating point.
    for b, end in ((50.0, "upper"), (-50.0, "lower")):
        items = make_items(10.0, [b], c=0.2)
        for answer in (0, 1):
            for definition in ("Warm", "Jeffreys"):
                estimate = estimate_wle(items, [answer], definition=definition)
                assert (estimate.bound, estimate.theta) == (end, 10.0 if b > 0 else -10.0)


@given(answered_items(min_size=2), st.randoms(use_true_random=False))
def test_the_order_of_answers_changes_no_bit(
    pair: tuple[ItemParameters, list[int]], random: Any
) -> None:
    items, answers = pair
    order = list(range(len(answers)))
    random.shuffle(order)
    turned, turned_answers = items.take(order), [answers[i] for i in order]
    for estimate in (estimate_eap, estimate_map, estimate_mle, estimate_wle):
        assert estimate(items, answers) == estimate(turned, turned_answers)


@given(answered_items(max_size=8))
def test_every_estimate_is_finite(pair: tuple[ItemParameters, list[int]]) -> None:
    items, answers = pair
    estimates = [estimate_eap(items, answers), estimate_map(items, answers)]
    estimates += [estimate_mle(items, answers), estimate_wle(items, answers)]
    estimates.append(estimate_wle(items, answers, definition="Jeffreys"))
    for estimate in estimates:
        assert estimate.theta is not None
        assert np.isfinite(estimate.theta)
        errors = (estimate.se, estimate.se_expected, estimate.se_observed)
        assert all(error is None or (np.isfinite(error) and error > 0) for error in errors)
    assert all(-10 <= e.theta <= 10 for e in estimates[2:] if e.theta is not None)


@settings(max_examples=60, deadline=None)
@given(answered_items(max_size=8))
def test_modes_are_the_highest_points(pair: tuple[ItemParameters, list[int]]) -> None:
    items, answers = pair

    def measure(estimate: Any, at: Any) -> Any:
        height = compute_log_likelihood(items, at, answers)
        if estimate is estimate_map:
            return height - np.square(at) / 2
        if estimate is estimate_jeffreys:
            return height + np.logaddexp.reduce(compute_log_information(items, at), axis=1) / 2
        return height

    grid = np.linspace(-10, 10, 4001)
    for estimate in (estimate_map, estimate_mle, estimate_jeffreys):
        result = estimate(items, answers)
        if result.exists:
            there = measure(estimate, np.array([result.theta]))[0]
            assert there >= measure(estimate, grid).max() - 1e-9


def test_a_thousand_sharp_items_are_no_trouble() -> None:
    rng = np.random.default_rng(3)
    items = make_items(10.0, rng.uniform(-50, 50, 1000))
    answers = (items.b < 7.3).astype(int)
    assert estimate_eap(items, answers).theta == pytest.approx(7.3, abs=0.15)


def test_the_running_posterior_is_the_batch_posterior(bank: ItemParameters) -> None:
    answers = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1]
    posterior = start_posterior(prior=Prior(0.0, 1.0))
    for index, answer in enumerate(answers):
        posterior = posterior.update(bank.take([index]), answer)
    exact = make_posterior(bank.take(range(10)), answers)
    assert posterior.mean == pytest.approx(exact.mean, abs=1e-9)
    assert posterior.sd == pytest.approx(exact.sd, abs=1e-9)
    low, high = posterior.find_quantiles([0.025, 0.975])
    assert posterior.mean - 1.96 * posterior.sd == pytest.approx(low, abs=0.05)
    assert posterior.mean + 1.96 * posterior.sd == pytest.approx(high, abs=0.05)


@pytest.mark.parametrize("answers", [[1, 0], [1, 0, 2], [1, 0, float("nan")]])
def test_answers_that_are_none_are_refused(answers: list[float]) -> None:
    with pytest.raises(ValueError, match="answer"):
        estimate_eap(make_items(1.0, [0.0, 1.0, 2.0]), answers)


def test_a_prior_needs_a_width() -> None:
    with pytest.raises(ValueError, match="positive"):
        Prior(0.0, 0.0)
