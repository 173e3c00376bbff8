"""Does anything leave the process during a step? Bytes written, sockets opened, collectives.

Bytes written are the kernel's own count of write calls (`wchar` of /proc/self/io), page
cache and pipes included. Sockets are seen by an audit hook, which Python cannot remove:
it is installed once and listens only while somebody counts.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gpu_worker.measure.memory import Trace

_IO = Path("/proc/self/io")

_listeners: list[list[str]] = []
_installed: list[bool] = []


@dataclass(frozen=True)
class Traffic:
    """`bytes_written` is None where the kernel keeps no count."""

    bytes_written: int | None
    sockets_opened: int


def count_traffic(act: Callable[[], object]) -> Traffic:
    """Run `act` and say what it wrote and opened."""
    if not _installed:
        sys.addaudithook(_listen)
        _installed.append(True)
    opened: list[str] = []
    _listeners.append(opened)
    before = _read_written()
    try:
        act()
    finally:
        after = _read_written()
        _listeners.remove(opened)
    written = None if before is None or after is None else after - before
    return Traffic(written, len(opened))


def count_collectives(trace: Trace) -> int:
    """Calls of operators that send to other ranks, in a traced step."""
    return sum(
        number for name, number in trace.operators.items() if name.startswith(("c10d", "_c10d"))
    )


def _listen(event: str, _: object) -> None:
    if _listeners and event == "socket.__new__":
        for one in _listeners:
            one.append(event)


def _read_written() -> int | None:
    try:
        lines = _IO.read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith("wchar:"):
            return int(line.split()[1])
    return None
