"""The embedded PostgreSQL: one cluster a state folder, on a unix socket only.

The postmaster runs as a direct foreground child. It refuses to run as root, so root
starts it in a user namespace where root is called nobody, or, where namespaces are
refused, as the user nobody.
"""

import functools
import os
import pwd
import re
import shutil
import signal
import subprocess
from pathlib import Path
from urllib.parse import quote

from launcher import proc
from launcher.binaries import find_postgres
from launcher.layout import LauncherError, Layout, make_private_folder
from launcher.services import Service

NAMESPACE = ("unshare", "--user", "--map-user=65534", "--map-group=65534", "--")
# 65534 is nobody on Linux; inside the namespace root bears this number, outside files stay root's.

INITDB_OPTIONS = (
    "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync",
)  # fmt: skip
# Trust is safe here: the socket folder is 0700, and no port is opened.

DATABASE = "remat"


class Postgres:
    """`durable=False` trades safety against power loss for speed; tests do."""

    def __init__(self, layout: Layout, *, durable: bool = True) -> None:
        self.layout = layout
        self.durable = durable
        self.binaries = find_postgres(layout)
        self.account = choose_account()
        self.data = self.home / "postgres"

    @property
    def home(self) -> Path:
        """The state folder, or a place that nobody can reach where the server runs as nobody."""
        if self.account != "nobody" or is_open_to_all(self.layout.state):
            return self.layout.state
        return Path("/var/tmp") / f"remat-{self.layout.digest}"  # noqa: S108 - made 0700, owned by nobody

    @property
    def socket_folder(self) -> Path:
        folder = self.layout.sockets
        return folder / "pg" if self.account == "nobody" else folder

    @property
    def url(self) -> str:
        return f"postgres://postgres@{quote(str(self.socket_folder), safe='')}/{DATABASE}"

    def prepare(self) -> None:
        """Make the cluster once; remove what a killed server left."""
        if self.account == "nobody":
            self.prepare_for_nobody()
        if not (self.data / "PG_VERSION").exists() or (self.data / "unfinished").exists():
            self.make_cluster()
        self.check_version()
        remove_stale_pid_file(self.data / "postmaster.pid")

    def make_cluster(self) -> None:
        """A marker tells a cluster whose making was cut short."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.make_data_folder()
        command = self.wrap([self.program("initdb"), "-D", str(self.data), *self.list_options()])
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
        if done.returncode:
            raise LauncherError(f"initdb failed:\n{done.stderr or done.stdout}")

    def check_version(self) -> None:
        """Raises LauncherError when the data were made by another major version."""
        made = (self.data / "PG_VERSION").read_text().strip()
        text = subprocess.run(
            [self.program("postgres"), "--version"], capture_output=True, text=True, check=False
        ).stdout
        found = re.search(r"\d+", text)
        if found and found[0] != made:
            raise LauncherError(
                f"{self.data} was made by PostgreSQL {made}, {self.binaries} holds {found[0]}:\n"
                "set PG_BIN to the older programs, or move the folder away to begin anew"
            )

    def list_options(self) -> list[str]:
        options = list(INITDB_OPTIONS)
        text = subprocess.run(
            self.wrap([self.program("initdb"), "--help"]),
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        ).stdout
        if "--builtin-locale" in text:
            # PostgreSQL 17 and later; before that C is the same on every machine too.
            options += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        return options

    def make_data_folder(self) -> None:
        self.data.mkdir(mode=0o700)
        if self.account == "nobody":
            give_to_nobody(self.data)

    def prepare_for_nobody(self) -> None:
        if self.home != self.layout.state:
            self.home.mkdir(mode=0o711, exist_ok=True)
        make_private_folder(self.layout.sockets)
        self.layout.sockets.chmod(0o711)
        self.socket_folder.mkdir(mode=0o700, exist_ok=True)
        give_to_nobody(self.socket_folder)
        if not is_open_to_all(self.binaries):
            copy = self.home / "pginstall"
            if not copy.exists():
                shutil.copytree(self.binaries.parent, copy, symlinks=True)
            self.binaries = copy / self.binaries.name

    def program(self, name: str) -> str:
        return str(self.binaries / name)

    def wrap(self, command: list[str]) -> list[str]:
        """The command under the account that PostgreSQL accepts; it dies with the launcher."""
        dying = ["setpriv", "--pdeathsig", "INT", "--"] if has_setpriv() else []
        if self.account == "namespace":
            return [*NAMESPACE, *dying, *command]
        if self.account == "nobody":
            account = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
            return [*account, "--pdeathsig", "INT", "--", *command]
        return [*dying, *command]

    def build_service(self) -> Service:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.socket_folder),
            "unix_socket_permissions": "0700",
            "max_connections": "200",
            # Server processes find out within a second that a client is gone.
            "client_connection_check_interval": "1s",
        }
        if not self.durable:
            settings |= {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return Service(
            name="postgres",
            command=tuple(self.wrap([self.program("postgres"), "-D", str(self.data), *options])),
            # TERM would wait until the last client leaves; INT ends their sessions.
            stop_signal=signal.SIGINT,
            is_ready=self.is_ready,
            before_start=lambda: remove_stale_pid_file(self.data / "postmaster.pid"),
            is_server=True,
        )

    def is_ready(self) -> bool:
        command = [
            self.program("pg_isready"),
            "-q",
            "-h",
            str(self.socket_folder),
            "-U",
            "postgres",
        ]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def create_database(self, name: str = DATABASE) -> None:
        """Create the database unless it is there. The server must be ready."""
        command = [self.program("createdb"), "-h", str(self.socket_folder), "-U", "postgres", name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode and "already exists" not in done.stderr:
            raise LauncherError(f"createdb failed: {done.stderr}")


def choose_account() -> str:
    """ "self" for a normal user; for root "namespace" where allowed, else "nobody"."""
    if os.getuid() != 0:
        return "self"
    if can_make_namespace():
        return "namespace"
    if has_setpriv():
        return "nobody"
    raise LauncherError(
        "PostgreSQL refuses to run as root, and neither unshare nor setpriv is at hand.\n"
        "Run remat as a normal user, or apt-get install util-linux"
    )


@functools.cache
def can_make_namespace() -> bool:
    if shutil.which(NAMESPACE[0]) is None:
        return False
    return subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode == 0


@functools.cache
def has_setpriv() -> bool:
    return shutil.which("setpriv") is not None


def is_open_to_all(path: Path) -> bool:
    """Whether every user may walk down to this path."""
    return all(part.stat().st_mode & 0o001 for part in (path, *path.parents))


def give_to_nobody(path: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    os.chown(path, nobody.pw_uid, nobody.pw_gid)


def remove_stale_pid_file(path: Path) -> None:
    """Remove postmaster.pid when its number is now another program's.

    PostgreSQL itself removes the file of a dead server, but believes any live process with
    that number. The caller holds the stack lock, so no server of ours runs on this data.
    """
    try:
        pid = int(path.read_text().splitlines()[0])
    except (FileNotFoundError, ValueError, IndexError):
        path.unlink(missing_ok=True)
        return
    try:
        name = Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return
    if proc.read_start(pid) is not None and name != "postgres":
        path.unlink(missing_ok=True)
