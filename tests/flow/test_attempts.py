"""What an unanswered item may tell, seen from every attempt that could use it (BB-02)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assessment.bank.snapshot import get_snapshot
from assessment.delivery.models import Activity, Session
from tests.people import answer, read_json, start


def list_told(person, session):
    """Feedback by item of a session, as the page of results reads it."""
    told = read_json(person.get(f"sessions/{session['id']}/feedback"))
    return [one["feedback"] for one in told["items"]]


@pytest.mark.parametrize("reveal", ["after_each", "after_finish"])
def test_an_empty_attempt_tells_nothing_while_the_last_one_is_open(ada, make_activity, reveal):
    activity = make_activity(reveal=reveal, max_attempts=2)
    first = start(ada, activity, "en")
    ended = read_json(ada.post(f"sessions/{first['id']}/finish"))
    assert not any(one["feedback"] for one in ended["items"])
    last = start(ada, activity, "en")
    assert list_told(ada, first) == [None] * 8
    told = read_json(ada.get(f"sessions/{first['id']}/feedback"))
    assert told["outcome"]["misconceptions"] == []
    ada.post(f"sessions/{last['id']}/finish")
    assert all(list_told(ada, first))
    assert all(list_told(ada, last))


def test_at_the_closing_time_the_grace_still_counts_as_open(ada, make_activity):
    activity = make_activity(max_attempts=2)
    first = start(ada, activity, "en")
    ada.post(f"sessions/{first['id']}/finish")
    last = start(ada, activity, "en")
    now = timezone.now()
    Activity.objects.update(closes_at=now - timedelta(seconds=5))
    Session.objects.filter(pk=last["id"]).update(expires_at=now - timedelta(seconds=5))
    assert list_told(ada, first) == [None] * 8
    Session.objects.filter(pk=last["id"]).update(expires_at=now - timedelta(seconds=31))
    assert all(list_told(ada, first))


def test_an_answer_after_the_time_is_refused_and_an_equal_one_before_is_told(
    ada, bank, make_activity
):
    session = start(ada, make_activity(time_limit_s=60), "en")
    item = session["current"]
    ids = [one["id"] for one in item["options"]]
    keys = {key for one in get_snapshot(bank).items.values() for key in one.key_ids}
    wrong = next(one for one in ids if one not in keys)
    assert answer(ada, session["id"], item, wrong).status_code == 201
    Session.objects.update(expires_at=timezone.now() - timedelta(seconds=31))
    assert answer(ada, session["id"], item, wrong).status_code == 201
    following = read_json(ada.get(f"sessions/{session['id']}/items"))["items"][1]
    late = answer(ada, session["id"], following, following["options"][0]["id"])
    assert read_json(late, 409)["code"] == "session_expired"
    told = read_json(ada.get(f"sessions/{session['id']}"))
    assert (told["state"], told["current"]) == ("expired", None)
    (listed,) = read_json(ada.get("activities"))["results"]
    assert [one["state"] for one in listed["sessions"]] == ["expired"]
    again = start(ada, Activity.objects.get().id, "en")
    assert again["attempt"] == 2
    assert Session.objects.get(pk=session["id"]).state == "expired"
