"""`python -m gpu_worker.health`: exit 0 while the worker says hello and reaches its broker."""

import json
import sys
import time
from pathlib import Path

from gpu_worker.hello import INTERVAL_S, get_health_path

MAX_AGE_S = 6 * INTERVAL_S
# As long as the conductor waits before it takes a worker for lost.


def find_fault(path: Path, *, now: float) -> str | None:
    """What is wrong with the worker that keeps this file; None when nothing is."""
    try:
        age = now - path.stat().st_mtime
        body = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        return f"no hello yet: {error}"
    if age > MAX_AGE_S:
        return f"the last hello is {age:.0f} s old"
    if not body.get("broker"):
        return "the broker cannot be reached"
    return None


def main() -> int:
    fault = find_fault(get_health_path(), now=time.time())
    print(fault or "ok")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
