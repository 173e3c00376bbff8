"""POST /sessions: one attempt begins, or the open one is found."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.people import Person, read_json, start
from tests.waiting import run_second


def test_it_starts_with_the_first_item(ada, make_activity):
    reply = ada.post("sessions", {"activity": str(make_activity()), "languages": ["bg"]})
    body = read_json(reply, 201)
    assert reply["Location"] == f"/api/v1/sessions/{body['id']}"
    assert (body["state"], body["attempt"], body["languages"]) == ("open", 1, ["bg"])
    assert body["progress"] == {"answered": 0, "total": 8}
    item = body["current"]
    assert (item["position"], item["kind"], len(item["options"])) == (1, "single", 4)
    assert item["stem"]["lang"] == "bg"
    assert "bg" in reply["Content-Language"]


def test_a_second_start_finds_the_open_session(ada, make_activity):
    activity = make_activity()
    first = start(ada, activity, "bg")
    second = read_json(ada.post("sessions", {"activity": str(activity), "languages": ["en"]}), 200)
    assert second["id"] == first["id"]
    assert second["languages"] == ["bg"]


def test_the_same_key_replays_the_same_bytes(ada, make_activity):
    body = {"activity": str(make_activity()), "languages": ["bg", "en"]}
    first = ada.post("sessions", body, key="one")
    second = ada.post("sessions", body, key="one")
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.content == first.content
    assert second["Location"] == first["Location"]
    assert (first.get("Idempotent-Replayed"), second["Idempotent-Replayed"]) == (None, "true")


def test_the_same_key_with_another_body_is_422(ada, make_activity):
    activity = make_activity()
    ada.post("sessions", {"activity": str(activity), "languages": ["bg"]}, key="one")
    again = ada.post("sessions", {"activity": str(activity), "languages": ["en"]}, key="one")
    assert read_json(again, 422)["code"] == "idempotency_key_reused"


@pytest.mark.parametrize("key", ["x" * 256, "\u0416", "a\tb"])
def test_a_bad_key_is_named(ada, make_activity, key):
    reply = ada.post("sessions", {"activity": str(make_activity())}, key=key)
    assert [one["field"] for one in read_json(reply, 400)["errors"]] == ["Idempotency-Key"]


def test_a_missing_key_is_named(ada, make_activity):
    body = {"activity": str(make_activity())}
    problem = read_json(ada.call("POST", "sessions", body=body), 400)
    assert problem["errors"][0]["field"] == "Idempotency-Key"
    assert problem["errors"][0]["code"] == "required"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"activity": None}, "activity"),
        ({"activity": 1}, "activity"),
        ({"activity": "x"}, "activity"),
        ({"activity": "A" * 36}, "activity"),
        ({"activity": str(uuid.uuid4()).upper()}, "activity"),
        ({"activity": "{" + str(uuid.uuid4()) + "}"}, "activity"),
        ({"languages": []}, "languages"),
        ({"languages": "bg"}, "languages"),
        ({"languages": ["bg", "klingon"]}, "languages[1]"),
        ({"languages": ["xx"]}, "languages[0]"),
        ({"languages": ["../../x"]}, "languages[0]"),
        ({"languages": [5]}, "languages[0]"),
        ({"languages": ["en"] * 11}, "languages"),
        ({"person": str(uuid.uuid4())}, "person"),
        ({"attempt": 3}, "attempt"),
    ],
)
def test_bad_input_names_its_field(ada, make_activity, changes, field):
    body = {"activity": str(make_activity()), "languages": ["bg"], **changes}
    problem = read_json(ada.post("sessions", body), 400)
    assert [one["field"] for one in problem["errors"]] == [field]


def test_cleo_finds_no_such_activity(cleo, make_activity):
    activity = make_activity()
    assert cleo.post("sessions", {"activity": str(activity)}).status_code == 404
    assert cleo.post("sessions", {"activity": str(uuid.uuid4())}).status_code == 404


def test_an_instructor_takes_no_quiz(ben, make_activity):
    assert ben.post("sessions", {"activity": str(make_activity())}).status_code == 403


def test_outside_its_window_nothing_starts(ada, make_activity):
    now = timezone.now()
    later = make_activity(opens_at=now + timedelta(hours=1))
    over = make_activity(closes_at=now - timedelta(hours=1))
    for activity, code in ((later, "activity_not_open"), (over, "activity_closed")):
        problem = read_json(ada.post("sessions", {"activity": str(activity)}), 409)
        assert problem["code"] == code


def test_attempts_are_counted(ada, make_activity):
    activity = make_activity(max_attempts=1)
    session = start(ada, activity)
    read_json(ada.post(f"sessions/{session['id']}/finish"))
    problem = read_json(ada.post("sessions", {"activity": str(activity)}), 409)
    assert problem["code"] == "no_attempt_left"


def test_without_languages_the_header_counts(ada, make_activity):
    body = {"activity": str(make_activity())}
    reply = ada.post("sessions", body, Accept_Language="bg-Cyrl-BG, en;q=0.5, fr;q=0")
    assert read_json(reply, 201)["languages"] == ["bg-Cyrl-BG", "en"]


@pytest.mark.parametrize(
    ("header", "languages"),
    [
        ("*", ["en"]),
        ("de, *;q=0.1", ["de"]),
        ("zz-ZZ, bg;q=0.5", ["bg"]),
        ("wo, fr;q=0", ["wo", "en"]),
        ("de, en;q=0", ["de", "bg", "fr", "wo"]),
        ("bg;q=0", ["en"]),
        ("bg," + " " * 996 + ",bg;q=0", ["bg"]),
        ("wo," + " " * 994 + "bg;q=0", ["wo"]),
        ("wo," + " " * 991 + "bg;q=0", ["wo", "en"]),
        ("q" * 200_000, ["en"]),
    ],
)
def test_a_header_names_languages_that_there_are(ada, make_activity, header, languages):
    """Cut where it is too long, never in the middle of a refusal."""
    body = {"activity": str(make_activity())}
    session = read_json(ada.post("sessions", body, Accept_Language=header), 201)
    assert session["languages"] == languages
    assert session["current"]["stem"]["lang"] in ("en", "bg", "wo")


@pytest.mark.django_db(transaction=True)
def test_a_start_beside_one_that_ends_at_once_is_the_next_attempt(ada, make_activity):
    activity = make_activity()
    other = Person(ada.bearer, ada.token)

    def start_and_end():
        session = start(ada, activity)
        read_json(ada.post(f"sessions/{session['id']}/finish"))

    assert run_second(start_and_end, lambda: start(other, activity))["attempt"] == 2
