"""Messages leave only with their transaction, urgent ones first."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assessment.core import outbox


@pytest.mark.django_db(transaction=True)
def test_a_message_belongs_to_a_transaction():
    with pytest.raises(RuntimeError):
        outbox.write_message(topic="run", key="1", not_before=timezone.now())


@pytest.mark.django_db
def test_urgent_messages_go_first_and_later_ones_wait():
    now = timezone.now()
    outbox.write_message(topic="run", key="a", not_before=now, priority=outbox.ROUTINE)
    outbox.write_message(topic="run", key="b", not_before=now)
    outbox.write_message(topic="run", key="c", not_before=now + timedelta(minutes=1))
    outbox.write_message(topic="figures", key="d", not_before=now)
    taken = outbox.take_due_messages(topic="run", now=now, limit=10)
    assert [one.key for one in taken] == ["b", "a"]
    assert outbox.count_ahead(key="a") == 2


@pytest.mark.django_db
def test_the_oldest_age_counts_due_messages_only():
    now = timezone.now()
    assert outbox.find_oldest_age_s(now=now) == 0.0
    outbox.write_message(topic="run", key="a", not_before=now - timedelta(seconds=9))
    assert outbox.find_oldest_age_s(now=now) == 9.0


@pytest.mark.django_db
def test_a_chore_stays_until_it_is_settled():
    now = timezone.now()
    outbox.write_message(topic="figures", key="a", not_before=now)
    (message,) = outbox.take_due_messages(topic="figures", now=now, limit=10)
    outbox.put_off(message, until=now + timedelta(minutes=2))
    assert outbox.take_due_messages(topic="figures", now=now, limit=10) == []
    assert outbox.find_oldest_age_s(now=now) == 0.0
    (again,) = outbox.take_due_messages(topic="figures", now=now + timedelta(minutes=3), limit=10)
    assert again.attempts == 1
    outbox.settle(topic="calibration", key="a")
    assert outbox.is_open(topic="figures", key="a")
    outbox.settle(topic="figures", key="a")
    assert not outbox.is_open(topic="figures", key="a")
