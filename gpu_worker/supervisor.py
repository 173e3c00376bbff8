"""Stands between the worker and one sandbox: when either ends, nothing of the run is left.

Started as `python -m gpu_worker.supervisor LIFELINE STATUS RESULT COMMAND...`, the three
being inherited file descriptors. The lifeline is the read end of a pipe that only the
worker holds open: its end means stop, be it because the worker says so or because it was
killed. Whatever the sandbox forked, in whatever session, ends up as a child of this
process and is killed. The last act is one JSON line on STATUS.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading

from gpu_worker import limits


def main(arguments: list[str]) -> int:
    lifeline, status, result = (int(text) for text in arguments[:3])
    limits.become_subreaper()
    with tempfile.TemporaryDirectory(prefix="remat-run-", ignore_cleanup_errors=True) as directory:
        ending = supervise(arguments[3:], lifeline=lifeline, result=result, directory=directory)
    with contextlib.suppress(BrokenPipeError):
        os.write(status, json.dumps(ending).encode() + b"\n")
    return 0


def supervise(
    command: list[str], *, lifeline: int, result: int, directory: str
) -> dict[str, int | float | bool]:
    """Run the command in a session of its own to its end, or to the lifeline's."""
    child = subprocess.Popen(
        [*command, str(os.getpid()), str(result)],
        cwd=directory,
        env=os.environ | {"TMPDIR": directory},
        pass_fds=(result,),
        start_new_session=True,
    )
    os.close(0)
    os.close(result)
    signal.signal(signal.SIGTERM, lambda number, frame: _kill_group(child.pid))
    is_over = threading.Event()
    watch = threading.Thread(target=_watch, args=(lifeline, child.pid, is_over), daemon=True)
    watch.start()
    _, wait_status, usage = os.wait4(child.pid, 0)
    is_over.set()
    _kill_group(child.pid)
    is_clean = limits.kill_children()
    return {
        "returncode": os.waitstatus_to_exitcode(wait_status),
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "is_clean": is_clean,
    }


def _watch(lifeline: int, pid: int, is_over: threading.Event) -> None:
    """Kill the group when the lifeline ends; after the end its number may be another's."""
    while os.read(lifeline, 1024):
        pass
    if not is_over.is_set():
        _kill_group(pid)


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
