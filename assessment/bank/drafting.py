"""Items on their way in and out: drafts, their publication, retirement, imported pages."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.db import IntegrityError, transaction
from django.utils import timezone

from assessment.bank.documents import Document, Problem
from assessment.bank.import_text import Page, make_documents, read_page
from assessment.bank.lint import Finding, guard_item, lint_item, list_names
from assessment.bank.models import BankVersion, Draft, Item
from assessment.bank.parsing import parse_item
from assessment.bank.reading import SLUG
from assessment.bank.selectors import get_current_version, get_draft, read_stored_source
from assessment.bank.services import drop_items, lock_bank, make_version, release_version
from assessment.core.errors import Conflict, Invalid, NotFound
from assessment.language.negotiation import parse_tag

MAX_DOCUMENT_CHARACTERS = 200_000
# A whole item in four languages has a tenth of it.


def save_draft(document: Document, *, by: str = "", revision: int | None = None) -> Draft:
    """Store an item document with what is still wrong with it.

    `revision` is the one that the author has seen: a draft that moved on is a Conflict.
    """
    slug = _check_document(document)
    findings = check_draft(document)
    with transaction.atomic():
        draft = Draft.objects.select_for_update().filter(slug=slug).first()
        if draft is None:
            return _create_draft(slug, document, findings, by=by)
        if revision is not None and revision != draft.revision:
            raise Conflict("draft_changed", f"the draft is at revision {draft.revision}")
        draft.document, draft.findings, draft.state = document, findings, "draft"
        draft.revision, draft.author = draft.revision + 1, by or draft.author
        draft.save()
        return draft


def _create_draft(
    slug: str, document: Document, findings: list[dict[str, str | None]], *, by: str
) -> Draft:
    """A first revision. Raises Conflict when somebody else's came at the same moment."""
    try:
        with transaction.atomic():
            return Draft.objects.create(slug=slug, document=document, findings=findings, author=by)
    except IntegrityError as error:
        raise Conflict("draft_changed", "there is a draft of this item already") from error


def check_draft(document: Document) -> list[dict[str, str | None]]:
    """What parsing, lint and the text guard say of a document, as JSON."""
    problems: list[Problem] = []
    slug = str(document.get("slug", ""))
    item = parse_item(document, file=slug, problems=problems)
    found = [
        Finding("error", "invalid", f"item:{slug}", one.field, None, one.message).as_json()
        for one in problems
    ]
    if problems:
        return found
    checks = lint_item(item) + guard_item(item, names=_read_names())
    return [one.as_json() for one in checks]


def publish_draft(slug: str, *, by: str = "") -> BankVersion:
    """A new version with this item, published. Takes the locks of the bank and of the draft.

    Raises NotFound, Conflict for a draft that is not open, BankError for what is wrong.
    """
    with transaction.atomic():
        lock_bank()
        Draft.objects.select_for_update().filter(slug=slug).first()
        draft = get_draft(slug)
        if draft.state != "draft":
            raise Conflict("draft_not_open", f"the draft is {draft.state}")
        source = read_stored_source(get_current_version())
        items = {**source.items, slug: draft.document}
        version = make_version(replace(source, items=items), note=f"draft {slug}")
        release_version(version, by=by)
        Item.objects.filter(slug=slug).update(retired_at=None, retired_reason="")
        draft.state = "published"
        draft.save(update_fields=["state", "updated_at"])
    return version


def discard_draft(slug: str) -> Draft:
    """Raises NotFound, Conflict for a draft that is not open."""
    with transaction.atomic():
        draft = get_draft(slug)
        if draft.state != "draft":
            raise Conflict("draft_not_open", f"the draft is {draft.state}")
        draft.state = "discarded"
        draft.save(update_fields=["state", "updated_at"])
    return draft


def retire_item(slug: str, *, reason: str, by: str = "") -> BankVersion:
    """A new version without this item, published; open sessions keep theirs. Takes the lock."""
    with transaction.atomic():
        lock_bank()
        source = read_stored_source(get_current_version())
        if slug not in source.items:
            raise NotFound("item_not_found")
        Item.objects.filter(slug=slug).update(
            retired_at=timezone.now(), retired_reason=reason[:500]
        )
        version = make_version(drop_items(source, {slug}), note=f"retired {slug}")
        release_version(version, by=by)
    return version


def import_page(
    raw: bytes, *, language: str, prefix: str | None = None, by: str = ""
) -> tuple[Page, list[Draft]]:
    """Drafts of a plain-text page, all or none. The page carries its findings.

    Raises Invalid for a language that is none, or a prefix that makes no slug.
    """
    if parse_tag(language) != language:
        raise Invalid.field("language", "invalid", f"{language!r} is no language tag.")
    page = read_page(raw, language)
    if not page.is_clean:
        return page, []
    with transaction.atomic():
        documents = make_documents(page, prefix=prefix or language.lower())
        return page, [_import_draft(one, by=by) for one in documents]


def _import_draft(document: Document, *, by: str) -> Draft:
    """A new draft; one that is there already must say the same. Raises Conflict."""
    slug = str(document["slug"])
    found = Draft.objects.filter(slug=slug).first()
    if found is None:
        return save_draft(document, by=by)
    if found.document != document:
        raise Conflict("draft_exists", f"there is another draft {slug!r}; choose a prefix")
    return found


def _check_document(document: Mapping[str, object]) -> str:
    """The slug of a document that the database can hold. Raises Invalid."""
    slug = document.get("slug")
    if not isinstance(slug, str) or SLUG.fullmatch(slug) is None or len(slug) > 80:
        raise Invalid.field(
            "slug", "invalid", "A slug of small letters, digits and hyphens is due."
        )
    try:
        plain = json.dumps(document, allow_nan=False, ensure_ascii=False)
        plain.encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise Invalid.field("document", "invalid", "The document is no plain JSON.") from error
    if "\\u0000" in plain or len(plain) > MAX_DOCUMENT_CHARACTERS:
        raise Invalid.field("document", "invalid", "The document is too large or has a NUL.")
    return slug


def _read_names() -> Sequence[str]:
    """The glossary's identifiers of the published bank; none before the first one."""
    try:
        return list_names(get_current_version().shared.get("glossary", {}))
    except NotFound:
        return ()
