"""Reads of scores: the newest revision of each response counts."""

from collections.abc import Sequence
from uuid import UUID

from assessment.scoring.models import Score


def get_score(response_id: UUID) -> Score:
    """The newest score. A response is stored with its first one, so a miss is a bug."""
    return Score.objects.filter(response_id=response_id).order_by("-revision")[:1].get()


def list_scores(session_ids: Sequence[UUID]) -> list[Score]:
    """The newest score of each response of these sessions, in the order of answering."""
    rows = Score.objects.filter(session_id__in=session_ids)
    newest = rows.order_by("response_id", "-revision").distinct("response_id")
    return sorted(newest, key=lambda one: (one.session_id, one.scored_at))
