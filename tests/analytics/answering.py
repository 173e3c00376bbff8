"""People who take an activity at the level of services: quick, and at any time."""

from datetime import datetime
from typing import Any
from uuid import UUID

from assessment.accounts.services import register_person
from assessment.bank.snapshot import Snapshot
from assessment.delivery import services
from assessment.delivery.models import Administration, Session
from assessment.scoring.progress import choose_first
from assessment.scoring.rules import Verdict
from assessment.scoring.services import record_score


def start_session(
    course: Any, activity: Any, snapshot: Snapshot, *, person: str, seed: int | None = None
) -> Session:
    """A session of a new person; `seed` in place of its own decides the first items."""
    session, _ = services.start_session(
        activity,
        person_id=register_person(course.client, external_id=person).id,
        languages=["en"],
        bank_version_id=UUID(snapshot.bank_version_id),
        choose_items=lambda own: choose_first(
            activity, snapshot, seed=own if seed is None else seed
        ),
    )
    return session


def answer(
    session: Session,
    row: Administration,
    *,
    is_right: bool,
    now: datetime,
    **estimate: float,
) -> None:
    """`estimate`: theta and standard_error after it, in an adaptive session."""
    given = services.record_response(
        row, answer={"options": []}, certainty=None, elapsed_ms=None, now=now
    )
    record_score(
        Verdict("single.1", float(is_right), is_right),
        response_id=given.id,
        session_id=session.id,
        item_version_id=row.item_version_id,
        bank_version_id=session.bank_version_id,
        now=now,
        **estimate,
    )
