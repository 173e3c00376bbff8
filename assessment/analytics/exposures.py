"""Which answers may calibrate an item: first exposures, before evidence on the concept. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class GivenAnswer:
    """One scored answer. evidence_seen_at: when the learner looked at what refuted it."""

    person_id: UUID
    item_id: str
    is_right: bool
    received_at: datetime
    evidence_seen_at: datetime | None


def keep_first_exposures(
    answers: Iterable[GivenAnswer], concepts: Mapping[str, str]
) -> list[GivenAnswer]:
    """Answers to an item that the person met for the first time, untaught on its concept.

    Evidence that was read before an answer makes it an answer after teaching: it says what
    the evidence did, not how hard the item is.
    """
    kept: list[GivenAnswer] = []
    met: set[tuple[UUID, str]] = set()
    taught: dict[tuple[UUID, str], datetime] = {}
    for one in sorted(answers, key=lambda each: each.received_at):
        concept = concepts.get(one.item_id)
        if concept is None:
            continue
        since = taught.get((one.person_id, concept))
        is_first = (one.person_id, one.item_id) not in met
        if is_first and (since is None or one.received_at <= since):
            kept.append(one)
        met.add((one.person_id, one.item_id))
        if one.evidence_seen_at is not None:
            earliest = min(since, one.evidence_seen_at) if since else one.evidence_seen_at
            taught[one.person_id, concept] = earliest
    return kept


def make_matrix(
    answers: Iterable[GivenAnswer], item_index: Mapping[str, int]
) -> NDArray[np.float64]:
    """Persons by items: 1 right, 0 wrong, NaN not answered. Shape (P, I)."""
    rows: dict[UUID, int] = {}
    cells: list[tuple[int, int, float]] = []
    for one in answers:
        row = rows.setdefault(one.person_id, len(rows))
        cells.append((row, item_index[one.item_id], float(one.is_right)))
    matrix = np.full((len(rows), len(item_index)), np.nan)
    for row, column, value in cells:
        matrix[row, column] = value
    return matrix
