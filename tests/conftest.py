"""Fixtures that every folder of tests may use."""

from collections.abc import Iterator

import pytest

from tests.harness import RunningStack, run_remat


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
