"""What the first visit costs on a slow network and a slow phone."""

import os
import time
from typing import Any

import pytest

from tests.e2e.conftest import PHONE, MakeLearner

SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8 * 0.9,
    "uploadThroughput": 750_000 / 8 * 0.9,
}
# Lighthouse's "slow 4G": 150 ms a round trip, 1.6 Mbit/s down.
SLOWDOWN = 4
NUM_TRIES = 6
# The quickest counts: other work on the machine only adds to a visit.
LIMIT_BYTES = 100_000
LIMIT_S = 2.0
# What the product promises for the first screen that can be used.


@pytest.mark.parametrize(
    ("path", "usable"), [("/", ".start-card"), ("/learn/", ".card-link")], ids=["front", "learn"]
)
def test_the_first_load_is_small_and_quick(make_learner: MakeLearner, path, usable):
    seconds = []
    for _ in range(NUM_TRIES):
        learner = make_learner("bg", PHONE)
        network = learner.context.new_cdp_session(learner.page)
        received: list[float] = []

        def count(event: dict[str, Any], received: list[float] = received) -> None:
            received.append(event["encodedDataLength"])

        network.on("Network.loadingFinished", count)
        network.send("Network.enable")
        network.send("Network.emulateNetworkConditions", SLOW_4G)
        network.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        begun = time.monotonic()
        learner.page.goto(learner.url + path, wait_until="commit")
        learner.page.locator(usable).first.wait_for()
        seconds.append(time.monotonic() - begun)
        learner.page.wait_for_load_state("networkidle")
        assert sum(received) < LIMIT_BYTES
        if seconds[-1] < LIMIT_S:
            break
    print(f"{path}: {sum(received):.0f} bytes, usable after {min(seconds):.2f} s")
    if min(seconds) >= LIMIT_S and is_busy():
        pytest.skip(f"the machine is too busy to time a page: {seconds}")
    assert min(seconds) < LIMIT_S, seconds


def is_busy() -> bool:
    """More runs than there are cores: a slowdown of 4 would be one of 8 or 16."""
    return os.getloadavg()[0] > (os.cpu_count() or 1)


def test_an_answer_is_one_request(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz("gradient-checkpointing")
    learner.page.wait_for_load_state("networkidle")
    sent: list[str] = []
    learner.page.on("request", lambda one: sent.append(f"{one.method} {one.url}"))
    learner.answer(learner.find_item("gradient-checkpointing", "en").right("en"))
    learner.verdict.wait_for()
    learner.go_on()
    learner.wait_question(2)
    assert len(sent) == 1, sent
