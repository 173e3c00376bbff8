"""Fixtures that every folder of tests may use."""

from collections.abc import Iterator
from typing import Any

import pytest
from xdist.scheduler.loadscope import LoadScopeScheduling

from tests.harness import OPS_TOKEN, RunningStack, run_remat

pytest_plugins = ("tests.people",)

LIVE = ("tests/faults/", "tests/e2e/", "tests/docs/test_readme", "tests/ops/test_metrics")
# Where tests use the live stack.

PROCESSES = (
    *LIVE,
    "tests/launcher/",
    "tests/gpu_worker/test_worker",
    "tests/gpu_worker/test_runner",
)
# Real servers killed, real browsers, real limits of time: on a machine that others load too,
# one of them may miss its time. It gets a second try, and pytest reports it as rerun.


class Together(LoadScopeScheduling):
    """For runs in two processes: a file stays in one, and so do all users of the live stack."""

    def _split_scope(self, nodeid: str) -> str:
        return "live" if nodeid.startswith(LIVE) else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Together:
    return Together(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The users of the live stack come first, because together they take longest."""
    items.sort(key=lambda item: not item.nodeid.startswith(LIVE))
    for item in items:
        if item.nodeid.startswith(PROCESSES):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def live_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """Everything that ./remat serve starts, as real processes on servers of its own."""
    state = tmp_path_factory.mktemp("live") / "state"
    stack = RunningStack.start(
        state,
        ("-m", "launcher", "serve"),
        REMAT_RESEND_AFTER_S="5",
        REMAT_WORKER_LOST_AFTER_S="15",
        REMAT_OPS_TOKEN=OPS_TOKEN,
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
