"""A small real world for the contract: people, an answered session, a measured run."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from assessment.accounts.services import create_course
from assessment.bank.snapshot import forget_snapshots, get_snapshot
from assessment.delivery.services import create_activity
from assessment.experiments.services import keep_figure
from assessment.feedback.drawing import draw_figure
from tests.bank.synthetic import QUIZ, make_synthetic_version
from tests.feedback.measurements import pack_trace
from tests.people import (
    Person,
    answer,
    make_client_application,
    make_person,
    read_json,
    start,
)
from tests.reports import find_run, report_measured

TRACE = {
    "arms": [
        {
            "name": "plain",
            "op": [0, 1],
            "delta": [8, -8],
            "live": [8, 0],
            "operator": ["aten::mm", "free"],
            "category": ["activation", "activation"],
            "phase": ["forward", "backward"],
        }
    ]
}


@dataclass
class World:
    """Everything by its id; `session` has one missed item whose run is measured."""

    course: Any
    ada: Person
    ben: Person
    activity: UUID
    asking: UUID
    session: str
    missed: str
    demonstration: str
    figure: dict[str, str]

    @property
    def ids(self) -> dict[str, str]:
        """Path parameters by their name in the description."""
        return {
            "activity_id": str(self.activity),
            "session_id": self.session,
            "administration_id": self.missed,
            "demonstration_id": self.demonstration,
            "course_id": str(self.course.id),
            "name": "memory",
            "kind": "svg",
        }


def make_world() -> World:
    version = make_synthetic_version(8)
    forget_snapshots()
    get_snapshot(version.id)
    course = create_course(
        make_client_application("lms"), slug="course", title="Course", is_demo=True
    )
    ada, ben = make_person(course, "ada", "learn"), make_person(course, "ben", "instruct")
    activity, asking = (
        create_activity(course_id=course.id, quiz_slug=QUIZ, policy=policy).id
        for policy in ({}, {"has_predictions": True})
    )
    session = start(ada, activity, "bg", "en")
    demonstration = miss_item(ada, session)
    run = find_run(demonstration)
    report_measured(run, trace=pack_trace(TRACE))
    run.refresh_from_db()
    keep_figure(run.id, draw_figure("memory", run.measurement, "en"))
    link = read_json(ada.get(f"demonstrations/{demonstration}"))["figures"]["memory"]
    return World(
        course=course,
        ada=ada,
        ben=ben,
        activity=activity,
        asking=asking,
        session=session["id"],
        missed=session["current"]["administration"],
        demonstration=demonstration,
        figure={"lang": "en", "s": link.rpartition("s=")[2]},
    )


def miss_item(person: Person, session: Any) -> str:
    """Answer the current item wrongly; the demonstration's id."""
    version = get_snapshot_of(session["id"])
    keys = {key for one in version.items.values() for key in one.key_ids}
    wrong = next(one["id"] for one in session["current"]["options"] if one["id"] not in keys)
    reply = read_json(answer(person, session["id"], session["current"], wrong), 201)
    return str(reply["feedback"]["demonstration"]["id"])


def get_snapshot_of(session_id: str) -> Any:
    from assessment.delivery.models import Session

    return get_snapshot(Session.objects.get(pk=session_id).bank_version_id)
