"""Hand-offs: a session goes on at another device by a secret that works once."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.utils import timezone

from assessment.accounts.tokens import Bearer, find_remaining_s
from assessment.core.errors import NotFound
from assessment.delivery.models import Handoff, Session

HANDOFF_LIFETIME = timedelta(minutes=15)
# Long enough to pick up another device, short enough to be useless when found later.


def create_handoff(session: Session, *, bearer: Bearer) -> tuple[str, datetime]:
    """A one-use secret that resumes this session elsewhere, and when it stops working."""
    secret = secrets.token_urlsafe(24)
    expires_at = timezone.now() + HANDOFF_LIFETIME
    Handoff.objects.create(
        session=session,
        digest=_digest(secret),
        expires_at=expires_at,
        is_guest=bearer.is_guest,
        issued_at=None if bearer.is_guest else bearer.issued_at,
    )
    return secret, expires_at


def use_handoff(secret: str) -> tuple[Session, Bearer]:
    """The session of an unused, unexpired secret, and whom it lets in; it never works again.

    The bearer's token lasts as long as the one that the hand-off was asked with: a revocation
    waits for no chain of hand-offs. Raises NotFound.
    """
    now = timezone.now()
    fresh = Handoff.objects.filter(digest=_digest(secret), used_at__isnull=True, expires_at__gt=now)
    if not fresh.update(used_at=now):
        raise NotFound("handoff_not_found")
    used = Handoff.objects.select_related("session__activity").get(digest=_digest(secret))
    bearer = Bearer(
        used.session.person_id,
        used.session.activity.course_id,
        frozenset({"learn"}),
        is_guest=used.is_guest,
        issued_at=used.issued_at,
    )
    if not find_remaining_s(bearer):
        raise NotFound("handoff_not_found")
    return used.session, bearer


def forget_handoffs(*, now: datetime) -> int:
    """Delete hand-offs that work no more; how many."""
    return Handoff.objects.filter(expires_at__lt=now).delete()[0]


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
