"""Fixtures that every folder of tests may use."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.harness import RunningStack, run_remat


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """For runs in two processes: a file stays in one, and so do all users of the live stack.

    Those come first, because together they take longest. First of all hooks, since xdist's own
    reads the marks.
    """
    for item in items:
        is_live = "live_stack" in getattr(item, "fixturenames", ())
        item.add_marker(pytest.mark.xdist_group("live" if is_live else item.path.as_posix()))
    items.sort(key=lambda item: "live_stack" not in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def live_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """Everything that ./remat serve starts, as real processes on servers of its own."""
    state = tmp_path_factory.mktemp("live") / "state"
    stack = RunningStack.start(
        state, ("-m", "launcher", "serve"), REMAT_RESEND_AFTER_S="5", REMAT_WORKER_LOST_AFTER_S="15"
    )
    try:
        stack.wait_ready()
        yield stack
    finally:
        stack.stop()
        run_remat(state, "stop")


@pytest.fixture(autouse=True)
def at_test_speed(settings: Any) -> None:
    """All tests come from one address within an hour, and their secrets are no secrets."""
    settings.GUESTS_PER_HOUR = settings.TOKENS_PER_HOUR = 1_000_000
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
