"""Says hello every few seconds, keeps the health file, and notices a deaf worker.

The known failure is a worker that reconnects after a restart of the broker and then takes
nothing: its process lives and answers a ping. The sign of it is a message that waits while
the worker is idle and takes none; then it ends itself, and whoever started it starts it
again.
"""

import json
import logging
import os
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from gpu_worker.contracts import WorkerHello
from gpu_worker.mailbox import Mailbox
from gpu_worker.runner import Runner

logger = logging.getLogger(__name__)

INTERVAL_S = 5.0
# The conductor takes a worker for lost after 30 s without a hello.

FIRST_INTERVAL_S = 0.25
# Until the first hello: a spare process is ready about a second after the start.

DEAF_AFTER_S = 30.0
# A worker takes a waiting message within milliseconds.

EXIT_DEAF = 75
# EX_TEMPFAIL: start me again.


@dataclass
class Ear:
    """Decides whether the worker is deaf from looks at its queues. Pure.

    `num_taken` counts the runs that the worker has taken since its start.
    """

    _waiting_since: float | None = None
    _num_taken: int = 0

    def is_deaf(
        self, *, now: float, num_waiting: int | None, is_busy: bool, num_taken: int
    ) -> bool:
        hears = is_busy or not num_waiting or num_taken != self._num_taken
        self._num_taken = num_taken
        if hears:
            self._waiting_since = None
            return False
        if self._waiting_since is None:
            self._waiting_since = now
        return now - self._waiting_since >= DEAF_AFTER_S


def get_health_path() -> Path:
    """REMAT_WORKER_HEALTH_FILE, or a file of this device in the temporary directory."""
    device = os.environ.get("REMAT_WORKER_DEVICE", "cpu")
    default = Path(tempfile.gettempdir()) / f"remat-worker-{device}.json"
    return Path(os.environ.get("REMAT_WORKER_HEALTH_FILE") or default)


class HelloThread(threading.Thread):
    """Runs beside the consumer, with connections of its own."""

    def __init__(self, *, runner: Runner, mailbox: Mailbox, queues: tuple[str, ...]) -> None:
        super().__init__(name="hello", daemon=True)
        self._runner = runner
        self._mailbox = mailbox
        self._queues = queues
        self._ear = Ear()

    def run(self) -> None:
        """Until the process ends: a daemon thread needs no other end."""
        interval = FIRST_INTERVAL_S
        while True:
            time.sleep(interval)
            try:
                hello = self._runner.make_hello(queues=self._queues)
                if hello is not None:
                    interval = INTERVAL_S
                    self._tell(hello)
            except Exception:
                # The door of this thread: without hellos the worker would count as lost.
                logger.exception("a hello failed")

    def _tell(self, hello: WorkerHello) -> None:
        is_sent = self._mailbox.send(hello, patience_s=0.0)
        if self._listen():
            logger.critical("a run waits and this worker does not take it: ending")
            os._exit(EXIT_DEAF)
        write_health(hello, has_broker=is_sent)

    def _listen(self) -> bool:
        return self._ear.is_deaf(
            now=time.monotonic(),
            num_waiting=self._mailbox.count_waiting(self._queues),
            is_busy=self._runner.is_busy,
            num_taken=self._runner.num_taken,
        )


def write_health(hello: WorkerHello, *, has_broker: bool) -> None:
    """Replace the health file; a full disk is not worth the worker."""
    path = get_health_path()
    body = {"at": hello.at, "worker": hello.worker, "busy": hello.busy, "broker": has_broker}
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        draft.write_text(json.dumps(body))
        draft.replace(path)
    except OSError as error:
        logger.warning("the health file cannot be written: %s", error)
