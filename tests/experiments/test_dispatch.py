"""From the outbox to the queues, and every way in which a run may stall."""

import uuid
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from assessment.core.models import OutboxMessage
from assessment.core.outbox import write_message
from assessment.experiments import dispatch
from assessment.experiments.ingest import take_message
from assessment.experiments.models import Run, WorkerHello
from assessment.experiments.plans import RunPlan
from assessment.experiments.services import request_run
from gpu_worker import catalog
from gpu_worker.contracts import decode_request, encode
from tests.experiments.reports import make_hello, make_report

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(plan):
    return ask(plan)


def ask(plan: RunPlan, **more: int) -> Run:
    with transaction.atomic():
        asked = request_run(plan, **more)
    return Run.objects.get(pk=asked.run.id)


def make_plan(layers: int, **more: int) -> RunPlan:
    experiment = catalog.get_experiment("tradeoff")
    parameters = catalog.resolve_parameters(experiment, {"layers": layers, **more})
    return RunPlan("tradeoff", experiment.version, parameters)


def publish(broker) -> int:
    return dispatch.publish_runs(broker, now=timezone.now())


def start(run: Run) -> None:
    take_message(encode(make_report(run, state="started")))


def test_a_requested_run_is_published_as_the_contract_says(run, broker):
    assert publish(broker) == 1
    queue, body = broker.sent[0]
    request = decode_request(body)
    assert queue == "runs-cpu"
    assert (request.run_id, request.attempt) == (str(run.id), 1)
    assert request.parameters == run.parameters
    run.refresh_from_db()
    assert run.state == "sent"
    assert not OutboxMessage.objects.exists()
    assert publish(broker) == 0


def test_a_failed_publish_leaves_everything_as_it_was(run, broker):
    broker.is_down = True
    with pytest.raises(ConnectionError):
        publish(broker)
    run.refresh_from_db()
    assert run.state == "requested"
    broker.is_down = False
    assert publish(broker) == 1


def test_those_who_wait_for_a_broker_are_told_of_the_delay(run):
    dispatch.note_broker_down(now=timezone.now() + timedelta(seconds=2))
    run.refresh_from_db()
    assert run.is_delayed
    start(run)
    run.refresh_from_db()
    assert not run.is_delayed


def test_a_queue_takes_no_more_than_its_window(broker):
    runs = [ask(make_plan(layers)) for layers in (2, 3, 5, 7)]
    assert publish(broker) == dispatch.WINDOW
    assert publish(broker) == 0
    start(runs[0])
    assert publish(broker) == 1


def test_an_urgent_run_passes_the_routine_ones(broker):
    for layers in (2, 3, 5, 7):
        ask(make_plan(layers), priority=5)
    urgent = ask(make_plan(6))
    publish(broker)
    assert broker.sent[0][1]["run_id"] == str(urgent.id)


def test_a_started_run_has_a_lease_of_its_wall_limit(run, broker):
    publish(broker)
    start(run)
    run.refresh_from_db()
    limit = catalog.get_experiment("tradeoff").wall_limit_s
    lease = (run.lease_until - run.started_at).total_seconds()
    assert run.state == "running"
    assert lease == limit + 20


def test_a_lost_worker_costs_one_attempt_and_three_end_it(run, broker):
    now = timezone.now()
    for attempt in (1, 2, 3):
        assert dispatch.publish_runs(broker, now=now) == 1
        run.refresh_from_db()
        assert run.attempt == attempt
        start(run)
        now += timedelta(hours=1)
        dispatch.reap_runs(now=now)
        run.refresh_from_db()
    assert (run.state, run.reason, run.attempt) == ("failed", "worker_lost", 3)
    assert not OutboxMessage.objects.exists()


def test_a_run_within_its_lease_is_left_alone(run, broker):
    publish(broker)
    start(run)
    dispatch.reap_runs(now=timezone.now())
    run.refresh_from_db()
    assert (run.state, run.attempt) == ("running", 1)


def test_a_worker_that_fell_silent_loses_its_run_before_the_lease_ends(run, broker):
    publish(broker)
    start(run)
    run.refresh_from_db()
    take_message(encode(make_hello(worker=run.worker)))
    dispatch.reap_runs(now=timezone.now() + timedelta(seconds=29))
    run.refresh_from_db()
    assert (run.state, run.attempt) == ("running", 1)
    dispatch.reap_runs(now=timezone.now() + timedelta(seconds=31))
    run.refresh_from_db()
    assert (run.state, run.attempt) == ("requested", 2)


def test_an_unstarted_run_ends_at_its_queue_deadline(run, broker):
    publish(broker)
    dispatch.reap_runs(now=run.not_after - timedelta(seconds=1))
    run.refresh_from_db()
    assert run.state == "sent"
    dispatch.reap_runs(now=run.not_after + timedelta(seconds=1))
    run.refresh_from_db()
    assert (run.state, run.reason) == ("failed", "queue_deadline")


def test_a_message_lost_on_the_way_is_sent_again_under_the_same_attempt(run, broker):
    publish(broker)
    later = timezone.now() + timedelta(seconds=31)
    broker.waiting = 1
    dispatch.resend_unstarted(broker, now=later)
    assert dispatch.publish_runs(broker, now=later) == 0
    broker.waiting = 0
    dispatch.resend_unstarted(broker, now=later)
    assert dispatch.publish_runs(broker, now=later) == 1
    assert [body["attempt"] for _, body in broker.sent] == [1, 1]


def test_a_gpu_that_vanished_hands_its_run_to_the_cpu(plan, broker):
    take_message(encode(make_hello(device="cuda", worker="gpu")))
    run = ask(plan)
    publish(broker)
    assert broker.sent[0][0] == "runs-cuda"
    dispatch.reap_runs(now=timezone.now() + timedelta(seconds=61))
    run.refresh_from_db()
    assert (run.state, run.reason) == ("failed", "no_gpu_worker")
    assert Run.objects.get(device="cpu").state == "requested"


def test_a_run_whose_experiment_left_the_catalogue_ends_and_blocks_nothing(run, broker):
    Run.objects.filter(pk=run.pk).update(experiment="alchemy")
    other = ask(make_plan(5))
    assert publish(broker) == 1
    assert broker.sent[0][1]["run_id"] == str(other.id)
    run.refresh_from_db()
    assert (run.state, run.reason) == ("failed", "unknown_experiment")
    assert not OutboxMessage.objects.exists()


def test_a_message_about_no_run_is_dropped(run, broker):
    for key in ("no id", str(uuid.uuid4())):
        write_message(topic="run", key=key, not_before=timezone.now() - timedelta(hours=1))
    assert publish(broker) == 1
    assert not OutboxMessage.objects.exists()


def test_a_full_queue_does_not_hide_what_waits_for_another(broker):
    for length in range(8, 8 + dispatch.WINDOW + 25):
        ask(make_plan(4, length=length))
    take_message(encode(make_hello(device="cuda", worker="gpu")))
    on_cuda = ask(make_plan(15))
    publish(broker)
    assert str(on_cuda.id) in [body["run_id"] for _, body in broker.sent]


def test_a_busy_gpu_keeps_what_nobody_waits_for(plan, broker):
    take_message(encode(make_hello(device="cuda", worker="gpu")))
    run = ask(plan, priority=5)
    later = timezone.now() + timedelta(seconds=61)
    WorkerHello.objects.update(seen_at=later)
    dispatch.reap_runs(now=later)
    run.refresh_from_db()
    assert (run.state, run.device) == ("requested", "cuda")
    assert not Run.objects.filter(device="cpu").exists()


def test_after_a_run_was_handed_to_the_cpu_others_join_it_there(plan):
    take_message(encode(make_hello(device="cuda", worker="gpu")))
    run = ask(plan)
    dispatch.reap_runs(now=timezone.now() + timedelta(seconds=61))
    again = ask(plan)
    run.refresh_from_db()
    assert (run.state, again.device, again.state) == ("failed", "cpu", "requested")


def test_workers_long_gone_are_forgotten_but_the_last_of_each_device():
    for name in ("cpu-1", "cpu-2", "cpu-3"):
        take_message(encode(make_hello(worker=name)))
    take_message(encode(make_hello(device="cuda", worker="gpu")))
    later = timezone.now() + timedelta(days=2)
    assert dispatch.forget_workers(now=timezone.now()) == 0
    assert dispatch.forget_workers(now=later) == 2
    assert set(WorkerHello.objects.values_list("worker", flat=True)) == {"cpu-3", "gpu"}


def test_those_who_wait_for_a_worker_are_told_of_the_delay(run, broker):
    publish(broker)
    dispatch.reap_runs(now=timezone.now() + timedelta(seconds=29))
    run.refresh_from_db()
    assert not run.is_delayed
    dispatch.reap_runs(now=timezone.now() + timedelta(seconds=31))
    run.refresh_from_db()
    assert run.is_delayed


def test_a_run_behind_others_is_not_delayed(run, broker):
    take_message(encode(make_hello()))
    publish(broker)
    Run.objects.filter(pk=run.pk).update(requested_at=timezone.now() - timedelta(minutes=5))
    dispatch.reap_runs(now=timezone.now())
    run.refresh_from_db()
    assert not run.is_delayed
