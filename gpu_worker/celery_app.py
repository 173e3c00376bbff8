"""The worker's Celery application, and the one connection it has to the outside.

Its broker account reaches keys below `gpu:` only. No result backend, no remote control, no
events: reports travel as plain messages, and the conductor's table is the truth of a run.

Environment: REMAT_BROKER_URL, REMAT_WORKER_DEVICE (cpu, cuda), REMAT_WORKER_QUEUES (comma
separated; default: both lines of the device), REMAT_WORKER_NAME.
"""

import os
import secrets
import socket

from celery import Celery
from kombu.connection import Connection
from kombu.entity import Exchange, Queue

from gpu_worker.contracts import COMBINE_QUEUES, DEVICES, RUN_QUEUES

KEY_PREFIX = "gpu:"
# The only keys that the worker's account may touch.

VISIBILITY_TIMEOUT_S = 7200
# Twice the longest run that the contract allows: no run is delivered again while it runs.

SOCKET_TIMEOUT_S = 10.0
# For reports and hellos on a socket of this machine or the next.


def read_device() -> str:
    """Raises ValueError at start for a device class that the contract does not know."""
    device = os.environ.get("REMAT_WORKER_DEVICE", "cpu")
    if device not in DEVICES:
        raise ValueError(f"REMAT_WORKER_DEVICE: {device!r} is not one of {', '.join(DEVICES)}")
    return device


def read_queues(device: str) -> tuple[str, ...]:
    known = (RUN_QUEUES[device], COMBINE_QUEUES[device])
    given = [one.strip() for one in os.environ.get("REMAT_WORKER_QUEUES", "").split(",")]
    queues = tuple(filter(None, given)) or known
    for queue in queues:
        if queue not in known:
            raise ValueError(f"REMAT_WORKER_QUEUES: {queue!r} is not one of {', '.join(known)}")
    return queues


DEVICE = read_device()
QUEUES = read_queues(DEVICE)
BROKER_URL = os.environ.get("REMAT_BROKER_URL", "redis://localhost:6379/0")
_GIVEN_NAME = os.environ.get("REMAT_WORKER_NAME") or f"{DEVICE}@{socket.gethostname()}"
WORKER_NAME = f"{_GIVEN_NAME[:150]}-{secrets.token_hex(4)}"
# A restarted worker is another one: the silence of the old one tells that its runs are lost.

# No fix-ups: the one for Django would load it wherever DJANGO_SETTINGS_MODULE is set.
app = Celery("gpu_worker", broker=BROKER_URL, include=["gpu_worker.tasks"], fixups=set())
app.conf.update(
    accept_content=["json"],
    broker_connection_max_retries=None,
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "global_keyprefix": KEY_PREFIX,
        "visibility_timeout": VISIBILITY_TIMEOUT_S,
    },
    enable_utc=True,
    task_acks_late=True,
    task_default_queue=QUEUES[0],
    task_ignore_result=True,
    task_queues=[Queue(name, Exchange(name, type="direct"), name) for name in QUEUES],
    task_reject_on_worker_lost=False,
    task_serializer="json",
    timezone="UTC",
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_concurrency=1,
    worker_enable_remote_control=False,
    worker_pool="solo",
    worker_prefetch_multiplier=1,
    worker_send_task_events=False,
)


def open_connection() -> Connection:
    """A connection for one message or one look, with time-outs on its socket."""
    options = {
        "global_keyprefix": KEY_PREFIX,
        "socket_timeout": SOCKET_TIMEOUT_S,
        "socket_connect_timeout": SOCKET_TIMEOUT_S,
    }
    return Connection(BROKER_URL, transport_options=options)
