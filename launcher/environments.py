"""What each process is told through its environment, and nothing more than it needs."""

import os
from collections.abc import Mapping

from launcher import proc
from launcher.credentials import Credentials
from launcher.layout import Layout
from launcher.postgres import Postgres
from launcher.valkey import Valkey

PASSED_TO_WORKERS = (
    "PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "LD_LIBRARY_PATH",
    "REMAT_LOG_LEVEL",
)  # fmt: skip
PREFIXES_TO_WORKERS = ("CUDA_", "NVIDIA_", "REMAT_WORKER_")
# A worker runs other people's code: it gets no secret of ours but its own broker account.

BROKER_URLS = (
    "REMAT_WORKER_BROKER_URL", "REMAT_BROKER_URL", "REMAT_TASK_BROKER_URL", "REDIS_URL",
)  # fmt: skip
# Where the worker finds its queues: the first that is given, as the settings of the web read it.


def build_web_environment(
    layout: Layout, *, credentials: Credentials, postgres: Postgres | None, valkey: Valkey | None
) -> dict[str, str]:
    """For web, conductor, task worker and `manage`. What the user set wins; empty is not set."""
    made = {
        "DJANGO_SETTINGS_MODULE": "assessment.settings",
        "DJANGO_SECRET_KEY": credentials.secret_key,
        "PYTHONPATH": str(layout.root),
        "PYTHONUNBUFFERED": "1",
        "REMAT_STATIC_ROOT": str(layout.state / "static"),
        "REMAT_PULSE_DIR": str(layout.state),
        proc.MARK: str(layout.state),
    }
    if postgres is not None:
        made["DATABASE_URL"] = postgres.url
    if valkey is not None:
        made["REDIS_URL"] = valkey.cache_url
        made["REMAT_TASK_BROKER_URL"] = valkey.broker_url("app")
        made["REMAT_BROKER_URL"] = valkey.broker_url("app")
        made["REMAT_WORKER_BROKER_URL"] = valkey.broker_url("worker")
    return made | {
        name: value
        for name, value in os.environ.items()
        if name not in (proc.MARK, "PYTHONPATH", "DJANGO_SETTINGS_MODULE")
        and (value or name not in made)
    }


def build_worker_environment(layout: Layout, *, web: Mapping[str, str]) -> dict[str, str]:
    """For the GPU worker: no database, no secret key, the narrow broker account."""
    passed = {
        name: value
        for name, value in os.environ.items()
        if name in PASSED_TO_WORKERS or name.startswith(PREFIXES_TO_WORKERS)
    }
    return {
        "REMAT_WORKER_DEVICE": "cpu",
        "REMAT_WORKER_HEALTH_FILE": str(layout.state / "worker-health.json"),
        **passed,
        "REMAT_BROKER_URL": to_broker_url(next(filter(None, map(web.get, BROKER_URLS)))),
        "PYTHONPATH": str(layout.root),
        "PYTHONUNBUFFERED": "1",
        "PYTORCH_NVML_BASED_CUDA_CHECK": "1",
        "OMP_NUM_THREADS": "1",
        proc.MARK: str(layout.state),
    }


def to_broker_url(url: str) -> str:
    """A redis-py URL as kombu reads it: sockets have another scheme and another database name."""
    scheme, _, rest = url.partition("://")
    if scheme != "unix":
        return url
    path, _, query = rest.partition("?")
    return f"redis+socket://{path}?{query.replace('db=', 'virtual_host=') or 'virtual_host=0'}"
