"""`manage.py difficulties`: how hard the published items seem by the answers since then."""

from django.core.management.base import BaseCommand

from assessment.analytics.monitoring import watch_difficulties
from assessment.bank.snapshot import get_current_version_id, get_snapshot


class Command(BaseCommand):
    help = "Tell the running estimate of each difficulty; for monitoring only."

    def handle(self, *args: object, **options: object) -> None:
        watched = watch_difficulties(get_snapshot(get_current_version_id()))
        self.stdout.write(f"{'item':<32}{'b in use':>10}{'seen':>8}{'sd':>7}{'answers':>9}")
        for one in watched:
            notes = [
                word
                for word, is_so in (("provisional", one.is_provisional), ("off", one.is_off))
                if is_so
            ]
            self.stdout.write(
                f"{one.slug:<32}{one.b:>10.2f}{one.seen.mean:>8.2f}{one.seen.sd:>7.2f}"
                f"{one.seen.num_answers:>9}  {' '.join(notes)}".rstrip()
            )
        self.stdout.write(f"{len(watched)} items answered; a calibration decides, not this table")
