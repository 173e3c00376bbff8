"""Runs long steps as child processes and tells the person that they go on."""

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from launcher import proc
from launcher.layout import LauncherError, say

HEARTBEAT_S = 5.0
# A person waits this long before doubting that something happens.


def run_step(
    title: str,
    command: Sequence[str | Path],
    *,
    log: Path,
    environment: Mapping[str, str] | None = None,
    tend: Callable[[], None] = lambda: None,
) -> None:
    """Run a command to its end, its output in `log`. Raises LauncherError with the log's tail.

    `tend` is called about ten times a second, so that a supervisor goes on working.
    """
    begun = time.monotonic()
    say(f"{title} ...")
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as stream:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=None if environment is None else dict(environment),
            preexec_fn=proc.die_with_parent,
        )
    heart = Heartbeat(title)

    def tend_and_beat() -> None:
        tend()
        heart.beat()

    wait_tended(process, tend=tend_and_beat)
    took = time.monotonic() - begun
    if process.returncode:
        raise LauncherError(
            f"{title}: failed ({process.returncode})\n{read_tail(log)}\n(all: {log})"
        )
    if took > 1:
        say(f"{title}: done in {took:.0f} s")


def wait_tended(process: "subprocess.Popen[bytes]", *, tend: Callable[[], None]) -> int:
    """Wait for a command while `tend` goes on; the command is killed when we are interrupted."""
    proc.steps.add(process.pid)
    try:
        while process.poll() is None:
            tend()
            time.sleep(0.05)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        proc.steps.discard(process.pid)
    return process.returncode


class Heartbeat:
    """Says every few seconds that a step goes on."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.begun = self.told = time.monotonic()

    def beat(self) -> None:
        now = time.monotonic()
        if now - self.told >= HEARTBEAT_S:
            self.told = now
            say(f"  {self.title}: {now - self.begun:.0f} s")


def wait_until(
    check: Callable[[], bool],
    *,
    what: str,
    timeout_s: float,
    tend: Callable[[], None] = lambda: None,
) -> None:
    """Wait until `check` is true. Raises LauncherError after `timeout_s`."""
    heart = Heartbeat(f"waiting for {what}")
    while not check():
        tend()
        if time.monotonic() - heart.begun > timeout_s:
            raise LauncherError(f"{what} did not come within {timeout_s:.0f} s")
        heart.beat()
        time.sleep(0.05)


def read_tail(log: Path, *, num_lines: int = 25) -> str:
    """The last lines of a log, or an empty text where there is none."""
    try:
        size = log.stat().st_size
        with log.open("rb") as stream:
            stream.seek(max(0, size - 16_384), os.SEEK_SET)
            text = stream.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    return "\n".join(text.splitlines()[-num_lines:])
