"""The client's files, compressed once, under an address that changes with their bytes.

ES modules import each other by relative name, so all files share one digest in their path
and may be kept for ever: no build step rewrites imports.
"""

import gzip
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

FOLDER = Path(__file__).parent / "static" / "web"
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


@dataclass(frozen=True)
class Asset:
    content_type: str
    plain: bytes
    packed: bytes


@dataclass(frozen=True)
class Assets:
    digest: str
    files: dict[str, Asset]

    def list_modules(self) -> list[str]:
        """The modules of the learner's page, to be fetched side by side."""
        return [name for name in self.files if name.endswith(".js") and name not in NOT_MODULES]


NOT_MODULES = frozenset({"guard.js", "worker.js", "explore.js"})
# Plain scripts, which must run where modules cannot, and what comes only when a reader asks.


def get_assets() -> Assets:
    """All files; read once, except while developing."""
    return _read_assets() if settings.DEBUG else _read_assets_once()


@lru_cache(maxsize=1)
def _read_assets_once() -> Assets:
    return _read_assets()


def _read_assets() -> Assets:
    files: dict[str, Asset] = {}
    digest = hashlib.sha256()
    for path in sorted(FOLDER.iterdir()):
        if path.suffix in TYPES:
            plain = path.read_bytes()
            digest.update(path.name.encode() + b"\x00" + plain)
            files[path.name] = Asset(TYPES[path.suffix], plain, gzip.compress(plain, 9, mtime=0))
    return Assets(digest.hexdigest()[:16], files)
