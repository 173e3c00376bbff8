"""One function for each command; each returns the exit status."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from launcher import checks, locks, proc
from launcher.install import ensure_installed, find_lock
from launcher.layout import LauncherError, Layout, UsageError, say
from launcher.progress import wait_tended
from launcher.stack import (
    AlreadyRunningError,
    Stack,
    StackRow,
    read_stack,
    run_stack,
    sweep,
)
from launcher.supervisor import watch

JOIN_TIMEOUT_S = 600.0
# A demo on a bare machine takes minutes; a shell that a person left open may take for ever.


def install(layout: Layout) -> int:
    ensure_installed(layout)
    say(f"the environment is ready: {layout.venv}")
    return 0


def serve(layout: Layout, *, port: int | None) -> int:
    """Run everything until a signal comes."""
    ensure_installed(layout)
    with run_stack(layout, kind="serve") as stack:
        stack.start_servers()
        stack.set_up()
        url = stack.start_processes(port=port)
        say(f"Remat is at {url}/ (Ctrl+C or ./remat stop ends it)")
        say(f"the API is described at {url}/api/v1/docs; logs lie in {layout.logs}")
        watch(stack.supervisor, until=lambda: False)
    return 0


def demo(layout: Layout, *, is_json: bool) -> int:
    """Take both quizzes at the running service, or at one started for it."""
    ensure_installed(layout)
    with join_stack(layout, kind="demo") as stack:
        if stack is None:
            row = read_stack(layout)
            url = row.url if row is not None else None
        else:
            stack.start_servers()
            stack.set_up()
            url = stack.start_processes(port=None)
        if url is None:
            raise LauncherError("the service ended; type the command again")
        return run_demo(layout, url=url, is_json=is_json, stack=stack)


@contextmanager
def join_stack(layout: Layout, *, kind: str) -> Iterator[Stack | None]:
    """A stack of our own, or None beside a service that runs; any other command is waited for.

    Its servers would stop under us when it ends.
    """
    with ExitStack() as held:
        yield enter_stack(layout, kind=kind, held=held)


def enter_stack(layout: Layout, *, kind: str, held: ExitStack) -> Stack | None:
    deadline, told = time.monotonic() + JOIN_TIMEOUT_S, False
    while True:
        row = read_stack(layout)
        if row is not None and row.kind == "serve" and row.ready:
            return None
        try:
            return held.enter_context(run_stack(layout, kind=kind))
        except AlreadyRunningError as other:
            if time.monotonic() > deadline:
                raise
            if not told:
                say(f"{other}; waiting for it")
                told = True
            time.sleep(0.3)


def run_demo(layout: Layout, *, url: str, is_json: bool, stack: Stack | None) -> int:
    """The demo is a client like any other: a process of its own that speaks HTTP."""
    command = [
        str(layout.python), "-P", "-m", "launcher.demo",
        "--url", url,
        "--credentials", str(layout.demo_credentials),
        "--out", str(layout.state / "demo"),
        *(["--json"] if is_json else []),
    ]  # fmt: skip
    process = subprocess.Popen(
        command,
        env=os.environ | {"PYTHONPATH": str(layout.root), proc.MARK: str(layout.state)},
        preexec_fn=proc.die_with_parent,
    )
    return wait_tended(process, tend=stack.supervisor.tend if stack else lambda: None)


def stop(layout: Layout) -> int:
    """Stop what this checkout runs, tests too, and whatever a killed stack left."""
    ended = []
    for one in (layout, *checks.list_test_layouts(layout)):
        row = read_stack(one)
        if row is not None:
            ended += stop_running(row)
    ended += proc.end_all(proc.list_marked(layout.state), grace_s=5.0)
    if layout.state.is_dir():
        with locks.hold(layout.lock, on_wait=lambda: say("waiting for the lock")):
            ended += sweep(layout)
            checks.remove_killed_tests(layout)
    locks.remove_if_free(find_lock(layout))
    say("stopped" if ended else "nothing was running")
    return 0


def stop_running(row: StackRow) -> list[int]:
    """End a launcher, which ends its children first."""
    if not proc.may_signal(row.pid):
        raise LauncherError(
            f"{row.kind} (process {row.pid}) belongs to another user: stop it as that user"
        )
    say(f"stopping {row.kind} (process {row.pid})")
    return proc.end_all([row.pid], grace_s=60.0)


def manage(layout: Layout, arguments: list[str]) -> int:
    """A management command, on the running servers or on ones started for it."""
    return run_on_servers(layout, arguments, is_set_up=False)


def bank(layout: Layout, arguments: list[str]) -> int:
    return run_on_servers(layout, ["bank", *arguments], is_set_up=True)


def simulate(layout: Layout, arguments: list[str]) -> int:
    """Servers are needed for the published bank alone."""
    if "published" in arguments or "--bank=published" in arguments:
        return run_on_servers(layout, ["simulate", *arguments], is_set_up=True)
    ensure_installed(layout)
    return run_module(layout, "assessment.ops.simulate", arguments)


def calibrate(layout: Layout, arguments: list[str]) -> int:
    ensure_installed(layout)
    return run_module(layout, "assessment.ops.calibrate", arguments)


def run_on_servers(layout: Layout, arguments: list[str], *, is_set_up: bool) -> int:
    """manage.py ARGUMENTS; `is_set_up` makes tables and bank first where they are missing."""
    ensure_installed(layout)
    command = [str(layout.python), str(layout.root / "manage.py"), *arguments]
    with join_stack(layout, kind="manage") as stack:
        if stack is None:
            running = Stack(layout, "manage")
            running.choose_servers()
            running.forget_set_up()
            return run_attended(command, environment=running.environment)
        stack.start_servers()
        if is_set_up:
            try_set_up(stack)
        else:
            stack.forget_set_up()
        return run_attended(command, environment=stack.environment, tend=stack.supervisor.tend)


def try_set_up(stack: Stack) -> None:
    """A bank that does not load must not keep the command away that says why."""
    try:
        stack.set_up()
    except LauncherError as error:
        say(str(error))


def run_attended(
    command: list[str], *, environment: Mapping[str, str], tend: Callable[[], None] = lambda: None
) -> int:
    """A command of the person at the terminal, who interrupts it and not us: shells know Ctrl+C."""
    process = subprocess.Popen(command, env=dict(environment), preexec_fn=proc.die_with_parent)
    before = signal.getsignal(signal.SIGINT)
    if sys.stdin.isatty():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return wait_tended(process, tend=tend)
    finally:
        signal.signal(signal.SIGINT, before)


def lab(layout: Layout, arguments: list[str]) -> int:
    """No server: the laboratory alone."""
    ensure_installed(layout)
    return run_module(layout, "gpu_worker.lab", arguments)


def bench(layout: Layout, arguments: list[str]) -> int:
    """./remat bench NAME runs benchmarks/NAME.py, beside the rivals it is compared with."""
    known = sorted(path.stem for path in (layout.root / "benchmarks").glob("[!_]*.py"))
    if not arguments or arguments[0] not in known:
        raise UsageError(f"./remat bench NAME, where NAME is one of: {', '.join(known)}")
    ensure_installed(layout)
    ensure_installed(layout, lock="bench.lock")
    return run_module(layout, f"benchmarks.{arguments[0]}", arguments[1:])


def screenshots(layout: Layout) -> int:
    ensure_installed(layout)
    return run_module(layout, "benchmarks.screenshots", [])


def run_module(layout: Layout, module: str, arguments: list[str]) -> int:
    environment = os.environ | {"PYTHONPATH": str(layout.root), "REMAT_VENV": str(layout.venv)}
    command = [str(layout.python), "-P", "-m", module, *arguments]
    return subprocess.run(command, env=environment, check=False).returncode
