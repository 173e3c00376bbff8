"""What the kernel lets a run have, and how nothing of it is left behind. Linux, stdlib only."""

import contextlib
import ctypes
import os
import resource
import signal
import time
from pathlib import Path

MIB = 1 << 20

BASE_DATA_MIB = 220
# Private data of a process that has only imported torch 2.13 on a CPU (measured).

CPU_GRACE_S = 2
# Between SIGXCPU, which says what happened, and the SIGKILL that cannot be ignored.

MAX_FILE_MIB = 4096
# The largest file a run may write; offloading writes what training would have stored.

MALLOC_ENVIRONMENT = {
    "MALLOC_MMAP_THRESHOLD_": "65536",
    "MALLOC_TRIM_THRESHOLD_": "65536",
}
# glibc reads them at start. With its defaults the heap keeps freed tensors, and the data
# limit would strike at another place than the tensors do.

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")

THREAD_ENVIRONMENT = dict.fromkeys(_THREAD_VARIABLES, "1")
# Gradients are equal to the last bit only with the same number of threads.

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
# <linux/prctl.h>


def die_with_parent(parent_pid: int) -> None:
    """Ask the kernel to kill this process when its parent's thread ends.

    Exits at once when the parent is already gone, which the kernel would not tell.
    """
    _call_prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_pid:
        os._exit(1)


def become_subreaper() -> None:
    """Orphans among this process's descendants become its children, in whatever session."""
    _call_prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _call_prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl failed")


def read_data_bytes() -> int:
    """Bytes that RLIMIT_DATA counts for this process now (VmData)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    raise OSError("/proc/self/status has no VmData")


def limit_run(*, memory_mib: int, cpu_s: float) -> None:
    """Bound this process and every process that it will start.

    The memory limit lies `memory_mib` above what the warmed process holds, and never below
    the base: the run has the same room whatever was imported. The CPU limit counts from now.
    """
    base = max(read_data_bytes(), BASE_DATA_MIB * MIB)
    _set_limit(resource.RLIMIT_DATA, base + memory_mib * MIB)
    soft = int(time.process_time() + cpu_s) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, soft + CPU_GRACE_S))
    _set_limit(resource.RLIMIT_CORE, 0)
    _set_limit(resource.RLIMIT_FSIZE, MAX_FILE_MIB * MIB)


def _set_limit(kind: int, wanted: int) -> None:
    """Both limits to `wanted`, or to the hard limit where an operator set a lower one."""
    _, hard = resource.getrlimit(kind)
    value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(kind, (value, value))


def list_children() -> list[int]:
    """Process ids whose parent is this process, from /proc."""
    parent = os.getpid()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name of a program may hold blanks and brackets: count from the last one.
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                found.append(int(entry.name))
    return found


def kill_children(*, patience_s: float = 10.0) -> bool:
    """Kill and reap children until none is left; orphans of the dead come here in turn.

    Returns False when some were still there after `patience_s` (a process that the kernel
    will not let die). Only for a subreaper whose every child may be killed.
    """
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        for pid in list_children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return True
        time.sleep(0.005)
    return False
