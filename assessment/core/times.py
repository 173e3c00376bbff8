"""Times as every reply writes them."""

from datetime import UTC, datetime


def format_time(moment: datetime | None) -> str | None:
    """RFC 3339 in UTC with milliseconds and a Z; None stays None."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
