"""Where things lie: the checkout, its state folder, its venv and its socket folder."""

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

MAX_SOCKET_PATH = 107
# Linux, unix(7): sun_path is 108 bytes with its closing NUL.

LONGEST_SOCKET_NAME = len("/.s.PGSQL.5432.lock")
# The longest file name that either server makes in the socket folder.


class LauncherError(Exception):
    """Something a person can mend; the text says what and how."""

    status = 1


class UsageError(LauncherError):
    """The command was typed in a way that it does not know."""

    status = 2


@dataclass(frozen=True)
class Layout:
    """Two layouts with other state folders never touch each other's processes or files."""

    root: Path
    state: Path
    venv: Path

    @property
    def python(self) -> Path:
        return self.venv / "bin" / "python"

    @property
    def logs(self) -> Path:
        return self.state / "logs"

    @property
    def lock(self) -> Path:
        return self.state / "stack.lock"

    @property
    def stack_file(self) -> Path:
        return self.state / "stack.json"

    @property
    def processes_file(self) -> Path:
        return self.state / "processes.json"

    @property
    def metrics(self) -> Path:
        """Where the web processes share their counts; emptied before each start."""
        return self.state / "metrics"

    @property
    def demo_credentials(self) -> Path:
        return self.state / "demo-client.json"

    @property
    def sockets(self) -> Path:
        """A short folder, because socket paths are limited; named after the state folder.

        /tmp comes first: a variable would lead another shell (su, cron) to another folder, and
        XDG_RUNTIME_DIR goes away when its user logs out.
        """
        name = f"remat-{os.getuid()}-{self.digest}"
        for base in ("/tmp", tempfile.gettempdir(), os.environ.get("XDG_RUNTIME_DIR")):  # noqa: S108 - made 0700 and checked
            if base and Path(base).is_dir() and os.access(base, os.W_OK):
                folder = Path(base) / name
                if len(str(folder)) + LONGEST_SOCKET_NAME <= MAX_SOCKET_PATH:
                    return folder
        raise LauncherError("no folder short enough for sockets: set TMPDIR to one")

    @property
    def digest(self) -> str:
        return hashlib.sha256(str(self.state).encode()).hexdigest()[:12]

    def make_state(self) -> None:
        self.state.mkdir(parents=True, exist_ok=True)
        self.logs.mkdir(mode=0o700, exist_ok=True)
        (self.state / "static").mkdir(exist_ok=True)


def find_layout() -> Layout:
    """The layout of this checkout; REMAT_STATE_DIR and REMAT_VENV put it elsewhere."""
    state = Path(os.environ.get("REMAT_STATE_DIR") or ROOT / ".remat").absolute()
    venv = Path(os.environ.get("REMAT_VENV") or state / "venv").absolute()
    return Layout(ROOT, state, venv)


def make_private_folder(folder: Path) -> None:
    """Make a 0700 folder of ours. Raises LauncherError when somebody else holds the name."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            raise LauncherError(f"{folder} exists and is not a folder of this user") from None
        folder.chmod(0o700)


def write_private_file(path: Path, text: str) -> None:
    """Write a 0600 file in one step: a reader sees the old text or the new."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    draft.replace(path)


def say(text: str) -> None:
    """One line to the person, on stderr: stdout belongs to the command's result.

    A person who closed the other end of stderr ends no service by that.
    """
    with contextlib.suppress(OSError, ValueError):
        print(f"remat: {text}", file=sys.stderr, flush=True)
