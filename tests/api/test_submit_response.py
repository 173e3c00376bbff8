"""POST /sessions/{id}/responses: scored once, told once, whatever the network does."""

import json
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from assessment.delivery.models import Response, Session
from assessment.scoring.models import Score
from tests.people import answer, find_option, read_json, start

RIGHT = "Extra computation (recomputation) for lower memory use"
WRONG = "Model accuracy for speed"


@pytest.fixture
def session(ada, make_activity):
    return start(ada, make_activity(), "en")


@pytest.fixture
def item(session):
    return session["current"]


def send(ada, session, body, **more):
    return ada.post(f"sessions/{session['id']}/responses", body, **more)


def test_a_right_answer_is_told_why(ada, session, item):
    key = find_option(item, RIGHT)
    body = read_json(answer(ada, session["id"], item, key, certainty=3, elapsed_ms=4000), 201)
    feedback = body["feedback"]
    assert (body["score"], feedback["correct"]) == (1.0, True)
    assert feedback["correct_options"] == feedback["chosen_options"] == [key]
    assert feedback["explanation"]["text"]
    assert feedback["misconception"] is None
    assert body["next"]["position"] == 2


def test_a_wrong_answer_is_told_its_misconception_and_gets_its_evidence(ada, session, item):
    wrong = find_option(item, WRONG)
    feedback = read_json(answer(ada, session["id"], item, wrong), 201)["feedback"]
    assert (feedback["correct"], feedback["score"]) == (False, 0.0)
    assert feedback["correct_options"] == [find_option(item, RIGHT)]
    assert feedback["misconception"]["slug"] == "accuracy-is-the-price"
    shown = feedback["demonstration"]
    assert (shown["state"], shown["experiment"]) == ("waiting", "tradeoff")
    assert shown["claims"][0]["about_choice"] is True
    assert shown["claims"][0]["observed"] is None


def test_the_same_key_replays_the_same_bytes_and_scores_once(ada, session, item):
    body = {
        "administration": item["administration"],
        "response": {"options": [find_option(item, WRONG)]},
    }
    first, second = (send(ada, session, body, key="k") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert Score.objects.count() == Response.objects.count() == 1


def test_the_same_answer_under_another_key_is_told_the_same(ada, session, item):
    wrong = find_option(item, WRONG)
    first = read_json(answer(ada, session["id"], item, wrong), 201)
    second = read_json(answer(ada, session["id"], item, wrong), 201)
    assert second["feedback"]["demonstration"]["id"] == first["feedback"]["demonstration"]["id"]
    assert Score.objects.count() == 1


def test_a_second_other_answer_is_409(ada, session, item):
    answer(ada, session["id"], item, find_option(item, WRONG))
    problem = read_json(answer(ada, session["id"], item, find_option(item, RIGHT)), 409)
    assert problem["code"] == "already_answered"
    assert [one.answer["options"] for one in Response.objects.all()] == [[find_option(item, WRONG)]]


def test_a_reused_key_with_another_body_is_422(ada, session, item):
    one, other = ({"options": [find_option(item, text)]} for text in (WRONG, RIGHT))
    body = {"administration": item["administration"]}
    send(ada, session, {**body, "response": one}, key="k")
    problem = read_json(send(ada, session, {**body, "response": other}, key="k"), 422)
    assert problem["code"] == "idempotency_key_reused"


def test_it_rejects_a_finished_session(ada, session, item):
    ada.post(f"sessions/{session['id']}/finish")
    problem = read_json(answer(ada, session["id"], item, find_option(item, WRONG)), 409)
    assert problem["code"] == "session_finished"
    assert not Response.objects.exists()


def test_it_rejects_an_expired_session(ada, session, item):
    Session.objects.update(expires_at=timezone.now() - timedelta(hours=1))
    problem = read_json(answer(ada, session["id"], item, find_option(item, WRONG)), 409)
    assert problem["code"] == "session_expired"


def test_an_administration_of_another_session_is_refused(ada, session, make_activity):
    other = start(ada, make_activity("activation-recomputation"))["current"]
    problem = read_json(answer(ada, session["id"], other, other["options"][0]["id"]), 400)
    assert [one["field"] for one in problem["errors"]] == ["administration"]


def test_an_option_of_another_item_is_refused(ada, session, item, make_activity):
    other = start(ada, make_activity("activation-recomputation"))["current"]
    problem = read_json(answer(ada, session["id"], item, other["options"][0]["id"]), 400)
    assert problem["errors"][0]["field"] == "response.options[0]"
    assert problem["errors"][0]["code"] == "unknown_option"


def test_cleo_finds_no_such_session(cleo, ben, session, item):
    assert answer(cleo, session["id"], item, item["options"][0]["id"]).status_code == 404
    assert answer(ben, session["id"], item, item["options"][0]["id"]).status_code == 403


def test_fields_of_the_server_cannot_be_written(ada, session, item):
    for field, value in {"is_correct": True, "score": 1, "person": 1, "theta": 3}.items():
        body = {
            "administration": item["administration"],
            "response": {"options": [find_option(item, WRONG)]},
            field: value,
        }
        assert read_json(send(ada, session, body), 400)["errors"][0]["field"] == field
    assert not Response.objects.exists()


OPTION = "$OPTION"
# Replaced by a real option id, so that only one thing is wrong.


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"administration": None}, "administration"),
        ({"administration": 7}, "administration"),
        ({"administration": "\u0661"}, "administration"),
        ({"administration": str(uuid.uuid4())}, "administration"),
        ({"response": None}, "response"),
        ({"response": []}, "response"),
        ({"response": "x"}, "response"),
        ({"response": {}}, "response.options"),
        ({"response": {"options": []}}, "response.options"),
        ({"response": {"options": [OPTION, OPTION]}}, "response.options"),
        ({"response": {"options": OPTION}}, "response.options"),
        ({"response": {"options": [5]}}, "response.options[0]"),
        ({"response": {"options": [None]}}, "response.options[0]"),
        ({"response": {"options": [{"id": OPTION}]}}, "response.options[0]"),
        ({"response": {"options": ["x" * 36]}}, "response.options[0]"),
        ({"response": {"options": [str(uuid.uuid4())]}}, "response.options[0]"),
        ({"response": {"options": [OPTION], "score": 1}}, "response.score"),
        ({"response": {"value": 12}}, "response.value"),
        ({"response": {"order": [OPTION]}}, "response.order"),
        ({"certainty": 0}, "certainty"),
        ({"certainty": 4}, "certainty"),
        ({"certainty": True}, "certainty"),
        ({"certainty": "2"}, "certainty"),
        ({"certainty": 2.0}, "certainty"),
        ({"certainty": None}, "certainty"),
        ({"elapsed_ms": -1}, "elapsed_ms"),
        ({"elapsed_ms": 2**31}, "elapsed_ms"),
        ({"elapsed_ms": 2**63}, "elapsed_ms"),
        ({"elapsed_ms": 10**30}, "elapsed_ms"),
        ({"elapsed_ms": 1.5}, "elapsed_ms"),
        ({"answer": 1}, "answer"),
    ],
)
def test_bad_input_names_its_field_and_writes_nothing(ada, session, item, changes, field):
    option = find_option(item, WRONG)
    body = {"administration": item["administration"], "response": {"options": [option]}}
    text = json.dumps({**body, **changes}).replace(OPTION, option)
    problem = read_json(
        ada.call(
            "POST",
            f"sessions/{session['id']}/responses",
            raw=text.encode(),
            headers={"Idempotency-Key": "k"},
        ),
        400,
    )
    assert field in [one["field"] for one in problem["errors"]], problem
    assert not Response.objects.exists()
    assert Session.objects.get().revision == session["revision"]


@pytest.mark.parametrize(
    ("raw", "status", "field"),
    [
        (b"{", 400, "body"),
        (b"[]", 400, "body"),
        (b"", 400, "administration"),
        (b'{"administration": "a\\u0000b", "response": {}}', 400, "administration"),
        (b'{"response": {"options": ["\\ud800"]}}', 400, "response.options[0]"),
        (b'{"response": {"options": [{"a": "\\u0000"}]}}', 400, "response.options[0].a"),
        (b'{"response": {"value": 1e999}}', 400, "response.value"),
        (b'{"response": {"value": NaN}}', 400, "response.value"),
        (b'{"certainty": 1, "certainty": 3}', 400, "certainty"),
        (b'{"response": ' + b"[" * 10_000 + b"]" * 10_000 + b"}", 400, "body"),
        (b'{"response": "' + b"x" * 70_000 + b'"}', 413, "body"),
    ],
)
def test_a_bad_body_is_refused_and_writes_nothing(ada, session, raw, status, field):
    reply = ada.call(
        "POST",
        f"sessions/{session['id']}/responses",
        raw=raw,
        headers={"Idempotency-Key": "k"},
    )
    assert read_json(reply, status)["errors"][0]["field"] == field
    assert not Response.objects.exists()


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16",
        "application/xml",
        "",
    ],
)
def test_another_content_type_is_415(ada, session, content_type):
    reply = ada.call(
        "POST",
        f"sessions/{session['id']}/responses",
        raw=b'{"administration": "x"}',
        content_type=content_type,
        headers={"Idempotency-Key": "k"},
    )
    assert read_json(reply, 415)["errors"][0]["field"] == "Content-Type"


def test_a_compressed_body_is_415(ada, session):
    reply = ada.call(
        "POST",
        f"sessions/{session['id']}/responses",
        raw=b"\x1f\x8b",
        headers={"Content-Encoding": "gzip", "Idempotency-Key": "k"},
    )
    assert read_json(reply, 415)["errors"][0]["field"] == "Content-Encoding"
