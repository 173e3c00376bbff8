"""Sandboxes seen from the worker: started ahead, used once, never left behind.

A sandbox is started by exec, never by a fork of a process that knows torch: a child on CUDA
inherits no context. Its environment holds what it needs and no credential.
"""

import contextlib
import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gpu_worker import limits
from gpu_worker.endings import Ending

READY_TIMEOUT_S = 120.0
# Importing torch costs 2 CPU seconds; a cold disk and a loaded machine cost the rest.

END_TIMEOUT_S = 15.0
# The supervisor gives itself 10 s to kill what a run left (limits.kill_children).

MAX_OUTPUT_BYTES = 16 * limits.MIB
# Experiments print nothing; more than this is a run out of hand.

MAX_RESULT_BYTES = 16 * limits.MIB
# A measurement with its full trace is under 2 MB before the trace is dropped.

TAIL_BYTES = 4000
# Enough of the output to see the last words of a process that died.

_KEPT_VARIABLES = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TZ",
    "LD_LIBRARY_PATH",
    "VIRTUAL_ENV",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_HOME",
    "NVIDIA_VISIBLE_DEVICES",
    "NVIDIA_DRIVER_CAPABILITIES",
    # The mark by which `./remat stop` finds what belongs to its checkout.
    "REMAT_STATE",
)


class SandboxError(RuntimeError):
    """The sandbox could not be started."""


@dataclass
class _Stream:
    """The read end of one pipe, and what came out of it."""

    fd: int
    data: bytearray = field(default_factory=bytearray)
    total: int = 0
    is_open: bool = True

    def read(self) -> bytes:
        try:
            chunk = os.read(self.fd, 1 << 16)
        except BlockingIOError:
            return b""
        self.is_open = bool(chunk)
        self.total += len(chunk)
        return chunk


class Sandbox:
    """One supervised process, from its start to its single run and its end."""

    def __init__(self, *, registry: str, device: str) -> None:
        self.about: Mapping[str, object] | None = None
        self._ending = Ending()
        self._is_ended = False
        self._ready_cpu_s = 0.0
        request_r, self._request = os.pipe()
        lifeline_r, self._lifeline = os.pipe()
        output_r, output_w = os.pipe()
        result_r, result_w = os.pipe()
        status_r, status_w = os.pipe()
        theirs = (request_r, lifeline_r, output_w, result_w, status_w)
        self._output, self._result = _Stream(output_r), _Stream(result_r)
        self._status = _Stream(status_r)
        self._selector = selectors.DefaultSelector()
        for stream in (self._output, self._result, self._status):
            os.set_blocking(stream.fd, False)
            self._selector.register(stream.fd, selectors.EVENT_READ, stream)
        command = [sys.executable, "-m", "gpu_worker.supervisor"]
        command += [str(lifeline_r), str(status_w), str(result_w)]
        command += [sys.executable, "-m", "gpu_worker.sandbox", registry, device]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=request_r,
                stdout=output_w,
                stderr=output_w,
                env=make_environment(device),
                pass_fds=(lifeline_r, status_w, result_w),
                start_new_session=True,
            )
        except OSError as error:
            os.close(self._lifeline)
            self._close_pipes()
            raise SandboxError(f"no process could be started: {error}") from error
        finally:
            for fd in theirs:
                os.close(fd)

    @property
    def pid(self) -> int:
        """The supervisor's process id."""
        return self._process.pid

    def is_usable(self) -> bool:
        """False once it has died while it waited."""
        self._pump(timeout_s=0.0)
        return self._ending.returncode is None and self._process.poll() is None

    def wait_ready(self, *, timeout_s: float = READY_TIMEOUT_S) -> Mapping[str, object]:
        """Wait for the end of its imports; what the sandbox says of its machine.

        Raises
        ------
        SandboxError : it died, or was not ready in time
        """
        deadline = time.monotonic() + timeout_s
        while self.about is None:
            left = deadline - time.monotonic()
            if left <= 0 or not self._status.is_open:
                self.stop()
                raise SandboxError(f"the sandbox did not start: {self._tail()[-500:]}")
            self._pump(timeout_s=left)
        return self.about

    def run(self, request: Mapping[str, object], *, wall_limit_s: float) -> Ending:
        """Hand over the one request and stay until everything of the run is gone."""
        start = time.monotonic()
        body = json.dumps(request, allow_nan=False).encode() + b"\n"
        with contextlib.suppress(BrokenPipeError):
            os.write(self._request, body)
        deadline = start + wall_limit_s
        while self._ending.message is None and self._status.is_open:
            left = deadline - time.monotonic()
            self._ending.limit = self._name_limit(left)
            if self._ending.limit:
                break
            self._pump(timeout_s=left)
        self._ending.wall_s = time.monotonic() - start
        self.stop()
        self._ending.output_bytes = self._output.total
        self._ending.tail = self._tail()
        return self._ending

    def stop(self) -> None:
        """End it: the closed lifeline makes the supervisor kill all that is left."""
        if self._is_ended:
            return
        self._is_ended = True
        os.close(self._lifeline)
        deadline = time.monotonic() + END_TIMEOUT_S
        while self._status.is_open and time.monotonic() < deadline:
            self._pump(timeout_s=deadline - time.monotonic())
        self._reap()
        self._drain()
        self._close_pipes()

    def _close_pipes(self) -> None:
        self._selector.close()
        for stream in (self._output, self._result, self._status):
            os.close(stream.fd)
        os.close(self._request)

    def _reap(self) -> None:
        try:
            self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            self._ending.is_clean = False

    def _drain(self) -> None:
        """Take what was written before the end; every writer is dead, so it is little."""
        while self._pump(timeout_s=0.0):
            pass

    def _name_limit(self, left_s: float) -> str | None:
        if self._output.total > MAX_OUTPUT_BYTES:
            return "output_limit"
        if len(self._result.data) > MAX_RESULT_BYTES:
            return "report_too_large"
        return "timeout" if left_s <= 0 else None

    def _pump(self, *, timeout_s: float) -> bool:
        """Take what the pipes hold, waiting for the first of them; False when nothing came."""
        if not self._selector.get_map():
            return False
        ready = self._selector.select(max(0.0, timeout_s))
        for key, _ in ready:
            stream: _Stream = key.data
            chunk = stream.read()
            if not stream.is_open:
                self._selector.unregister(stream.fd)
            elif stream is self._output:
                stream.data = (stream.data + chunk)[-TAIL_BYTES:]
            else:
                stream.data += chunk
                if b"\n" in chunk:
                    self._take_lines(stream)
        return bool(ready)

    def _take_lines(self, stream: _Stream) -> None:
        *lines, rest = bytes(stream.data).split(b"\n")
        stream.data = bytearray(rest)
        for line in lines:
            with contextlib.suppress(ValueError, RecursionError):
                message = json.loads(line)
                if isinstance(message, dict):
                    self._take_message(stream, message)

    def _take_message(self, stream: _Stream, message: Mapping[str, object]) -> None:
        if stream is self._status:
            self._take_status(message)
        elif "ready" in message and self.about is None:
            about = message["ready"]
            self.about = about if isinstance(about, dict) else {}
            self._ready_cpu_s = _read_seconds(message)
        elif "partial" in message:
            self._ending.partial = message["partial"]
        elif self._ending.message is None:
            self._ending.message = message

    def _take_status(self, message: Mapping[str, object]) -> None:
        code = message.get("returncode")
        self._ending.returncode = code if isinstance(code, int) else None
        self._ending.cpu_s = _read_seconds(message) - self._ready_cpu_s
        self._ending.is_clean = bool(message.get("is_clean"))

    def _tail(self) -> str:
        return bytes(self._output.data).decode(errors="replace").replace("\0", "")


def _read_seconds(message: Mapping[str, object]) -> float:
    value = message.get("cpu_s")
    return float(value) if isinstance(value, int | float) else 0.0


def make_environment(device: str) -> dict[str, str]:
    """The variables of a sandbox: no broker address, one thread, glibc's two thresholds."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    if device == "cpu":
        kept["CUDA_VISIBLE_DEVICES"] = ""
    here = str(Path(__file__).parent.parent)
    paths = [here, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return (
        kept
        | limits.MALLOC_ENVIRONMENT
        | limits.THREAD_ENVIRONMENT
        | {
            "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)),
            "PYTHONHASHSEED": "0",
            "PYTORCH_NVML_BASED_CUDA_CHECK": "1",
        }
    )


class WarmPool:
    """Keeps `size` sandboxes started ahead. One user at a time (the worker is solo)."""

    def __init__(self, *, registry: str, device: str, size: int = 1) -> None:
        self._registry = registry
        self._device = device
        self._size = size
        self._spares: list[Sandbox] = []

    def refill(self) -> None:
        """Start what is missing. Returns at once: the imports go on in the background."""
        for spare in [one for one in self._spares if not one.is_usable()]:
            self._spares.remove(spare)
            spare.stop()
        while len(self._spares) < self._size:
            self._spares.append(self._start())

    def take(self) -> Sandbox:
        """A sandbox that is ready, the oldest spare first.

        A spare may have died while it waited, or die yet; a fresh one may not.
        Raises SandboxError.
        """
        while self._spares:
            spare = self._spares.pop(0)
            with contextlib.suppress(SandboxError):
                spare.wait_ready()
                if spare.is_usable():
                    return spare
            spare.stop()
        fresh = self._start()
        fresh.wait_ready()
        return fresh

    def look(self) -> Mapping[str, object] | None:
        """What the newest ready spare says of its machine, without waiting."""
        for spare in reversed(self._spares):
            if spare.is_usable() and spare.about is not None:
                return spare.about
        return None

    def close(self) -> None:
        while self._spares:
            self._spares.pop().stop()

    def _start(self) -> Sandbox:
        return Sandbox(registry=self._registry, device=self._device)
