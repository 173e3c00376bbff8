import json

import numpy as np
import pytest

from assessment.psychometrics.banks import make_bank
from assessment.psychometrics.items import make_items
from assessment.psychometrics.lists import build_lists
from assessment.psychometrics.policy import Policy
from assessment.psychometrics.sessions import Setting
from assessment.psychometrics.simulation import (
    Simulation,
    compute_overlap,
    simulate,
    summarize,
)
from assessment.psychometrics.stopping import StopRule


def run(
    *, seed: int = 1, cap: float | None = None, num_persons: int = 250, wrong_c: float | None = None
) -> Simulation:
    """The design's simulation: 500 2PL items, 20 asked of each person."""
    rng = np.random.default_rng(seed)
    items = make_items(rng.lognormal(0.1, 0.3, 500), rng.normal(0, 1.1, 500))
    bank = make_bank(items)
    setting = Setting(
        bank,
        Policy(exposure_cap=cap, length=20),
        StopRule(max_items=20),
        seed=seed * 10_000,
        lists=build_lists(bank) if cap is None else None,
    )
    truth = None if wrong_c is None else make_items(items.a, items.b, c=wrong_c)
    return simulate(setting, rng.standard_normal(num_persons), truth=truth)


def test_a_small_simulation_is_accurate_and_honest() -> None:
    summary = summarize(run())
    assert summary["rmse"] <= 0.30
    assert 0.92 <= summary["coverage_95"] <= 0.98
    assert summary["reasons"] == {"max_items": 250}
    json.dumps(summary, allow_nan=False)


def test_the_cap_holds_in_a_simulation() -> None:
    simulation = run(cap=0.2, num_persons=120)
    assert simulation.counts.max() <= 0.2 * 120 + 1


def test_the_same_seed_gives_the_same_simulation() -> None:
    first, second, other = run(num_persons=15), run(num_persons=15), run(num_persons=15, seed=2)
    assert first.estimate.tolist() == second.estimate.tolist()
    assert first.counts.tolist() == second.counts.tolist()
    assert first.estimate.tolist() != other.estimate.tolist()


def test_a_wrong_floor_shows_in_bias_and_coverage() -> None:
    summary = summarize(run(num_persons=100, wrong_c=0.5))
    assert summary["bias"] > 0.5
    assert summary["coverage_95"] < 0.5


def test_overlap_by_counting_pairs() -> None:
    tests = [{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {0, 2, 4}]
    counts = np.bincount([i for test in tests for i in test])
    pairs = [len(a & b) / 3 for k, a in enumerate(tests) for b in tests[:k]]
    assert compute_overlap(counts, num_tests=4) == pytest.approx(np.mean(pairs))
    assert compute_overlap(counts, num_tests=1) is None


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    bank = make_bank(make_items(np.ones(8), np.linspace(-1, 1, 8)))
    setting = Setting(bank, Policy(length=8), StopRule(max_items=8), seed=1)
    simulation = simulate(
        setting, np.zeros(45), report_progress=lambda done, total: told.append((done, total))
    )
    assert told == [(20, 45), (40, 45), (45, 45)]
    assert simulation.lengths.tolist() == [8] * 45


@pytest.mark.bench
def test_the_design_simulation_over_three_seeds() -> None:
    plain = [summarize(run(seed=seed, num_persons=1000)) for seed in (1, 2, 3)]
    capped = [summarize(run(seed=seed, num_persons=1000, cap=0.2)) for seed in (1, 2, 3)]
    assert np.median([s["rmse"] for s in plain]) <= 0.28
    assert np.median([s["rmse"] for s in capped]) <= 0.32
    assert all(s["max_count"] <= 201 for s in capped)
    for summaries in (plain, capped):
        assert 0.93 <= np.median([s["coverage_95"] for s in summaries]) <= 0.97
