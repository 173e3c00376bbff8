"""kill -9 of every process under ./remat serve: each comes back, nothing acknowledged is lost."""

import os
import re
import signal
import threading
import uuid
from pathlib import Path
from typing import Any

import pytest

from launcher.client import ApiError, Client
from launcher.layout import LauncherError
from launcher.stack import is_ready_at
from tests.harness import PATIENCE_S, RunningStack, wait_for
from tests.live import (
    answer_wrongly,
    await_evidence,
    open_learner,
    query,
    start_session,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(autouse=True)
def whole_stack(live_stack: RunningStack) -> RunningStack:
    """Each test begins with everything ready again."""
    wait_for(lambda: is_ready_at(f"{live_stack.url}/readyz"), what="a ready stack")
    return live_stack


def request_fresh_run(learner: Client, *, layers: int) -> str:
    """A long what-if with numbers that nobody asked for yet; the id of its demonstration."""
    feedback = answer_wrongly(learner)
    base = feedback["demonstration"]["id"]
    await_evidence(learner, base, timeout_s=PATIENCE_S)
    reply = learner.post(
        f"/api/v1/demonstrations/{base}/what-if", {"parameters": {"layers": layers, "steps": 50}}
    )
    return str(reply["id"])


def find_run(stack: RunningStack, demonstration: str) -> dict[str, Any]:
    rows = query(
        stack,
        "select r.state, r.attempt, r.worker, (select count(*) from experiments_run o"
        " where o.digest = r.digest) from experiments_run r"
        " join experiments_demonstration d on d.run_id = r.id where d.id::text = %s",
        demonstration,
    )
    return dict(zip(("state", "attempt", "worker", "num_runs"), rows[0], strict=True))


def test_a_gpu_worker_killed_in_a_run_costs_one_attempt(whole_stack: RunningStack) -> None:
    """Its children go with it, one report is taken in, and the evidence comes."""
    learner = open_learner(whole_stack)
    demonstration = request_fresh_run(learner, layers=6)
    wait_for(
        lambda: find_run(whole_stack, demonstration)["state"] == "running",
        what="the start of the run",
        pause_s=0.02,
    )
    below = list_descendants(whole_stack.pid("gpu-worker"))
    assert below
    old = whole_stack.kill("gpu-worker")
    wait_for(lambda: not [pid for pid in below if is_running(pid)], what="its children's end")
    whole_stack.wait_replaced("gpu-worker", old=old)
    body = await_evidence(learner, demonstration, timeout_s=PATIENCE_S)
    run = find_run(whole_stack, demonstration)
    assert body["state"] == "measured"
    assert (run["attempt"], run["num_runs"]) == (2, 1)


def list_descendants(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += [int(child), *list_descendants(int(child))]
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_broker_that_is_away_delays_the_run_and_not_the_answer(
    whole_stack: RunningStack,
) -> None:
    """Valkey stands still: the answer is scored at once, the run is measured once after it."""
    learner = open_learner(whole_stack)
    base = answer_wrongly(learner)["demonstration"]["id"]
    await_evidence(learner, base, timeout_s=PATIENCE_S)
    valkey = whole_stack.pid("valkey")
    os.kill(valkey, signal.SIGSTOP)
    try:
        other = open_learner(whole_stack)
        assert answer_wrongly(other)["correct"] is False
        waiting = learner.post(
            f"/api/v1/demonstrations/{base}/what-if", {"parameters": {"layers": 7}}
        )
        wait_for(
            lambda: learner.get(f"/api/v1/demonstrations/{waiting['id']}")["delayed"],
            what="the word of the delay",
            pause_s=0.5,
        )
    finally:
        os.kill(valkey, signal.SIGCONT)
    body = await_evidence(learner, waiting["id"], timeout_s=PATIENCE_S)
    assert body["state"] == "measured"
    assert find_run(whole_stack, waiting["id"])["num_runs"] == 1


def test_no_web_process_holds_torch(whole_stack: RunningStack) -> None:
    """In the memory maps of the live processes, workers of the web server included."""
    for name in ("web", "conductor", "task-worker"):
        pid = whole_stack.pid(name)
        for one in (pid, *list_descendants(pid)):
            assert "libtorch" not in Path(f"/proc/{one}/maps").read_text(), name
    # Served by the web process, made by another one.
    page = Client(whole_stack.url).download("/learn/").decode()
    library = re.search(r'"vega": "([^"]+)"', page)
    assert library
    assert Client(whole_stack.url).download(library[1]).rstrip().endswith(b"as default};")
    web = whole_stack.pid("web")
    for one in (web, *list_descendants(web)):
        assert "vl_convert" not in Path(f"/proc/{one}/maps").read_text()
    worker = whole_stack.pid("gpu-worker")
    maps = [Path(f"/proc/{one}/maps").read_text() for one in (worker, *list_descendants(worker))]
    assert any("libtorch" in one for one in maps)


def post_through(learner: Client, path: str, body: dict[str, Any]) -> Any:
    """POST until it is acknowledged, always under the same key, as a client on a bad network."""
    key, reply = str(uuid.uuid4()), None

    def is_acknowledged() -> bool:
        nonlocal reply
        try:
            reply = learner.post(path, body, key=key)
        except LauncherError as error:
            if isinstance(error, ApiError) and error.status != 503:
                raise
            return False
        return True

    wait_for(is_acknowledged, what=f"an acknowledged {path}", pause_s=0.2)
    return reply


def take_quiz(learner: Client, session: Any, *, started: threading.Event) -> dict[str, str]:
    """Answer all items; what was acknowledged: option by administration."""
    path, item, acknowledged = f"/api/v1/sessions/{session['id']}", session["current"], {}
    while item is not None:
        option = item["options"][0]["id"]
        body = {"administration": item["administration"], "response": {"options": [option]}}
        reply = post_through(learner, f"{path}/responses", body)
        acknowledged[item["administration"]] = option
        started.set()
        item = reply["next"]
    return acknowledged


@pytest.mark.parametrize("name", ["postgres", "web", "valkey", "conductor"])
def test_no_acknowledged_answer_is_lost(whole_stack: RunningStack, name: str) -> None:
    """Five learners answer; after the first answers the process is killed under them."""
    started, results = threading.Event(), []
    learners = [open_learner(whole_stack) for _ in range(5)]
    sessions = [start_session(learner) for learner in learners]

    def run(learner: Client, session: Any) -> None:
        results.append(take_quiz(learner, session, started=started))

    threads = [
        threading.Thread(target=run, args=pair) for pair in zip(learners, sessions, strict=True)
    ]
    for thread in threads:
        thread.start()
    assert started.wait(PATIENCE_S)
    old = whole_stack.kill(name)
    for thread in threads:
        thread.join(PATIENCE_S)
    whole_stack.wait_replaced(name, old=old)
    assert len(results) == len(learners)
    for acknowledged in results:
        rows = query(
            whole_stack,
            "select administration_id::text, answer from delivery_response"
            " where administration_id::text = any(%s)",
            list(acknowledged),
        )
        stored = {administration: answer["options"][0] for administration, answer in rows}
        assert stored == acknowledged
    wait_for(lambda: is_ready_at(f"{whole_stack.url}/readyz"), what="a ready stack")
