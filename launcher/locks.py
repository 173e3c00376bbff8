"""Locks that die with their holder: flock on a file that is removed on release."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


class Lock:
    """An exclusive lock. The file goes away on release, so nothing is left behind."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None

    def try_acquire(self) -> bool:
        """Take the lock if it is free. Returns False when another process holds it."""
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        while True:
            handle = os.open(self.path, flags, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                return False
            # The holder before us may have removed the file between our open and our flock.
            if self._is_current(handle):
                self._handle = handle
                return True
            os.close(handle)

    def release(self) -> None:
        if self._handle is None:
            return
        self.path.unlink(missing_ok=True)
        os.close(self._handle)
        self._handle = None

    def _is_current(self, handle: int) -> bool:
        try:
            return os.path.samestat(os.fstat(handle), self.path.stat())
        except FileNotFoundError:
            return False


def remove_if_free(path: Path) -> None:
    """Take away what a killed holder left; a lock that somebody holds stays."""
    lock = Lock(path)
    if path.exists() and lock.try_acquire():
        lock.release()


@contextmanager
def hold(path: Path, *, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock; calls `on_wait` once when another process has it."""
    lock = Lock(path)
    waited = False
    while not lock.try_acquire():
        if not waited:
            on_wait()
            waited = True
        time.sleep(0.1)
    try:
        yield
    finally:
        lock.release()
