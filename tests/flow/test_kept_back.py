"""Evidence of answers whose feedback is kept back: asked for unseen, there when it is told."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from assessment.core.models import OutboxMessage
from assessment.delivery.models import Session
from assessment.experiments.dispatch import reap_runs
from assessment.experiments.ingest import take_message
from assessment.experiments.models import Demonstration, Run
from assessment.flow.evidence import KEPT_BACK_TOPIC, ask_for_kept_back
from gpu_worker.contracts import encode
from tests.experiments.reports import make_hello
from tests.people import Person, answer, find_option, make_person, read_json, start
from tests.reports import report_measured
from tests.statements import capture, name_statement
from tests.waiting import run_second

WRONG = "Model accuracy for speed"
RIGHT = "Extra computation (recomputation) for lower memory use"


@pytest.fixture
def session(ada, make_activity):
    return start(ada, make_activity(reveal="after_finish"), "en")


def give(person, session, text):
    item = session["current"]
    reply = read_json(answer(person, session["id"], item, find_option(item, text)), 201)
    assert reply["recorded"] is True


def ask():
    return ask_for_kept_back(now=timezone.now())


def list_messages():
    return list(OutboxMessage.objects.filter(topic=KEPT_BACK_TOPIC))


@pytest.mark.parametrize(("text", "num"), [(WRONG, 1), (RIGHT, 0)])
def test_every_answer_leaves_a_message_and_a_wrong_one_gets_its_run(ada, session, text, num):
    give(ada, session, text)
    assert (Demonstration.objects.count(), Run.objects.count()) == (0, 0)
    (message,) = list_messages()
    assert message.key == session["current"]["administration"]
    assert ask() == 1
    assert (Demonstration.objects.count(), Run.objects.count()) == (num, num)
    assert (list_messages(), ask()) == ([], 0)


def finish(person, session):
    told = read_json(person.post(f"sessions/{session['id']}/finish"))
    return [one["feedback"]["demonstration"] for one in told["items"] if one["answered"]]


@pytest.mark.parametrize("is_asked_before", [True, False])
def test_the_end_tells_the_evidence_whether_the_conductor_came_or_not(
    ada, session, is_asked_before
):
    give(ada, session, WRONG)
    if is_asked_before:
        ask()
    (shown,) = finish(ada, session)
    assert (shown["experiment"], shown["kind"]) == ("tradeoff", "refute")
    ask()
    assert Demonstration.objects.count() == Run.objects.count() == 1


def test_a_prediction_tells_the_evidence_at_once(ada, make_activity):
    session = start(ada, make_activity(has_predictions=True), "en")
    give(ada, session, WRONG)
    path = f"sessions/{session['id']}/predictions/{session['current']['administration']}"
    told = read_json(ada.put(path, {"skip": True}))["feedback"]["demonstration"]
    assert (told["experiment"], told["state"]) == ("tradeoff", "waiting")


def test_a_prediction_before_the_end_asks_for_nothing(ada, make_activity):
    policy = {"has_predictions": True, "reveal": "after_finish"}
    session = start(ada, make_activity(**policy), "en")
    give(ada, session, WRONG)
    path = f"sessions/{session['id']}/predictions/{session['current']['administration']}"
    assert set(read_json(ada.put(path, {"skip": True}))) == {"recorded", "next", "end"}
    assert not Demonstration.objects.exists()


def test_an_expired_session_has_its_evidence(ada, session):
    give(ada, session, WRONG)
    ask()
    Session.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    told = read_json(ada.get(f"sessions/{session['id']}/feedback"))
    (shown,) = [one["feedback"]["demonstration"] for one in told["items"] if one["answered"]]
    assert shown["experiment"] == "tradeoff"


@pytest.mark.parametrize("policy", [{"reveal": "after_finish"}, {"has_predictions": True}])
def test_evidence_that_is_kept_back_is_not_even_read(course, make_activity, policy):
    """The same answer again, the feedback: a wrong answer takes no longer."""
    activity, seen = make_activity(**policy), []
    for text in (WRONG, RIGHT):
        person = make_person(course, text, "learn")
        session = start(person, activity, "en")
        give(person, session, text)
        ask()
        for run in Run.objects.filter(state="requested"):
            report_measured(run)
        path = f"sessions/{session['id']}"
        _, again = capture(lambda p=person, s=session, t=text: give(p, s, t))
        _, told = capture(lambda p=person, w=path: read_json(p.get(f"{w}/feedback")))
        seen.append([name_statement(one) for one in again + told])
        assert not any("experiments_run" in one and "SELECT" in one for one in again)
    assert seen[0] == seen[1]


def test_a_message_whose_session_is_gone_is_dropped(ada, session):
    give(ada, session, WRONG)
    Session.objects.all().delete()
    assert (ask(), list_messages()) == (1, [])


def test_a_bank_that_cannot_be_read_stops_no_conductor(ada, session):
    give(ada, session, WRONG)
    Session.objects.update(bank_version_id=uuid.uuid4())
    assert (ask(), list_messages()) == (1, [])
    assert not Demonstration.objects.exists()


def test_nor_does_it_keep_a_run_on_a_card_that_is_gone(ada, make_activity):
    take_message(encode(make_hello(device="cuda", worker="gpu")))
    session = start(ada, make_activity(), "en")
    item = session["current"]
    answer(ada, session["id"], item, find_option(item, WRONG))
    Session.objects.update(bank_version_id=uuid.uuid4())
    reap_runs(now=timezone.now() + timedelta(seconds=61))
    assert Demonstration.objects.get().run.device == "cpu"


@pytest.mark.django_db(transaction=True)
def test_the_end_and_the_conductor_at_once_make_one(ada, session):
    give(ada, session, WRONG)
    other = Person(ada.bearer, ada.token)
    (shown,) = run_second(ask, lambda: finish(other, session))
    assert shown["id"] == str(Demonstration.objects.get().id)
