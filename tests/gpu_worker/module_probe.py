"""Loaded into a worker under test: after each run it writes down what is imported."""

import os
import sys
from pathlib import Path

from celery import signals


@signals.task_postrun.connect
def write_modules(**_: object) -> None:
    target = os.environ.get("REMAT_TEST_MODULES_FILE")
    if target:
        Path(target).write_text("\n".join(sorted(sys.modules)))
