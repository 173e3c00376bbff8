"""POST /sessions/{id}/finish and what may be read after it: decision 14 without a gap."""

import pytest

from tests.people import answer, find_option, read_json, start

WRONG = "Model accuracy for speed"


def take_wrong(person, session):
    item = session["current"]
    return read_json(answer(person, session["id"], item, find_option(item, WRONG)), 201)


def test_it_ends_and_tells_answered_items_only(ada, make_activity):
    session = start(ada, make_activity(), "en")
    take_wrong(ada, session)
    body = read_json(ada.post(f"sessions/{session['id']}/finish"))
    assert body["session"]["state"] == "finished"
    assert body["session"]["current"] is None
    answered = [one for one in body["items"] if one["answered"]]
    assert [one["feedback"]["correct"] for one in answered] == [False]
    assert [one["feedback"] for one in body["items"] if not one["answered"]] == [None] * 7
    assert body["result"] == {"score": 0.0, "max_score": 8.0, "answered": 1, "num_items": 8}


def test_without_another_attempt_unanswered_items_tell_their_key(ada, make_activity):
    session = start(ada, make_activity(max_attempts=1), "en")
    body = read_json(ada.post(f"sessions/{session['id']}/finish"))
    told = [one["feedback"] for one in body["items"]]
    assert [(one["correct"], one["score"]) for one in told] == [(None, 0)] * 8
    assert all(one["correct_options"] and one["key_explanation"] for one in told)


def test_ending_twice_is_told_the_same(ada, make_activity):
    session = start(ada, make_activity(), "en")
    first = read_json(ada.post(f"sessions/{session['id']}/finish"))
    second = read_json(ada.post(f"sessions/{session['id']}/finish"))
    assert second["session"]["finished_at"] == first["session"]["finished_at"]


def test_after_finish_reveals_nothing_before(ada, make_activity):
    session = start(ada, make_activity(reveal="after_finish"), "en")
    reply = take_wrong(ada, session)
    assert set(reply) == {"recorded", "next", "end"}
    feedback = read_json(ada.get(f"sessions/{session['id']}/feedback"))
    assert feedback == {"revealed": False, "result": None, "outcome": None, "items": []}
    done = read_json(ada.post(f"sessions/{session['id']}/finish"))
    told = next(one["feedback"] for one in done["items"] if one["answered"])
    assert told["misconception"]["slug"] == "accuracy-is-the-price"
    assert told["demonstration"]["experiment"] == "tradeoff"


def test_the_feedback_reads_as_the_finish_told(ada, ben, make_activity):
    session = start(ada, make_activity(), "en")
    take_wrong(ada, session)
    done = read_json(ada.post(f"sessions/{session['id']}/finish"))
    for person in (ada, ben):
        body = read_json(person.get(f"sessions/{session['id']}/feedback"))
        assert body["items"] == done["items"]


def test_feedback_comes_in_the_language_of_the_session(ada, make_activity):
    session = start(ada, make_activity("activation-recomputation"), "wo", "fr")
    item = session["current"]
    answer(ada, session["id"], item, item["options"][0]["id"])
    reply = ada.get(f"sessions/{session['id']}/feedback", Accept_Language="bg")
    told = next(one["feedback"] for one in read_json(reply)["items"] if one["answered"])
    assert told["explanation"]["lang"] == "wo"
    assert reply["Content-Language"].split(", ")[0] == "wo"


def test_cleo_ends_nothing(ada, ben, cleo, make_activity):
    session = start(ada, make_activity(), "en")
    assert cleo.post(f"sessions/{session['id']}/finish").status_code == 404
    assert ben.post(f"sessions/{session['id']}/finish").status_code == 403
    assert read_json(ada.get(f"sessions/{session['id']}"))["state"] == "open"


@pytest.mark.parametrize("body", [{"state": "finished"}, {"score": 100}])
def test_the_body_has_no_fields(ada, make_activity, body):
    session = start(ada, make_activity(), "en")
    problem = read_json(ada.post(f"sessions/{session['id']}/finish", body), 400)
    assert problem["errors"][0]["code"] == "unknown_field"


@pytest.mark.parametrize("num", [1, 8])
def test_the_feedback_costs_the_same_for_any_number_of_answers(
    ada, make_activity, num, django_assert_max_num_queries
):
    """Eight missed items with their runs, in a language that falls back (BB-08)."""
    session = start(ada, make_activity(), "wo")
    for item in read_json(ada.get(f"sessions/{session['id']}/items"))["items"][:num]:
        read_json(answer(ada, session["id"], item, item["options"][0]["id"]), 201)
    with django_assert_max_num_queries(5):
        told = read_json(ada.get(f"sessions/{session['id']}/feedback"))
    assert sum(one["answered"] for one in told["items"]) == num
