"""Each POST counts once, however often a bad network makes a client send it.

The record is claimed by the first statement of the transaction that does the work, so a
concurrent duplicate waits there and then replays; it commits with the work or not at all.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from assessment.core.errors import Invalid, Unprocessable
from assessment.core.models import IdempotencyRecord

JsonObject = dict[str, object]


@dataclass(frozen=True)
class Reply:
    """What a door answers: `headers` are stored with the body and replayed."""

    status: int
    body: JsonObject
    headers: dict[str, str]
    replayed: bool = False


@dataclass(frozen=True)
class RequestKey:
    """scope: the person or client; route: method and path; key: the client's own."""

    scope: str
    route: str
    key: str
    digest: str


MAX_ROUTE = 200
# The column's length; a path may be as long as the server takes it.

_CLAIM = """
INSERT INTO core_idempotencyrecord AS r (scope, route, key, request_digest, created_at)
VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (scope, route, key) DO UPDATE SET key = EXCLUDED.key
RETURNING r.id, r.request_digest, r.status, r.reply
"""
# The empty update makes the statement wait for a concurrent duplicate and return its row.


def make_request_key(*, scope: str, route: str, key: str | None, body: object) -> RequestKey:
    """Check the header and take the digest of the body. Raises Invalid."""
    if not key:
        raise Invalid.field("Idempotency-Key", "required", "This header is required.")
    if len(key) > 255 or not key.isascii() or not key.isprintable():
        message = "Use 1 to 255 printable ASCII characters."
        raise Invalid.field("Idempotency-Key", "invalid", message)
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    if len(route) > MAX_ROUTE:
        route = _digest(route)
    return RequestKey(scope, route, key, _digest(canonical))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def answer_once(request: RequestKey, work: Callable[[], Reply]) -> Reply:
    """The reply of `work`, done at most once for this key. Opens the transaction.

    Raises Unprocessable when the key came before with another body.
    """
    with transaction.atomic():
        record_id, digest, status, stored = _claim_record(request)
        if digest != request.digest:
            raise Unprocessable("idempotency_key_reused")
        if status is not None:
            kept = json.loads(stored)
            return Reply(status, kept["body"], kept["headers"], replayed=True)
        reply = work()
        IdempotencyRecord.objects.filter(pk=record_id).update(
            status=reply.status,
            reply=json.dumps({"body": reply.body, "headers": reply.headers}, ensure_ascii=False),
        )
        return reply


def _claim_record(request: RequestKey) -> tuple[int, str, int | None, str]:
    now = timezone.now().isoformat()
    values = [request.scope, request.route, request.key, request.digest, now]
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, values)
        row: tuple[int, str, int | None, str] = cursor.fetchone()
    return row


def forget_old_records(*, now: datetime) -> int:
    """Delete what is older than its lifetime; how many went."""
    limit = now - timedelta(days=settings.IDEMPOTENCY_LIFETIME_DAYS)
    return IdempotencyRecord.objects.filter(created_at__lt=limit).delete()[0]
