"""Answers, the reaper and the conductor at the same rows, over connections of their own."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from assessment.core import outbox
from assessment.core.models import OutboxMessage
from assessment.experiments import dispatch
from assessment.experiments.ingest import take_message
from assessment.experiments.models import Run
from assessment.experiments.services import RUN_TOPIC, request_run
from gpu_worker.contracts import encode
from tests.experiments.reports import make_hello, make_report
from tests.waiting import run_apart, run_second

pytestmark = pytest.mark.django_db(transaction=True)


def ask(plan, **more):
    with transaction.atomic():
        return request_run(plan, **more)


def do_meanwhile(work):
    """The result of work on another connection, while this one keeps its locks."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run_apart, work).result(timeout=30)


def test_a_run_left_at_this_very_moment_is_followed_to_the_cpu(plan):
    """The one who asks has seen it live; the reaper gives it up before they can join it."""
    take_message(encode(make_hello(device="cuda", worker="gpu")))
    left = ask(plan).run
    later = timezone.now() + timedelta(seconds=61)
    joined = run_second(lambda: dispatch.reap_runs(now=later), lambda: ask(plan)).run
    left.refresh_from_db()
    assert (left.state, left.reason) == ("failed", "no_gpu_worker")
    assert (joined.device, joined.state) == ("cpu", "requested")
    assert Run.objects.filter(device="cpu").count() == 1


def test_a_run_that_fails_at_this_very_moment_is_told_as_failed(plan):
    run = ask(plan).run
    body = encode(make_report(run, state="failed", reason="out_of_memory"))
    joined = run_second(lambda: take_message(body), lambda: ask(plan)).run
    assert (joined.id, joined.state) == (run.id, "failed")


def test_a_run_is_not_left_while_an_answer_is_tied_to_it(plan):
    take_message(encode(make_hello(device="cuda", worker="gpu")))
    run = ask(plan).run
    later = timezone.now() + timedelta(seconds=61)
    with transaction.atomic():
        request_run(plan)
        do_meanwhile(lambda: dispatch.reap_runs(now=later))
    run.refresh_from_db()
    assert run.state == "requested"
    dispatch.reap_runs(now=later)
    run.refresh_from_db()
    assert run.state == "failed"


def test_an_answer_does_not_wait_for_a_run_that_is_being_published(plan):
    """The conductor holds the message while it talks to the broker, however long that takes."""
    run = ask(plan, priority=outbox.ROUTINE).run
    with transaction.atomic():
        outbox.take_due_messages(topic=RUN_TOPIC, now=timezone.now(), limit=10)
        assert do_meanwhile(lambda: ask(plan)).run.id == run.id
    assert OutboxMessage.objects.get().priority == outbox.ROUTINE
    ask(plan)
    assert OutboxMessage.objects.get().priority == outbox.URGENT
