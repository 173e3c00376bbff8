import json
import os
from pathlib import Path

import pytest

from gpu_worker.health import MAX_AGE_S, find_fault
from gpu_worker.hello import DEAF_AFTER_S, Ear


def test_a_worker_is_deaf_when_a_run_waits_and_it_takes_none() -> None:
    ear = Ear()
    looks = [
        ear.is_deaf(now=now, num_waiting=1, is_busy=False, num_taken=3)
        for now in (0.0, 1.0, DEAF_AFTER_S, DEAF_AFTER_S + 1.0)
    ]
    assert looks == [False, False, False, True]


@pytest.mark.parametrize(
    "change", [{"num_waiting": 0}, {"num_waiting": None}, {"is_busy": True}, {"num_taken": 1}]
)
def test_a_worker_that_works_or_has_nothing_to_do_is_not_deaf(change: dict[str, int]) -> None:
    ear = Ear()
    quiet = {"num_waiting": 5, "is_busy": False, "num_taken": 0}
    assert not ear.is_deaf(now=0.0, **quiet)  # type: ignore[arg-type]  # by name
    assert not ear.is_deaf(now=DEAF_AFTER_S + 1, **{**quiet, **change})  # type: ignore[arg-type]  # by name
    later = {**quiet, "num_taken": change.get("num_taken", 0)}
    assert not ear.is_deaf(now=2 * DEAF_AFTER_S, **later)  # type: ignore[arg-type]  # by name


def test_the_health_check_reads_age_and_broker(tmp_path: Path) -> None:
    path = tmp_path / "health.json"
    assert "no hello yet" in (find_fault(path, now=0.0) or "")
    path.write_text(json.dumps({"broker": True}))
    os.utime(path, (1000.0, 1000.0))
    assert find_fault(path, now=1000.0 + MAX_AGE_S) is None
    assert "old" in (find_fault(path, now=1001.0 + MAX_AGE_S) or "")
    path.write_text(json.dumps({"broker": False}))
    os.utime(path, (1000.0, 1000.0))
    assert "broker" in (find_fault(path, now=1000.0) or "")
