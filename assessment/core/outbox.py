"""The outbox: messages that leave only after their transaction has committed."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction

from assessment.core.models import OutboxMessage

URGENT, ROUTINE = 0, 5
# Urgent: somebody waits for it. Routine: made ahead of need, such as a bank's default runs.


def write_message(
    *,
    topic: str,
    key: str,
    not_before: datetime,
    priority: int = URGENT,
    body: Mapping[str, object] | None = None,
) -> None:
    """Leave a message for the conductor. Must run in the transaction of what it tells."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an outbox message belongs to the transaction that it tells of")
    OutboxMessage.objects.create(
        topic=topic, key=key, body=dict(body or {}), priority=priority, not_before=not_before
    )


def take_due_messages(*, topic: str, now: datetime, limit: int) -> list[OutboxMessage]:
    """Lock due messages that nobody else holds, urgent and old ones first. In a transaction."""
    due = OutboxMessage.objects.filter(topic=topic, not_before__lte=now)
    rows = due.order_by("priority", "id").select_for_update(skip_locked=True)
    return list(rows[:limit])


@contextmanager
def taking(*, topic: str, now: datetime, limit: int = 50) -> Iterator[list[OutboxMessage]]:
    """Due messages, locked while the block runs; what it deletes is gone when it ends well."""
    with transaction.atomic():
        yield take_due_messages(topic=topic, now=now, limit=limit)


def put_off(message: OutboxMessage, *, until: datetime) -> None:
    """Keep a message that was handed on, for the case that nothing comes of it."""
    message.attempts, message.not_before = message.attempts + 1, until
    message.save(update_fields=["attempts", "not_before"])


def settle(*, topic: str, key: str) -> None:
    """What the message asked for is done, or given up."""
    OutboxMessage.objects.filter(topic=topic, key=key).delete()


def is_open(*, topic: str, key: str) -> bool:
    """Whether it is still to be done."""
    return OutboxMessage.objects.filter(topic=topic, key=key).exists()


def find_oldest_age_s(*, now: datetime, apart_from: Iterable[str] = ()) -> float:
    """Seconds that the oldest due message has waited, some topics apart; 0.0 when none waits."""
    due = OutboxMessage.objects.filter(not_before__lte=now).order_by("not_before")
    due = due.exclude(topic__in=list(apart_from))
    oldest = due.values_list("not_before", flat=True).first()
    return (now - oldest).total_seconds() if oldest else 0.0


def count_ahead(*, key: str) -> int | None:
    """How many messages of its topic go before the one of this key; None when it has left."""
    own = OutboxMessage.objects.filter(key=key).order_by("priority", "id").first()
    if own is None:
        return None
    same = OutboxMessage.objects.filter(topic=own.topic)
    first = same.filter(priority__lt=own.priority).count()
    return first + same.filter(priority=own.priority, id__lt=own.id).count()
