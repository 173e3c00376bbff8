"""Minted tokens: signed, short-lived, checked without a database query."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.utils import timezone

from assessment.core.errors import Forbidden

RIGHTS = ("learn", "instruct", "author")
_SALT = "remat.token.1"


@dataclass(frozen=True)
class Bearer:
    """Who speaks: a person in a course, with rights given by the course's client.

    issued_at: when the client vouched for this; None before the token is minted.
    """

    person_id: UUID
    course_id: UUID
    rights: frozenset[str]
    is_guest: bool
    issued_at: datetime | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """What records of authors' work call this person."""
        return f"person:{self.person_id}"

    @property
    def scope(self) -> str:
        """The idempotency scope: keys of two people, or of one in two courses, never meet."""
        return f"{self.name}/{self.course_id}"


class TokenError(ValueError):
    """Not a token of ours, or an old one."""


def mint_token(bearer: Bearer) -> str:
    """A token that names person, course and rights for TOKEN_LIFETIME_S seconds.

    One that follows from another is dated as that one: it must not outlive it.
    """
    payload = [
        bearer.person_id.hex,
        bearer.course_id.hex,
        sorted(bearer.rights),
        int(bearer.is_guest),
    ]
    return _DatedSigner(bearer.issued_at or timezone.now()).sign_object(payload)


def read_token(token: str) -> Bearer:
    """The bearer of a valid token. Raises TokenError."""
    signer = _DatedSigner(timezone.now())
    try:
        person, course, rights, is_guest = signer.unsign_object(
            token, max_age=settings.TOKEN_LIFETIME_S
        )
    except signing.BadSignature as error:
        raise TokenError("the token is not valid, or no longer") from error
    seconds = signing.b62_decode(token.split(signer.sep)[-2])
    issued_at = datetime.fromtimestamp(seconds, UTC)
    return Bearer(UUID(person), UUID(course), frozenset(rights), bool(is_guest), issued_at)


def require_right(bearer: Bearer, right: str) -> None:
    """Raises Forbidden when the token does not give this right."""
    if right not in bearer.rights:
        raise Forbidden("right_missing")


def find_remaining_s(bearer: Bearer) -> int:
    """Seconds that a token of this bearer lasts from now on."""
    age = timezone.now() - bearer.issued_at if bearer.issued_at is not None else None
    spent = int(age.total_seconds()) if age is not None else 0
    return max(0, int(settings.TOKEN_LIFETIME_S) - spent)


class _DatedSigner(signing.TimestampSigner):
    """With a separator that a bearer token may have (RFC 6750, section 2.1)."""

    def __init__(self, issued_at: datetime) -> None:
        super().__init__(salt=_SALT, sep="~")
        self._issued_at = issued_at

    def timestamp(self) -> str:
        return signing.b62_encode(int(self._issued_at.timestamp()))
