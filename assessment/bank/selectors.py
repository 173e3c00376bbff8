"""Reads of the bank that are no snapshot: versions, drafts, the history of a text."""

from uuid import UUID

from django.db.models import QuerySet

from assessment.bank.documents import BankSource
from assessment.bank.models import BankVersion, Draft, Publication, TextRevision
from assessment.core.errors import NotFound


def get_version(version_id: UUID | str | int) -> BankVersion:
    """A version by its id or its number. Raises NotFound."""
    found: BankVersion | None = None
    if isinstance(version_id, int) or str(version_id).isdecimal():
        number = int(version_id)
        if number < 2**31:
            found = BankVersion.objects.filter(number=number).first()
    elif is_uuid(str(version_id)):
        found = BankVersion.objects.filter(id=version_id).first()
    if found is None:
        raise NotFound("bank_version_not_found")
    return found


def get_current_version() -> BankVersion:
    """The version that was published last. Raises NotFound."""
    newest = Publication.objects.order_by("-published_at", "-created_at")
    found = newest.select_related("bank_version").first()
    if found is None:
        raise NotFound("no_bank_published")
    return found.bank_version


def list_versions() -> "QuerySet[BankVersion]":
    """All versions, the newest first, without their compiled bytes."""
    return (
        BankVersion.objects.defer("compiled").prefetch_related("publications").order_by("-number")
    )


def read_stored_source(version: BankVersion) -> BankSource:
    """The documents that a version was made of, families already drawn."""
    shared = version.shared
    rows = version.bank_items.select_related("item_version__item")
    items = {row.item_version.item.slug: row.document for row in rows}
    return BankSource(
        items=dict(sorted(items.items())),
        quizzes=dict(shared.get("quizzes", {})),
        misconceptions=dict(shared.get("misconceptions", {})),
        claims=dict(shared.get("claims", {})),
        glossary=dict(shared.get("glossary", {})),
    )


def list_stale_texts(version: BankVersion) -> list[tuple[str, str, str]]:
    """(owner, place, language) of the item texts whose source has changed since."""
    kept = version.bank_items.values_list("text_revisions", flat=True)
    ids = {one for revisions in kept for one in revisions}
    rows = TextRevision.objects.filter(status="stale", owner__startswith="item:")
    stale = rows.values_list("id", "owner", "place", "language")
    return [(owner, place, language) for one, owner, place, language in stale if one in ids]


def get_draft(slug: str) -> Draft:
    """Raises NotFound."""
    found = Draft.objects.filter(slug=slug).first()
    if found is None:
        raise NotFound("draft_not_found")
    return found


def list_drafts(*, state: str | None = None) -> "QuerySet[Draft]":
    rows = Draft.objects.order_by("created_at", "id")
    return rows if state is None else rows.filter(state=state)


def is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
