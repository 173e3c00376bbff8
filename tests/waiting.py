"""Two connections at one lock, in an order that a test decides."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection, transaction

from tests.harness import wait_for

T = TypeVar("T")

_WAITING = """
SELECT count(*) FROM pg_locks
WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
"""
# Whoever waits for a lock of this very connection.


def run_second(first: Callable[[], object], second: Callable[[], T]) -> T:
    """The result of `second`, which meets a lock of `first` before that has committed."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first()
            later = pool.submit(run_apart, second)
            wait_for(lambda: later.done() or _count_waiting(), what="the second one at a lock")
            assert not later.done(), "the second one has not waited"
        return later.result(timeout=30)


def run_apart(work: Callable[[], T]) -> T:
    """The result of work on a connection of its own, closed with its thread."""
    try:
        return work()
    finally:
        connection.close()


def _count_waiting() -> int:
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        return int(cursor.fetchone()[0])
