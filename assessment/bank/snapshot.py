"""A pinned bank in memory: immutable, made of one row, shared by all threads of a process.

A process keeps every version it has used, so that an open session always finds its own.
"""

import threading
import time
from uuid import UUID

from assessment.bank.decoding import build_snapshot
from assessment.bank.frozen import (
    ClaimLink,
    Evidence,
    Item,
    Misconception,
    Near,
    NumericKey,
    Option,
    Quiz,
    Snapshot,
    TextSet,
)
from assessment.bank.models import BankVersion, Publication
from assessment.core.errors import NotFound
from assessment.language.texts import LocalText, Text

__all__ = [
    "ClaimLink",
    "Evidence",
    "Item",
    "LocalText",
    "Misconception",
    "Near",
    "NumericKey",
    "Option",
    "Quiz",
    "Snapshot",
    "Text",
    "TextSet",
    "forget_current_version",
    "forget_snapshots",
    "get_current_version_id",
    "get_snapshot",
]

CURRENT_FOR_S = 1.0
# How long a process may use an older version after a publication.

_lock = threading.Lock()
_snapshots: dict[str, Snapshot] = {}
_current: tuple[float, str] | None = None


def get_snapshot(bank_version_id: str | UUID) -> Snapshot:
    """The snapshot of a version: one query the first time, none later. Raises NotFound."""
    wanted = str(bank_version_id)
    found = _snapshots.get(wanted)
    if found is not None:
        return found
    with _lock:
        if wanted not in _snapshots:
            _snapshots[wanted] = _load_snapshot(wanted)
        return _snapshots[wanted]


def get_current_version_id() -> str:
    """The version that new sessions use; at most a second old. Raises NotFound."""
    global _current
    now = time.monotonic()
    if _current is not None and now - _current[0] < CURRENT_FOR_S:
        return _current[1]
    newest = Publication.objects.order_by("-published_at", "-created_at")
    found = newest.values_list("bank_version_id", flat=True).first()
    if found is None:
        raise NotFound("no_bank_published")
    _current = (now, str(found))
    return _current[1]


def forget_current_version() -> None:
    """Make the next question for the current version ask the database."""
    global _current
    _current = None


def forget_snapshots() -> None:
    """Drop everything this process holds. For tests, whose rows come and go."""
    forget_current_version()
    _snapshots.clear()


def _load_snapshot(bank_version_id: str) -> Snapshot:
    fields = ("number", "digest", "compiled")
    row = BankVersion.objects.filter(id=bank_version_id).values_list(*fields).first()
    if row is None:
        raise NotFound("bank_version_not_found")
    number, digest, compiled = row
    return build_snapshot(
        bytes(compiled), bank_version_id=bank_version_id, number=number, digest=digest
    )
