"""The import rules hold, in the source and in running processes."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from launcher.environments import to_broker_url
from launcher.layout import ROOT, find_layout
from tests.harness import PATIENCE_S, wait_for


def test_the_import_rules_hold() -> None:
    program = find_layout().venv / "bin" / "lint-imports"
    done = subprocess.run(
        [program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]


def list_loaded(code: str, **more: str) -> set[str]:
    """Modules loaded by a fresh process after `code`."""
    done = subprocess.run(
        [sys.executable, "-c", code + "\nimport sys\nprint(*sys.modules, sep='\\n')"],
        cwd=ROOT,
        env=os.environ | more,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


WEB = (
    "from assessment.wsgi import application\n"
    "import django.urls; django.urls.get_resolver().url_patterns"
)
# The URL table is read at the first request; it imports every view.
CONDUCTOR = (
    "import django; django.setup()\nfrom django.core.management import load_command_class\n"
    "load_command_class('assessment.ops', 'conductor')"
)
TASK_WORKER = "from assessment.celery_app import app\napp.loader.import_default_modules()"


@pytest.mark.parametrize(
    "code", [WEB, CONDUCTOR, TASK_WORKER], ids=["web", "conductor", "task-worker"]
)
def test_no_process_of_the_django_side_loads_torch(code: str) -> None:
    loaded = list_loaded(code, DJANGO_SETTINGS_MODULE="assessment.settings")
    assert "assessment.settings" in loaded
    assert not {name for name in loaded if name.partition(".")[0] == "torch"}
    seen = {name for name in loaded if name.startswith("gpu_worker.")}
    copied = re.findall(r"gpu_worker/(\w+)\.py", (ROOT / "Dockerfile.web").read_text())
    assert seen <= {f"gpu_worker.{name}" for name in copied}


def test_no_gpu_worker_loads_django_or_the_web_side(tmp_path: Path) -> None:
    """A real worker, told by Python itself what it imports until it is ready."""
    broker = os.environ.get("REMAT_WORKER_BROKER_URL") or to_broker_url(os.environ["REDIS_URL"])
    log = tmp_path / "worker.log"
    environment = os.environ | {
        "REMAT_BROKER_URL": broker,
        "REMAT_WORKER_DEVICE": "cpu",
        "PYTHONVERBOSE": "1",
        "TMPDIR": str(tmp_path),
    }
    command = [sys.executable, "-m", "celery", "-A", "gpu_worker.celery_app", "worker"]
    with log.open("wb") as stream:
        worker = subprocess.Popen(
            [*command, "--pool", "solo", "--without-gossip", "--without-mingle", "-l", "INFO"],
            cwd=ROOT,
            env=environment,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )
    try:
        wait_for(lambda: is_ready(log), what="a ready worker")
        settle(log)
    finally:
        worker.send_signal(signal.SIGTERM)
        worker.wait(PATIENCE_S)
    imported = set(re.findall(r"^import '([\w.]+)' #", log.read_text(errors="replace"), re.M))
    assert "gpu_worker.celery_app" in imported
    for name in imported:
        assert name.partition(".")[0] != "assessment", name
        assert not name.startswith(("django.db", "django.apps")), name


def is_ready(log: Path) -> bool:
    return " ready." in log.read_text(errors="replace")


def settle(log: Path) -> None:
    """Wait until the log has not grown for a second: imports after the start count too."""
    size, since = -1, time.monotonic()

    def is_quiet() -> bool:
        nonlocal size, since
        now = log.stat().st_size
        if now != size:
            size, since = now, time.monotonic()
        return time.monotonic() - since > 1

    wait_for(is_quiet, what="a quiet worker")


def test_the_launcher_needs_only_the_standard_library() -> None:
    """With no site-packages at all, every module but the pytest plugin imports."""
    names = [path.stem for path in (ROOT / "launcher").glob("*.py")]
    wanted = [name for name in names if name not in ("__init__", "__main__", "pytest_plugin")]
    code = "\n".join(f"import launcher.{name}" for name in wanted)
    subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
        check=True,
    )
