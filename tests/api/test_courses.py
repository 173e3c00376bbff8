"""What Ben reads of his course: every row once, as JSON or as a safe table."""

import base64
import csv
import io
from datetime import timedelta

import pytest
from django.utils import timezone

from assessment.accounts.models import Person as StoredPerson
from assessment.delivery.models import Session
from tests.people import answer, find_option, make_person, read_json, start
from tests.reports import find_run, report_measured

WRONG = "Model accuracy for speed"


@pytest.fixture
def class_of_25(course, make_activity):
    """25 sessions begun at the very same moment."""
    activity = make_activity()
    for number in range(25):
        start(make_person(course, f"learner-{number:02}", "learn"), activity, "en")
    Session.objects.update(created_at=timezone.now())


def walk(person, path):
    rows = []
    while path:
        body = read_json(person.get(path))
        rows += body["results"]
        path = body["next"]
    return rows


@pytest.mark.parametrize("size", [1, 7, 25, 100])
def test_pages_hold_each_row_once(ben, course, class_of_25, size):
    rows = walk(ben, f"courses/{course.id}/sessions?page_size={size}")
    assert sorted(one["person"] for one in rows) == [f"learner-{n:02}" for n in range(25)]


def test_rows_added_and_taken_between_pages_lose_nobody(ben, course, class_of_25, make_activity):
    first = read_json(ben.get(f"courses/{course.id}/sessions?page_size=10"))
    start(make_person(course, "late", "learn"), make_activity(), "en")
    gone = first["results"][3]["id"]
    Session.objects.filter(pk=gone).delete()
    rest = walk(ben, first["next"])
    people = [one["person"] for one in first["results"] + rest]
    assert len(people) == len(set(people)) == 26


@pytest.mark.parametrize(
    "cursor", ["p=abc", "p=%00", "o=-1", "x", "eyJ9", "%00", "\u0416", "a" * 501]
)
def test_a_tampered_cursor_is_named(ben, course, cursor):
    tampered = base64.urlsafe_b64encode(cursor.encode()).decode()
    for value in (cursor, tampered):
        problem = read_json(ben.get(f"courses/{course.id}/sessions?cursor={value}"), 400)
        assert problem["errors"][0]["field"] == "cursor"


def test_a_cursor_of_another_list_is_refused(ben, course, class_of_25):
    body = read_json(ben.get(f"courses/{course.id}/sessions?page_size=1"))
    other = body["next"].replace("/sessions?", "/runs?")
    assert ben.get(other).status_code == 400


@pytest.mark.parametrize(
    "size", ["0", "-1", "101", "1000000000", "1e9", "\u0661", "x", "", "1.0", "%00"]
)
def test_a_page_has_a_sane_size(ben, course, size):
    problem = read_json(ben.get(f"courses/{course.id}/sessions?page_size={size}"), 400)
    assert problem["errors"][0]["field"] == "page_size"


def test_statements_do_not_grow_with_rows(ben, course, class_of_25, django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        ben.get(f"courses/{course.id}/sessions?page_size=25")
    with django_assert_max_num_queries(3):
        ben.get(f"courses/{course.id}/sessions?page_size=1")


def test_the_table_is_safe_and_opens_with_its_letters(ben, ada, course, make_activity):
    StoredPerson.objects.filter(external_id="ada").update(name='=HYPERLINK("http://x","Ада")')
    start(ada, make_activity(), "en")
    reply = ben.get(f"courses/{course.id}/sessions?format=csv")
    assert reply["Content-Type"] == "text/csv; charset=utf-8"
    assert reply["Content-Disposition"] == 'attachment; filename="sessions.csv"'
    rows = list(csv.DictReader(io.StringIO(reply.content.decode("utf-8-sig"))))
    assert rows[0]["name"] == '\'=HYPERLINK("http://x","Ада")'
    assert rows[0]["score"] == "0.0"


def test_an_empty_course_is_an_empty_table(ben, course):
    assert read_json(ben.get(f"courses/{course.id}/sessions"))["results"] == []
    reply = ben.get(f"courses/{course.id}/runs?format=csv")
    assert len(reply.content.decode("utf-8-sig").splitlines()) == 1


def test_runs_of_the_course_are_listed(ben, ada, cleo, course, make_activity):
    session = start(ada, make_activity(), "en")
    item = session["current"]
    reply = read_json(answer(ada, session["id"], item, find_option(item, WRONG)), 201)
    report_measured(find_run(reply["feedback"]["demonstration"]["id"]))
    rows = read_json(ben.get(f"courses/{course.id}/runs"))["results"]
    assert [(one["experiment"], one["state"]) for one in rows] == [("tradeoff", "measured")]
    mine = read_json(cleo.get(f"courses/{cleo.bearer.course_id}/runs"))["results"]
    assert mine == []


@pytest.mark.parametrize("path", ["sessions", "runs", "sessions?format=csv", "runs?format=csv"])
def test_cleo_and_ada_read_nothing(ada, cleo, stranger, course, path):
    assert cleo.get(f"courses/{course.id}/{path}").status_code == 404
    assert ada.get(f"courses/{course.id}/{path}").status_code == 403
    assert stranger.get(f"courses/{course.id}/{path}").status_code == 401


def test_a_session_past_its_time_is_told_as_over(ben, ada, course, make_activity):
    """Before the conductor has closed it, as the learner's own page does."""
    start(ada, make_activity(time_limit_s=60), "en")
    Session.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    (row,) = read_json(ben.get(f"courses/{course.id}/sessions"))["results"]
    assert row["state"] == "expired"


@pytest.mark.parametrize("lang", ["en", "wo"])
def test_statements_do_not_grow_with_activities(
    ada, make_activity, lang, django_assert_max_num_queries
):
    """With sessions of one's own, and where a text falls back (BB-08)."""
    for number in range(7):
        start(ada, make_activity(("gradient-checkpointing", "training-memory")[number % 2]), lang)
        if number in (0, 6):
            with django_assert_max_num_queries(3):
                rows = read_json(ada.get(f"activities?lang={lang}"))["results"]
            assert len(rows) == number + 1
            assert all(len(one["sessions"]) == 1 for one in rows)
