"""What Linux tells about processes, and how a child is tied to its parent.

On other systems the ties are looser: children are stopped by their groups alone.
"""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterable
from pathlib import Path

MARK = "REMAT_STATE"
# Every process we start carries this variable with the path of its state folder.

steps: set[int] = set()
# Children that are neither services nor orphans: commands that run to their end.

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
# Numbers of linux/prctl.h.

_IS_LINUX = sys.platform == "linux"
_libc = ctypes.CDLL(None, use_errno=True) if _IS_LINUX else None


def die_with_parent() -> None:
    """In a fresh child: ask for SIGTERM when the parent dies, however it dies."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def adopt_orphans() -> None:
    """Make this process the parent of grandchildren whose parents die, so that it can end them."""
    if _libc is not None:
        _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)


def read_start(pid: int) -> int | None:
    """The start time of a live process, in clock ticks since boot; None when it is gone.

    A pid with its start time names a process for ever; a pid alone is used again.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    # proc(5): field 3 is the state, field 22 the start time; the split begins at field 3.
    return None if fields[0] in "ZX" else int(fields[19])


def is_alive(pid: int, *, start: int | None) -> bool:
    if not _IS_LINUX:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return True
    found = read_start(pid)
    return found is not None and start in (None, found)


def list_children() -> list[int]:
    """Pids of the children of this process, zombies included."""
    try:
        tasks = list(Path("/proc/self/task").iterdir())
    except OSError:
        return []
    found: list[int] = []
    for task in tasks:
        try:
            found += [int(pid) for pid in (task / "children").read_text().split()]
        except OSError:
            continue
    return found


def list_marked(state: Path) -> list[int]:
    """Pids of live processes of this state folder or one below it, less our own ancestors."""
    own = set(_list_ancestors())
    prefix = str(state)
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        pid = int(entry.name)
        mark = None if pid in own else _read_mark(entry)
        if mark is not None and (mark == prefix or mark.startswith(prefix + "/")):
            found.append(pid)
    return found


def _read_mark(entry: Path) -> str | None:
    try:
        variables = (entry / "environ").read_bytes().split(b"\0")
    except OSError:
        return None
    for variable in variables:
        name, _, value = variable.partition(b"=")
        if name == MARK.encode():
            return value.decode(errors="replace")
    return None


def _list_ancestors() -> Iterable[int]:
    pid = os.getpid()
    while pid > 0:
        yield pid
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return


def end_all(pids: Iterable[int], *, grace_s: float) -> list[int]:
    """SIGTERM, then SIGKILL after the grace. Returns the pids that were alive."""
    alive = {pid: read_start(pid) for pid in pids}
    alive = {pid: start for pid, start in alive.items() if start is not None}
    ended = list(alive)
    for signal_number, wait_s in ((signal.SIGTERM, grace_s), (signal.SIGKILL, 5.0)):
        for pid in alive:
            send(pid, signal_number)
        deadline = time.monotonic() + wait_s
        while alive and time.monotonic() < deadline:
            alive = {pid: start for pid, start in alive.items() if is_alive(pid, start=start)}
            time.sleep(0.05)
    return ended


def may_signal(pid: int) -> bool:
    """False for a live process of another user."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return True


def send(pid: int, signal_number: int) -> None:
    """Send a signal; a process already gone is no error."""
    try:
        os.kill(pid, signal_number)
    except (ProcessLookupError, PermissionError):
        return


def send_group(group: int, signal_number: int) -> None:
    try:
        os.killpg(group, signal_number)
    except (ProcessLookupError, PermissionError):
        return
