"""The running estimate of difficulties: from adaptive answers, and nothing follows from it."""

import io
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from assessment.analytics.monitoring import watch_difficulties
from assessment.bank.snapshot import get_snapshot
from assessment.delivery.selectors import get_activity
from assessment.scoring.models import Score
from tests.analytics.answering import answer, start_session


@pytest.fixture
def adaptive(course, make_activity, bank):
    return get_activity(make_activity("training-memory", mode="adaptive"), course_id=course.id)


def answer_first(course, activity, snapshot, *, number: int, is_right: bool, theta: float) -> str:
    """One person answers the first item of an adaptive session; the item version."""
    session = start_session(course, activity, snapshot, person=f"person-{number}", seed=1)
    row, now = session.administrations.get(), timezone.now() + timedelta(seconds=number)
    answer(session, row, is_right=is_right, now=now, theta=theta, standard_error=0.9)
    return str(row.item_version_id)


def test_an_item_that_everybody_misses_seems_harder(course, adaptive, bank):
    snapshot = get_snapshot(bank)
    assert watch_difficulties(snapshot) == []
    items = {
        answer_first(course, adaptive, snapshot, number=n, is_right=False, theta=-0.3)
        for n in range(25)
    }
    (watched,) = watch_difficulties(snapshot)
    item = snapshot.items[items.pop()]
    assert (watched.slug, watched.b, watched.seen.num_answers) == (item.slug, item.b, 25)
    assert watched.seen.mean > item.b + 1.0
    assert watched.seen.sd < 0.8
    assert watched.is_off
    assert snapshot.items[item.version_id].b == item.b
    printed = io.StringIO()
    call_command("difficulties", stdout=printed)
    assert "provisional off" in printed.getvalue()


def test_answers_of_fixed_quizzes_are_not_looked_at(course, adaptive, bank):
    snapshot = get_snapshot(bank)
    answer_first(course, adaptive, snapshot, number=1, is_right=True, theta=0.3)
    assert len(watch_difficulties(snapshot)) == 1
    Score.objects.update(theta=None, standard_error=None)
    assert watch_difficulties(snapshot) == []
