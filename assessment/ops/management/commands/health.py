"""`manage.py health PROCESS`: exit 0 while the process of this container does its work."""

import urllib.request

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from assessment.celery_app import app as tasks
from assessment.celery_config import task_default_queue
from assessment.ops.pulse import find_stopped_loops

MAX_CHORES = 1000
# A worker that draws one figure a second is a quarter of an hour behind.


class Command(BaseCommand):
    help = "Exit 0 while the named process does its work; for container health checks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("process", choices=["web", "conductor", "task-worker", "database"])

    def handle(self, *args: object, **options: object) -> None:
        checks = {
            "web": check_web,
            "conductor": check_conductor,
            "task-worker": check_task_worker,
            "database": check_database,
        }
        checks[str(options["process"])]()
        self.stdout.write("ok")


def check_web(*, port: int = 8000) -> None:
    """The web process answers a request under a host name that it accepts."""
    host = settings.ALLOWED_HOSTS[0].lstrip(".*") or "localhost"
    request = urllib.request.Request(f"http://127.0.0.1:{port}/healthz", headers={"Host": host})
    # Straight to it: Docker may put the proxies of its host into every container.
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(request, timeout=5) as reply:
        if reply.status != 200:
            raise CommandError(f"web answered {reply.status}")


def check_conductor() -> None:
    """Both loops of the conductor turn, whatever waits in the outbox."""
    stopped = find_stopped_loops()
    if stopped:
        told = (
            f"{loop} ({'never' if age is None else f'{age:.0f} s ago'})"
            for loop, age in stopped.items()
        )
        raise CommandError(f"no turn of a loop: {', '.join(told)}")


def check_task_worker() -> None:
    """Its queue does not grow without end; also tells whether the broker answers."""
    with tasks.connection_for_read() as broker, broker.channel() as channel:
        num_waiting = int(channel.queue_declare(queue=task_default_queue).message_count)
    if num_waiting > MAX_CHORES:
        raise CommandError(f"{num_waiting} chores wait")


def check_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
