"""One run for all who need it; reused while it is current; a failure blocks for a while."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from assessment.core.models import OutboxMessage
from assessment.core.outbox import ROUTINE, URGENT
from assessment.experiments.ingest import take_message
from assessment.experiments.models import Run
from assessment.experiments.plans import NoRun, RunPlan
from assessment.experiments.services import RequestedRun, request_run
from gpu_worker.contracts import encode
from tests.experiments.reports import make_hello, make_report

pytestmark = pytest.mark.django_db


def ask(plan: RunPlan, **more: int) -> RequestedRun:
    with transaction.atomic():
        asked = request_run(plan, **more)
    assert isinstance(asked, RequestedRun)
    return asked


def measure(run_id: object) -> Run:
    run = Run.objects.get(pk=run_id)
    take_message(encode(make_report(run)))
    return Run.objects.get(pk=run_id)


def test_two_requests_share_one_run(plan):
    first, second = ask(plan), ask(plan)
    assert first.run.id == second.run.id
    assert (first.is_reused, second.is_reused) == (False, False)
    assert OutboxMessage.objects.count() == 1


def test_a_measured_run_is_reused_without_a_new_message(plan):
    first = ask(plan)
    assert measure(first.run.id).state == "measured"
    again = ask(plan)
    assert (again.run.id, again.is_reused) == (first.run.id, True)
    assert not OutboxMessage.objects.filter(topic="run").exclude(key=str(first.run.id)).exists()


def test_a_run_of_older_code_is_not_reused(plan):
    first = ask(plan)
    measure(first.run.id)
    take_message(encode(make_hello(code="new0" * 16)))
    assert ask(plan).run.id != first.run.id


def test_a_run_of_the_code_at_hand_is_reused(plan):
    first = ask(plan)
    measure(first.run.id)
    take_message(encode(make_hello()))
    assert ask(plan).run.id == first.run.id


def test_a_failure_blocks_a_retry_for_ten_minutes_only(plan):
    first = ask(plan)
    run = Run.objects.get(pk=first.run.id)
    take_message(encode(make_report(run, state="failed", reason="out_of_memory")))
    assert ask(plan).run.id == first.run.id
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now() - timedelta(minutes=11))
    assert ask(plan).run.id != first.run.id


def test_a_gpu_worker_that_said_hello_gets_the_run(plan):
    assert Run.objects.get(pk=ask(plan).run.id).device == "cpu"
    take_message(encode(make_hello(device="cuda", worker="gpu")))
    assert Run.objects.get(pk=ask(plan).run.id).device == "cuda"


def test_what_needs_a_gpu_says_so_without_one(plan):
    needy = RunPlan(plan.experiment, plan.version, plan.parameters, needs_cuda=True)
    with transaction.atomic():
        assert request_run(needy) == NoRun("needs_cuda")
    take_message(encode(make_hello(device="cuda", worker="gpu")))
    assert Run.objects.get(pk=ask(needy).run.id).device == "cuda"


def test_a_learner_makes_a_routine_run_urgent(plan):
    ask(plan, priority=ROUTINE)
    assert OutboxMessage.objects.get().priority == ROUTINE
    ask(plan)
    assert OutboxMessage.objects.get().priority == URGENT


@pytest.mark.django_db(transaction=True)
def test_ten_requests_at_once_make_one_run(plan):
    found: list[object] = []
    together = threading.Barrier(10)

    def work() -> None:
        together.wait()
        try:
            found.append(ask(plan).run.id)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(10)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 10
    assert len(set(found)) == 1
    assert Run.objects.count() == 1
    assert OutboxMessage.objects.count() == 1


def test_a_request_that_is_taken_back_leaves_neither_run_nor_message(plan):
    """Nothing is handed to a queue before its transaction has committed (BB-16)."""

    def break_off():
        with transaction.atomic():
            request_run(plan)
            assert OutboxMessage.objects.exists()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        break_off()
    assert not Run.objects.exists()
    assert not OutboxMessage.objects.exists()
