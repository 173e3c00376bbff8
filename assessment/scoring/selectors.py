"""Reads of scores: the newest revision of each response counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
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


FirstScore = tuple[UUID, str, bool, datetime, datetime | None]


def list_first_scores() -> Iterator[FirstScore]:
    """The first score of every response: person, item version, right, when, evidence seen when."""
    rows = Score.objects.filter(revision=1).values_list(
        "session__person_id",
        "item_version_id",
        "is_correct",
        "response__received_at",
        "response__evidence_seen_at",
    )
    for person, item, is_right, received_at, seen_at in rows.iterator(chunk_size=5000):
        yield person, str(item), is_right, received_at, seen_at


@dataclass(frozen=True)
class ThetaAfter:
    """Theta after one adaptive answer, logits."""

    session_id: str
    person_id: str
    item_id: str
    received_at: datetime
    theta: float
    standard_error: float


def list_thetas(bank_version_id: str) -> Iterator[ThetaAfter]:
    """Theta after each adaptive answer on a bank version, in the order of answering."""
    rows = (
        Score.objects.filter(
            bank_version_id=UUID(bank_version_id), revision=1, standard_error__isnull=False
        )
        .order_by("scored_at")
        .values_list(
            "session_id",
            "session__person_id",
            "item_version_id",
            "response__received_at",
            "theta",
            "standard_error",
        )
    )
    for session, person, item, received_at, theta, error in rows.iterator(chunk_size=5000):
        assert theta is not None
        assert error is not None
        yield ThetaAfter(str(session), str(person), str(item), received_at, theta, error)
