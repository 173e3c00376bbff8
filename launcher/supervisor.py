"""Keeps services running: starts them, restarts what dies, and leaves nothing behind."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from launcher import proc
from launcher.layout import Layout, say, write_private_file
from launcher.progress import read_tail, wait_until
from launcher.services import Service

FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 10.0
# Restarts after 0.2, 0.4, 0.8 ... seconds: quick after one kill, gentle on a broken program.
STEADY_AFTER_S = 10.0
# A process that lived this long has its next pause reset.
LOG_LIMIT = 20 * 1024 * 1024
# One old log is kept beside the current one.
LOG_PERIOD_S = 60.0
# Between two looks at the sizes.


@dataclass
class Child:
    service: Service
    process: "subprocess.Popen[bytes]"
    start: int | None
    started_at: float
    pause_s: float = FIRST_PAUSE_S
    due_at: float | None = None
    # When to start it again; None while it runs.
    restarts: int = 0


@dataclass
class Supervisor:
    """Single-threaded: whoever owns it calls `tend` several times a second."""

    layout: Layout
    children: dict[str, Child] = field(default_factory=dict)
    logs_seen_at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        proc.adopt_orphans()

    def start(self, service: Service) -> None:
        self.children[service.name] = self._spawn(service)
        self._write_processes()

    def wait_ready(self, name: str, *, timeout_s: float = 60.0) -> None:
        check = self.children[name].service.is_ready
        if check is not None:
            wait_until(check, what=name, timeout_s=timeout_s, tend=self.tend)

    def tend(self) -> None:
        """Reap what died, end its orphans, start again what is due."""
        changed = False
        for child in self.children.values():
            if child.due_at is None and child.process.poll() is not None:
                self._note_death(child)
                changed = True
            elif child.due_at is not None and time.monotonic() >= child.due_at:
                self._restart(child)
                changed = True
        self._end_orphans()
        if changed:
            self._write_processes()
        if time.monotonic() - self.logs_seen_at > LOG_PERIOD_S:
            self.logs_seen_at = time.monotonic()
            trim_logs(self.layout.logs)

    def stop(self) -> None:
        """Stop all processes at once, then the servers; a second call finds nothing to do."""
        for is_server in (False, True):
            self._stop_together(
                [one for one in self.children.values() if one.service.is_server is is_server]
            )
        self.children.clear()
        self._end_orphans()
        self.layout.processes_file.unlink(missing_ok=True)

    def _spawn(self, service: Service) -> Child:
        service.before_start()
        log = self.layout.logs / f"{service.name}.log"
        environment = dict(os.environ if service.environment is None else service.environment)
        environment[proc.MARK] = str(self.layout.state)
        with log.open("ab") as stream:
            process = subprocess.Popen(
                service.command,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd=self.layout.root,
                start_new_session=True,
                preexec_fn=proc.die_with_parent,
            )
        return Child(service, process, proc.read_start(process.pid), time.monotonic())

    def _note_death(self, child: Child) -> None:
        name, code = child.service.name, child.process.returncode
        # What the dead process left in its group goes with it: a port may hang on it.
        proc.send_group(child.process.pid, signal.SIGKILL)
        if time.monotonic() - child.started_at > STEADY_AFTER_S:
            child.pause_s = FIRST_PAUSE_S
        child.due_at = time.monotonic() + child.pause_s
        say(f"{name} ended ({describe_exit(code)}); starting it again in {child.pause_s:.1f} s")
        if code > 0 and child.restarts in (2, 5):
            tail = read_tail(self.layout.logs / f"{name}.log")
            say(f"{name} keeps ending; the end of its log:\n{tail}")

    def _restart(self, child: Child) -> None:
        """Start it again; where not even that can be done (a full disk), later."""
        child.pause_s = min(child.pause_s * 2, LONGEST_PAUSE_S)
        try:
            fresh = self._spawn(child.service)
        except OSError as error:
            say(f"{child.service.name} cannot be started ({error}); trying again")
            child.due_at = time.monotonic() + child.pause_s
            return
        child.process, child.start, child.started_at = fresh.process, fresh.start, fresh.started_at
        child.due_at = None
        child.restarts += 1

    def _stop_together(self, children: list[Child]) -> None:
        for child in children:
            if child.process.poll() is None:
                child.process.send_signal(child.service.stop_signal)
        begun = time.monotonic()
        for child in children:
            self._await_end(child, until=begun + child.service.grace_s)

    def _await_end(self, child: Child, *, until: float) -> None:
        try:
            child.process.wait(max(until - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            say(f"{child.service.name} did not stop; killing it")
        proc.send_group(child.process.pid, signal.SIGKILL)
        if child.process.poll() is None:
            child.process.kill()
        child.process.wait()

    def _end_orphans(self) -> None:
        """Kill grandchildren that came to us because their parents died."""
        known = {child.process.pid for child in self.children.values()}
        for pid in proc.list_children():
            if pid in known or pid in proc.steps:
                continue
            proc.send(pid, signal.SIGKILL)
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                continue

    def _write_processes(self) -> None:
        rows = {
            name: {"pid": child.process.pid, "start": child.start, "restarts": child.restarts}
            for name, child in self.children.items()
        }
        write_private_file(self.layout.processes_file, json.dumps(rows))


def trim_logs(folder: Path) -> None:
    """Keep what outgrew its limit as one old log; its process goes on at the file's new end."""
    for log in folder.glob("*.log"):
        with contextlib.suppress(OSError):
            if log.stat().st_size > LOG_LIMIT:
                shutil.copyfile(log, log.with_suffix(".log.1"))
                os.truncate(log, 0)


def describe_exit(code: int) -> str:
    return f"exit {code}" if code >= 0 else signal.Signals(-code).name


def watch(supervisor: Supervisor, *, until: Callable[[], bool]) -> None:
    """Tend until told to stop."""
    while not until():
        supervisor.tend()
        time.sleep(0.1)
