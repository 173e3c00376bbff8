"""Private servers for a bare `pytest`: nothing starts where the environment names servers.

`./remat test` starts servers itself; this plugin lets an editor run one test too.
"""

import contextlib
import os
import re
import signal
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from launcher.layout import ROOT, Layout, find_layout
from launcher.stack import Stack

FIRST_DATABASE, NUM_DATABASES = 3, 13
# Of the 16 that Valkey has, those that a service does not use.

_stack: Stack | None = None


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Generator[None, object, object]:
    """Runs before pytest-django reads the settings."""
    os.environ.setdefault("DJANGO_SECRET_KEY", "a key for tests alone")
    if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        start_servers()
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is not None or "REMAT_BROKER_URL" in os.environ:
        share_database(int((worker or "gw0").removeprefix("gw")))
    return (yield)


def share_database(number: int) -> None:
    """One Valkey database for cache and queues, so that tests can look into both by one URL.

    Each worker of pytest-xdist gets another; PostgreSQL's databases bear their names anyway.
    """
    database = FIRST_DATABASE + number % NUM_DATABASES
    os.environ["REDIS_URL"] = re.sub(r"db=\d+", f"db={database}", os.environ["REDIS_URL"])
    for name in ("REMAT_TASK_BROKER_URL", "REMAT_BROKER_URL", "REMAT_WORKER_BROKER_URL"):
        if name in os.environ:
            shared = f"virtual_host={database}"
            os.environ[name] = re.sub(r"virtual_host=\d+", shared, os.environ[name])


def start_servers() -> None:
    global _stack
    state = Path(tempfile.mkdtemp(prefix="remat-pytest-"))
    layout = Layout(ROOT, state, find_layout().venv)
    layout.make_state()
    _stack = Stack(layout, "test", durable=False)
    # A TERM from outside must not leave the servers behind.
    signal.signal(signal.SIGTERM, lambda number, frame: pytest.exit("SIGTERM", 143))
    _stack.start_servers()
    os.environ.update(_stack.environment)


def pytest_unconfigure() -> None:
    global _stack
    if _stack is None:
        return
    _stack.stop()
    with contextlib.suppress(OSError):
        for path in sorted(_stack.layout.state.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        _stack.layout.state.rmdir()
    _stack = None
