"""A calibration over REST: asked for, worked out from answers, published as the next version."""

from uuid import UUID, uuid4

import numpy as np
import pytest

from assessment.analytics.models import CalibrationProposal
from assessment.analytics.services import work_out_proposal
from assessment.bank.snapshot import forget_current_version, get_current_version_id, get_snapshot
from assessment.core.models import OutboxMessage
from assessment.scoring.models import Score
from assessment.tasks import calibrate
from tests.analytics.answering import answer, start_session
from tests.people import make_person, read_json

NUM_PERSONS = 240


@pytest.fixture
def author(course):
    return make_person(course, "dora", "author")


def answer_all(course, activity, snapshot, rng) -> None:
    """One person answers the quiz; the first item is far easier than its author thought."""
    session = start_session(course, activity, snapshot, person=str(rng.integers(1 << 60)))
    theta = rng.normal()
    for row in session.administrations.order_by("position"):
        b = -2.0 if row.position == 1 else 0.0
        is_right = bool(rng.random() < 1 / (1 + np.exp(b - theta)))
        answer(session, row, is_right=is_right, now=session.started_at)


@pytest.fixture
def answered(course, make_activity, bank):
    from assessment.delivery.selectors import get_activity

    activity = get_activity(make_activity(), course_id=course.id)
    rng = np.random.default_rng(5)
    for _ in range(NUM_PERSONS):
        answer_all(course, activity, get_snapshot(bank), rng)
    return activity


def test_a_proposal_is_worked_out_and_published_as_the_next_version(author, answered, bank):
    asked = read_json(author.post("calibrations", {}), 202)
    assert asked["state"] == "requested"
    assert OutboxMessage.objects.filter(topic="calibration", key=asked["id"]).exists()
    work_out_proposal(UUID(asked["id"]))
    ready = read_json(author.get(f"calibrations/{asked['id']}"))
    assert (ready["state"], ready["num_persons"]) == ("ready", NUM_PERSONS)
    rows = {row["item"]: row for row in ready["rows"]}
    assert rows["bg-1"]["model"] == "2PL"
    assert rows["bg-1"]["num_answers"] == NUM_PERSONS
    assert rows["bg-1"]["b"] < rows["bg-2"]["b"] - 0.5
    assert rows["wo-1"]["is_provisional"] is True

    before = Score.objects.values_list("bank_version_id", flat=True).distinct().get()
    made = read_json(author.post(f"calibrations/{asked['id']}/publish", {}), 201)
    forget_current_version()
    assert get_current_version_id() == made["id"]
    old, new = get_snapshot(bank), get_snapshot(made["id"])
    assert new.find_item("bg-1").b == pytest.approx(rows["bg-1"]["b"])
    assert new.find_item("bg-1").provisional is False
    assert new.find_item("bg-1").version_id == old.find_item("bg-1").version_id
    assert new.find_item("wo-1").b == old.find_item("wo-1").b
    assert str(before) == bank
    again = author.post(f"calibrations/{asked['id']}/publish", {})
    assert read_json(again, 409)["code"] == "calibration_not_ready"

    # The same answers once more say the same: what was published is no evidence of its own.
    anew = work_out(author)
    assert anew["bg-1"]["model"] == "2PL"
    assert anew["bg-1"]["b"] == pytest.approx(rows["bg-1"]["b"], abs=1e-3)
    assert anew["bg-1"]["drift"] == pytest.approx(0.0, abs=1e-2)
    assert anew["wo-1"]["drift"] is None
    held = work_out(author, anchored=True)
    assert [held[slug]["model"] for slug in ("bg-1", "wo-1")] == ["anchor", "authored"]
    assert held["bg-1"]["b"] == pytest.approx(rows["bg-1"]["b"], abs=1e-12)
    assert held["bg-1"]["is_drifting"] is False
    newest = CalibrationProposal.objects.order_by("-created_at").first()
    refused = author.post(f"calibrations/{newest.id}/publish", {})
    assert read_json(refused, 409)["code"] == "calibration_changes_nothing"


def work_out(author, **body: bool) -> dict:
    """The rows of a new proposal on the published version, by item."""
    asked = read_json(author.post("calibrations", body), 202)
    assert asked["is_anchored"] is body.get("anchored", False)
    work_out_proposal(UUID(asked["id"]))
    ready = read_json(author.get(f"calibrations/{asked['id']}"))
    return {row["item"]: row for row in ready["rows"]}


def test_without_answers_a_proposal_fails_with_its_reason(author):
    asked = read_json(author.post("calibrations", {}), 202)
    work_out_proposal(UUID(asked["id"]))
    told = read_json(author.get(f"calibrations/{asked['id']}"))
    assert (told["state"], told["reason"]) == ("failed", "no_answers")


def test_learners_and_instructors_get_nothing(ada, ben, cleo, author):
    asked = read_json(author.post("calibrations", {}), 202)
    for person in (ada, ben, cleo):
        assert person.get(f"calibrations/{asked['id']}").status_code == 403
        assert person.post("calibrations", {}).status_code == 403


def test_one_that_cannot_be_worked_out_fails_and_is_asked_no_more(author):
    asked = read_json(author.post("calibrations", {}), 202)
    CalibrationProposal.objects.update(bank_version_id=uuid4())
    assert calibrate(asked["id"]) == "failed"
    told = read_json(author.get(f"calibrations/{asked['id']}"))
    assert (told["state"], told["reason"]) == ("failed", "crashed")
    assert not OutboxMessage.objects.filter(topic="calibration").exists()
