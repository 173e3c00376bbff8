"""Twenty requests at once over connections of their own: once is once, and never a 500."""

import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from django.db import connection

from assessment.accounts.models import Course
from assessment.accounts.services import create_course
from assessment.bank.models import Draft
from assessment.bank.snapshot import forget_snapshots, get_snapshot
from assessment.delivery.models import Administration, Prediction, Response, Session
from assessment.delivery.services import create_activity
from assessment.experiments.models import Demonstration, Run
from assessment.scoring.models import Score
from tests.bank.synthetic import QUIZ, make_synthetic_version
from tests.people import Person, answer, make_client_application, make_person, read_json, start

pytestmark = pytest.mark.django_db(transaction=True)

NUM = 20


@pytest.fixture
def ada():
    course = create_course(make_client_application("lms"), slug="course", title="Course")
    version = make_synthetic_version(8)
    forget_snapshots()
    get_snapshot(version.id)
    yield make_person(course, "ada", "learn")
    forget_snapshots()


def make_activity(person, **policy):
    made = create_activity(course_id=person.bearer.course_id, quiz_slug=QUIZ, policy=policy)
    return made.id


def at_once(works):
    """The replies of all works, begun at the same moment, each in a thread of its own."""
    barrier = Barrier(len(works))

    def run(work):
        try:
            barrier.wait(timeout=30)
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


def clone(person):
    """The same person at another device: an HTTP client of its own."""
    return Person(person.bearer, person.token)


def list_options(session):
    return [one["id"] for one in session["current"]["options"]]


def test_twenty_starts_make_one_session(ada):
    body = {"activity": str(make_activity(ada)), "languages": ["en"]}
    replies = at_once([partial(clone(ada).post, "sessions", body) for _ in range(NUM)])
    statuses = Counter(one.status_code for one in replies)
    assert statuses == {201: 1, 200: NUM - 1}
    assert len({read_json(one, one.status_code)["id"] for one in replies}) == 1
    assert (Session.objects.count(), Administration.objects.count()) == (1, 8)


@pytest.mark.parametrize("has_one_key", [True, False])
def test_twenty_equal_answers_are_scored_once(ada, has_one_key):
    session = start(ada, make_activity(ada), "en")
    option = list_options(session)[0]
    body = {
        "administration": session["current"]["administration"],
        "response": {"options": [option]},
    }
    path = f"sessions/{session['id']}/responses"
    replies = at_once(
        [
            partial(clone(ada).post, path, body, key="one" if has_one_key else str(uuid.uuid4()))
            for _ in range(NUM)
        ]
    )
    assert {one.status_code for one in replies} == {201}
    scores = {read_json(one, 201)["score"] for one in replies}
    assert len(scores) == 1
    if has_one_key:
        assert len({one.content for one in replies}) == 1
    assert (Response.objects.count(), Score.objects.count()) == (1, 1)
    assert Demonstration.objects.count() == Run.objects.count() == (scores == {0.0})


def test_of_different_answers_one_counts(ada):
    session = start(ada, make_activity(ada), "en")
    options = list_options(session)
    replies = at_once(
        [
            partial(answer, clone(ada), session["id"], session["current"], options[number % 4])
            for number in range(NUM)
        ]
    )
    assert Counter(one.status_code for one in replies) == {201: NUM / 4, 409: NUM * 3 / 4}
    assert (Response.objects.count(), Score.objects.count()) == (1, 1)
    chosen = Response.objects.get().answer["options"]
    winners = [read_json(one, 201) for one in replies if one.status_code == 201]
    assert all(one["feedback"]["chosen_options"] == chosen for one in winners)


def test_an_answer_racing_the_finish_leaves_nothing_in_half(ada):
    for _ in range(5):
        session = start(ada, make_activity(ada), "en")
        option = list_options(session)[0]
        path = f"sessions/{session['id']}/finish"
        works = [
            partial(answer, clone(ada), session["id"], session["current"], option),
            partial(clone(ada).post, path),
        ]
        given, ended = at_once(works)
        assert ended.status_code == 200
        assert given.status_code in (201, 409)
        stored = Response.objects.filter(session_id=session["id"]).count()
        assert stored == Score.objects.filter(session_id=session["id"]).count()
        assert stored == (given.status_code == 201)


def test_twenty_predictions_are_kept_once(ada):
    session = start(ada, make_activity(ada, has_predictions=True), "en")
    asked = read_json(answer(ada, session["id"], session["current"], list_options(session)[0]), 201)
    choices = [one["id"] for one in asked["prediction"]["choices"]]
    administration = session["current"]["administration"]
    path = f"sessions/{session['id']}/predictions/{administration}"
    replies = at_once(
        [partial(clone(ada).put, path, {"choice": choices[number % 2]}) for number in range(NUM)]
    )
    assert Counter(one.status_code for one in replies) == {200: NUM / 2, 409: NUM / 2}
    assert Prediction.objects.count() == 1


def test_a_class_of_twenty_missing_one_question_costs_one_run(ada):
    activity = make_activity(ada)
    course = create_course_of(ada)
    learners = [make_person(course, f"learner-{number}", "learn") for number in range(NUM)]
    sessions = [start(one, activity, "en") for one in learners]
    version = Session.objects.values_list("bank_version_id", flat=True)[0]
    items = get_snapshot(version).items.values()
    keys = {key for one in items for key in one.key_ids}
    works = [
        partial(
            answer,
            one,
            session["id"],
            session["current"],
            next(option for option in list_options(session) if option not in keys),
        )
        for one, session in zip(learners, sessions, strict=True)
    ]
    assert {one.status_code for one in at_once(works)} == {201}
    assert (Demonstration.objects.count(), Run.objects.count()) == (NUM, 1)


def create_course_of(person):
    return Course.objects.get(pk=person.bearer.course_id)


def test_what_ifs_at_once_stay_within_the_quota(ada, settings):
    settings.WHAT_IF_PER_DAY = 3
    session = start(ada, make_activity(ada), "en")
    version = Session.objects.values_list("bank_version_id", flat=True)[0]
    keys = {key for one in get_snapshot(version).items.values() for key in one.key_ids}
    wrong = next(one for one in list_options(session) if one not in keys)
    told = read_json(answer(ada, session["id"], session["current"], wrong), 201)
    path = f"demonstrations/{told['feedback']['demonstration']['id']}/what-if"
    works = [
        partial(clone(ada).post, path, {"parameters": {"layers": 2 + number}})
        for number in range(NUM // 2)
    ]
    statuses = Counter(one.status_code for one in at_once(works))
    assert statuses == {202: 3, 429: NUM // 2 - 3}
    assert Demonstration.objects.filter(kind="what_if").count() == 3


def test_of_twenty_uses_of_a_hand_off_one_counts(ada):
    session = start(ada, make_activity(ada), "en")
    secret = read_json(ada.post(f"sessions/{session['id']}/handoff"), 201)["secret"]
    replies = at_once([partial(Person().post, "handoffs", {"secret": secret}) for _ in range(NUM)])
    assert Counter(one.status_code for one in replies) == {200: 1, 404: NUM - 1}


def test_twenty_first_drafts_of_an_item_leave_one(ada):
    dora = make_person(create_course_of(ada), "dora", "author")
    body = {"document": {"slug": "new-item", "kind": "single"}}
    replies = at_once([partial(clone(dora).put, "bank/drafts", body) for _ in range(NUM)])
    assert {one.status_code for one in replies} <= {200, 409}
    stored = Draft.objects.get()
    assert stored.revision == sum(one.status_code == 200 for one in replies)
