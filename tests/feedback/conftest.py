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
    "selective": {"layers": 2, "hidden": 32, "length": 32},
    "saved-tensors": {"layers": 3, "width": 32, "rows": 32},
    "which-api": {"layers": 3, "width": 32, "rows": 32},
    "optimizer-state": {"layers": 2, "hidden": 32, "length": 16, "steps": 2},
    "offload": {"layers": 3, "batches": [64, 128], "pairs": 3},
    "placement": {"layers": 16, "depths": [2, 4, 8, 16], "exhaustive": [4]},
    "overhead": {"layers": 3, "hidden": 32, "batch": 1, "pairs": 3},
}
# Small enough for a test; every other experiment runs with its defaults.

SLOW: dict[str, dict[str, object]] = {"combine": {"layers": 2, "hidden": 32, "length": 16}}
# Two processes each; for tests marked slow.

SCRIPT = """
import json, sys
from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import to_plain
from gpu_worker.registry import run_experiment
for label, name, given, simulate in json.load(sys.stdin):
    found = run_experiment(name, given, DEFAULT_SEED, "cpu", simulate)
    print(json.dumps({label: to_plain(found)}))
"""


@pytest.fixture(scope="session")
def real_reports() -> dict[str, dict[str, Any]]:
    """Experiment -> its measurement as a JSON column gives it back. Slow ones are left out.

    A simulation of each experiment that has one stands under `<experiment>-simulated`.
    """
    quick = [one for one in EXPERIMENTS.values() if not one.slow]
    wanted = [
        *((one.name, one.name, QUICK.get(one.name, {}), False) for one in quick),
        *(
            (f"{one.name}-simulated", one.name, QUICK.get(one.name, {}), True)
            for one in quick
            if one.simulates
        ),
    ]
    return run_laboratory(wanted)


@pytest.fixture(scope="session")
def slow_reports() -> dict[str, dict[str, Any]]:
    return run_laboratory([(name, name, given, False) for name, given in SLOW.items()])


def run_laboratory(
    wanted: list[tuple[str, str, dict[str, object], bool]],
) -> dict[str, dict[str, Any]]:
    """Label -> measurement, of rows (label, experiment, parameters, simulate)."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, dict[str, Any]] = {}
    for line in done.stdout.splitlines():
        found.update(json.loads(line))
    return found
