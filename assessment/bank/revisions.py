"""Which stored text revision each text of a bank is; new rows for what is new."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from uuid import UUID

from assessment.bank.models import TextRevision
from assessment.bank.specs import BankSpec, TextSpec, Wording, walk_bank_texts
from assessment.language.texts import SOURCE_LANGUAGE

Place = tuple[str, str, str]
# owner, place, language


@dataclass
class Resolved:
    """Revisions by owner, statuses that differ from the declared ones, rows to create."""

    by_owner: dict[str, list[UUID]] = field(default_factory=lambda: defaultdict(list))
    statuses: dict[Place, str] = field(default_factory=dict)
    new: list[TextRevision] = field(default_factory=list)


def resolve_revisions(bank: BankSpec) -> Resolved:
    """Match every wording of the bank to a stored revision, or prepare a new one.

    A translation is stale when the English text is no longer the one it was first stored
    with; the author says that it still holds by raising its status or with `checked`.
    """
    known = _read_known({owner for owner, _, _ in walk_bank_texts(bank)})
    resolved = Resolved()
    for owner, place, text in walk_bank_texts(bank):
        source = _digest(text.source)
        for language, wording in _list_wordings(text):
            key = (owner, place, language)
            found = _match(known[key], wording, source=source, language=language)
            if found is None:
                found = _make(key, wording, source=source, stored=known[key])
                known[key].append(found)
                resolved.new.append(found)
            resolved.by_owner[owner].append(found.id)
            if found.status == "stale":
                resolved.statuses[key] = "stale"
    return resolved


def _read_known(owners: Iterable[str]) -> dict[Place, list[TextRevision]]:
    known: dict[Place, list[TextRevision]] = defaultdict(list)
    for row in TextRevision.objects.filter(owner__in=list(owners)).order_by("number"):
        known[row.owner, row.place, row.language].append(row)
    return known


def _list_wordings(text: TextSpec) -> Iterator[tuple[str, Wording]]:
    """The seed's own wording first, so that it is revision 1 of its language."""
    if text.seed is not None:
        yield text.seed[0], Wording(text.seed[1], "seed")
    for language, wording in text.best.items():
        if wording.status != "seed":
            yield language, wording


def _match(
    stored: list[TextRevision], wording: Wording, *, source: str, language: str
) -> TextRevision | None:
    """The stored row that says this, as fresh or as stale as it now is; None when there is none."""
    same = [row for row in stored if _is_same(row, wording)]
    if not same:
        return None
    if wording.status == "seed" or language == SOURCE_LANGUAGE or same[0].source_digest == source:
        return same[0]
    return next((row for row in same if row.source_digest == source), None)


def _make(key: Place, wording: Wording, *, source: str, stored: list[TextRevision]) -> TextRevision:
    owner, place, language = key
    is_stale = any(_is_same(row, wording) for row in stored)
    return TextRevision(
        owner=owner,
        place=place,
        language=language,
        number=1 + max((row.number for row in stored), default=0),
        text=wording.text,
        status="stale" if is_stale else wording.status,
        declared_status=wording.status,
        checked=wording.checked,
        source_digest=source,
    )


def _is_same(row: TextRevision, wording: Wording) -> bool:
    return (row.text, row.declared_status, row.checked) == (
        wording.text,
        wording.status,
        wording.checked,
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
