"""Writes: activities, sessions, administrations, responses, predictions."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone

from assessment.accounts.tokens import Bearer
from assessment.core.errors import Conflict, Invalid, NotFound, Unavailable
from assessment.delivery.adaptive import Chosen
from assessment.delivery.clock import TIME_GRACE, has_expired
from assessment.delivery.models import (
    Activity,
    Administration,
    Prediction,
    Response,
    Session,
)
from assessment.delivery.policy import order_options
from assessment.delivery.selectors import is_own

MAX_STARTS = 3
# Somebody else's start can come and end between the look at the attempts and ours.


@dataclass(frozen=True)
class OpenedSession:
    """A locked session with all its administrations, in order; the hot path's one read."""

    session: Session
    activity: Activity
    administrations: tuple[Administration, ...]

    def find_administration(self, administration_id: UUID) -> Administration:
        """Raises Invalid naming the field: a foreign administration is not told apart."""
        for one in self.administrations:
            if one.id == administration_id:
                return one
        raise Invalid.field(
            "administration", "unknown_administration", "This session has no such administration."
        )


def create_activity(*, course_id: UUID, quiz_slug: str, policy: Mapping[str, object]) -> Activity:
    """A new activity. Raises Invalid for a policy that cannot be."""
    activity = Activity(course_id=course_id, quiz_slug=quiz_slug, **policy)
    if activity.mode == "adaptive" and activity.reveal != "after_each":
        raise Invalid.field("reveal", "invalid", "An adaptive activity reveals after each answer.")
    if activity.opens_at and activity.closes_at and activity.opens_at >= activity.closes_at:
        raise Invalid.field("closes_at", "invalid", "It closes before it opens.")
    activity.save(force_insert=True)
    return activity


def start_session(
    activity: Activity,
    *,
    person_id: UUID,
    languages: Sequence[str],
    bank_version_id: UUID,
    choose_items: Callable[[int], Sequence[Chosen]],
) -> tuple[Session, bool]:
    """The person's open session of this activity, made when there is none; whether it is new.

    Two starts at once make one session: the partial unique index decides, the loser reads
    the winner's. `choose_items` gets the session's seed and says what is put before the
    learner first. Raises Conflict outside the window, when no attempt is left and when
    there is no item to begin with.
    """
    now = timezone.now()
    check_window(activity, now=now)
    for _ in range(MAX_STARTS):
        found = _find_open(activity, person_id=person_id, now=now)
        if found is not None:
            return found, False
        number = _count_attempts(activity, person_id=person_id) + 1
        if activity.max_attempts is not None and number > activity.max_attempts:
            raise Conflict("no_attempt_left")
        seed = secrets.randbits(62)
        chosen = choose_items(seed)
        if not chosen:
            raise Conflict("quiz_has_no_items")
        with suppress(IntegrityError), transaction.atomic():
            session = Session.objects.create(
                activity=activity,
                person_id=person_id,
                bank_version_id=bank_version_id,
                languages=list(languages),
                seed=seed,
                attempt=number,
                started_at=now,
                expires_at=_find_end(activity, now=now),
            )
            add_administrations(session, chosen=chosen, first_position=1)
            return session, True
    raise Unavailable("unavailable", extra={"retry_after": 1})


def _count_attempts(activity: Activity, *, person_id: UUID) -> int:
    taken = Session.objects.filter(activity=activity, person_id=person_id)
    return taken.aggregate(last=Max("attempt"))["last"] or 0


def _find_open(activity: Activity, *, person_id: UUID, now: datetime) -> Session | None:
    """The open session, or None; one past its time is closed on the way."""
    found = Session.objects.filter(activity=activity, person_id=person_id, state="open").first()
    if found is None or not has_expired(found.expires_at, now=now):
        return found
    expire_session(found)
    return None


def _find_end(activity: Activity, *, now: datetime) -> datetime | None:
    ends = [activity.closes_at] if activity.closes_at else []
    if activity.time_limit_s is not None:
        ends.append(now + timedelta(seconds=activity.time_limit_s))
    return min(ends) if ends else None


def check_window(activity: Activity, *, now: datetime) -> None:
    """Raises Conflict before the activity opens and after it closes."""
    if activity.opens_at and now < activity.opens_at:
        raise Conflict("activity_not_open")
    if activity.closes_at and now >= activity.closes_at:
        raise Conflict("activity_closed")


def add_administrations(
    session: Session, *, chosen: Sequence[Chosen], first_position: int
) -> list[Administration]:
    """Put items before the learner, each with its own fixed option order."""
    rows = [
        Administration(
            session=session,
            position=first_position + place,
            item_version_id=UUID(one.item.version_id),
            option_order=[UUID(each) for each in order_options(one.item, seed=session.seed)],
            selection=one.selection,
        )
        for place, one in enumerate(chosen)
    ]
    made = Administration.objects.bulk_create(rows)
    for one in made:
        # Nothing can have been answered yet: spare the queries that would find that out.
        for name in ("response", "prediction"):
            one._state.fields_cache[name] = None
    return made


def open_session(session_id: UUID, *, bearer: Bearer) -> OpenedSession:
    """Lock the session by moving its revision on, then read all it holds: two statements.

    The lock comes first, so that the read sees what a concurrent answer has committed.
    Raises NotFound for a session that is not the bearer's own.
    """
    mine = Session.objects.filter(pk=session_id, person_id=bearer.person_id)
    if not mine.update(revision=F("revision") + 1):
        raise NotFound("session_not_found")
    rows = (
        Administration.objects.filter(session_id=session_id)
        .select_related("session__activity", "response", "prediction")
        .order_by("position")
    )
    found = tuple(rows)
    if not found or not is_own(found[0].session, bearer=bearer):
        raise NotFound("session_not_found")
    session = found[0].session
    return OpenedSession(session, session.activity, found)


def check_open(session: Session, *, now: datetime) -> None:
    """Raises Conflict when the session is over, or its time is."""
    if session.state == "finished":
        raise Conflict("session_finished")
    if session.state == "expired" or has_expired(session.expires_at, now=now):
        raise Conflict("session_expired")


def record_response(
    administration: Administration,
    *,
    answer: Mapping[str, object],
    certainty: int | None,
    elapsed_ms: int | None,
    now: datetime,
) -> Response:
    """Store the one answer of this administration. Raises IntegrityError for a second one."""
    return Response.objects.create(
        administration=administration,
        session_id=administration.session_id,
        answer=answer,
        certainty=certainty,
        elapsed_ms=elapsed_ms,
        received_at=now,
    )


def note_evidence_seen(administration: Administration) -> None:
    """Remember when the evidence on an answer was first seen; later looks change nothing."""
    unseen = Response.objects.filter(administration=administration, evidence_seen_at__isnull=True)
    unseen.update(evidence_seen_at=timezone.now())


def record_prediction(
    administration: Administration, *, experiment: str, choice: str | None, asked_at: datetime
) -> Prediction:
    """Store the prediction, or the skip (choice None), once. Raises Conflict for another one."""
    now = timezone.now()
    kept, is_new = Prediction.objects.get_or_create(
        administration=administration,
        defaults={
            "experiment": experiment,
            "choice": choice,
            "asked_at": asked_at,
            "answered_at": now,
        },
    )
    if not is_new and kept.choice != choice:
        raise Conflict("prediction_exists")
    return kept


def finish_session(session: Session, *, reason: str) -> None:
    """End the session; must run while it is locked. An ended one stays as it is."""
    if session.state != "open":
        return
    if has_expired(session.expires_at, now=timezone.now()):
        expire_session(session)
        return
    session.state, session.finish_reason = "finished", reason
    session.finished_at = timezone.now()
    Session.objects.filter(pk=session.pk).update(
        state="finished", finish_reason=reason, finished_at=session.finished_at
    )


def expire_session(session: Session) -> None:
    """Close one session whose time is over."""
    now = timezone.now()
    session.state, session.finish_reason, session.finished_at = "expired", "time", now
    session.revision += Session.objects.filter(pk=session.pk, state="open").update(
        state="expired", finish_reason="time", finished_at=now, revision=F("revision") + 1
    )


def expire_sessions(*, now: datetime) -> int:
    """Close every session whose time is over; how many were closed."""
    late = Session.objects.filter(state="open", expires_at__lt=now - TIME_GRACE)
    return late.update(
        state="expired", finish_reason="time", finished_at=now, revision=F("revision") + 1
    )


def has_policy(activity: Activity, policy: Mapping[str, object]) -> bool:
    """Whether the activity has exactly this policy, what it leaves out being the default."""
    plain = Activity(**policy)
    names = ("mode", "reveal", "has_predictions", "texts", "max_attempts", "time_limit_s")
    return all(getattr(activity, name) == getattr(plain, name) for name in names)
