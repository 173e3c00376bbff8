"""Writes of scores."""

from datetime import datetime
from uuid import UUID

from assessment.scoring.models import Score
from assessment.scoring.rules import Verdict


def record_score(
    verdict: Verdict,
    *,
    response_id: UUID,
    session_id: UUID,
    item_version_id: UUID,
    bank_version_id: UUID,
    now: datetime,
    theta: float | None = None,
    standard_error: float | None = None,
) -> Score:
    """The first score of a response; regrading adds revisions and leaves this one."""
    return Score.objects.create(
        response_id=response_id,
        session_id=session_id,
        item_version_id=item_version_id,
        bank_version_id=bank_version_id,
        rule=verdict.rule,
        score=verdict.score,
        max_score=verdict.max_score,
        is_correct=verdict.is_correct,
        misconceptions=list(verdict.misconceptions),
        theta=theta,
        standard_error=standard_error,
        scored_at=now,
    )
