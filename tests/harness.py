"""Real stacks for tests: their own state folder, servers, processes; each can be killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from launcher import proc
from launcher.layout import ROOT, Layout, find_layout

PASSED = ("PATH", "HOME", "LANG", "TMPDIR", "XDG_RUNTIME_DIR", "PIP_CONFIG_FILE")
# A stack under test must not see the servers of the tests around it.

PATIENCE_S = 240
# For what takes seconds: a machine that others load too may need many times that, and a test
# that passes waits for nothing.

OPS_TOKEN = "for-those-who-run-the-live-stack"


def build_environment(state: Path, **more: str) -> dict[str, str]:
    """The environment of a launcher command on a state folder of its own."""
    return {
        **{name: os.environ[name] for name in PASSED if name in os.environ},
        "REMAT_STATE_DIR": str(state),
        "REMAT_VENV": str(find_layout().venv),
        "PYTHONPATH": str(ROOT),
        **more,
    }


def run_remat(state: Path, *arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """./remat ARGUMENTS to its end."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "launcher", *arguments],
        env=build_environment(state, **more),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def wait_for(
    check: Callable[[], object], *, what: str, timeout_s: float = PATIENCE_S, pause_s: float = 0.05
) -> None:
    """Poll a condition of another process; fails the test when it never comes."""
    deadline = time.monotonic() + timeout_s
    while not check():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not happen within {timeout_s} s")
        time.sleep(pause_s)


@dataclass
class RunningStack:
    """A launcher command that keeps running, and what hangs below it."""

    layout: Layout
    process: "subprocess.Popen[bytes]"
    log: Path

    @classmethod
    def start(cls, state: Path, command: Sequence[str], **more: str) -> "RunningStack":
        state.mkdir(parents=True, exist_ok=True)
        log = state / "launcher.log"
        with log.open("ab") as stream:
            process = subprocess.Popen(
                [sys.executable, "-P", *command],
                env=build_environment(state, **more),
                stdout=stream,
                stderr=stream,
                stdin=subprocess.DEVNULL,
                preexec_fn=proc.die_with_parent,
            )
        return cls(Layout(ROOT, state, find_layout().venv), process, log)

    @property
    def url(self) -> str:
        return str(json.loads(self.layout.stack_file.read_text())["url"])

    def wait_ready(self) -> None:
        def is_ready() -> bool:
            if self.process.poll() is not None:
                raise AssertionError(f"the launcher ended:\n{self.log.read_text()}")
            try:
                row = json.loads(self.layout.stack_file.read_text())
                # A killed launcher's file may still be there.
                return bool(row["ready"] and row["pid"] == self.process.pid)
            except (FileNotFoundError, ValueError):
                return False

        wait_for(is_ready, what="the stack's start")

    def read_processes(self) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = json.loads(self.layout.processes_file.read_text())
        return found

    def pid(self, name: str) -> int:
        return self.read_processes()[name]["pid"]

    def kill(self, name: str) -> int:
        """kill -9 of one process; returns the pid it had."""
        pid = self.pid(name)
        os.kill(pid, signal.SIGKILL)
        return pid

    def wait_replaced(self, name: str, *, old: int) -> None:
        wait_for(lambda: self.pid(name) != old, what=f"a new {name}")

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(PATIENCE_S)

    def list_alive(self) -> list[int]:
        return proc.list_marked(self.layout.state)
