"""Whose session it is, in which course, and what a guest may still see."""

import pytest
from django.db.models import F

from assessment.accounts.services import create_course
from assessment.accounts.tokens import Bearer, mint_token
from assessment.bank.models import BankVersion
from assessment.delivery.models import Activity, Session
from assessment.experiments.models import Run
from tests.people import Person, answer, find_option, make_person, read_json, start
from tests.reports import find_run, report_measured

QUIZ = "gradient-checkpointing"
WRONG = "Model accuracy for speed"
NOWHERE = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def activity(make_activity):
    return make_activity(is_public_practice=True)


def make_guest(person: Person) -> Person:
    """The same person with a guest's token."""
    bearer = Bearer(person.bearer.person_id, person.bearer.course_id, person.bearer.rights, True)
    return Person(bearer, mint_token(bearer))


def list_own_paths(session, demonstration) -> list[str]:
    path = f"sessions/{session['id']}"
    return [
        path,
        f"{path}/items",
        f"{path}/feedback",
        f"demonstrations/{demonstration['id']}",
        f"demonstrations/{demonstration['id']}/trace",
    ]


def miss(person, session):
    item = session["current"]
    reply = answer(person, session["id"], item, find_option(item, WRONG))
    demonstration = read_json(reply, 201)["feedback"]["demonstration"]
    run = find_run(demonstration["id"])
    if run.state != "measured":
        report_measured(run)
    return demonstration


def list_writes(person, session, demonstration, item):
    path = f"sessions/{session['id']}"
    choice = {"options": [item["options"][0]["id"]]}
    body = {"administration": item["administration"], "response": choice}
    yield person.post(f"{path}/responses", body)
    yield person.post(f"{path}/finish")
    yield person.post(f"{path}/handoff")
    yield person.post(f"{path}/demonstrations", {"administration": item["administration"]})
    yield person.put(f"{path}/predictions/{item['administration']}", {"skip": True})
    yield person.put(f"demonstrations/{demonstration['id']}/seen", {})
    yield person.post(f"demonstrations/{demonstration['id']}/what-if", {"parameters": {}})


def test_a_guest_loses_what_is_no_longer_public(ada, activity):
    guest = make_guest(ada)
    session = start(guest, activity, "en")
    demonstration = miss(guest, session)
    paths = [*list_own_paths(session, demonstration), f"activities/{activity}"]
    assert {guest.get(path).status_code for path in paths} == {200}
    Activity.objects.update(is_public_practice=False)
    assert {guest.get(path).status_code for path in paths} == {404}
    writes = list_writes(guest, session, demonstration, session["current"])
    assert {one.status_code for one in writes} == {404}
    assert guest.post("sessions", {"activity": str(activity)}).status_code == 404
    assert Session.objects.get().state == "open"


def test_a_token_of_another_course_opens_nothing_of_this_one(ada, activity, course):
    """The person learns in both, but the token names one."""
    session = start(ada, activity, "en")
    demonstration = miss(ada, session)
    other = make_person(create_course(course.client, slug="other", title="Other"), "ada", "learn")
    assert other.bearer.person_id == ada.bearer.person_id
    paths = list_own_paths(session, demonstration)
    assert {other.get(path).status_code for path in paths} == {404}
    writes = list_writes(other, session, demonstration, session["current"])
    assert {one.status_code for one in writes} == {404}


def test_a_key_replays_nothing_under_a_token_of_another_course(ada, course, make_activity):
    """Nor does it stand in the way: one key for each quiz is a client's honest habit."""
    other = create_course(course.client, slug="other", title="Other")
    session = start(ada, make_activity(), "en")
    item = session["current"]
    body = {
        "administration": item["administration"],
        "response": {"options": [item["options"][0]["id"]]},
    }
    path = f"sessions/{session['id']}/responses"
    read_json(ada.post(path, body, key="k"), 201)
    elsewhere = make_person(other, "ada", "learn")
    assert read_json(elsewhere.post(path, body, key="k"), 404)["code"] == "session_not_found"
    made = [
        read_json(
            make_person(one, "ben", "instruct").post("activities", {"quiz": QUIZ}, key="k"), 201
        )
        for one in (course, other)
    ]
    assert made[0]["id"] != made[1]["id"]
    assert {one.course_id for one in Activity.objects.filter(pk=made[1]["id"])} == {other.id}


def test_the_refusal_of_a_foreign_session_is_that_of_one_that_is_not(ada, cleo, activity):
    session = start(ada, activity, "en")
    demonstration = miss(ada, session)
    for path in list_own_paths(session, demonstration):
        missing = path.replace(session["id"], NOWHERE).replace(demonstration["id"], NOWHERE)
        foreign, none = cleo.get(path), cleo.get(missing)
        told = [read_json(one, 404) for one in (foreign, none)]
        for one in told:
            one.pop("instance", None)
        assert told[0] == told[1]


def test_a_quiz_that_left_the_bank_takes_its_activity_along(ada, activity):
    Activity.objects.update(quiz_slug="gone")
    assert ada.get(f"activities/{activity}").status_code == 404
    assert read_json(ada.get("activities"))["results"] == []
    reply = ada.post("sessions", {"activity": str(activity), "languages": ["en"]})
    assert read_json(reply, 409)["code"] == "quiz_has_no_items"


def test_an_adaptive_activity_without_items_left_starts_nothing(ada, make_activity):
    made = make_activity("training-memory", mode="adaptive", policy={"concepts": ["gone"]})
    reply = ada.post("sessions", {"activity": str(made), "languages": ["en"]})
    assert read_json(reply, 409)["code"] == "quiz_has_no_items"
    assert not Session.objects.exists()


def test_evidence_outlives_its_experiment_without_what_ifs(ada, activity):
    session = start(ada, activity, "en")
    demonstration = miss(ada, session)
    Run.objects.update(experiment="alchemy", digest=F("digest"))
    path = f"demonstrations/{demonstration['id']}"
    told = read_json(ada.get(path))
    assert (told["state"], told["what_if"]["parameters"]) == ("measured", [])
    assert ada.post(f"{path}/what-if", {"parameters": {"layers": 3}}).status_code == 409
    assert ada.get(f"{path}/trace").status_code == 200


@pytest.mark.parametrize(
    "moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59Z"]
)
def test_the_ends_of_the_calendar_break_nothing(ada, ben, moment):
    body = {"quiz": "gradient-checkpointing", "closes_at": moment}
    reply = ben.post("activities", body)
    if reply.status_code == 400:
        assert [one["field"] for one in read_json(reply, 400)["errors"]] == ["closes_at"]
        return
    made = read_json(reply, 201)
    session = start(ada, made["id"], "en")
    assert ada.get(f"sessions/{session['id']}").status_code == 200
    assert BankVersion.objects.exists()
