"""The venv of a checkout, made from the locked requirements; nothing happens when it is current."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from launcher import locks
from launcher.layout import LauncherError, Layout, say
from launcher.progress import read_tail, run_step

TORCH = "torch.txt"

NEEDED_BYTES = 2 << 30
# An environment with a CPU build of torch, and what pip unpacks on the way.

ADVICE = (
    (
        r"name resolution|Name or service not known|Network is unreachable|No route to host"
        r"|NewConnectionError|ConnectTimeout|dns error|error sending request|Connection refused",
        "No package index can be reached: is there a network? pip and uv read proxies from"
        " HTTPS_PROXY, other indexes from PIP_INDEX_URL and UV_INDEX_URL.",
    ),
    (r"No space left on device|Disk quota exceeded", "The disk is full: make room and try again."),
    (r"No matching distribution found for torch", "TORCH_INDEX_URL may name an index that has it."),
    (r"DO NOT MATCH THE HASHES|Hash mismatch", "The index serves other files than were locked."),
)
# What an installer's last words mean to a person.


def ensure_installed(layout: Layout, *, lock: str = "dev.lock") -> None:
    """Make the venv hold what the lock says. Safe to call from two commands at once.

    A venv that REMAT_VENV names is its owner's affair and used as it is.
    """
    if os.environ.get("REMAT_VENV") and layout.python.exists():
        return
    if is_current(layout, lock=lock):
        return
    layout.venv.parent.mkdir(parents=True, exist_ok=True)
    with locks.hold(
        find_lock(layout), on_wait=lambda: say("another command installs; waiting for it")
    ):
        if not is_current(layout, lock=lock):
            install(layout, lock=lock)


def find_lock(layout: Layout) -> Path:
    return layout.venv.with_name("install.lock")


def is_current(layout: Layout, *, lock: str) -> bool:
    try:
        is_same = stamp_path(layout, lock=lock).read_text() == compute_stamp(layout, lock=lock)
    except FileNotFoundError:
        return False
    # A link that leads nowhere: the Python that it was made from is gone.
    return is_same and layout.python.exists()


def stamp_path(layout: Layout, *, lock: str) -> Path:
    return layout.venv / f".remat-{lock}"


def compute_stamp(layout: Layout, *, lock: str) -> str:
    """Digest of everything that decides what is installed."""
    requirements = layout.root / "requirements"
    digest = hashlib.sha256()
    for name in (lock, TORCH):
        digest.update((requirements / name).read_bytes())
    digest.update(str(layout.root).encode())
    return digest.hexdigest()


def install(layout: Layout, *, lock: str) -> None:
    """1. the venv, 2. an installer, 3. the locked packages, 4. torch, 5. our own path.

    A marker tells an environment whose making was cut short; the next call makes it anew.
    """
    log = layout.venv.parent / "logs" / "install.log"
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    log.write_text("")
    size = f"{NEEDED_BYTES >> 30} GB with a CPU build of torch"
    say(f"installing into {layout.venv} (once; {size}, log: {log})")
    if not is_whole(layout):
        check_room(layout.venv.parent)
        find_unfinished_mark(layout).touch()
        make_venv(layout, log=log)
    find_unfinished_mark(layout).touch()
    stamp_path(layout, lock=lock).unlink(missing_ok=True)
    try:
        install_locked(layout, lock=lock, log=log)
        install_torch(layout, log=log)
    except LauncherError as error:
        advice = find_advice(log)
        title = str(error).partition("\n")[0]
        raise LauncherError(f"{title}\n{advice}\n(all: {log})" if advice else str(error)) from None
    write_path_file(layout)
    stamp_path(layout, lock=lock).write_text(compute_stamp(layout, lock=lock))
    find_unfinished_mark(layout).unlink()


def find_unfinished_mark(layout: Layout) -> Path:
    return layout.venv.with_name(f"{layout.venv.name}.unfinished")


def is_whole(layout: Layout) -> bool:
    """Whether there is an environment to go on with: finished once, and not moved since."""
    notes = layout.venv / "pyvenv.cfg"
    if find_unfinished_mark(layout).exists() or not notes.is_file():
        return False
    # Its scripts name their interpreter by its path; venv notes its command line at the end.
    made = notes.read_text(encoding="utf-8").rstrip()
    is_here = "command = " not in made or made.endswith(f" {layout.venv}")
    return is_here and runs(layout.python, "import pip")


def check_room(folder: Path) -> None:
    """Raises LauncherError where an environment has no room."""
    free = shutil.disk_usage(folder).free
    if free < NEEDED_BYTES:
        raise LauncherError(
            f"{folder} has {free / 2**30:.1f} GB free, and {NEEDED_BYTES >> 30} GB are needed:\n"
            "make room, or name another place in REMAT_STATE_DIR"
        )


def find_advice(log: Path) -> str:
    """What the installer's last words mean; empty when that is not known."""
    words = read_tail(log, num_lines=60)
    return next((text for pattern, text in ADVICE if re.search(pattern, words)), "")


def make_venv(layout: Layout, *, log: Path) -> None:
    if not runs(Path(sys.executable), "import ensurepip, venv"):
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        raise LauncherError(
            "this Python cannot make virtual environments (ensurepip is missing).\n"
            f"On Debian or Ubuntu: apt-get install python3-venv (or python{version}-venv)"
        )
    if layout.venv.exists():
        shutil.rmtree(layout.venv)
    # The real interpreter, so that a venv is never made from another venv.
    python = getattr(sys, "_base_executable", None) or sys.executable
    run_step("making the virtual environment", [python, "-m", "venv", layout.venv], log=log)


def runs(python: Path, code: str) -> bool:
    try:
        return (
            subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0
        )
    except OSError:
        return False


def install_locked(layout: Layout, *, lock: str, log: Path) -> None:
    """With uv where there is one or pip can fetch it (seconds), else with pip (minutes)."""
    requirements = layout.root / "requirements"
    wanted = ["--require-hashes", "-r", str(requirements / lock)]
    uv = find_uv(layout, log=log)
    if uv is not None:
        try:
            run_step(
                "installing packages with uv",
                [uv, "pip", "install", *find_cache_options(), "--python", layout.python, *wanted],
                log=log,
            )
        except LauncherError:
            say("uv could not install them, as the log says; trying pip")
        else:
            return
    run_step("installing packages with pip", [*pip(layout), "install", *wanted], log=log)


def find_cache_options() -> list[str]:
    """uv fails where it cannot write its cache, as without a home of one's own; pip goes on."""
    is_named = os.environ.get("UV_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    return [] if is_named or os.access(Path.home(), os.W_OK) else ["--no-cache"]


def find_uv(layout: Layout, *, log: Path) -> str | None:
    found = shutil.which("uv")
    if found is not None:
        return found
    own = layout.venv / "bin" / "uv"
    if not own.exists():
        wanted = ["--require-hashes", "-r", str(layout.root / "requirements" / "uv.lock")]
        try:
            run_step("fetching the installer uv", [*pip(layout), "install", *wanted], log=log)
        except LauncherError:
            return None
    return str(own)


def install_torch(layout: Layout, *, log: Path) -> None:
    """By pip and in a step of its own: the builds of one torch version differ by platform.

    TORCH_INDEX_URL names another index; without it the default one may serve a CUDA build.
    """
    wanted = (layout.root / "requirements" / TORCH).read_text().splitlines()[-1]
    version = wanted.partition("==")[2]
    code = (
        "from importlib.metadata import version;"
        f"assert version('torch').split('+')[0] == '{version}'"
    )
    if runs(layout.python, code):
        return
    index = os.environ.get("TORCH_INDEX_URL")
    options = ["--index-url", index] if index else []
    command = [*pip(layout), "install", *options, wanted]
    run_step(f"installing {wanted} (the largest package)", command, log=log)


def write_path_file(layout: Layout) -> None:
    """Let every Python of the venv find our packages, from whatever folder it is started."""
    for folder in (layout.venv / "lib").glob("python*/site-packages"):
        (folder / "remat.pth").write_text(f"{layout.root}\n")


def pip(layout: Layout) -> list[str]:
    return [str(layout.python), "-m", "pip", "--disable-pip-version-check", "--no-input"]
