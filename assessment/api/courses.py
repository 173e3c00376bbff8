"""What an instructor reads of a course: its sessions and the runs they asked for."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request

from assessment.api.base import ApiView, read_query
from assessment.api.inputs import TableQuery
from assessment.api.outputs import CourseRunList, CourseSessionList
from assessment.api.pagination import PageQuery, paginate
from assessment.api.permissions import INSTRUCTORS, get_bearer
from assessment.api.replies import reply_csv, reply_tagged
from assessment.api.schema import document
from assessment.core.errors import NotFound
from assessment.core.times import format_time
from assessment.delivery.selectors import find_session_state, list_course_sessions
from assessment.experiments.selectors import list_course_runs
from assessment.scoring.selectors import list_scores

MAX_TABLE_ROWS = 50_000
# A spreadsheet takes a million rows; a course of 500 with 100 sessions each fits.

SESSION_COLUMNS = (
    "id",
    "activity",
    "quiz",
    "person",
    "name",
    "attempt",
    "state",
    "answered",
    "score",
    "started_at",
    "finished_at",
)
RUN_COLUMNS = (
    "id",
    "experiment",
    "device",
    "state",
    "attempt",
    "reason",
    "requested_at",
    "started_at",
    "finished_at",
)


class CourseSessionsView(ApiView):
    roles = INSTRUCTORS

    @document(
        "listCourseSessions",
        "Sessions of the course, as JSON or as a table",
        answers={(200, "application/json"): CourseSessionList, (200, "text/csv"): OpenApiTypes.STR},
        refusals=(404,),
        query=(PageQuery, TableQuery),
        is_tagged=True,
    )
    def get(self, request: Request, course_id: UUID) -> HttpResponse:
        """For instructors of this course. Oldest first; as CSV all rows, at most 50,000."""
        check_course(request, course_id)
        rows = list_course_sessions(course_id)
        return send_table(request, rows, show=show_sessions, columns=SESSION_COLUMNS)


class CourseRunsView(ApiView):
    roles = INSTRUCTORS

    @document(
        "listCourseRuns",
        "Runs that the course's sessions asked for, as JSON or as a table",
        answers={(200, "application/json"): CourseRunList, (200, "text/csv"): OpenApiTypes.STR},
        refusals=(404,),
        query=(PageQuery, TableQuery),
        is_tagged=True,
    )
    def get(self, request: Request, course_id: UUID) -> HttpResponse:
        """For instructors of this course. Oldest first; as CSV all rows, at most 50,000."""
        check_course(request, course_id)
        rows = list_course_runs(course_id)
        return send_table(request, rows, show=show_runs, columns=RUN_COLUMNS)


def check_course(request: Request, course_id: UUID) -> None:
    """Raises NotFound for a course other than the one that the token names."""
    if get_bearer(request).course_id != course_id:
        raise NotFound("course_not_found")


def send_table(
    request: Request,
    rows: QuerySet[Any],
    *,
    show: Callable[[Sequence[Any]], list[dict[str, Any]]],
    columns: Sequence[str],
) -> HttpResponse:
    """A page as JSON, or all rows as CSV."""
    if read_query(request, TableQuery).get("format") == "csv":
        found = list(rows.order_by("created_at", "id")[:MAX_TABLE_ROWS])
        name = request.path.rstrip("/").rpartition("/")[2]
        return reply_csv(show(found), columns=columns, name=name)
    page = paginate(request, rows)
    return reply_tagged(request, {"results": show(page.rows), "next": page.next_url})


def show_sessions(sessions: Sequence[Any]) -> list[dict[str, Any]]:
    """Rows of sessions with the points earned so far; one more query for any number."""
    earned: dict[UUID, float] = {}
    now = timezone.now()
    for score in list_scores([one.id for one in sessions]):
        earned[score.session_id] = earned.get(score.session_id, 0.0) + score.score
    return [
        {
            "id": str(one.id),
            "activity": str(one.activity_id),
            "quiz": one.activity.quiz_slug,
            "person": one.person.external_id,
            "name": one.person.name,
            "attempt": one.attempt,
            "state": find_session_state(one, now=now),
            "answered": one.num_answered,
            "score": round(earned.get(one.id, 0.0), 6),
            "started_at": format_time(one.started_at),
            "finished_at": format_time(one.finished_at),
        }
        for one in sessions
    ]


def show_runs(runs: Sequence[Any]) -> list[dict[str, Any]]:
    return [
        {
            "id": str(one.id),
            "experiment": one.experiment,
            "device": one.device,
            "state": one.state,
            "attempt": one.attempt,
            "reason": one.reason or None,
            "requested_at": format_time(one.requested_at),
            "started_at": format_time(one.started_at),
            "finished_at": format_time(one.finished_at),
        }
        for one in runs
    ]
