"""From the outbox to the workers' queues, and what is done about runs that stall.

Only the conductor calls this. It may run twice at once: rows are taken with locks that a
second conductor skips.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Protocol

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from assessment.core import outbox
from assessment.experiments.models import Demonstration, Run, WorkerHello
from assessment.experiments.services import RUN_TOPIC, load_plan, request_run_on
from gpu_worker import catalog, contracts

WINDOW = 2
# Runs published and not yet started, per queue: the one a worker takes next and one behind
# it. The rest wait in our own table, where an urgent run can still pass a routine one.

QUEUE_LOST = "queue_deadline"
WORKER_LOST = "worker_lost"
NO_GPU = "no_gpu_worker"
# Reasons of a failure that no worker can report.


class Broker(Protocol):
    """What dispatching needs of a message broker."""

    def publish(self, *, queue: str, body: Mapping[str, object]) -> None: ...

    def count_waiting(self, *, queue: str) -> int: ...


def choose_queue(run: Run) -> str:
    """The queue of the run's device class; slow experiments have a line of their own."""
    is_slow = run.experiment in catalog.EXPERIMENTS and catalog.EXPERIMENTS[run.experiment].slow
    queues = contracts.COMBINE_QUEUES if is_slow else contracts.RUN_QUEUES
    return queues[run.device]


def make_request(run: Run) -> contracts.RunRequest:
    """The message that asks a worker for this attempt."""
    experiment = catalog.get_experiment(run.experiment)
    return contracts.RunRequest(
        run_id=str(run.id),
        attempt=run.attempt,
        experiment=run.experiment,
        experiment_version=run.experiment_version,
        parameters=run.parameters,
        seed=run.seed,
        device=run.device,
        simulate=run.is_simulated,
        not_after=run.not_after.isoformat(),
        wall_limit_s=experiment.wall_limit_s,
        memory_mib=experiment.memory_mib,
    )


def publish_runs(broker: Broker, *, now: datetime, limit: int = 20) -> int:
    """Send due runs to their queues, each queue up to its window; how many were sent.

    The row is marked sent in the transaction that publishes: if that fails after the broker
    took the message, the run is sent again under the same attempt, and fencing sorts it out.
    """
    with transaction.atomic():
        messages = outbox.take_due_messages(topic=RUN_TOPIC, now=now, limit=limit)
        runs = Run.objects.in_bulk([message.key for message in messages])
        room = _measure_room()
        num_sent = 0
        for message in messages:
            run = next((one for key, one in runs.items() if str(key) == message.key), None)
            if run is None or run.state not in ("requested", "sent"):
                message.delete()
                continue
            queue = choose_queue(run)
            if room.setdefault(queue, WINDOW) <= 0:
                continue
            broker.publish(queue=queue, body=contracts.to_plain(make_request(run)))
            room[queue] -= 1
            num_sent += 1
            Run.objects.filter(pk=run.pk, attempt=run.attempt, state=run.state).update(
                state="sent", sent_at=now
            )
            message.delete()
    return num_sent


def _measure_room() -> dict[str, int]:
    room: dict[str, int] = {}
    for run in Run.objects.filter(state="sent").only("experiment", "device"):
        queue = choose_queue(run)
        room[queue] = room.setdefault(queue, WINDOW) - 1
    return room


def note_broker_down(*, now: datetime) -> None:
    """Tell those who wait: their runs are delayed, not lost."""
    late = Run.objects.filter(state="requested", is_delayed=False)
    late.filter(requested_at__lt=now - timedelta(seconds=1)).update(is_delayed=True)


def reap_runs(*, now: datetime) -> None:
    """Bring every stalled run on: retry, move to the CPU, or end it with a reason."""
    _fail_overdue(now=now)
    _retry_lost(now=now)
    _leave_cuda(now=now)


def _fail_overdue(*, now: datetime) -> None:
    overdue = Run.objects.filter(state__in=["requested", "sent"], not_after__lt=now)
    overdue.update(state="failed", reason=QUEUE_LOST, finished_at=now)


def _retry_lost(*, now: datetime) -> None:
    """A started run whose lease ran out or whose worker fell silent: try again, or give up.

    A worker says hello also while it measures, and a restarted one under a new name, so
    silence tells of a killed worker long before the lease does.
    """
    patience = timedelta(seconds=settings.WORKER_LOST_AFTER_S)
    silent = WorkerHello.objects.filter(worker=OuterRef("worker"), seen_at__lt=now - patience)
    with transaction.atomic():
        lost = Run.objects.filter(Q(lease_until__lt=now) | Exists(silent), state="running")
        for run in lost.select_for_update(skip_locked=True):
            _retry_or_fail(run, now=now)


def _retry_or_fail(run: Run, *, now: datetime) -> None:
    mine = Run.objects.filter(pk=run.pk, attempt=run.attempt)
    if run.attempt >= settings.MAX_ATTEMPTS:
        mine.update(state="failed", reason=WORKER_LOST, finished_at=now, lease_until=None)
        return
    mine.update(
        state="requested",
        attempt=run.attempt + 1,
        sent_at=None,
        started_at=None,
        lease_until=None,
        worker="",
    )
    outbox.write_message(topic=RUN_TOPIC, key=str(run.id), not_before=now)


def _leave_cuda(*, now: datetime) -> None:
    """Point the demonstrations of a CUDA run that nobody starts to the CPU run."""
    patience = timedelta(seconds=settings.CUDA_PATIENCE_S)
    with transaction.atomic():
        stuck = Run.objects.filter(
            device="cuda", state__in=["requested", "sent"], requested_at__lt=now - patience
        )
        for run in stuck.select_for_update(skip_locked=True):
            Run.objects.filter(pk=run.pk).update(state="failed", reason=NO_GPU, finished_at=now)
            other = request_run_on(load_plan(run), device="cpu")
            Demonstration.objects.filter(run=run).update(
                run_id=other.run_id, is_reused=other.is_reused
            )


def resend_unstarted(broker: Broker, *, now: datetime) -> None:
    """Send again what was sent, is not started, and stands in no queue any more."""
    patience = timedelta(seconds=settings.RESEND_AFTER_S)
    with transaction.atomic():
        silent = Run.objects.filter(state="sent", sent_at__lt=now - patience)
        for run in silent.select_for_update(skip_locked=True)[:20]:
            if broker.count_waiting(queue=choose_queue(run)) == 0:
                Run.objects.filter(pk=run.pk).update(sent_at=now, state="requested")
                outbox.write_message(topic=RUN_TOPIC, key=str(run.id), not_before=now)
