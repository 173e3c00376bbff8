"""How often each item was shown, rolled up and frozen when a bank version is published."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from django.db.models import Count

from assessment.delivery.models import Administration, ExposureCount, Session


@dataclass(frozen=True, eq=False)
class FrozenCounts:
    """Item version -> administrations, and the sessions they come from."""

    num_sessions: int
    counts: Mapping[str, int]


NOTHING_SHOWN = FrozenCounts(0, {})


def freeze_exposure(bank_version_id: UUID | str) -> None:
    """Keep the counts of now for this version; a later call changes nothing."""
    rows = Administration.objects.filter(session__activity__mode="adaptive")
    shown = rows.values_list("item_version_id").annotate(num=Count("id"))
    ExposureCount.objects.get_or_create(
        bank_version_id=bank_version_id,
        defaults={
            "num_sessions": Session.objects.filter(activity__mode="adaptive").count(),
            "counts": {str(item_id): num for item_id, num in shown},
        },
    )


def find_exposure(bank_version_id: str) -> FrozenCounts:
    """The frozen counts of a version; none shown where nothing is frozen yet."""
    try:
        return _get_exposure(bank_version_id)
    except ExposureCount.DoesNotExist:
        return NOTHING_SHOWN


@lru_cache(maxsize=64)
def _get_exposure(bank_version_id: str) -> FrozenCounts:
    """Kept for good once found; a miss is not, as a version is published before it is frozen."""
    row = ExposureCount.objects.get(bank_version_id=bank_version_id)
    return FrozenCounts(row.num_sessions, row.counts)
