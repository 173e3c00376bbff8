"""`manage.py conductor`: publishes the outbox, takes in reports, reaps what stalls."""

import signal
import threading
from types import FrameType

from django.core.management.base import BaseCommand, CommandError

from assessment.ops.conducting import OutboxLoop, ReportLoop, Stop, run_loop


class Command(BaseCommand):
    help = "Carry runs to the workers and their reports back; safe to run twice."

    def handle(self, *args: object, **options: object) -> None:
        stop, asked = Stop(), threading.Event()

        def on_signal(number: int, frame: FrameType | None) -> None:
            asked.set()
            stop.set()

        signal.signal(signal.SIGTERM, on_signal)
        signal.signal(signal.SIGINT, on_signal)
        reports = threading.Thread(
            target=run_loop, args=(stop, ReportLoop(stop).once), kwargs={"name": ReportLoop.name}
        )
        reports.start()
        run_loop(stop, OutboxLoop(stop).once, name=OutboxLoop.name)
        reports.join()
        if not asked.is_set():
            raise CommandError("a loop of the conductor died; see the log above")
