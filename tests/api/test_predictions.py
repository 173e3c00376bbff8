"""Predictions: asked before the feedback, with right answers too, once (decision 15)."""

import pytest

from assessment.delivery.models import Prediction
from tests.people import answer, find_option, read_json, start

WRONG = "Model accuracy for speed"
RIGHT = "Extra computation (recomputation) for lower memory use"


@pytest.fixture
def session(ada, make_activity):
    return start(ada, make_activity(has_predictions=True), "en")


def ask(person, session, text=WRONG):
    item = session["current"]
    return read_json(answer(person, session["id"], item, find_option(item, text)), 201)


def predict(person, session, body):
    administration = session["current"]["administration"]
    return person.put(f"sessions/{session['id']}/predictions/{administration}", body)


def test_the_answer_is_recorded_and_only_the_question_comes_back(ada, session):
    body = ask(ada, session)
    assert set(body) == {"recorded", "prediction"}
    assert len(body["prediction"]["choices"]) == 3


def test_a_right_answer_is_asked_the_same(ada, session, make_activity):
    wrong = ask(ada, session)
    ada.post(f"sessions/{session['id']}/finish")
    again = start(ada, make_activity(has_predictions=True), "en")
    right = ask(ada, again, RIGHT)
    question, other = wrong["prediction"], right["prediction"]
    assert (question["text"], question["choices"]) == (other["text"], other["choices"])


@pytest.mark.parametrize("is_skip", [False, True])
def test_the_reply_to_the_prediction_carries_the_feedback(ada, session, is_skip):
    choice = ask(ada, session)["prediction"]["choices"][1]["id"]
    body = read_json(predict(ada, session, {"skip": True} if is_skip else {"choice": choice}))
    assert body["feedback"]["misconception"]["slug"] == "accuracy-is-the-price"
    assert body["next"]["position"] == 2
    assert Prediction.objects.get().choice == (None if is_skip else choice)


def test_it_is_given_once(ada, session):
    choices = [one["id"] for one in ask(ada, session)["prediction"]["choices"]]
    first = predict(ada, session, {"choice": choices[0]})
    again = predict(ada, session, {"choice": choices[0]})
    assert read_json(again)["feedback"] == read_json(first)["feedback"]
    assert read_json(predict(ada, session, {"choice": choices[1]}), 409)["code"]
    assert read_json(predict(ada, session, {"skip": True}), 409)["code"]
    assert Prediction.objects.get().choice == choices[0]


def test_until_it_is_given_nothing_is_revealed(ada, session):
    ask(ada, session)
    feedback = read_json(ada.get(f"sessions/{session['id']}/feedback"))
    assert [one["feedback"] for one in feedback["items"]] == [None] * 8
    body = {"administration": session["current"]["administration"]}
    assert ada.post(f"sessions/{session['id']}/demonstrations", body).status_code == 409
    resumed = read_json(ada.get(f"sessions/{session['id']}"))
    assert (resumed["current"], len(resumed["prediction"]["choices"])) == (None, 3)


def test_before_the_answer_nothing_is_asked(ada, session):
    assert predict(ada, session, {"skip": True}).status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "choice"),
        ({"choice": "no-such"}, "choice"),
        ({"choice": 1}, "choice"),
        ({"choice": "a", "skip": True}, "choice"),
        ({"skip": "yes"}, "skip"),
        ({"skip": False}, "choice"),
        ({"option": "x"}, "option"),
    ],
)
def test_bad_input_names_its_field(ada, session, body, field):
    ask(ada, session)
    problem = read_json(predict(ada, session, body), 400)
    assert [one["field"] for one in problem["errors"]] == [field]
    assert not Prediction.objects.exists()


def test_cleo_predicts_nothing(ada, ben, cleo, session):
    ask(ada, session)
    assert predict(cleo, session, {"skip": True}).status_code == 404
    assert predict(ben, session, {"skip": True}).status_code == 403


def test_once_the_feedback_can_be_read_nothing_is_predicted(ada, session):
    ask(ada, session)
    ada.post(f"sessions/{session['id']}/finish")
    told = read_json(ada.get(f"sessions/{session['id']}/feedback"))
    assert told["items"][0]["feedback"]["prediction"] is None
    assert read_json(predict(ada, session, {"skip": True}), 409)["code"] == "session_finished"
    assert not Prediction.objects.exists()
