"""Cursors over (created_at, id): each row exactly once, whatever is added meanwhile."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode
from uuid import UUID

from django.core import signing
from django.db.models import Model, Q, QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from assessment.api.fields import QueryInteger
from assessment.core.errors import Invalid

DEFAULT_SIZE = 50
MAX_SIZE = 100

Row = TypeVar("Row", bound=Model)


class PageQuery(serializers.Serializer[Any]):
    """The query of every list."""

    cursor = serializers.CharField(
        required=False, max_length=500, help_text="As the address in `next` has it."
    )
    page_size = QueryInteger(
        required=False, min_value=1, max_value=MAX_SIZE, help_text=f"{DEFAULT_SIZE} without it."
    )


@dataclass(frozen=True)
class Page(Generic[Row]):
    """next_url: the address of the rest, None on the last page."""

    rows: list[Row]
    next_url: str | None

    def as_json(self, show: Callable[[Row], dict[str, Any]]) -> dict[str, Any]:
        return {"results": [show(row) for row in self.rows], "next": self.next_url}


def paginate(request: Request, rows: QuerySet[Row]) -> Page[Row]:
    """One page, oldest first. Raises Invalid for a cursor that is not from this list."""
    query = PageQuery(data=request.query_params.dict())
    query.is_valid(raise_exception=True)
    size = query.validated_data.get("page_size", DEFAULT_SIZE)
    cursor = query.validated_data.get("cursor")
    if cursor:
        rows = _skip_to(rows, *_read_cursor(cursor, salt=request.path))
    found = list(rows.order_by("created_at", "id")[: size + 1])
    if len(found) <= size:
        return Page(found, None)
    return Page(found[:size], _make_next_url(request, last=found[size - 1]))


def _skip_to(rows: QuerySet[Row], created_at: datetime, row_id: UUID) -> QuerySet[Row]:
    # The first condition alone lets PostgreSQL begin in the middle of the index.
    after = Q(created_at__gt=created_at) | Q(created_at=created_at, id__gt=row_id)
    return rows.filter(created_at__gte=created_at).filter(after)


def _read_cursor(cursor: str, *, salt: str) -> tuple[datetime, UUID]:
    try:
        created_at, row_id = signing.loads(cursor, salt=f"cursor:{salt}")
    except signing.BadSignature as error:
        raise Invalid.field("cursor", "invalid", "This is no cursor of this list.") from error
    return datetime.fromisoformat(created_at), UUID(row_id)


def _make_next_url(request: Request, *, last: Any) -> str:
    position = [last.created_at.isoformat(), str(last.id)]
    cursor = signing.dumps(position, salt=f"cursor:{request.path}")
    query = {**request.query_params.dict(), "cursor": cursor}
    return f"{request.path}?{urlencode(query)}"
