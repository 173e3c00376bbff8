"""A real worker, a real broker, and what may happen to both."""

import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gpu_worker.processes import Broker, Worker, make_request, wait_until


@pytest.fixture
def directory() -> Iterator[Path]:
    # Short: the path of a unix socket has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="rw-") as name:
        yield Path(name)


@pytest.fixture
def broker(directory: Path) -> Iterator[Broker]:
    broker = Broker(directory)
    broker.start()
    yield broker
    if broker.process and broker.process.poll() is None:
        broker.stop(number=signal.SIGKILL)


@pytest.fixture
def worker(broker: Broker, directory: Path) -> Iterator[Worker]:
    variables = {"REMAT_TEST_MODULES_FILE": str(directory / "modules")}
    worker = Worker(broker, directory, **variables)
    worker.start()
    yield worker
    if worker.process and worker.process.poll() is None:
        worker.stop(number=signal.SIGKILL)


def test_it_serves_after_every_fault_and_leaves_no_process(broker: Broker, worker: Worker) -> None:
    hello = broker.wait_for_hello()
    assert (hello.device, hello.busy) == ("cpu", False)
    assert hello.queues == ("runs-cpu", "runs-slow-cpu")
    faults: dict[str, tuple[str | None, ...]] = {
        "eat_memory": ("out_of_memory",),
        # Which of the two strikes first depends on the load of the machine.
        "loop_for_ever": ("cpu_limit", "timeout"),
        "sleep_for_ever": ("timeout",),
        "kill_itself": ("killed",),
        "print_much": ("output_limit",),
        "return_nan": ("non_finite",),
        "fork_children": (None,),
    }
    for name, reasons in faults.items():
        started, ended = broker.wait_for_end(broker.send(make_request(name, wall_limit_s=3.0)))
        assert started.state == "started"
        assert ended.reason in reasons, ended.detail
        assert ended.state == ("failed" if ended.reason else "measured")
    ended = broker.wait_for_end(broker.send(make_request("measure_well")))[-1]
    assert ended.state == "measured"
    assert worker.process is not None
    assert worker.process.poll() is None
    worker.stop()
    assert worker.list_processes() == []


def test_a_killed_worker_leaves_no_process(broker: Broker, worker: Worker) -> None:
    run_id = broker.send(make_request("fork_and_wait"))
    for message in broker.read_messages(timeout_s=60):
        if getattr(message, "run_id", None) == run_id:
            break
    # The worker, supervisor and sandbox of the run, and the four that it started.
    wait_until(lambda: len(worker.list_processes()) >= 7)
    worker.stop(number=signal.SIGKILL)
    wait_until(lambda: not worker.list_processes())


def test_it_consumes_after_two_quick_restarts_of_the_broker(broker: Broker, worker: Worker) -> None:
    assert broker.wait_for_end(broker.send(make_request("measure_well")))
    for number in (signal.SIGTERM, signal.SIGKILL):
        broker.stop(number=number)
        broker.start()
    ended = broker.wait_for_end(broker.send(make_request("measure_well")), timeout_s=60)[-1]
    assert ended.state == "measured"
    with broker.open_client() as client:
        for kind in ("normal", "pubsub", "normal"):
            client.client_kill_filter(_type=kind, skipme=True)
    ended = broker.wait_for_end(broker.send(make_request("measure_well")), timeout_s=60)[-1]
    assert ended.state == "measured"
    assert worker.check_health() == 0


def test_a_report_outlives_a_restart_of_the_broker_in_the_middle_of_its_run(
    broker: Broker, worker: Worker
) -> None:
    run_id = broker.send(make_request("sleep_for_ever", wall_limit_s=3.0))
    for message in broker.read_messages(timeout_s=60):
        if getattr(message, "state", None) == "started":
            break
    broker.stop(number=signal.SIGKILL)
    wait_until(lambda: "cannot be reached" in worker.log.read_text())
    broker.start()
    assert broker.wait_for_end(run_id)[-1].reason == "timeout"


def test_it_refuses_a_run_past_its_deadline(broker: Broker, worker: Worker) -> None:
    request = make_request("measure_well", not_after="2020-01-01T00:00:00Z")
    reports = broker.wait_for_end(broker.send(request))
    assert [one.state for one in reports] == ["failed"]
    assert reports[0].reason == "too_late"


def test_it_serves_the_slow_line_and_survives_a_message_that_is_no_request(
    broker: Broker, worker: Worker
) -> None:
    broken = make_request("measure_well", device="toaster")
    broker.send(broken)
    broker.send(make_request("measure_well", run_id="not-a-uuid"))
    run_id = broker.send(make_request("measure_well"), queue="runs-slow-cpu")
    assert broker.wait_for_end(run_id)[-1].state == "measured"


def test_it_loads_neither_django_nor_torch(broker: Broker, worker: Worker, directory: Path) -> None:
    broker.wait_for_end(broker.send(make_request("measure_well")))
    wait_until(lambda: (directory / "modules").exists())
    wait_until(lambda: (directory / "modules").read_text())
    loaded = set((directory / "modules").read_text().split())
    assert "gpu_worker.tasks" in loaded
    for name in ("django.db", "django.apps", "assessment", "rest_framework", "torch", "numpy"):
        assert name not in loaded


def test_its_account_reaches_no_other_key(broker: Broker) -> None:
    import redis

    client = redis.Redis(unix_socket_path=str(broker.socket), username="worker", password="worker")
    assert client.lpush("gpu:anything", "1") == 1
    for attempt in (
        lambda: client.get("session:1"),
        lambda: client.keys("*"),
        lambda: client.flushall(),
        lambda: client.config_get("dir"),
    ):
        with pytest.raises(redis.exceptions.NoPermissionError):
            attempt()


def test_a_copy_of_a_message_is_answered_without_measuring_again(
    broker: Broker, worker: Worker
) -> None:
    request = make_request("measure_well")
    first = broker.wait_for_end(broker.send(request))[-1]
    again = broker.wait_for_end(broker.send(request))
    assert [one.state for one in again] == ["measured"]
    assert again[0] == first
