from datetime import UTC, datetime, timedelta

import pytest

from gpu_worker.celery_app import read_device, read_queues
from gpu_worker.tasks import is_too_late
from tests.gpu_worker.processes import make_request

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("not_after", "expected"),
    [
        ("2026-11-30T12:00:00Z", False),
        ("2026-11-30T11:59:59.999+00:00", True),
        ("2026-11-30T13:30:00+02:00", True),
        ("2026-11-30T12:00:01", False),
        ("soon", True),
        ("", True),
    ],
)
def test_a_request_is_too_late_past_its_deadline(not_after: str, expected: bool) -> None:
    request = make_request("tradeoff", not_after=not_after)
    assert is_too_late(request, now=NOW) is expected
    assert is_too_late(request, now=NOW + timedelta(days=1))


def test_the_environment_is_checked_at_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMAT_WORKER_DEVICE", "tpu")
    with pytest.raises(ValueError, match="REMAT_WORKER_DEVICE"):
        read_device()
    monkeypatch.setenv("REMAT_WORKER_QUEUES", "runs-cpu, runs-cuda")
    with pytest.raises(ValueError, match="runs-cuda"):
        read_queues("cpu")
    monkeypatch.setenv("REMAT_WORKER_QUEUES", "runs-slow-cpu")
    assert read_queues("cpu") == ("runs-slow-cpu",)
    monkeypatch.setenv("REMAT_WORKER_QUEUES", "")
    assert read_queues("cuda") == ("runs-cuda", "runs-slow-cuda")
