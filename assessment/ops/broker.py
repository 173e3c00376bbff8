"""The broker as the conductor uses it: runs go out, workers' messages come in.

Plain kombu over the key prefix that the workers' narrow account reaches. A publish has a
bounded number of retries; what fails stays in the outbox.
"""

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from celery import Celery
from django.conf import settings
from kombu.connection import Connection
from kombu.entity import Queue
from kombu.exceptions import OperationalError
from kombu.message import Message
from kombu.messaging import Consumer

from gpu_worker import contracts

PUBLISH_TIMEOUT_S = 3.0
# A broker that does not answer within it counts as down; the outbox tries again.

MAX_BODY_BYTES = contracts.MAX_REPORT_BYTES + 1024
# The limit of the contract, and room for the transport's own wrapping.


class RunBroker:
    """One connection. Not for use by two threads."""

    def __init__(self) -> None:
        options = {
            "global_keyprefix": settings.RUN_KEY_PREFIX,
            "socket_timeout": PUBLISH_TIMEOUT_S,
            "socket_connect_timeout": PUBLISH_TIMEOUT_S,
            "visibility_timeout": 3600,
        }
        self._connection = Connection(settings.RUN_BROKER_URL, transport_options=options)
        self._app = Celery("runs", broker=settings.RUN_BROKER_URL, set_as_current=False)
        self._app.conf.update(broker_transport_options=options, task_serializer="json")

    def __enter__(self) -> Self:
        self._connection.ensure_connection(max_retries=1, timeout=PUBLISH_TIMEOUT_S)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.release()

    @property
    def errors(self) -> tuple[type[BaseException], ...]:
        """What the transport raises when the broker is away."""
        return (
            *self._connection.connection_errors,
            *self._connection.channel_errors,
            OperationalError,
            OSError,
        )

    def publish(self, *, queue: str, body: Mapping[str, object]) -> None:
        """Send a run to a queue, once, without waiting for more than the socket's timeout."""
        self._app.send_task(
            contracts.RUN_TASK,
            args=[dict(body)],
            queue=queue,
            connection=self._connection,
            retry=False,
            ignore_result=True,
        )

    def count_waiting(self, *, queue: str) -> int:
        """Messages that stand in a queue and no worker has taken; 0 of a queue never used.

        Not declared passively: the transport looks for the key without its prefix then, and
        never finds it.
        """
        with self._connection.channel() as channel:
            return int(channel.queue_declare(queue=queue).message_count)

    def take_reports(self, take: Callable[[bytes], None], *, until: Callable[[], bool]) -> None:
        """Hand each worker message to `take` and acknowledge it, until `until` says so.

        A message is acknowledged after `take` returned: when it raises, it comes again. One
        whose body is no text, or too long, is dropped.
        """

        def on_message(message: Message) -> None:
            body = message.body.encode() if isinstance(message.body, str) else message.body
            if isinstance(body, bytes) and len(body) <= MAX_BODY_BYTES:
                take(body)
            message.ack()

        def drop(message: Message, error: Exception) -> None:
            """Left unacknowledged, it would come back at each connection for ever."""
            message.ack()

        queue = Queue(contracts.REPORT_QUEUE, routing_key=contracts.REPORT_QUEUE)
        channel = self._connection.default_channel
        with Consumer(
            channel,
            queues=[queue],
            on_message=on_message,
            on_decode_error=drop,
            accept=["json"],
            prefetch_count=1,
        ):
            while not until():
                try:
                    self._connection.drain_events(timeout=1)
                except TimeoutError:
                    continue
