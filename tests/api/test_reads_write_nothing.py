"""No GET writes, whatever it carries: a picture in an item could send it (BB-76)."""

import re

import pytest

from assessment.experiments.services import keep_figure
from assessment.feedback.drawing import draw_figure
from tests.flow.reach import list_paths
from tests.people import answer, find_option, make_person, read_json, start
from tests.reports import find_run, report_measured
from tests.statements import capture

WRITES = re.compile(r"^\s*(INSERT|UPDATE|DELETE|WITH|TRUNCATE|SELECT .* FOR )", re.DOTALL)
QUERY = "_method=DELETE&format=json"


@pytest.fixture
def ids(ada, course, make_activity):
    """What there is behind every place of a path."""
    activity = make_activity()
    session = start(ada, activity, "en")
    item = session["current"]
    told = answer(ada, session["id"], item, find_option(item, "Model accuracy for speed"))
    shown = read_json(told, 201)["feedback"]["demonstration"]["id"]
    run = find_run(shown)
    report_measured(run)
    run.refresh_from_db()
    keep_figure(run.id, draw_figure("memory", run.measurement, "en"))
    return {
        "session_id": [session["id"]],
        "activity_id": [str(activity)],
        "administration_id": [item["administration"]],
        "demonstration_id": [shown],
        "course_id": [str(course.id)],
        "slug": ["bg-1"],
        "name": ["memory"],
        "kind": ["svg"],
    }


def list_writes(work):
    """The reply, and the statements of it that write."""
    reply, sql = capture(work)
    return reply, [one for one in sql if WRITES.match(one)]


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "TRACE"])
def test_no_read_writes(ada, course, ids, method):
    everybody = make_person(course, "eve", "learn", "instruct", "author")
    headers = {"X-HTTP-Method-Override": "DELETE", "Idempotency-Key": "k"}
    answered = 0
    for path in list_paths(ids):
        for person in (ada, everybody):
            where = f"{path}?{QUERY}"
            reply, written = list_writes(
                lambda p=person, w=where: p.call(method, w, headers=headers)
            )
            assert not written, (path, written)
            answered += reply.status_code < 400
    if method != "TRACE":
        assert answered > 10
    # The eyes see a write where there is one.
    _, written = list_writes(lambda: ada.post(f"sessions/{ids['session_id'][0]}/handoff"))
    assert written


@pytest.mark.parametrize("path", ["/", "/learn/", "/api/v1/", "/api/v1/docs"])
def test_a_cookie_alone_writes_nothing(stranger, path):
    """There is no session of a browser to ride on: what a form could send is refused (BB-77)."""
    stranger.http.cookies["sessionid"] = "x"
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data"):
        reply = stranger.call(
            "POST", path, raw=b"a=1", content_type=kind, headers={"Origin": "https://evil.test"}
        )
        assert reply.status_code in (403, 405)
