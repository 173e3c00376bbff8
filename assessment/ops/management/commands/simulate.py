"""`manage.py simulate`: the same command with a database, for `--bank published`."""

import argparse
import sys

from django.core.management.base import BaseCommand, CommandParser

from assessment.ops.simulate import add_arguments, run


class Command(BaseCommand):
    """Simulate adaptive tests on a bank."""

    help = "Simulate adaptive tests on a bank."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments of `./remat simulate`."""
        add_arguments(parser)

    def handle(self, *args: object, **options: object) -> None:
        """Run and leave with the command's own status."""
        status = run(argparse.Namespace(**options))
        if status:
            sys.exit(status)
