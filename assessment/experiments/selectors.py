"""Reads of runs, demonstrations, workers and figures."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from assessment.core import outbox
from assessment.core.errors import NotFound
from assessment.experiments.models import (
    GOOD_STATES,
    LIVE_STATES,
    Demonstration,
    Figure,
    Run,
    RunTrace,
    WorkerHello,
)
from assessment.language.texts import choose_language

PublicState = Literal["waiting", "measured", "simulated", "failed"]


@dataclass(frozen=True)
class Fleet:
    """The workers at hand: how old the last hello of each device class is, in seconds."""

    ages_s: dict[str, float]
    num_alive: int


def get_demonstration(demonstration_id: UUID) -> Demonstration:
    """With its run, administration, response and session's activity. Raises NotFound."""
    rows = Demonstration.objects.select_related(
        "run", "administration__response", "administration__prediction", "session__activity"
    )
    found = rows.filter(pk=demonstration_id).first()
    if found is None:
        raise NotFound("demonstration_not_found")
    return found


def find_demonstration(administration_id: UUID) -> Demonstration | None:
    """The evidence of this answer (not its what-ifs), or None when none was asked for."""
    rows = Demonstration.objects.select_related("run").exclude(kind="what_if")
    return rows.filter(administration_id=administration_id).first()


def list_demonstrations(session_id: UUID) -> QuerySet[Demonstration]:
    """Every evidence of a session, what-ifs apart, with its run."""
    rows = Demonstration.objects.select_related("run").exclude(kind="what_if")
    return rows.filter(session_id=session_id)


def list_demonstrated(session_id: UUID) -> QuerySet[Demonstration, UUID]:
    """The administrations of a session whose answer has its evidence."""
    rows = Demonstration.objects.filter(session_id=session_id).exclude(kind="what_if")
    return rows.values_list("administration_id", flat=True)


def list_what_if_times(person_id: UUID, *, since: datetime) -> list[datetime]:
    """When this person asked for what-ifs, oldest first."""
    rows = Demonstration.objects.filter(kind="what_if", session__person_id=person_id)
    late = rows.filter(created_at__gte=since).order_by("created_at")
    return list(late.values_list("created_at", flat=True))


def find_trace(run_id: UUID) -> bytes | None:
    """The compressed full trace, or None when the report came without."""
    body = RunTrace.objects.filter(run_id=run_id).values_list("body", flat=True).first()
    return bytes(body) if body is not None else None


def find_figure(run_id: UUID, *, name: str, language: str) -> Figure | None:
    """The figure in the language that serves this one best; None when it is not drawn."""
    drawn = Figure.objects.filter(run_id=run_id, name=name)
    tags = list(drawn.values_list("lang", flat=True))
    return drawn.get(lang=choose_language(tags, [language])) if tags else None


def list_course_runs(course_id: UUID) -> QuerySet[Run]:
    """Runs that a session of this course asked for."""
    asked = Demonstration.objects.filter(session__activity__course_id=course_id)
    return Run.objects.filter(pk__in=asked.values("run_id"))


def get_run(run_id: UUID) -> Run:
    """Raises NotFound."""
    found = Run.objects.filter(pk=run_id).first()
    if found is None:
        raise NotFound("run_not_found")
    return found


def find_queue_position(run: Run) -> int | None:
    """How many runs go before this one; None once it runs or has ended."""
    if run.state not in ("requested", "sent"):
        return None
    running = Run.objects.filter(device=run.device, state__in=["running", "sent"])
    ahead = outbox.count_ahead(key=str(run.id))
    if ahead is None:
        return running.filter(sent_at__lt=run.sent_at).count() if run.sent_at else 0
    return running.count() + ahead


def read_fleet(*, now: datetime) -> Fleet:
    patience = timedelta(seconds=settings.WORKER_LOST_AFTER_S)
    ages: dict[str, float] = {}
    num_alive = 0
    for device, seen_at in WorkerHello.objects.values_list("device", "seen_at"):
        age = (now - seen_at).total_seconds()
        ages[device] = min(age, ages.get(device, age))
        num_alive += now - seen_at <= patience
    return Fleet(ages, num_alive)


def count_live_runs() -> int:
    return Run.objects.filter(state__in=LIVE_STATES).count()


def find_public_state(run: Run) -> PublicState:
    """The state that a learner is told."""
    if run.state == "measured":
        return "measured"
    if run.state == "simulated":
        return "simulated"
    return "failed" if run.state == "failed" else "waiting"


def is_good(run: Run) -> bool:
    return run.state in GOOD_STATES
