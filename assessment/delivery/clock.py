"""When a session's time is over, by the server's clock; the device's clock never counts."""

from datetime import datetime, timedelta

TIME_GRACE = timedelta(seconds=30)
# An answer sent at the last second may be this late: slow networks, not slow learners.


def has_expired(expires_at: datetime | None, *, now: datetime) -> bool:
    """Whether the time limit and its stated grace are over."""
    return expires_at is not None and now - TIME_GRACE > expires_at
