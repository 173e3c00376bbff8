"""Reports and hellos on their way to the conductor: one message, one connection.

A connection for each message knows nothing of the restarts of the broker before it.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

from kombu.connection import Connection
from kombu.simple import SimpleQueue

from gpu_worker.contracts import REPORT_QUEUE, RunReport, WorkerHello, encode

logger = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0
# Between tries: a restarted broker is back in a second, a moved one in a minute.


class Mailbox:
    """Sends to the report queue. `connect` opens a fresh connection."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect

    def send(self, message: RunReport | WorkerHello, *, patience_s: float) -> bool:
        """Try for `patience_s`, at least once. False when the broker could not be reached.

        Raises ContractError for a message that may not travel.
        """
        body = encode(message)
        deadline = time.monotonic() + patience_s
        pause = FIRST_PAUSE_S
        while not self._put(body):
            if time.monotonic() + pause > deadline:
                return False
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
        return True

    def count_waiting(self, queues: tuple[str, ...]) -> int | None:
        """Messages that wait in these queues; None when the broker cannot be reached."""
        connection = self._connect()
        try:
            with connection:
                channel = connection.channel()
                return sum(_count_messages(channel, queue) for queue in queues)
        except (*connection.connection_errors, *connection.channel_errors) as error:
            logger.info("the broker cannot be asked: %s", error)
            return None

    def _put(self, body: bytes) -> bool:
        connection = self._connect()
        try:
            with connection, SimpleQueue(connection.channel(), REPORT_QUEUE) as queue:
                queue.put(body, content_type="application/json", content_encoding="utf-8")
        except (*connection.connection_errors, *connection.channel_errors) as error:
            logger.warning("the broker cannot be reached: %s", error)
            return False
        return True


def _count_messages(channel: Any, queue: str) -> int:
    # Declared, not looked up: the look-up of kombu 5.7 forgets the prefix of the keys,
    # which this account may not go without. On Redis a declaration writes nothing.
    return int(channel.queue_declare(queue=queue).message_count)
