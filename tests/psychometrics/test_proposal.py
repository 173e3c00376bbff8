import json

import numpy as np
import pytest

from assessment.psychometrics.banks import make_bank
from assessment.psychometrics.chi_square import compute_chi_square_tail
from assessment.psychometrics.cold_start import (
    LEVEL_SD,
    choose_models,
    find_guess_floor,
    make_authored_items,
    make_authored_priors,
)
from assessment.psychometrics.curves import compute_probability
from assessment.psychometrics.drift import find_drift
from assessment.psychometrics.item_fit import (
    compute_mean_squares,
    compute_s_x2,
    compute_score_distribution,
)
from assessment.psychometrics.items import Floats, ItemParameters, make_items
from assessment.psychometrics.online import Difficulty, update_difficulty
from assessment.psychometrics.posterior import make_posterior, start_posterior
from assessment.psychometrics.proposal import propose_calibration
from assessment.psychometrics.responses import make_responses


def draw_answers(items: ItemParameters, num_persons: int, *, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    theta = rng.standard_normal(num_persons)
    return (rng.random((num_persons, len(items))) < compute_probability(items, theta)).astype(float)


def run_cold_start(seed: int) -> tuple[float, float]:
    """Return RMSE(b) of the proposal and of the authored levels, on 16 items and 200 persons."""
    rng = np.random.default_rng(seed)
    b = rng.standard_normal(16)
    levels = 0.6 * b + 0.8 * rng.standard_normal(16)
    truth = make_items(rng.lognormal(0.1, 0.3, 16), b, c=0.25)
    matrix = draw_answers(truth, 200, seed=1000 + seed)
    proposal = propose_calibration(make_responses(matrix), make_items(1.0, levels, c=0.25))
    assert proposal.calibration.is_converged
    estimated = proposal.calibration.items.b
    return float(np.sqrt(np.mean((estimated - b) ** 2))), float(np.sqrt(np.mean((levels - b) ** 2)))


def test_a_cold_start_of_16_items_and_200_persons() -> None:
    errors = np.array([run_cold_start(seed) for seed in range(30)])
    proposed, authored = errors.mean(axis=0)
    assert proposed <= 0.30
    assert authored == pytest.approx(0.89, abs=0.05)


def test_the_number_of_answers_decides_the_model() -> None:
    counts = [0, 29, 30, 199, 200, 999, 1000]
    assert choose_models(counts).tolist() == [0, 0, 1, 1, 2, 2, 2]
    assert choose_models(counts, wants_three_pl=True).tolist() == [0, 0, 1, 1, 2, 2, 3]


def test_items_with_few_answers_keep_the_authored_prior() -> None:
    truth = make_items([1.0, 1.2, 0.9, 1.1, 1.0], [-1.0, 0.0, 1.0, 0.5, -0.5])
    matrix = draw_answers(truth, 250, seed=3)
    matrix[20:, 0] = np.nan
    matrix[100:, 1] = np.nan
    present = make_authored_items([1, 2, 3, 3, 1], 0.0)
    proposal = propose_calibration(make_responses(matrix), present)
    rows = proposal.list_rows()
    models = [row["model"] for row in rows]
    assert models == ["authored", "1PL", "2PL", "2PL", "2PL"]
    assert [row["is_provisional"] for row in rows] == [True, False, False, False, False]
    assert rows[0]["b"] == -1.0
    assert [row["s_x2_reason"] for row in rows] == ["incomplete_answers"] * 5
    json.dumps(rows, allow_nan=False)


def test_the_guess_floor_of_each_kind() -> None:
    assert find_guess_floor("single", 4) == 0.25
    assert find_guess_floor("single", 4, audited=0.5) == 0.5
    assert find_guess_floor("multiple", 4) == pytest.approx(1 / 15)
    assert find_guess_floor("ordering", 4) == pytest.approx(1 / 24)
    assert find_guess_floor("numeric", 0) == 0.0
    with pytest.raises(ValueError, match="two options"):
        find_guess_floor("single", 1)


def test_authored_priors_say_what_levels_are_worth() -> None:
    items = make_authored_items([1, 2, 3], [0.25, 0.5, 0.0])
    priors = make_authored_priors(items)
    assert priors.b.tolist() == [-1.0, 0.0, 1.0]
    assert priors.b_sd.tolist() == [LEVEL_SD] * 3
    assert make_bank(items, provisional=[True] * 3).provisional.all()


# Upper tails from tables of the chi-square distribution (NIST handbook, 1.3.6.7.4).
@pytest.mark.parametrize(
    ("x", "df", "tail"),
    [
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (11.070, 5, 0.05),
        (18.307, 10, 0.05),
        (29.588, 10, 0.001),
        (124.342, 100, 0.05),
        (70.065, 100, 0.99),
    ],
)
def test_the_chi_square_tail(x: float, df: int, tail: float) -> None:
    assert compute_chi_square_tail(x, df=df) == pytest.approx(tail, rel=2e-3)


def test_the_chi_square_tail_by_hand() -> None:
    # With 2 degrees of freedom the tail is exp(-x / 2).
    for x in (0.0, 0.1, 1.0, 5.0, 60.0):
        assert compute_chi_square_tail(x, df=2) == pytest.approx(np.exp(-x / 2), rel=1e-12)


def test_score_distributions_by_a_brute_force_sum() -> None:
    items = make_items([1.0, 1.5, 0.7], [0.0, -1.0, 0.6], c=[0.0, 0.2, 0.1])
    p = compute_probability(items, 0.4)[0]
    by_hand = np.zeros(4)
    for pattern in range(8):
        bits = [(pattern >> j) & 1 for j in range(3)]
        chance = np.prod([pj if bit else 1 - pj for pj, bit in zip(p, bits, strict=True)])
        by_hand[sum(bits)] += chance
    shares = compute_score_distribution(items, np.array([0.4]))
    assert shares[:, 0] == pytest.approx(by_hand, rel=1e-12)


def test_fit_statistics_let_true_items_pass_and_stop_a_wrong_one() -> None:
    rng = np.random.default_rng(6)
    truth = make_items(rng.lognormal(0.1, 0.2, 20), rng.standard_normal(20))
    responses = make_responses(draw_answers(truth, 3000, seed=7))
    free = np.zeros(20, dtype=np.intp)
    p_values = [fit.p_value for fit in compute_s_x2(responses, truth, num_free=free)]
    assert sum(p is not None and p < 0.05 for p in p_values) <= 4
    squares = compute_mean_squares(responses, truth)
    assert squares.outfit == pytest.approx(np.ones(20), abs=0.2)
    assert squares.infit == pytest.approx(np.ones(20), abs=0.06)
    b = truth.b.copy()
    b[4] += 0.5
    wrong = make_items(truth.a, b)
    fits = compute_s_x2(responses, wrong, num_free=free)
    assert fits[4].p_value is not None
    assert fits[4].p_value < 1e-6


def test_drift_is_seen_beside_error_and_spread() -> None:
    rng = np.random.default_rng(8)
    old = rng.standard_normal(20)
    new = old + 0.2 + rng.normal(0, 0.07, 20)
    new[3] += 0.8
    drift = find_drift(old, new, old_se=np.full(20, 0.05), new_se=np.full(20, 0.05))
    assert np.flatnonzero(drift.is_flagged).tolist() == [3]
    assert drift.change[3] == pytest.approx(0.8, abs=0.2)
    few = find_drift([0.0], [0.1], old_se=[0.0], new_se=[0.0])
    assert few.robust is None
    assert np.isnan(few.wald[0])
    assert not few.is_flagged[0]


def test_a_drifting_anchor_is_reported() -> None:
    rng = np.random.default_rng(9)
    present = make_items(np.ones(12), rng.standard_normal(12))
    moved = present.b.copy()
    moved[2] += 1.0
    matrix = draw_answers(make_items(np.ones(12), moved), 2000, seed=10)
    proposal = propose_calibration(
        make_responses(matrix),
        present,
        is_anchor=np.arange(12) < 8,
        present_se_b=np.full(12, 0.05),
    )
    rows = proposal.list_rows()
    assert [row["model"] for row in rows[:2]] == ["anchor", "anchor"]
    assert [row["index"] for row in rows if row["is_drifting"]] == [2]


def test_drift_is_told_where_errors_are_known() -> None:
    rng = np.random.default_rng(12)
    old = rng.standard_normal(12)
    new = old + rng.normal(0, 0.03, 12)
    new[4] += 1.0
    new[7:] += 3.0
    errors = np.where(np.arange(12) < 7, 0.05, np.nan)
    drift = find_drift(old, new, old_se=errors, new_se=np.full(12, 0.05))
    assert np.flatnonzero(drift.is_flagged).tolist() == [4]
    assert np.isnan(drift.change[7:]).all()
    assert drift.change[:4] == pytest.approx(np.zeros(4), abs=0.15)


def test_a_calibrated_item_with_few_answers_is_kept() -> None:
    matrix = draw_answers(make_items(np.ones(6), np.zeros(6)), 250, seed=13)
    matrix[12:, 0] = np.nan
    matrix[12:, 1] = np.nan
    proposal = propose_calibration(
        make_responses(matrix),
        make_items(np.ones(6), np.zeros(6)),
        is_calibrated=np.arange(6) == 0,
        present_se_b=np.where(np.arange(6) == 0, 0.1, np.nan),
    )
    rows = proposal.list_rows()
    assert [row["model"] for row in rows[:3]] == ["kept", "authored", "2PL"]
    assert [row["is_provisional"] for row in rows[:3]] == [False, True, False]
    assert [row["drift"] for row in rows] == [None] * 6


def test_the_running_difficulty_follows_the_answers() -> None:
    rng = np.random.default_rng(11)
    item = make_items(1.2, 0.0)
    belief = Difficulty(-0.8, 0.8)
    known = make_items(np.ones(12), np.linspace(-2, 2, 12))
    for _ in range(400):
        theta = rng.standard_normal()
        answers = (rng.random(12) < compute_probability(known, theta)[0]).astype(int)
        right = bool(rng.random() < compute_probability(make_items(1.2, 1.0), theta)[0, 0])
        belief = update_difficulty(
            belief, item, posterior=make_posterior(known, answers), is_right=right
        )
    assert belief.num_answers == 400
    assert belief.mean == pytest.approx(1.0, abs=3 * belief.sd)
    assert belief.sd < 0.15


def test_one_answer_moves_a_difficulty_the_right_way() -> None:
    belief, item = Difficulty(0.0, 0.8), make_items(1.0, 0.0)
    harder = update_difficulty(belief, item, posterior=start_posterior(), is_right=False)
    easier = update_difficulty(belief, item, posterior=start_posterior(), is_right=True)
    assert harder.mean == pytest.approx(-easier.mean)
    assert harder.mean > 0
    assert harder.sd < belief.sd
