"""Two processes, other hash seeds: the same bytes, FLOPs and gradient bits."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BIG = """
import time
from gpu_worker.registry import load_torch, run_experiment
load_torch()
begin = time.monotonic()
found = run_experiment(
    "tradeoff",
    {"layers": 32, "hidden": 4096, "heads": 32, "length": 2048, "batch": 1, "dtype": "bfloat16"},
    1, "cpu", True,
)
facts = found.facts
print(facts["parameters"], facts["peak_checkpointed"] < facts["peak_plain"] / 10)
status = open("/proc/self/status", encoding="ascii").read()
print(status.partition("VmHWM:")[2].split()[0])
print(time.process_time())
"""


def start(*arguments: str, hash_seed: str = "1") -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": hash_seed}
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE
    )


def test_two_processes_measure_the_same() -> None:
    processes = [start("-m", "tests.gpu_worker.small_runs", hash_seed=seed) for seed in "12"]
    first, second = (json.loads(one.communicate(timeout=200)[0]) for one in processes)
    assert first == second
    assert len(first) >= 8
    for name, found in first.items():
        assert found["digest"], name
        assert {verdict for _, verdict in found["verdicts"]} == {"holds"}, name


@pytest.mark.slow
def test_a_stack_of_6_billion_parameters_is_simulated_within_a_gigabyte() -> None:
    process = start("-c", BIG)
    output, _ = process.communicate(timeout=200)
    first, memory_kib, cpu_s = output.splitlines()
    assert first == "6444154880 True"
    assert int(memory_kib) < 1024 * 1024
    # CPU seconds, imports included: wall seconds belong to whoever else uses the machine.
    assert float(cpu_s) < 60
