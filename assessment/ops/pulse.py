"""The pulse of the conductor: a file for each loop, touched at every turn.

A container's health check reads their age. That messages wait is no sign of a dead conductor
(workers may be busy), and that none waits is no sign of a live one.
"""

import time
from pathlib import Path

from django.conf import settings

OUTBOX, REPORTS = LOOPS = ("outbox", "reports")
PATIENCE_S = 60.0
# A turn takes a second, or some socket time-outs of a few seconds while a server is away.


def beat(loop: str) -> None:
    """Say that this loop turns. A folder that cannot be written to is not worth the conductor."""
    try:
        _find_path(loop).touch()
    except OSError:
        return


def find_stopped_loops() -> dict[str, float | None]:
    """Loops without a beat for too long, with the age of the last in seconds; None: never."""
    ages = {loop: _read_age(_find_path(loop)) for loop in LOOPS}
    return {loop: age for loop, age in ages.items() if age is None or age > PATIENCE_S}


def _find_path(loop: str) -> Path:
    folder: Path = settings.PULSE_DIR
    return folder / f"remat-conductor-{loop}"


def _read_age(path: Path) -> float | None:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return None
