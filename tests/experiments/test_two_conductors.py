"""Conductors at once, over connections of their own: each run leaves once, each ends once."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from assessment.core.models import OutboxMessage
from assessment.experiments import dispatch
from assessment.experiments.ingest import take_message
from assessment.experiments.models import Run
from assessment.experiments.plans import RunPlan
from assessment.experiments.services import request_run
from gpu_worker import catalog
from gpu_worker.contracts import encode
from tests.experiments.reports import make_report

pytestmark = pytest.mark.django_db(transaction=True)

NUM = 4


def at_once(work):
    """The results of the same work done by several conductors at the same moment."""
    barrier = threading.Barrier(NUM)

    def run(_):
        try:
            barrier.wait(timeout=30)
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(NUM) as pool:
        return list(pool.map(run, range(NUM)))


@pytest.fixture
def runs():
    experiment = catalog.get_experiment("tradeoff")
    for length in range(8, 24):
        parameters = catalog.resolve_parameters(experiment, {"length": length})
        with transaction.atomic():
            request_run(RunPlan("tradeoff", experiment.version, parameters))
    return list(Run.objects.order_by("requested_at"))


def test_each_run_is_published_once(runs, broker):
    at_once(lambda: dispatch.publish_runs(broker, now=timezone.now()))
    sent = Counter(body["run_id"] for _, body in broker.sent)
    assert set(sent.values()) == {1}
    assert Run.objects.filter(state="sent").count() == len(sent)
    assert dispatch.WINDOW <= len(sent) <= dispatch.WINDOW * NUM
    assert OutboxMessage.objects.count() == len(runs) - len(sent)


def test_a_lost_run_gets_one_more_attempt(runs):
    for run in runs:
        take_message(encode(make_report(run, state="started")))
    later = timezone.now() + timedelta(hours=1)
    OutboxMessage.objects.all().delete()
    at_once(lambda: dispatch.reap_runs(now=later))
    assert set(Run.objects.values_list("state", "attempt")) == {("requested", 2)}
    assert OutboxMessage.objects.count() == len(runs)


def test_a_report_racing_the_reaper_ends_the_run_or_is_fenced_off(runs):
    for run in runs:
        take_message(encode(make_report(run, state="started")))
    bodies = [encode(make_report(run)) for run in runs]
    OutboxMessage.objects.all().delete()
    later = timezone.now() + timedelta(hours=1)
    turn = iter(range(NUM))

    def work():
        if next(turn) % 2:
            dispatch.reap_runs(now=later)
            return []
        return [take_message(body) for body in bodies]

    taken = [one for found in at_once(work) for one in found]
    assert set(taken) <= {"measured", "fenced off"}
    ended = Run.objects.filter(state="measured", attempt=1).count()
    assert taken.count("measured") == ended
    assert Run.objects.filter(state="requested", attempt=2).count() == len(runs) - ended
    assert OutboxMessage.objects.filter(topic="figures").count() == ended
    assert OutboxMessage.objects.filter(topic="run").count() == len(runs) - ended
