"""The conductor outlives a database, a broker and whatever a worker writes to its queue."""

import json
import threading
import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
import redis
from django.conf import settings
from django.db import connection
from django.utils import timezone

from assessment.analytics.models import CalibrationProposal
from assessment.core import outbox
from assessment.ops.broker import RunBroker
from assessment.ops.conducting import (
    CHORE_PATIENCE,
    MAX_CHORE_TRIES,
    OutboxLoop,
    Presence,
    ReportLoop,
    Stop,
    publish_chores,
    run_loop,
)
from gpu_worker.contracts import REPORT_QUEUE
from tests.harness import wait_for

KEY = settings.RUN_KEY_PREFIX + REPORT_QUEUE


@pytest.fixture
def queue() -> Iterator[redis.Redis]:
    """The report queue as a worker reaches it, empty before and after."""
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.delete(KEY)
    yield client
    client.delete(KEY)


def make_envelope(body: object, *, tag: str) -> str:
    """What a worker could push without any library of ours."""
    place = {"exchange": "", "routing_key": REPORT_QUEUE}
    properties = {"delivery_tag": tag, "delivery_info": place}
    return json.dumps({"body": body, "headers": {}, "properties": properties})


@pytest.mark.parametrize("text", ["no json", "[]", "{}", json.dumps({"body": "x"})])
def test_an_unreadable_message_does_not_end_the_loop(queue: redis.Redis, text: str) -> None:
    queue.lpush(KEY, text)
    stop = Stop()
    ReportLoop(stop).once()
    assert not stop.is_set()
    assert queue.llen(KEY) == 0


@pytest.mark.parametrize("body", [5, None, ["x"], {"a": 1}, "half \ud800"])
def test_a_body_that_is_no_text_is_dropped_for_good(queue: redis.Redis, body: object) -> None:
    queue.lpush(KEY, make_envelope(body, tag="1"))
    queue.lpush(KEY, make_envelope("after", tag="2"))
    taken: list[bytes] = []
    with RunBroker() as broker:
        broker.take_reports(taken.append, until=lambda: bool(taken))
    assert taken == [b"after"]
    assert queue.llen(KEY) == 0


def test_a_server_that_is_away_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    presence = Presence("the broker")
    for _ in range(2):
        presence.note_answer()
        for _ in range(3):
            presence.note_loss(OSError("refused"))
    presence.note_answer()
    assert [record.getMessage() for record in caplog.records] == 2 * [
        "the broker is away: OSError: refused",
        "the broker is back",
    ]


def find_listeners() -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT pid FROM pg_stat_activity"
            " WHERE datname = current_database() AND query LIKE 'LISTEN outbox%%'"
            " AND pid <> pg_backend_pid()"
        )
        return {row[0] for row in cursor.fetchall()}


@pytest.mark.django_db
def test_a_lost_listening_connection_is_opened_again(queue: redis.Redis) -> None:
    stop = Stop()
    loop = OutboxLoop(stop)

    def work() -> None:
        """Waiting alone: `LISTEN` stays the last statement, by which it is found."""
        try:
            run_loop(stop, loop.wait, name="outbox")
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        wait_for(lambda: bool(find_listeners()), what="a listener")
        before = find_listeners()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s) pid", [list(before)])
        wait_for(
            lambda: bool(find_listeners() - before) or not thread.is_alive(),
            what="another listener",
        )
        assert thread.is_alive()
    finally:
        stop.set()
        thread.join()


@pytest.fixture
def chores() -> Iterator[redis.Redis]:
    """The queue of the task worker, which nobody consumes here."""
    client = redis.Redis.from_url(settings.REDIS_URL)
    key = settings.TASK_KEY_PREFIX + "chores"
    client.delete(key)
    yield client
    client.delete(key)


@pytest.mark.django_db
def test_a_chore_lost_with_its_queue_is_handed_out_again_and_ends(chores: redis.Redis) -> None:
    now, key = timezone.now(), settings.TASK_KEY_PREFIX + "chores"
    proposal = CalibrationProposal.objects.create(bank_version_id=uuid.uuid4())
    outbox.write_message(topic="calibration", key=str(proposal.id), not_before=now)
    for number in range(MAX_CHORE_TRIES):
        publish_chores(now=now)
        publish_chores(now=now + timedelta(seconds=1))
        assert chores.llen(key) == number + 1
        now += CHORE_PATIENCE * 2**number
    publish_chores(now=now)
    assert chores.llen(key) == MAX_CHORE_TRIES
    proposal.refresh_from_db()
    assert (proposal.state, proposal.reason) == ("failed", "crashed")
    assert not outbox.is_open(topic="calibration", key=str(proposal.id))


def test_what_waits_in_a_queue_is_counted() -> None:
    client = redis.Redis.from_url(settings.REDIS_URL)
    key = settings.RUN_KEY_PREFIX + "runs-nowhere"
    client.delete(key)
    try:
        with RunBroker() as broker:
            assert broker.count_waiting(queue="runs-nowhere") == 0
            for number in (1, 2):
                broker.publish(queue="runs-nowhere", body={"number": number})
                assert broker.count_waiting(queue="runs-nowhere") == number == client.llen(key)
    finally:
        client.delete(key)
