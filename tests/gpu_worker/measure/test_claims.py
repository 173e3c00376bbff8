import math

import pytest

from gpu_worker.contracts import Point
from gpu_worker.measure.claims import decide, decide_sweep, leave_undecided


@pytest.mark.parametrize(
    ("observed", "relation", "expected", "verdict"),
    [
        (1.0, "equal", 1.0, "holds"),
        (1.0, "equal", 1.0000001, "fails"),
        (1.0, "less", 2.0, "holds"),
        (2.0, "less", 2.0, "fails"),
        (3.0, "greater", 2.0, "holds"),
        (2.0, "greater", 2.0, "fails"),
        (2.0, "at_least", 2.0, "holds"),
        (1.9, "at_least", 2.0, "fails"),
        (2.0, "at_most", 2.0, "holds"),
        (2.1, "at_most", 2.0, "fails"),
        (2.0, "differs", 2.0, "fails"),
        (2.1, "differs", 2.0, "holds"),
    ],
)
def test_a_relation_is_decided_on_the_numbers(
    observed: float, relation: str, expected: float, verdict: str
) -> None:
    assert decide("x", observed, relation, expected, unit="1").verdict == verdict


def test_equal_means_not_above_the_noise_floor() -> None:
    below = decide("x", 1e-6, "equal", 0.0, unit="1", noise_floor=1e-6)
    above = decide("x", 2e-6, "equal", 0.0, unit="1", noise_floor=1e-6)
    assert (below.verdict, above.verdict) == ("holds", "fails")


def test_a_difference_within_the_noise_is_no_difference() -> None:
    assert decide("x", 1e-6, "greater", 0.0, unit="1", noise_floor=1e-6).verdict == "fails"


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_number_that_is_not_finite_decides_nothing(bad: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        decide("x", bad, "equal", 0.0, unit="1")


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_place_of_a_sweep_that_is_not_finite_decides_nothing(bad: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        decide_sweep("x", [Point(4, 1.0, 1.0), Point(9, bad, 1.0)], unit="1")


def test_a_sweep_has_a_noise_floor_too() -> None:
    points = [Point(1, 1e-6, 0.0)]
    assert decide_sweep("x", points, unit="1", noise_floor=1e-6).verdict == "holds"
    assert decide_sweep("x", points, unit="1", noise_floor=5e-7).verdict == "fails"


def test_an_unknown_relation_is_refused() -> None:
    with pytest.raises(ValueError, match="not a relation"):
        decide("x", 1, "about", 1, unit="1")


def test_one_bad_place_fails_a_sweep_and_is_shown() -> None:
    points = [Point(4, 10, 10), Point(9, 21, 20), Point(16, 30, 30)]
    found = decide_sweep("x", points, unit="byte", shown=4)
    assert (found.verdict, found.observed, found.expected) == ("fails", 21, 20)
    assert found.facts["at"] == 9


def test_a_good_sweep_shows_the_place_that_was_asked_for() -> None:
    points = [Point(4, 10, 10), Point(9, 20, 20)]
    assert decide_sweep("x", points, unit="byte").observed == 20
    assert decide_sweep("x", points, unit="byte", shown=4).observed == 10


def test_an_unknown_place_fails_a_sweep() -> None:
    points = [Point(4, None, 10), Point(9, 20, 20)]
    with pytest.raises(AssertionError):
        decide_sweep("x", points, unit="byte")


def test_what_cannot_be_decided_has_no_number() -> None:
    found = leave_undecided("x", "equal", unit="1", reason="simulated")
    assert (found.observed, found.expected, found.verdict) == (None, None, "undecided")
