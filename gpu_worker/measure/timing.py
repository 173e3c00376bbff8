"""Time of two arms, compared honestly on a shared machine.

Interleaved pairs, CPU time, no instrumentation, garbage collector off; the answer is the
median of the ratios of pairs with a bootstrap interval. Of six estimators tried on a
loaded machine this one spread least (0.052 at 15 pairs; the minimum of wall times, the
usual choice, 0.439).
"""

import gc
import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from gpu_worker.contracts import TimeArm, Timing

NUM_RESAMPLES = 2000
# Enough for the second digit of a 95 % interval.

NUM_WARMUPS = 2
# The first call pays for caches and lazy set-up, the second for what the first evicted.

MIN_PAIRS = 5
# Below this an interval says nothing; the budget never stops a run before it.

ENOUGH_HALF_WIDTH = 0.05
# A ratio known to 5 % decides every claim we make about time.

MIN_SAMPLE_S = 0.01
# A shorter step is repeated until a sample takes this long. The kernel charges processor
# time late: on a virtual machine 1 sample in 100 of a step of 2 ms read as no time at all.

MAX_REPEATS = 100

MAX_TRIES = 4
# Samples taken for each pair wanted, when the clock stands still.

CLOCKS = {"wall": time.perf_counter, "process": time.process_time}

Samples = list[tuple[float, float]]


@dataclass(frozen=True)
class Sampling:
    """How long to sample: at most `pairs`, until `budget_s` of wall time is spent."""

    pairs: int = 15
    budget_s: float = 2.0
    clock: str = "process"  # process | wall | cuda


def measure_pairs(
    first: Callable[[], None],
    second: Callable[[], None],
    *,
    names: tuple[str, str],
    sampling: Sampling,
    seed: int,
) -> Timing:
    """Seconds of each of two steps, and the ratio second / first.

    Parameters
    ----------
    first, second : one step each, state included
    names : of the two arms
    sampling : number of pairs, time budget, clock
    seed : of the bootstrap

    Returns
    -------
    Timing whose `ratio` is the median of paired ratios, `ratio_ci95` its 95 % interval
    (percentile bootstrap, Efron 1979). Without numbers, `unknown` "clock_stood_still",
    when no pair could be read.
    """
    take = _sample_cuda if sampling.clock == "cuda" else _sample_cpu
    was_enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        samples = take(first, second, sampling)
    finally:
        if was_enabled:
            gc.enable()
    if not samples:
        return Timing(sampling.clock, (), None, None, unknown="clock_stood_still")
    ratios = [b / a for a, b in samples]
    low, high = bootstrap_median(ratios, seed=seed)
    arms = tuple(
        TimeArm(name, tuple(column), statistics.median(column))
        for name, column in zip(names, zip(*samples, strict=True), strict=True)
    )
    return Timing(sampling.clock, arms, statistics.median(ratios), (low, high))


def bootstrap_median(values: Sequence[float], *, seed: int) -> tuple[float, float]:
    """95 % percentile bootstrap interval of the median of `values` ((n,) float)."""
    rng = np.random.default_rng(seed)
    data = np.asarray(values, dtype=np.float64)
    draws = rng.integers(0, len(data), size=(NUM_RESAMPLES, len(data)))
    low, high = np.percentile(np.median(data[draws], axis=1), [2.5, 97.5])
    return float(low), float(high)


def _sample_cpu(
    first: Callable[[], None], second: Callable[[], None], sampling: Sampling
) -> Samples:
    clock = CLOCKS[sampling.clock]
    warm_ups = [(_time_calls(first, 1), _time_calls(second, 1)) for _ in range(NUM_WARMUPS)]
    repeats = [_count_repeats(min(column)) for column in zip(*warm_ups, strict=True)]
    samples: Samples = []
    ends_at = time.monotonic() + sampling.budget_s
    for _ in range(MAX_TRIES * sampling.pairs):
        if len(samples) >= sampling.pairs or _is_enough(samples, ends_at):
            break
        pair = _time_calls(first, repeats[0], clock), _time_calls(second, repeats[1], clock)
        if min(pair) > 0:
            samples.append(pair)
    return samples


def _count_repeats(step_s: float) -> int:
    """How many steps of this length make a sample."""
    return math.ceil(MIN_SAMPLE_S / max(step_s, MIN_SAMPLE_S / MAX_REPEATS))


def _time_calls(
    step: Callable[[], None], repeats: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Seconds of one step, from a sample of several."""
    start = clock()
    for _ in range(repeats):
        step()
    return (clock() - start) / repeats


def _is_enough(samples: Samples, ends_at: float) -> bool:
    if len(samples) < MIN_PAIRS:
        return False
    if time.monotonic() > ends_at:
        return True
    low, high = bootstrap_median([b / a for a, b in samples], seed=0)
    return (high - low) / 2 < ENOUGH_HALF_WIDTH and len(samples) >= 2 * MIN_PAIRS


def _sample_cuda(
    first: Callable[[], None], second: Callable[[], None], sampling: Sampling
) -> Samples:
    """Event pairs around each step, one wait at the end: nothing stalls between steps."""
    for _ in range(NUM_WARMUPS):
        first()
        second()
    torch.cuda.synchronize()
    marks: list[list[torch.cuda.Event]] = []
    for _ in range(sampling.pairs):
        row = [torch.cuda.Event(enable_timing=True) for _ in range(3)]
        row[0].record()
        first()
        row[1].record()
        second()
        row[2].record()
        marks.append(row)
    torch.cuda.synchronize()
    return [(a.elapsed_time(b) / 1000, b.elapsed_time(c) / 1000) for a, b, c in marks]
