"""`manage.py demo_course --credentials PATH`: the demo client, its course and activities."""

import json
import os
import secrets
from pathlib import Path

from django.core.management.base import BaseCommand, CommandParser

from assessment.ops.demo import set_up_demo


class Command(BaseCommand):
    help = "Make the demo course when it is missing, and write its client's credentials."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--credentials", required=True, help="file to write, mode 0600")

    def handle(self, *args: object, **options: str) -> None:
        path = Path(options["credentials"])
        secret = _read_secret(path) or secrets.token_urlsafe(32)
        plain = json.dumps(set_up_demo(client_secret=secret), indent=2)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(plain + "\n")
        self.stdout.write("The demo course is ready.")


def _read_secret(path: Path) -> str | None:
    """The secret of an earlier run, so that a running demo keeps its credentials."""
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["client_secret"])
    except (OSError, ValueError, KeyError):
        return None
