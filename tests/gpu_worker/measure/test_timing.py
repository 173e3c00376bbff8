"""Pairs, clocks and intervals, with steps whose cost is known."""

import gc
import itertools
import statistics
import time
from collections.abc import Callable

import numpy as np
import pytest

from gpu_worker.measure.timing import (
    CLOCKS,
    MIN_PAIRS,
    MIN_SAMPLE_S,
    NUM_WARMUPS,
    Sampling,
    bootstrap_median,
    measure_pairs,
)


def burn(number: int) -> Callable[[], None]:
    def run() -> None:
        total = 0
        for i in range(number):
            total += i * i

    return run


def burn_for(seconds: float) -> None:
    ends_at = time.perf_counter() + seconds
    while time.perf_counter() < ends_at:
        pass


def test_pairs_are_interleaved_after_warm_ups_with_the_collector_off() -> None:
    order: list[tuple[str, bool]] = []

    def step(name: str) -> Callable[[], None]:
        def run() -> None:
            order.append((name, gc.isenabled()))
            burn_for(MIN_SAMPLE_S)

        return run

    measure_pairs(
        step("a"),
        step("b"),
        names=("a", "b"),
        sampling=Sampling(pairs=4, budget_s=60, clock="wall"),
        seed=1,
    )
    assert [name for name, _ in order] == ["a", "b"] * (NUM_WARMUPS + 4)
    assert not any(enabled for _, enabled in order)
    assert gc.isenabled()


def test_the_ratio_is_the_median_of_pairs() -> None:
    found = measure_pairs(
        burn(20_000), burn(60_000), names=("a", "b"), sampling=Sampling(pairs=9), seed=1
    )
    first, second = (arm.samples for arm in found.arms)
    ratios = [b / a for a, b in zip(first, second, strict=True)]
    assert found.ratio == statistics.median(ratios)
    assert found.arms[0].median == statistics.median(first)
    assert found.ratio_ci95 is not None
    low, high = found.ratio_ci95
    assert low <= found.ratio <= high
    assert 2.0 < found.ratio < 4.5
    assert found.clock == "process"


def test_the_process_clock_does_not_count_waiting() -> None:
    """A shared machine makes steps wait; waiting is not work."""

    def wait() -> None:
        time.sleep(0.02)
        burn(5_000)()

    found = measure_pairs(burn(5_000), wait, names=("a", "b"), sampling=Sampling(pairs=5), seed=1)
    assert found.ratio is not None
    assert found.ratio < 4


def test_short_steps_are_repeated_and_told_by_the_step() -> None:
    calls = {"a": 0, "b": 0}

    def step(name: str) -> Callable[[], None]:
        def run() -> None:
            calls[name] += 1
            burn_for(0.001)

        return run

    found = measure_pairs(
        step("a"), step("b"), names=("a", "b"), sampling=Sampling(pairs=5, clock="wall"), seed=1
    )
    assert all(number > NUM_WARMUPS + 5 for number in calls.values())
    for arm in found.arms:
        assert 0.001 <= min(arm.samples) < 0.01


def test_a_clock_of_coarse_ticks_gives_no_sample_of_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tick_s = 0.004
    monkeypatch.setitem(CLOCKS, "process", lambda: time.process_time() // tick_s * tick_s)
    found = measure_pairs(
        burn(20_000), burn(60_000), names=("a", "b"), sampling=Sampling(pairs=3), seed=1
    )
    assert [arm.name for arm in found.arms] == ["a", "b"]
    assert all(one > 0 for arm in found.arms for one in arm.samples)


def test_a_pair_that_reads_as_nothing_is_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pair is read four times; of every other pair the clock sees no time at all."""
    readings = itertools.accumulate(itertools.cycle((0, 0, 0, 0, 0, 1, 0, 1)))
    monkeypatch.setitem(CLOCKS, "process", lambda: next(readings))
    found = measure_pairs(burn(9), burn(9), names=("a", "b"), sampling=Sampling(pairs=3), seed=1)
    assert [len(arm.samples) for arm in found.arms] == [3, 3]
    assert all(one > 0 for arm in found.arms for one in arm.samples)


def test_a_clock_that_stands_still_gives_no_number_and_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(CLOCKS, "process", lambda: 1.0)
    found = measure_pairs(burn(9), burn(9), names=("a", "b"), sampling=Sampling(pairs=3), seed=1)
    assert found.arms == ()
    assert (found.ratio, found.ratio_ci95) == (None, None)
    assert found.unknown == "clock_stood_still"


def test_a_spent_budget_ends_sampling_but_never_below_the_least_number() -> None:
    found = measure_pairs(
        burn(20_000),
        burn(20_000),
        names=("a", "b"),
        sampling=Sampling(pairs=25, budget_s=0.0),
        seed=1,
    )
    assert len(found.arms[0].samples) == MIN_PAIRS


def test_an_interval_meets_a_textbook_value() -> None:
    """The median of 15 values lies between order statistics 4 and 12 with 96.5 % (binomial)."""
    values = np.random.default_rng(3).normal(1.5, 0.1, size=15)
    low, high = bootstrap_median(list(values), seed=1)
    order = np.sort(values)
    assert order[2] <= low <= order[4]
    assert order[10] <= high <= order[12]


def test_an_interval_depends_on_its_seed_alone() -> None:
    values = [1.0, 1.2, 1.3, 1.1, 1.6]
    assert bootstrap_median(values, seed=1) == bootstrap_median(values, seed=1)


@pytest.mark.parametrize("value", [0.7, 3.0])
def test_equal_values_leave_no_interval(value: float) -> None:
    assert bootstrap_median([value] * 7, seed=1) == (value, value)
