"""The worker's one task, and what happens at its start and end.

Started as: celery -A gpu_worker.celery_app worker --pool solo -c 1 --without-gossip
--without-mingle --without-heartbeat
"""

import logging
import os
from collections import deque
from datetime import UTC, datetime

from celery import signals

from gpu_worker import endings
from gpu_worker.celery_app import DEVICE, WORKER_NAME, app, open_connection
from gpu_worker.contracts import RUN_TASK, ContractError, RunReport, RunRequest, decode_request
from gpu_worker.hello import HelloThread
from gpu_worker.mailbox import Mailbox
from gpu_worker.runner import REGISTRY, Runner

logger = logging.getLogger(__name__)

START_PATIENCE_S = 5.0
# A lost `started` costs nothing: the end report may come without it.

END_PATIENCE_S = 120.0
# A broker that is away for longer costs the attempt: its lease runs out and it is sent again.

REMEMBERED = 8
# Reports of at most 1 MB. A broker that hangs can leave tens of copies of one message.

_reports: deque[RunReport] = deque(maxlen=REMEMBERED)

_runner = Runner(
    device=DEVICE,
    worker=WORKER_NAME,
    # Faults on purpose, in tests only; a message cannot reach the environment.
    registry=os.environ.get("REMAT_TEST_EXPERIMENTS") or REGISTRY,
)
_mailbox = Mailbox(open_connection)


@app.task(name=RUN_TASK, acks_late=True, ignore_result=True)
def run_experiment(body: dict[str, object]) -> None:
    """Serve one request: report `started`, measure, report the end.

    A copy of a message is answered by the report of the first: it may have been lost, and
    the conductor takes one an attempt.
    """
    try:
        request = decode_request(body)
    except ContractError as error:
        # Without a run and an attempt that can be trusted nobody could be told.
        logger.error("a request is refused: %s", error)
        return
    report = find_report(request) or serve_request(request)
    if not _mailbox.send(report, patience_s=END_PATIENCE_S):
        logger.error("run %s: the report could not be delivered", request.run_id)


def find_report(request: RunRequest) -> RunReport | None:
    """What this worker has already found for this very attempt."""
    for report in _reports:
        if (report.run_id, report.attempt) == (request.run_id, request.attempt):
            return report
    return None


def serve_request(request: RunRequest) -> RunReport:
    if is_too_late(request, now=datetime.now(UTC)):
        detail = f"taken from the queue after {request.not_after}"
        return endings.fail(request, "too_late", detail, worker=WORKER_NAME)
    _mailbox.send(endings.start(request, worker=WORKER_NAME), patience_s=START_PATIENCE_S)
    report = _runner.run(request)
    _reports.append(report)
    return report


def is_too_late(request: RunRequest, *, now: datetime) -> bool:
    """True past `not_after`; a time that cannot be read is no permission."""
    try:
        limit = datetime.fromisoformat(request.not_after)
    except ValueError:
        return True
    return now > (limit if limit.tzinfo else limit.replace(tzinfo=UTC))


@signals.worker_init.connect
def handle_start(**_: object) -> None:
    """Start the spare process, and the hello of the queues that this worker consumes."""
    _runner.start()
    queues = tuple(app.amqp.queues.consume_from)
    HelloThread(runner=_runner, mailbox=_mailbox, queues=queues).start()


@signals.worker_shutdown.connect
def handle_end(**_: object) -> None:
    _runner.close()
