"""The health checks of containers."""

from io import StringIO

import pytest
import redis
from django.conf import settings
from django.core.management import CommandError, call_command

from assessment.ops.management.commands.health import MAX_CHORES
from assessment.settings import read_broker

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
@pytest.mark.parametrize("process", ["conductor", "database"])
def test_with_nothing_to_do_all_is_well(process: str) -> None:
    assert check(process) == "ok"


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
