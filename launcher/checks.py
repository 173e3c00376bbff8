"""./remat lint and ./remat test."""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from launcher import proc
from launcher.install import ensure_installed
from launcher.layout import Layout, make_private_folder, say
from launcher.locks import Lock
from launcher.progress import wait_tended
from launcher.stack import run_stack, sweep

PAGES = (
    "-m", "pytest", "-q", "--noconftest", "-o", "addopts=", "-p", "no:django", "-p", "no:xdist",
    "-W", "ignore", "tests/docs/test_pages.py",
)  # fmt: skip
# Needs no server: what README and its neighbours name is there.


def lint(layout: Layout) -> int:
    """Runs every check, also after one failed, so that one run shows all."""
    ensure_installed(layout)
    packages = ["assessment", "gpu_worker", "launcher", "tests", "benchmarks"]
    present = [name for name in packages if (layout.root / name).is_dir()]
    binary = layout.venv / "bin"
    checks: dict[str, list[str | Path]] = {
        "ruff": [binary / "ruff", "check", *present],
        "format": [binary / "ruff", "format", "--check", *present],
        "mypy": [layout.python, "-m", "mypy"],
        "import rules": [binary / "lint-imports", "--no-cache"],
        "pages": [layout.python, *PAGES],
    }
    environment = os.environ | {"PYTHONPATH": str(layout.root)}
    failed = []
    for name, command in checks.items():
        say(f"lint: {name}")
        done = subprocess.run(command, cwd=layout.root, env=environment, check=False)
        if done.returncode:
            failed.append(name)
    say("lint: " + (f"failed: {', '.join(failed)}" if failed else "clean"))
    return 1 if failed else 0


TEST_PREFIX = "test-"
# State folders of test runs, named after their launcher's process.

IN_TWO_PROCESSES = ("-q", "-n", "2", "--no-loadscope-reorder")
# The whole suite on two cores; tests/conftest.py says which tests stay together.


def test(layout: Layout, arguments: list[str]) -> int:
    """Lint, then pytest with servers of its own, so that a running service is not touched.

    With arguments, only pytest runs, and they choose the tests.
    """
    ensure_installed(layout)
    if not arguments and lint(layout):
        return 1
    private = make_test_layout(layout)
    command = [str(layout.python), "-m", "pytest", *(arguments or IN_TWO_PROCESSES)]
    try:
        with run_stack(private, kind="test", durable=False) as stack:
            stack.start_servers()
            stack.environment["REMAT_VENV"] = str(layout.venv)
            process = subprocess.Popen(
                command,
                cwd=layout.root,
                env=stack.environment,
                preexec_fn=proc.die_with_parent,
            )
            return wait_tended(process, tend=stack.supervisor.tend)
    finally:
        remove_tree(private.state)


def make_test_layout(layout: Layout) -> Layout:
    """A state folder for one test run; what earlier, killed runs left is removed."""
    remove_killed_tests(layout)
    state = layout.state / f"{TEST_PREFIX}{os.getpid()}"
    layout.state.mkdir(parents=True, exist_ok=True)
    make_private_folder(state)
    return Layout(layout.root, state, layout.venv)


def list_test_layouts(layout: Layout) -> list[Layout]:
    """Those of running tests and of killed ones."""
    folders = sorted(path for path in layout.state.glob(f"{TEST_PREFIX}[0-9]*") if path.is_dir())
    return [Layout(layout.root, folder, layout.venv) for folder in folders]


def remove_killed_tests(layout: Layout) -> None:
    """Those whose launcher is gone; one that begins or ends just now sees to itself."""
    for old in list_test_layouts(layout):
        if proc.read_start(int(old.state.name.removeprefix(TEST_PREFIX))) is not None:
            continue
        lock = Lock(old.lock)
        with contextlib.suppress(FileNotFoundError):
            if lock.try_acquire():
                sweep(old)
                lock.release()
                remove_tree(old.state)


def remove_tree(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        print(f"remat: could not remove {folder}", file=sys.stderr)
