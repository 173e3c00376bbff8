"""The running product: servers, set-up steps, and the processes of ARCHITECTURE.md."""

import hashlib
import http.client
import json
import os
import shutil
import signal
import socket
import types
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from launcher import proc
from launcher.credentials import ensure_credentials
from launcher.environments import build_web_environment, build_worker_environment
from launcher.layout import (
    LauncherError,
    Layout,
    make_private_folder,
    say,
    write_private_file,
)
from launcher.locks import Lock, remove_if_free
from launcher.loopback import open_url
from launcher.postgres import Postgres
from launcher.progress import run_step, wait_until
from launcher.services import Service
from launcher.supervisor import Supervisor
from launcher.valkey import Valkey

FIRST_PORT = 8000
READY_TIMEOUT_S = 240.0
# A cold start takes about 15 s on two cores; a busy machine may need many times that.


class Interrupted(BaseException):
    """SIGINT, SIGTERM or SIGHUP came: stop everything and leave."""


def handle_signals() -> None:
    """Turn the first signal into Interrupted; later ones wait until all is stopped."""

    def interrupt(number: int, frame: types.FrameType | None) -> None:
        for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(other, signal.SIG_IGN)
        raise Interrupted(signal.Signals(number).name)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Whoever started us with nohup wants no hangup.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupt)


@dataclass
class Stack:
    """Caller holds the stack lock of the layout."""

    layout: Layout
    kind: str
    durable: bool = True
    environment: dict[str, str] = field(default_factory=dict)
    url: str | None = None

    def __post_init__(self) -> None:
        self.supervisor = Supervisor(self.layout)
        self.postgres: Postgres | None = None
        self.valkey: Valkey | None = None
        self.port_lock: Lock | None = None

    # -- Servers ------------------------------------------------------------------------------

    def start_servers(self) -> None:
        """Start what no URL of the environment names, and wait until it answers."""
        sweep(self.layout)
        self.write_stack(is_ready=False)
        self.choose_servers()
        for server in (self.postgres, self.valkey):
            if server is not None:
                server.prepare()
                self.supervisor.start(server.build_service())
        for name in list(self.supervisor.children):
            self.supervisor.wait_ready(name)
        if self.postgres is not None:
            self.postgres.create_database()

    def choose_servers(self) -> None:
        credentials = ensure_credentials(self.layout)
        if not os.environ.get("DATABASE_URL"):
            make_private_folder(self.layout.sockets)
            self.postgres = Postgres(self.layout, durable=self.durable)
        if not os.environ.get("REDIS_URL"):
            make_private_folder(self.layout.sockets)
            self.valkey = Valkey(self.layout, credentials)
        self.environment = build_web_environment(
            self.layout, credentials=credentials, postgres=self.postgres, valkey=self.valkey
        )

    # -- Set-up -------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Tables, the bank and the demo course; each step does nothing the second time."""
        done = self.set_up_mark
        digest = compute_set_up_digest(self.layout)
        if done and done.exists() and done.read_text() == digest:
            return
        self.manage("making the tables", "migrate", "--no-input")
        self.manage("loading the bank", "bank", "load", "fixtures/bank", "--publish")
        self.manage(
            "making the demo course",
            "demo_course",
            "--credentials",
            str(self.layout.demo_credentials),
        )
        if done:
            # The credentials are new since the digest was taken.
            done.write_text(compute_set_up_digest(self.layout))

    @property
    def set_up_mark(self) -> Path | None:
        """Lies in the cluster, so that it goes with it; servers of others bear no mark."""
        return self.postgres.data / "remat-set-up" if self.postgres else None

    def forget_set_up(self) -> None:
        """Whoever may have changed the tables calls this."""
        if self.set_up_mark is not None:
            self.set_up_mark.unlink(missing_ok=True)

    def manage(self, title: str, *arguments: str) -> None:
        run_step(
            title,
            [self.layout.python, str(self.layout.root / "manage.py"), *arguments],
            log=self.layout.logs / "setup.log",
            environment=self.environment,
            tend=self.supervisor.tend,
        )

    # -- Processes ----------------------------------------------------------------------------

    def start_processes(self, *, port: int | None) -> str:
        """Start web, conductor and workers; returns the address when all is ready."""
        port, self.port_lock = reserve_port(port)
        self.url = f"http://127.0.0.1:{port}"
        self.write_stack(is_ready=False)
        for service in build_services(self.layout, environment=self.environment, port=port):
            self.supervisor.start(service)
        say("starting web, conductor, task worker and GPU worker ...")
        wait_until(
            self.is_ready,
            what="a ready service",
            timeout_s=READY_TIMEOUT_S,
            tend=self.supervisor.tend,
        )
        self.write_stack(is_ready=True)
        return self.url

    def is_ready(self) -> bool:
        return is_ready_at(f"{self.url}/readyz")

    def stop(self) -> None:
        self.supervisor.stop()
        self.layout.stack_file.unlink(missing_ok=True)
        remove_sockets(self.layout)
        if self.port_lock is not None:
            self.port_lock.release()

    def write_stack(self, *, is_ready: bool) -> None:
        row = {
            "pid": os.getpid(),
            "start": proc.read_start(os.getpid()),
            "kind": self.kind,
            "url": self.url,
            "ready": is_ready,
        }
        write_private_file(self.layout.stack_file, json.dumps(row))


@contextmanager
def run_stack(layout: Layout, *, kind: str, durable: bool = True) -> Iterator[Stack]:
    """The one stack of a state folder, stopped at the end, whatever happens."""
    layout.make_state()
    lock = Lock(layout.lock)
    if not lock.try_acquire():
        raise AlreadyRunningError(read_stack(layout))
    stack = Stack(layout, kind, durable=durable)
    handle_signals()
    try:
        yield stack
    finally:
        stack.stop()
        lock.release()


class AlreadyRunningError(LauncherError):
    """Another command holds the stack of this state folder."""

    def __init__(self, row: "StackRow | None") -> None:
        self.row = row
        where = f" at {row.url}" if row and row.url else ""
        kind = row.kind if row else "another command"
        super().__init__(f"{kind} is running already{where}; ./remat stop ends it")


@dataclass(frozen=True)
class StackRow:
    """What a running stack says of itself."""

    pid: int
    start: int | None
    kind: str
    url: str | None
    ready: bool

    @classmethod
    def parse(cls, text: str) -> Self:
        row = json.loads(text)
        return cls(row["pid"], row["start"], row["kind"], row["url"], row["ready"])


def read_stack(layout: Layout) -> StackRow | None:
    """The running stack's own words, or None where none runs."""
    row = read_last_stack(layout)
    return row if row is not None and proc.is_alive(row.pid, start=row.start) else None


def read_last_stack(layout: Layout) -> StackRow | None:
    """What the last stack left written, which may be dead."""
    try:
        return StackRow.parse(layout.stack_file.read_text())
    except (FileNotFoundError, ValueError, KeyError):
        return None


def sweep(layout: Layout) -> list[int]:
    """End what a killed stack left running; remove its files. Caller holds the stack lock."""
    ended = proc.end_all(proc.list_marked(layout.state), grace_s=5.0)
    row = read_last_stack(layout)
    port = urlsplit(row.url).port if row is not None and row.url else None
    if port is not None:
        remove_if_free(find_port_lock(port))
    remove_sockets(layout)
    shutil.rmtree(layout.metrics, ignore_errors=True)
    layout.processes_file.unlink(missing_ok=True)
    layout.stack_file.unlink(missing_ok=True)
    return ended


def compute_set_up_digest(layout: Layout) -> str:
    """Digest of the code, the packages, the bank and the credentials that the set-up steps read."""
    digest = hashlib.sha256()
    folders = (layout.root / "assessment", layout.root / "fixtures")
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    # The catalogue of experiments and what it stands on; packages bring tables of their own.
    files += [*layout.root.glob("gpu_worker/*.py"), layout.root / "requirements" / "web.lock"]
    for path in sorted([*files, layout.demo_credentials]):
        if path.suffix != ".pyc" and path.exists():
            digest.update(f"{path}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def remove_sockets(layout: Layout) -> None:
    folder = layout.sockets
    if folder.is_dir() and not folder.is_symlink():
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        folder.rmdir()


def build_services(layout: Layout, *, environment: dict[str, str], port: int) -> list[Service]:
    """Web, conductor, task worker, GPU worker, in the order of their start."""
    python = str(layout.python)
    celery = (python, "-m", "celery")
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "INFO")
    web = (
        python, "-m", "granian", "--interface", "wsgi", "assessment.wsgi:application",
        "--host", "127.0.0.1", "--port", str(port), "--workers", "2",
        "--blocking-threads", "4", "--backlog", "256", "--no-ws", "--respawn-failed-workers",
    )  # fmt: skip
    worker = build_worker_environment(layout, web=environment)
    return [
        Service(
            "gpu-worker",
            (*celery, "-A", "gpu_worker.celery_app", "worker", "--pool", "solo", *quiet),
            environment=worker,
        ),
        Service(
            "web",
            web,
            environment={**environment, "PROMETHEUS_MULTIPROC_DIR": str(layout.metrics)},
        ),
        Service("conductor", (python, "manage.py", "conductor"), environment=environment),
        Service(
            "task-worker",
            (*celery, "-A", "assessment.celery_app", "worker", "--concurrency", "1", *quiet),
            environment=environment,
        ),
    ]


def reserve_port(wanted: int | None) -> tuple[int, Lock]:
    """A free port of the loopback, and a lock that keeps our other stacks off it.

    Between this look and the web server's bind another stack would find the port free too.
    """
    candidates = range(FIRST_PORT, FIRST_PORT + 200) if wanted is None else (wanted,)
    for port in candidates:
        lock = Lock(find_port_lock(port))
        if lock.try_acquire():
            refusal = find_refusal(port)
            if refusal is None:
                return port, lock
            lock.release()
            if wanted is not None:
                raise LauncherError(f"port {wanted} cannot be used: {refusal}")
    if wanted is not None:
        raise LauncherError(f"port {wanted} is taken by another checkout's service")
    raise LauncherError(f"no free port from {FIRST_PORT} on; give one with --port")


def find_port_lock(port: int) -> Path:
    return Path("/tmp") / f"remat-{os.getuid()}-port-{port}.lock"  # noqa: S108 - opened without following links


def find_refusal(port: int) -> str | None:
    """Why a server cannot listen on a port of the loopback; None when it can."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            return error.strerror
    return None


def is_ready_at(url: str) -> bool:
    """Whether the readiness page says so; "degraded" (no broker or no worker yet) does not."""
    try:
        request = urllib.request.Request(url)  # noqa: S310 - our own http address
        with open_url(request, timeout_s=5) as reply:
            return bool(json.loads(reply.read())["status"] == "ready")
    except (OSError, ValueError, KeyError, http.client.HTTPException):
        return False
