"""The library behind the interactive figures: one script, made by vl-convert from its own wheel.

vl-convert loads an engine of 110 MB, which a web process must not carry: a process of its own
makes the script once, and it is kept compressed.
"""

import gzip
import hashlib
import subprocess
import sys
import threading
from importlib.metadata import version

from assessment.web.assets import TYPES, Asset

SNIPPET = "export default vegaEmbed;"
# All that the client calls.

PROGRAM = "import sys, vl_convert; sys.stdout.write(vl_convert.javascript_bundle(sys.argv[1]))"
LIMIT_S = 60
# Ten times what it takes where two others run.

NAME = hashlib.sha256(f"{version('vl-convert-python')} {SNIPPET}".encode()).hexdigest()[:16]
# The script follows from these two: its address is known before it is made.

_making = threading.Lock()
_made: list[Asset] = []


def find_vega() -> Asset | None:
    """The script, made on the first call; None while another call is making it."""
    if _made:
        return _made[0]
    if not _making.acquire(blocking=False):
        return None
    try:
        if not _made:
            _made.append(_make_vega())
        return _made[0]
    finally:
        _making.release()


def _make_vega() -> Asset:
    command = [sys.executable, "-c", PROGRAM, SNIPPET]
    made = subprocess.run(command, capture_output=True, check=True, timeout=LIMIT_S)
    return Asset(TYPES[".js"], made.stdout, gzip.compress(made.stdout, 9, mtime=0))
