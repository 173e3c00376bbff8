from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessment.psychometrics.curves import (
    compute_information,
    compute_information_at,
    compute_item_information,
    compute_log_information,
    compute_log_probabilities,
    compute_observed_information,
    compute_parts,
    compute_probability,
    compute_score,
    find_peak,
)
from assessment.psychometrics.items import (
    ItemParameters,
    make_items,
    make_items_from_slopes,
)
from tests.psychometrics.strategies import legal_items

THETAS = [-60.0, -10.0, -1.0, 0.0, 0.5, 3.0, 10.0, 60.0]


def test_curves_information_and_j_are_those_of_the_reference(
    reference: dict[str, Any], bank: ItemParameters
) -> None:
    for row in reference["item_functions"]:
        parts = compute_parts(bank, row["theta"])
        assert compute_probability(bank, row["theta"])[0] == pytest.approx(row["P"], abs=1e-12)
        assert parts.information[0] == pytest.approx(row["I"], abs=1e-12)
        assert (parts.information * parts.warm_share)[0] == pytest.approx(row["J"], abs=1e-12)


def test_the_fast_information_of_a_bank_is_the_same(bank: ItemParameters) -> None:
    for theta in THETAS:
        expected = compute_information(bank, theta)[0]
        assert compute_information_at(bank, theta) == pytest.approx(expected, rel=1e-12, abs=1e-300)


@given(legal_items())
def test_no_legal_item_yields_nan_or_infinity(items: ItemParameters) -> None:
    parts = compute_parts(items, THETAS)
    log_p, log_q = compute_log_probabilities(items, THETAS)
    values = [compute_probability(items, THETAS), parts.information]
    values.append(parts.information * parts.warm_share)
    values += [
        parts.log_slope,
        compute_log_information(items, THETAS),
        parts.right,
        parts.wrong,
        log_p,
        log_q,
    ]
    for answers in (np.zeros(len(items)), np.ones(len(items))):
        values.append(compute_observed_information(items, THETAS, answers))
    assert all(np.isfinite(value).all() for value in values)
    assert np.isfinite(compute_information_at(items, 0.3)).all()


@given(legal_items(max_size=4), st.floats(-6, 6))
def test_derivatives_agree_with_differences(items: ItemParameters, theta: float) -> None:
    h = 1e-5
    near = [theta - h, theta, theta + h]
    for answers in (np.zeros(len(items)), np.ones(len(items))):
        log_p, log_q = compute_log_probabilities(items, near)
        log_l = np.where(answers == 1, log_p, log_q)
        score = compute_score(items, near, answers)
        assert score[1] == pytest.approx((log_l[2] - log_l[0]) / (2 * h), rel=1e-4, abs=1e-6)
        observed = compute_observed_information(items, theta, answers)[0]
        assert observed == pytest.approx(-(score[2] - score[0]) / (2 * h), rel=1e-4, abs=1e-5)


@given(legal_items(max_size=3), st.floats(-60, 60))
def test_information_is_that_of_50_digits(items: ItemParameters, theta: float) -> None:
    logs = compute_log_information(items, theta)[0]
    for i in range(len(items)):
        exact = compute_information_in_decimals(items, i, theta)
        assert logs[i] == pytest.approx(float(exact.ln()), rel=1e-10, abs=1e-9)
        for value in (
            compute_information(items, theta)[0, i],
            compute_information_at(items, theta)[i],
            compute_item_information(items, i, theta),
        ):
            assert value == pytest.approx(float(exact), rel=1e-9, abs=1e-300)


def compute_information_in_decimals(items: ItemParameters, index: int, theta: float) -> Decimal:
    with localcontext(prec=50):
        a, b, c, d = (Decimal(float(getattr(items, name)[index])) for name in "abcd")
        x = a * (Decimal(theta) - b)
        s, t = 1 / (1 + (-x).exp()), 1 / (1 + x.exp())
        p, q = c + (d - c) * s, (1 - d) + (d - c) * t
        return (a * (d - c) * s * t) ** 2 / (p * q)


def test_the_peak_is_where_information_is_largest() -> None:
    items = make_items([0.8, 1.5, 2.0], [-1.0, 0.5, 1.0], c=[0.0, 0.25, 0.2], d=[1.0, 1.0, 0.9])
    grid = np.linspace(-5, 5, 20_001)
    best = grid[compute_information(items, grid).argmax(axis=0)]
    assert find_peak(items) == pytest.approx(best, abs=6e-4)


def test_conventions_are_converted_and_not_guessed() -> None:
    # The slope-intercept item of mirt issue 173: b is -d / a, and c stays the floor.
    item = make_items_from_slopes(5.742, -2.248, c=0.326, metric=1.0)
    assert item.b[0] == pytest.approx(0.3915, abs=1e-4)
    assert compute_probability(item, -50.0)[0, 0] == pytest.approx(0.326)
    ogive = make_items(1.0, 0.5, metric=1.702)
    assert compute_probability(ogive, 1.0)[0, 0] == pytest.approx(1 / (1 + np.exp(-1.702 * 0.5)))


@pytest.mark.parametrize(
    ("a", "b", "c", "d"),
    [
        (0.0, 0.0, 0.0, 1.0),
        (-1.0, 0.0, 0.0, 1.0),
        (float("nan"), 0.0, 0.0, 1.0),
        (1.0, float("inf"), 0.0, 1.0),
        (1.0, 51.0, 0.0, 1.0),
        (1.0, 0.0, 0.5, 0.5),
        (1.0, 0.0, -0.1, 1.0),
        (1.0, 0.0, 0.0, 1.1),
    ],
)
def test_an_illegal_item_is_refused(a: float, b: float, c: float, d: float) -> None:
    with pytest.raises(ValueError, match="item 0"):
        make_items(a, b, c=c, d=d)
