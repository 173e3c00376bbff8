"""The outbox: messages that leave only after their transaction has committed."""

from datetime import datetime

from django.db import transaction

from assessment.core.models import OutboxMessage


def write_message(*, topic: str, body: dict[str, object], not_before: datetime) -> None:
    """Leave a message for the conductor. Must run in the transaction of what it tells."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an outbox message belongs to the transaction that it tells of")
    OutboxMessage.objects.create(topic=topic, body=body, not_before=not_before)


def take_due_messages(*, now: datetime, limit: int) -> list[OutboxMessage]:
    """Lock the due messages that nobody else holds, oldest first. Must run in a transaction."""
    due = OutboxMessage.objects.filter(not_before__lte=now).order_by("not_before", "id")
    return list(due.select_for_update(skip_locked=True)[:limit])


def find_oldest_age_s(*, now: datetime) -> float:
    """Seconds that the oldest due message has waited; 0.0 when none waits."""
    oldest = OutboxMessage.objects.filter(not_before__lte=now).order_by("not_before").first()
    return (now - oldest.not_before).total_seconds() if oldest else 0.0
