"""Verdicts. Each function decides one relation and keeps what it was decided on.

"equal" means: not further from the expected value than the tolerance, or than the noise
floor, the difference that two plain runs show.
"""

import math
from collections.abc import Sequence

from gpu_worker.contracts import ClaimResult, Point, Scalar

Facts = dict[str, Scalar]


def decide(
    claim: str,
    observed: float,
    relation: str,
    expected: float,
    *,
    unit: str,
    tolerance: float = 0.0,
    noise_floor: float | None = None,
    facts: Facts | None = None,
) -> ClaimResult:
    """One observation against one expectation.

    Raises ValueError for an unknown relation, and for a number that is not finite.
    """
    if not (math.isfinite(observed) and math.isfinite(expected)):
        raise ValueError(f"{claim}: {observed} against {expected} is not finite")
    allowed = max(tolerance, noise_floor or 0.0)
    return ClaimResult(
        id=claim,
        observed=observed,
        expected=expected,
        relation=relation,
        tolerance=tolerance,
        unit=unit,
        verdict="holds" if _is_true(observed, relation, expected, allowed) else "fails",
        noise_floor=noise_floor,
        facts=facts or {},
    )


def decide_sweep(
    claim: str,
    points: Sequence[Point],
    *,
    unit: str,
    tolerance: float = 0.0,
    noise_floor: float | None = None,
    shown: float | None = None,
    facts: Facts | None = None,
) -> ClaimResult:
    """ "equal" at every place of a sweep. Shown is the worst place, or that of `shown`.

    Raises ValueError for a number that is not finite: compared, it would pass for small.
    """
    assert points
    allowed = max(tolerance, noise_floor or 0.0)
    failing = [one for one in points if _compute_residual(claim, one) > allowed]
    chosen = points[-1]
    for one in points:
        if shown is not None and one.x == shown:
            chosen = one
    if failing:
        chosen = max(failing, key=lambda one: _compute_residual(claim, one))
    return ClaimResult(
        id=claim,
        observed=chosen.observed,
        expected=chosen.expected,
        relation="equal",
        tolerance=tolerance,
        unit=unit,
        verdict="fails" if failing else "holds",
        noise_floor=noise_floor,
        points=tuple(points),
        facts={"at": chosen.x, "places": len(points), **(facts or {})},
    )


def leave_undecided(claim: str, relation: str, *, unit: str, reason: str) -> ClaimResult:
    """A claim that this run cannot decide: no number is made up for it."""
    return ClaimResult(
        id=claim,
        observed=None,
        expected=None,
        relation=relation,
        tolerance=0.0,
        unit=unit,
        verdict="undecided",
        facts={"reason": reason},
    )


def _compute_residual(claim: str, point: Point) -> float:
    assert point.observed is not None
    assert point.expected is not None
    residual = abs(point.observed - point.expected)
    if not math.isfinite(residual):
        raise ValueError(f"{claim}: {point.observed} against {point.expected} is not finite")
    return residual


def _is_true(observed: float, relation: str, expected: float, allowed: float) -> bool:
    if relation in ("equal", "within"):
        return abs(observed - expected) <= allowed
    if relation == "differs":
        return abs(observed - expected) > allowed
    if relation == "less":
        return observed < expected
    if relation == "greater":
        return observed > expected + (allowed or 0.0)
    if relation == "at_least":
        return observed >= expected
    if relation == "at_most":
        return observed <= expected
    raise ValueError(f"{relation} is not a relation")
