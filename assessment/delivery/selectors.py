"""Reads of activities, sessions and what they hold."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from django.db.models import Count, QuerySet

from assessment.accounts.tokens import Bearer
from assessment.core.errors import NotFound
from assessment.delivery.clock import has_expired
from assessment.delivery.models import (
    Activity,
    Administration,
    Prediction,
    Response,
    Session,
)

SessionState = Literal["open", "finished", "expired"]


def get_activity(activity_id: UUID, *, course_id: UUID) -> Activity:
    """An activity of this course. Raises NotFound, for another course's too."""
    found = Activity.objects.filter(pk=activity_id, course_id=course_id).first()
    if found is None:
        raise NotFound("activity_not_found")
    return found


def list_activities(course_id: UUID, *, is_guest: bool = False) -> QuerySet[Activity]:
    """The course's activities; a guest sees only public practice."""
    rows = Activity.objects.filter(course_id=course_id)
    return rows.filter(is_public_practice=True) if is_guest else rows


def is_own(session: Session, *, bearer: Bearer) -> bool:
    """Whether it is the bearer's, in the course of the token; a guest's while it is public."""
    activity = session.activity
    if bearer.is_guest and not activity.is_public_practice:
        return False
    return (session.person_id, activity.course_id) == (bearer.person_id, bearer.course_id)


def get_session(session_id: UUID, *, bearer: Bearer) -> Session:
    """The bearer's own session. Raises NotFound, for any other too."""
    rows = Session.objects.select_related("activity")
    found = rows.filter(pk=session_id).first()
    if found is None or not is_own(found, bearer=bearer):
        raise NotFound("session_not_found")
    return found


def get_session_of_course(session_id: UUID, *, course_id: UUID) -> Session:
    """A session of this course, for its instructor. Raises NotFound."""
    rows = Session.objects.select_related("activity")
    found = rows.filter(pk=session_id, activity__course_id=course_id).first()
    if found is None:
        raise NotFound("session_not_found")
    return found


def list_own_sessions(activity_ids: list[UUID], *, person_id: UUID) -> QuerySet[Session]:
    return Session.objects.filter(activity_id__in=activity_ids, person_id=person_id).order_by(
        "activity_id", "attempt"
    )


def list_course_sessions(course_id: UUID) -> QuerySet[Session]:
    """Every session of a course with its person, newest first by (created_at, id)."""
    return (
        Session.objects.filter(activity__course_id=course_id)
        .select_related("activity", "person")
        .annotate(num_answered=Count("responses"))
    )


def list_administrations(session: Session) -> list[Administration]:
    """In order, each with its response and prediction where there is one."""
    rows = session.administrations.select_related("response", "prediction")
    return list(rows.order_by("position"))


def find_administration(administration_id: UUID) -> Administration | None:
    """With its session and what was answered; None when it is gone."""
    rows = Administration.objects.select_related("session__activity", "response", "prediction")
    return rows.filter(pk=administration_id).first()


def has_attempt_left(activity: Activity, *, person_id: UUID, now: datetime) -> bool:
    """Whether this person could still use a key: in an open session, or in another attempt."""
    rows = Session.objects.filter(activity=activity, person_id=person_id)
    attempts = list(rows.values_list("state", "expires_at"))
    if any(state == "open" and not has_expired(end, now=now) for state, end in attempts):
        return True
    if activity.closes_at is not None and now >= activity.closes_at:
        return False
    return activity.max_attempts is None or len(attempts) < activity.max_attempts


def find_response(administration: Administration) -> Response | None:
    """The response read together with the administration, or None."""
    return getattr(administration, "response", None)


def find_prediction(administration: Administration) -> Prediction | None:
    """The prediction read together with the administration, or None."""
    return getattr(administration, "prediction", None)


def find_activity_state(activity: Activity, *, now: datetime) -> str:
    """scheduled, open or closed, by the server's clock."""
    if activity.opens_at is not None and now < activity.opens_at:
        return "scheduled"
    if activity.closes_at is not None and now >= activity.closes_at:
        return "closed"
    return "open"


def find_session_state(session: Session, *, now: datetime) -> SessionState:
    """As the clock says: a session past its time is over before the conductor closes it."""
    if session.state == "finished":
        return "finished"
    is_over = session.state == "expired" or has_expired(session.expires_at, now=now)
    return "expired" if is_over else "open"
