"""Taking in what workers say. A worker is not trusted: each message is checked in full.

Idempotent and fenced: exactly one report is taken per (run, attempt), a late one of an
older attempt changes nothing, and a report may come before its `started`.
"""

import base64
import binascii
import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from assessment.core import outbox
from assessment.experiments.models import LIVE_STATES, Run, RunTrace, WorkerHello
from assessment.experiments.services import FIGURE_TOPIC
from gpu_worker import catalog, contracts

log = logging.getLogger(__name__)

_DEVICES = {
    ("cpu", False): ("cpu",),
    ("cuda", False): ("cuda", "cpu"),
    ("cpu", True): ("simulated",),
    ("cuda", True): ("simulated",),
}
# What a report may say that it ran on, by device class and whether it was to be simulated.


def take_message(body: bytes | str) -> str:
    """Take in one message of the report queue; what became of it, for the log.

    Raises contracts.ContractError for what is no message of ours: the caller drops it.
    """
    message = contracts.decode_worker_message(body)
    if isinstance(message, contracts.WorkerHello):
        return _take_hello(message)
    if message.state == "started":
        return _take_start(message)
    return _take_end(message)


def _take_hello(hello: contracts.WorkerHello) -> str:
    """Our clock dates the hello: a worker's clock may be wrong."""
    values = {
        "device": hello.device,
        "device_name": hello.device_name[:200],
        "code_digest": hello.code_digest[:64],
        "torch_digest": hello.torch_digest[:64],
        "torch": hello.torch[:50],
        "is_busy": hello.busy,
        "seen_at": timezone.now(),
    }
    WorkerHello.objects.update_or_create(worker=hello.worker, defaults=values)
    return "hello"


def _take_start(report: contracts.RunReport) -> str:
    """The lease begins: wall limit of the experiment and a grace for the way."""
    now = timezone.now()
    waiting = Run.objects.filter(
        pk=report.run_id, attempt=report.attempt, state__in=["requested", "sent"]
    )
    run = waiting.first()
    if run is None:
        return "late start"
    if run.experiment not in catalog.EXPERIMENTS:
        return _end_unknown(run)
    num = waiting.update(
        state="running",
        started_at=now,
        lease_until=_find_lease_end(run, now=now),
        worker=report.worker,
        is_delayed=False,
    )
    return "started" if num else "late start"


def _find_lease_end(run: Run, *, now: datetime) -> datetime:
    limit = catalog.get_experiment(run.experiment).wall_limit_s
    return now + timedelta(seconds=limit + settings.LEASE_GRACE_S)


def _take_end(report: contracts.RunReport) -> str:
    """Write the terminal state, once. Locks the run."""
    now = timezone.now()
    with transaction.atomic():
        live = Run.objects.filter(pk=report.run_id, state__in=LIVE_STATES)
        run = live.select_for_update().first()
        if run is None or run.attempt != report.attempt:
            return "fenced off"
        if run.experiment not in catalog.EXPERIMENTS:
            return _end_unknown(run)
        measurement = report.measurement
        if measurement is not None and _claims_other_run(run, measurement):
            return _end_failed(run, reason="crashed", detail="the report names another run")
        run.state = report.state
        run.reason, run.detail = report.reason or "", report.detail or ""
        run.worker, run.finished_at, run.lease_until = report.worker, now, None
        run.started_at = run.started_at or now
        run.is_delayed = False
        if measurement is not None:
            _keep_measurement(run, measurement)
        run.save()
        if report.state != "failed":
            outbox.write_message(topic=FIGURE_TOPIC, key=str(run.id), not_before=now)
    log.info("run %s attempt %d: %s %s", run.id, run.attempt, run.state, run.reason)
    return report.state


def _claims_other_run(run: Run, measurement: contracts.Measurement) -> bool:
    """Whether the measurement was made with other parameters, seed or claims than asked.

    Or on a card where a processor was asked for; the other way round is told and true: a
    group of processes needs a card for each.
    """
    known = set(catalog.get_experiment(run.experiment).claims)
    return (
        measurement.provenance.seed != run.seed
        or measurement.provenance.parameters != run.parameters
        or measurement.environment.device not in _DEVICES[run.device, run.is_simulated]
        or not {claim.id for claim in measurement.claims} <= known
    )


def _end_failed(run: Run, *, reason: str, detail: str) -> str:
    Run.objects.filter(pk=run.pk, attempt=run.attempt, state__in=LIVE_STATES).update(
        state="failed", reason=reason, detail=detail, finished_at=timezone.now(), lease_until=None
    )
    return "refused"


def _end_unknown(run: Run) -> str:
    """The experiment left the catalogue meanwhile: nothing here can check what is said of it."""
    return _end_failed(run, reason="unknown_experiment", detail="it left the catalogue")


def _keep_measurement(run: Run, measurement: contracts.Measurement) -> None:
    plain = contracts.to_plain(measurement)
    trace = plain.pop("trace")
    run.measurement = plain
    run.code_digest = measurement.provenance.code_digest[:64]
    run.torch_digest = measurement.provenance.torch_digest[:64]
    if isinstance(trace, str):
        try:
            body = base64.b64decode(trace, validate=True)
        except binascii.Error:
            log.warning("run %s: its trace is no base64, dropped", run.id)
            return
        RunTrace.objects.update_or_create(run=run, defaults={"body": body})
