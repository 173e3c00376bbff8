"""What an answer costs in SQL: the same at any size of the bank and of the table of answers."""

import json
import uuid

import pytest
from django.db import connection

from assessment.accounts.services import create_course
from assessment.bank.snapshot import forget_snapshots, get_snapshot
from assessment.delivery.models import Activity, Response
from assessment.delivery.services import create_activity
from tests.bank.synthetic import QUIZ, make_synthetic_version
from tests.people import answer, make_client_application, make_person, read_json, start
from tests.statements import capture

pytestmark = pytest.mark.django_db(transaction=True)

FRESH, REPLAY = 12, 3
# BEGIN and COMMIT counted.

NUM_IN_QUIZ = 16


@pytest.fixture
def classroom():
    course = create_course(make_client_application("lms"), slug="course", title="Course")
    yield course
    forget_snapshots()


def make_quiz(course, num_items, **policy):
    version = make_synthetic_version(num_items, num_in_quiz=NUM_IN_QUIZ)
    forget_snapshots()
    get_snapshot(version.id)
    return version, create_activity(course_id=course.id, quiz_slug=QUIZ, policy=policy).id


def find_options(version, item):
    """The key and a distractor of the item that a session shows."""
    items = get_snapshot(version.id).items.values()
    shown = {one["id"] for one in item["options"]}
    stored = next(one for one in items if shown == set(one.options_by_id))
    key = stored.key_ids[0]
    return key, next(one.id for one in stored.options if one.id != key)


def measure(person, version, session, *, is_right):
    """SQL of a fresh answer and of its replay."""
    item = read_json(person.get(f"sessions/{session['id']}"))["current"]
    key, wrong = find_options(version, item)
    body = {
        "administration": item["administration"],
        "response": {"options": [key if is_right else wrong]},
    }
    path, name = f"sessions/{session['id']}/responses", str(uuid.uuid4())
    first, fresh = capture(lambda: person.post(path, body, key=name))
    second, replay = capture(lambda: person.post(path, body, key=name))
    assert read_json(first, 201)["feedback"]["correct"] is is_right
    assert second.content == first.content
    return fresh, replay


@pytest.mark.parametrize("num_items", [16, pytest.param(100_000, marks=pytest.mark.slow)])
def test_an_answer_costs_the_same_at_any_size_of_the_bank(classroom, num_items):
    version, activity = make_quiz(classroom, num_items)
    ada = make_person(classroom, "ada", "learn")
    session = start(ada, activity, "en")
    for is_right in (False, True, False, True):
        fresh, replay = measure(ada, version, session, is_right=is_right)
        assert len(fresh) <= FRESH, "\n".join(fresh)
        assert len(replay) <= REPLAY, "\n".join(replay)
        assert not [one for one in fresh + replay if 'FROM "bank_' in one]


@pytest.mark.parametrize("num_stored", [100, pytest.param(100_000, marks=pytest.mark.slow)])
def test_an_answer_costs_the_same_at_any_number_of_answers(classroom, num_stored):
    version, activity = make_quiz(classroom, NUM_IN_QUIZ)
    store_answers(version, activity, num_stored)
    ada = make_person(classroom, "ada", "learn")
    session = start(ada, activity, "en")
    large = list_large_tables()
    # The check is not blind: it sees a scan where there is one.
    assert find_scans("SELECT count(*) FROM delivery_response WHERE elapsed_ms = 5") == {
        "delivery_response"
    }
    assert ("delivery_response" in large) == (num_stored > 1000)
    for is_right in (False, True):
        fresh, replay = measure(ada, version, session, is_right=is_right)
        assert len(fresh) <= FRESH, "\n".join(fresh)
        assert len(replay) <= REPLAY, "\n".join(replay)
        for sql in fresh + replay:
            assert not find_scans(sql) & large, sql


@pytest.mark.parametrize("policy", [{"reveal": "after_finish"}, {"has_predictions": True}])
def test_no_policy_makes_an_answer_dearer(classroom, policy):
    version, activity = make_quiz(classroom, NUM_IN_QUIZ, **policy)
    ada = make_person(classroom, "ada", "learn")
    session = start(ada, activity, "en")
    _, wrong = find_options(version, session["current"])
    for _ in ("fresh", "the same again"):
        _, sql = capture(lambda: answer(ada, session["id"], session["current"], wrong))
        assert len(sql) <= FRESH, "\n".join(sql)
    assert Response.objects.count() == 1


_FILL = """
WITH made AS (
    INSERT INTO delivery_session (id, created_at, activity_id, person_id, bank_version_id,
        languages, seed, attempt, state, finish_reason, revision, started_at, finished_at)
    SELECT gen_random_uuid(), now() - n * interval '1 second', %(activity)s, %(person)s,
        %(bank)s, ARRAY['en'], n, n + 1, 'finished', 'finished', 1, now(), now()
    FROM generate_series(1, %(num)s / 10) AS n RETURNING id
), asked AS (
    INSERT INTO delivery_administration (id, created_at, session_id, position,
        item_version_id, option_order)
    SELECT gen_random_uuid(), now(), made.id, place, gen_random_uuid(), ARRAY[]::uuid[]
    FROM made, generate_series(1, 10) AS place RETURNING id, session_id, item_version_id
), given AS (
    INSERT INTO delivery_response (id, administration_id, session_id, answer, received_at)
    SELECT gen_random_uuid(), id, session_id, '{"options": []}', now() FROM asked
    RETURNING id, session_id, administration_id
), scored AS (
    INSERT INTO scoring_score (id, response_id, session_id, revision, item_version_id,
        bank_version_id, rule, score, max_score, is_correct, misconceptions, scored_at)
    SELECT gen_random_uuid(), id, session_id, 1, gen_random_uuid(), %(bank)s, 'single',
        0, 1, false, '[]', now() FROM given RETURNING id
), shown AS (
    INSERT INTO experiments_demonstration (id, created_at, administration_id, session_id,
        kind, reason, is_reused)
    SELECT gen_random_uuid(), now(), administration_id, session_id, 'refute',
        'not_measurable', false FROM given RETURNING id
)
INSERT INTO core_idempotencyrecord (scope, route, key, request_digest, status, reply, created_at)
SELECT 'person:x', 'POST /x', id::text, 'd', 201, %(reply)s, now() FROM shown
"""


def store_answers(version, activity, num):
    """Finished sessions of somebody else, with everything that an answer leaves behind."""
    course = Activity.objects.get(pk=activity).course
    other = make_person(course, "other", "learn")
    with connection.cursor() as cursor:
        values = {
            "activity": activity,
            "person": other.bearer.person_id,
            "bank": version.id,
            "num": num,
            "reply": json.dumps({"body": {}, "headers": {}}),
        }
        cursor.execute(_FILL, values)
        cursor.execute("ANALYZE")
    assert Response.objects.count() == num


def list_large_tables():
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > 1000")
        return {row[0] for row in cursor.fetchall() if not row[0].startswith("pg_")}


def find_scans(sql):
    """The tables that a statement reads from end to end, by PostgreSQL's own plan."""
    if sql.split()[0] not in ("SELECT", "INSERT", "UPDATE", "WITH", "DELETE"):
        return set()
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (FORMAT JSON) " + sql.replace("%", "%%"), [])
        plan = cursor.fetchone()[0]
    plan = json.loads(plan) if isinstance(plan, str) else plan
    return set(_walk_plan(plan[0]["Plan"]))


def _walk_plan(node):
    if node["Node Type"] == "Seq Scan":
        yield node["Relation Name"]
    for inner in node.get("Plans", []):
        yield from _walk_plan(inner)
