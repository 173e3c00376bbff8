"""The health checks of containers."""

import os
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from django.core.management import CommandError, call_command

from assessment.ops.conducting import OutboxLoop, ReportLoop, Stop, run_loop
from assessment.ops.management.commands.health import MAX_CHORES, check_web
from assessment.ops.pulse import PATIENCE_S
from assessment.settings import read_broker
from tests.listening import answer_one

KEY = settings.TASK_KEY_PREFIX + "chores"


def check(process: str) -> str:
    out = StringIO()
    call_command("health", process, stdout=out)
    return out.getvalue().strip()


def test_the_task_worker_is_well_until_its_chores_pile_up() -> None:
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.delete(KEY)
    try:
        assert check("task-worker") == "ok"
        client.rpush(KEY, "chore")
        assert check("task-worker") == "ok"
        client.rpush(KEY, *["chore"] * MAX_CHORES)
        with pytest.raises(CommandError, match=str(MAX_CHORES + 1)):
            check("task-worker")
    finally:
        client.delete(KEY)


@pytest.mark.django_db
def test_a_database_that_answers_is_well() -> None:
    assert check("database") == "ok"


def test_the_conductor_is_well_while_both_loops_turn(settings: Any, tmp_path: Path) -> None:
    settings.PULSE_DIR = tmp_path
    with pytest.raises(CommandError, match=r"outbox \(never\), reports \(never\)"):
        check("conductor")
    turn_once(OutboxLoop.name)
    turn_once(ReportLoop.name)
    assert check("conductor") == "ok"
    (stale,) = tmp_path.glob("*reports")
    os.utime(stale, (0, time.time() - 2 * PATIENCE_S))
    with pytest.raises(CommandError, match=r"^no turn of a loop: reports \(120 s ago\)$"):
        check("conductor")


def turn_once(name: str) -> None:
    """A loop that is stopped in its first turn."""
    stop = Stop()
    run_loop(stop, stop.set, name=name)


def test_a_folder_that_is_not_there_does_not_end_the_conductor(
    settings: Any, tmp_path: Path
) -> None:
    settings.PULSE_DIR = tmp_path / "gone"
    turn_once(OutboxLoop.name)


def test_the_web_is_asked_past_the_proxies_of_the_host(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    settings.ALLOWED_HOSTS = [".quiz.example"]
    with answer_one(200) as (port, seen):
        check_web(port=port)
    assert seen == ["quiz.example/healthz"]


@pytest.mark.parametrize(
    ("url", "broker"),
    [
        ("unix:///run/v.sock?db=3", "redis+socket:///run/v.sock?virtual_host=3"),
        ("unix:///run/v.sock", "redis+socket:///run/v.sock?virtual_host=0"),
        ("redis://app:x@valkey:6379/0", "redis://app:x@valkey:6379/0"),
    ],
)
def test_a_socket_is_named_as_celery_reads_it(url: str, broker: str) -> None:
    assert read_broker(url) == broker
