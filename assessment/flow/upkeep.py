"""What the conductor does now and then, for nobody in particular."""

from datetime import datetime

from assessment.core import idempotency
from assessment.delivery import handoffs, services
from assessment.experiments import dispatch


def expire_sessions(*, now: datetime) -> int:
    """Close every session whose time is over."""
    return services.expire_sessions(now=now)


def forget_old(*, now: datetime) -> None:
    """Delete what has no use any more."""
    idempotency.forget_old_records(now=now)
    handoffs.forget_handoffs(now=now)
    dispatch.forget_workers(now=now)
