"""Writes to the bank: load a directory, make a version, publish it."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import numpy as np
from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from assessment.bank.audit import AUDIT_SEED, audit_bank
from assessment.bank.compiled import FORMAT, Statuses, compile_bank, dump_json
from assessment.bank.documents import BankError, BankSource, Document, Problem
from assessment.bank.families.drawing import read_bank
from assessment.bank.lint import Finding, lint_bank, report_audit
from assessment.bank.models import (
    BankItem,
    BankVersion,
    Calibration,
    Item,
    ItemVersion,
    Publication,
    TextRevision,
)
from assessment.bank.parsing import EVERY_ITEM, parse_bank
from assessment.bank.placing import make_placed, place_items
from assessment.bank.revisions import Resolved, resolve_revisions
from assessment.bank.selectors import get_current_version, get_version, read_stored_source
from assessment.bank.snapshot import forget_current_version
from assessment.bank.specs import BankSpec

BANK_LOCK = 0x52454D41
# The advisory lock of all writes to the bank ("REMA").

BATCH = 500
# Rows of one INSERT; more than that and a statement is only larger, not faster.

Rows = Mapping[str, tuple[ItemVersion, Calibration]]


def load_bank(directory: Path | str) -> BankVersion:
    """The version that says what a directory says; an equal one is returned as it is.

    Items that authors added over the API stay; items that were retired stay out. Takes the
    bank's lock. Raises BankError with every problem of every file.
    """
    source = read_bank(Path(directory))
    with transaction.atomic():
        lock_bank()
        return _make_version(_join_stored(source), origin="file", note=f"loaded {directory}")


def make_version(source: BankSource, *, note: str = "", origin: str = "author") -> BankVersion:
    """The version of these documents. Takes the bank's lock. Raises BankError."""
    with transaction.atomic():
        lock_bank()
        return _make_version(source, origin=origin, note=note)


def publish_version(
    version: BankVersion | UUID | str, *, by: str = "", again: bool = False
) -> BankVersion:
    """Make it the one that new sessions use. A version published before stays where it is,
    unless `again` brings it back. Takes the bank's lock. Raises NotFound."""
    with transaction.atomic():
        lock_bank()
        found = version if isinstance(version, BankVersion) else get_version(version)
        if again or not found.publications.exists():
            Publication.objects.create(
                bank_version=found, published_at=timezone.now(), published_by=by
            )
    forget_current_version()
    return found


def lock_bank() -> None:
    """Wait for every other writer of the bank, until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [BANK_LOCK])


def _join_stored(source: BankSource) -> BankSource:
    """The directory's documents, with the authors' items and without the retired ones."""
    retired = set(Item.objects.filter(retired_at__isnull=False).values_list("slug", flat=True))
    newest = BankItem.objects.filter(
        item_version__item__origin="author", item_version__item__retired_at__isnull=True
    ).order_by("bank_version__number")
    kept = {
        row.item_version.item.slug: row.document
        for row in newest.select_related("item_version__item")
    }
    items = {**kept, **source.items}
    return drop_items(replace(source, items=items), retired)


def drop_items(source: BankSource, slugs: set[str]) -> BankSource:
    """The documents without some items; quizzes and enemies that name them forget them."""
    if not slugs & source.items.keys():
        return source
    items = {}
    for slug, document in source.items.items():
        if slug not in slugs:
            items[slug] = _drop_from(document, "enemies", slugs)
    quizzes = {slug: _drop_from(one, "items", slugs) for slug, one in source.quizzes.items()}
    left = {slug: one for slug, one in quizzes.items() if one.get("items")}
    return replace(source, items=items, quizzes=left)


def _drop_from(document: Document, name: str, slugs: set[str]) -> Document:
    listed = document.get(name)
    if not isinstance(listed, list) or not slugs & set(map(str, listed)):
        return document
    return {**document, name: [one for one in listed if one == EVERY_ITEM or one not in slugs]}


def _make_version(source: BankSource, *, origin: str, note: str) -> BankVersion:
    source = replace(source, items=dict(sorted(source.items.items())))
    bank = parse_bank(source)
    rows = place_items(bank, origin=origin)
    resolved = resolve_revisions(bank)
    TextRevision.objects.bulk_create(resolved.new, batch_size=BATCH)
    digest = _digest_bank(source, rows, statuses=resolved.statuses)
    found = BankVersion.objects.filter(digest=digest).first()
    if found is not None:
        return found
    return _store_version(source, bank, rows, resolved, digest=digest, note=note)


def _store_version(
    source: BankSource,
    bank: BankSpec,
    rows: Rows,
    resolved: Resolved,
    *,
    digest: str,
    note: str,
) -> BankVersion:
    newest = BankVersion.objects.aggregate(Max("number"))["number__max"]
    compiled = compile_bank(bank, make_placed(bank, rows), statuses=resolved.statuses)
    version = BankVersion.objects.create(
        number=(newest or 0) + 1,
        digest=digest,
        note=note,
        shared=_shared_documents(source),
        compiled=compiled,
    )
    BankItem.objects.bulk_create(
        [
            BankItem(
                bank_version=version,
                item_version=item_version,
                calibration=calibration,
                text_revisions=resolved.by_owner[f"item:{slug}"],
                document=source.items[slug],
            )
            for slug, (item_version, calibration) in rows.items()
        ],
        batch_size=BATCH,
    )
    return version


def release_version(version: BankVersion, *, by: str = "") -> list[Finding]:
    """Lint and audit a version and serve it; returns the warnings. Raises BankError for an error.

    Only what differs from the published version is linted; a version that was published
    before is not linted again, only brought back.
    """
    if version.publications.exists():
        publish_version(version, by=by, again=get_current_version() != version)
        return []
    source = read_stored_source(version)
    bank = parse_bank(source)
    findings = lint_bank(bank, unchanged=_list_unchanged(source))
    errors = [one for one in findings if one.level == "error"]
    if errors:
        raise BankError(Problem(one.owner, one.place, one.message) for one in errors)
    publish_version(version, by=by)
    return findings + report_audit(audit_bank(bank, rng=np.random.default_rng(AUDIT_SEED)))


def _list_unchanged(source: BankSource) -> set[str]:
    """Items that the published version has in the same words; none when nothing is published."""
    newest = Publication.objects.order_by("-published_at", "-created_at").first()
    if newest is None or newest.bank_version.shared.get("glossary") != source.glossary:
        return set()
    before = read_stored_source(newest.bank_version).items
    return {slug for slug, document in source.items.items() if before.get(slug) == document}


def _shared_documents(source: BankSource) -> Document:
    return {
        "quizzes": source.quizzes,
        "misconceptions": source.misconceptions,
        "claims": source.claims,
        "glossary": source.glossary,
    }


def _digest_bank(source: BankSource, rows: Rows, *, statuses: Statuses) -> str:
    """Of everything a learner could notice, and of no id: equal documents, equal digest."""
    content = {
        "format": FORMAT,
        "shared": _shared_documents(source),
        "items": {
            slug: [source.items[slug], version.content_digest, *_numbers(calibration)]
            for slug, (version, calibration) in rows.items()
        },
        "statuses": sorted([*key, status] for key, status in statuses.items()),
    }
    return hashlib.sha256(dump_json(content)).hexdigest()


def _numbers(row: Calibration) -> list[float | bool]:
    return [row.a, row.b, row.c, row.d, row.provisional]
