"""From the outbox to the workers' queues, and what is done about runs that stall.

Only the conductor calls this. It may run twice at once: rows are taken with locks that a
second conductor skips.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from assessment.bank.snapshot import get_snapshot
from assessment.core import outbox
from assessment.core.errors import NotFound, Unavailable
from assessment.experiments.models import Demonstration, Run, WorkerHello
from assessment.experiments.services import NO_GPU, RUN_TOPIC, load_plan, request_run_on
from gpu_worker import catalog, contracts

WINDOW = 2
# Runs published and not yet started, per queue: the one a worker takes next and one behind
# it. The rest wait in our own table, where an urgent run can still pass a routine one.

QUEUE_LOST = "queue_deadline"
WORKER_LOST = "worker_lost"
NOT_IN_CATALOGUE = "unknown_experiment"
# Reasons of a failure that no worker need report.

HELLO_KEPT = timedelta(days=1)
# Longer than any run takes: its worker's silence must be seen.

MAX_MESSAGES = 500
# Looked at in one turn, so that a full queue does not hide what waits for another one.


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


def publish_runs(broker: Broker, *, now: datetime, limit: int = MAX_MESSAGES) -> int:
    """Send due runs to their queues, each queue up to its window; how many were sent.

    The row is marked sent in the transaction that publishes: if that fails after the broker
    took the message, the run is sent again under the same attempt, and fencing sorts it out.
    """
    with transaction.atomic():
        messages = outbox.take_due_messages(topic=RUN_TOPIC, now=now, limit=limit)
        runs = _find_runs(message.key for message in messages)
        room = _measure_room()
        num_sent = 0
        for message in messages:
            run = runs.get(message.key)
            if run is None or run.state not in ("requested", "sent"):
                message.delete()
                continue
            if run.experiment not in catalog.EXPERIMENTS:
                _fail(run, reason=NOT_IN_CATALOGUE, now=now)
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


def _find_runs(keys: Iterable[str]) -> dict[str, Run]:
    """Runs by the key of their message; a key that is no id names none."""
    return {str(run.id): run for run in Run.objects.filter(pk__in=[*filter(_is_id, keys)])}


def _is_id(key: str) -> bool:
    try:
        UUID(key)
    except ValueError:
        return False
    return True


def _fail(run: Run, *, reason: str, now: datetime) -> None:
    """End this attempt; one that a worker ends at the same moment stays as it says."""
    mine = Run.objects.filter(pk=run.pk, attempt=run.attempt, state=run.state)
    mine.update(state="failed", reason=reason, finished_at=now, lease_until=None)


def _measure_room() -> dict[str, int]:
    room: dict[str, int] = {}
    for run in Run.objects.filter(state="sent").only("experiment", "device"):
        queue = choose_queue(run)
        room[queue] = room.setdefault(queue, WINDOW) - 1
    return room


def has_full_window() -> bool:
    """Whether runs wait on purpose, because a queue holds as many as it may."""
    return any(room <= 0 for room in _measure_room().values())


def note_broker_down(*, now: datetime) -> None:
    """Tell those who wait: their runs are delayed, not lost."""
    late = Run.objects.filter(state="requested", is_delayed=False)
    late.filter(requested_at__lt=now - timedelta(seconds=1)).update(is_delayed=True)


def note_workers_away(*, now: datetime) -> None:
    """Tell those who wait for a device class that no worker has said hello for: delayed."""
    patience = timedelta(seconds=settings.WORKER_LOST_AFTER_S)
    alive = WorkerHello.objects.filter(device=OuterRef("device"), seen_at__gte=now - patience)
    waiting = Run.objects.filter(~Exists(alive), state__in=["requested", "sent"], is_delayed=False)
    waiting.filter(requested_at__lt=now - patience).update(is_delayed=True)


def reap_runs(*, now: datetime) -> None:
    """Bring every stalled run on: retry, move to the CPU, or end it with a reason."""
    _fail_overdue(now=now)
    _retry_lost(now=now)
    _leave_cuda(now=now)
    note_workers_away(now=now)


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
        _fail(run, reason=WORKER_LOST, now=now)
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
    """Point the demonstrations of a CUDA run that nobody starts to the CPU run.

    One whose claim or size only a GPU can show stays with the run that failed. A run
    that nobody waits for stays where it is while a GPU worker is there to reach it.
    """
    patience = timedelta(seconds=settings.CUDA_PATIENCE_S)
    silence = timedelta(seconds=settings.WORKER_LOST_AFTER_S)
    with transaction.atomic():
        stuck = Run.objects.filter(
            device="cuda", state__in=["requested", "sent"], requested_at__lt=now - patience
        )
        if WorkerHello.objects.filter(device="cuda", seen_at__gte=now - silence).exists():
            stuck = stuck.filter(Exists(Demonstration.objects.filter(run=OuterRef("pk"))))
        for run in stuck.select_for_update(skip_locked=True):
            _fail(run, reason=NO_GPU, now=now)
            _move_to_cpu(run)


def _move_to_cpu(run: Run) -> None:
    told, plan = run.demonstrations.select_related("session", "administration"), load_plan(run)
    moving = [one.pk for one in told if not _needs_cuda(one)]
    if plan.needs_cuda or (told and not moving):
        return
    other = request_run_on(plan, device="cpu")
    Demonstration.objects.filter(pk__in=moving).update(run=other.run, is_reused=other.is_reused)


def _needs_cuda(shown: Demonstration) -> bool:
    """Whether the option's evidence asks for a GPU; not if its bank cannot be read any more."""
    try:
        bank = get_snapshot(shown.session.bank_version_id)
    except (NotFound, Unavailable):
        return False
    item = bank.items[str(shown.administration.item_version_id)]
    option = item.options_by_id.get(str(shown.option_id))
    evidence = option.evidence if option is not None else item.key_evidence
    return evidence is not None and evidence.needs == "cuda"


def resend_unstarted(broker: Broker, *, now: datetime) -> None:
    """Send again what was sent, is not started, and stands in no queue any more."""
    patience = timedelta(seconds=settings.RESEND_AFTER_S)
    with transaction.atomic():
        silent = Run.objects.filter(state="sent", sent_at__lt=now - patience)
        for run in silent.select_for_update(skip_locked=True)[:20]:
            if broker.count_waiting(queue=choose_queue(run)) == 0:
                Run.objects.filter(pk=run.pk).update(sent_at=now, state="requested")
                outbox.write_message(topic=RUN_TOPIC, key=str(run.id), not_before=now)


def forget_workers(*, now: datetime) -> int:
    """Delete hellos of workers that are long gone; how many. A device class keeps its last one.

    Each start of a worker has a name of its own, and nobody vouches for a name.
    """
    newest = WorkerHello.objects.order_by("device", "-seen_at").distinct("device")
    gone = WorkerHello.objects.filter(seen_at__lt=now - HELLO_KEPT)
    return gone.exclude(pk__in=newest.values("pk")).delete()[0]
