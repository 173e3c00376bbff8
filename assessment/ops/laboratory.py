"""Runs an experiment in a process of its own, for commands that check the bank by measuring.

The Django side never imports torch: the laboratory's command line is all it knows of it.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from django.conf import settings

TIMEOUT_S = 600
# The longest wall limit of an experiment, with the start of torch and a busy machine.


def run_experiment(
    experiment: str, parameters: Mapping[str, object], *, simulate: bool = False
) -> Mapping[str, Any]:
    """The report of `python -m gpu_worker.lab`. A run that ends without one is "failed"."""
    command = [sys.executable, "-m", "gpu_worker.lab", experiment, "--json"]
    if simulate:
        command.append("--simulate")
    for name, value in parameters.items():
        command += ["--set", f"{name}={_write_value(value)}"]
    try:
        done = subprocess.run(
            command, cwd=settings.BASE_DIR, capture_output=True, timeout=TIMEOUT_S, check=False
        )
        report: Mapping[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"state": "failed", "reason": f"no report within {TIMEOUT_S} s"}
    except ValueError:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        return {"state": "failed", "reason": last or f"exit status {done.returncode}"}
    return report


def _write_value(value: object) -> str:
    """As the command line reads it: lists with commas, whole numbers without a point."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ",".join(map(_write_value, value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
