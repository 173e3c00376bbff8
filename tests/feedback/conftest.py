"""Real reports of the laboratory, made once a session in a process of their own."""

import json
import subprocess
import sys
from typing import Any

import pytest

from gpu_worker.catalog import EXPERIMENTS

QUICK: dict[str, dict[str, object]] = {
    "tradeoff": {"layers": 2, "steps": 2, "pairs": 3, "length": 32},
    "sqrt-n": {"depths": [4, 9, 16], "layers": 16, "rows": 64},
    "dropout-rng": {"layers": 2, "width": 16},
}
# Small enough for a test; every other experiment runs with its defaults.

SCRIPT = """
import json, sys
from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import to_plain
from gpu_worker.registry import run_experiment
for name, given in json.load(sys.stdin).items():
    found = run_experiment(name, given, DEFAULT_SEED, "cpu", False)
    print(json.dumps({name: to_plain(found)}))
"""


@pytest.fixture(scope="session")
def real_reports() -> dict[str, dict[str, Any]]:
    """Experiment -> its measurement as a JSON column gives it back. Slow ones are left out."""
    wanted = {
        name: QUICK.get(name, {}) for name, experiment in EXPERIMENTS.items() if not experiment.slow
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    found: dict[str, dict[str, Any]] = {}
    for line in done.stdout.splitlines():
        found.update(json.loads(line))
    return found
