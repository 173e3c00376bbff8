"""Minted tokens: signed, short-lived, checked without a database query."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.core import signing

RIGHTS = ("learn", "instruct", "author")
_SALT = "remat.token.1"


@dataclass(frozen=True)
class Bearer:
    """Who speaks: a person in a course, with rights given by the course's client."""

    person_id: UUID
    course_id: UUID
    rights: frozenset[str]
    is_guest: bool

    @property
    def scope(self) -> str:
        """The idempotency scope: keys of two people never meet."""
        return f"person:{self.person_id}"


class TokenError(ValueError):
    """Not a token of ours, or an old one."""


def mint_token(bearer: Bearer) -> str:
    """A token that names person, course and rights for TOKEN_LIFETIME_S seconds."""
    payload = [
        bearer.person_id.hex,
        bearer.course_id.hex,
        sorted(bearer.rights),
        int(bearer.is_guest),
    ]
    return _signer().sign_object(payload)


def read_token(token: str) -> Bearer:
    """The bearer of a valid token. Raises TokenError."""
    try:
        person, course, rights, is_guest = _signer().unsign_object(
            token, max_age=settings.TOKEN_LIFETIME_S
        )
    except signing.BadSignature as error:
        raise TokenError("the token is not valid, or no longer") from error
    return Bearer(UUID(person), UUID(course), frozenset(rights), bool(is_guest))


def _signer() -> signing.TimestampSigner:
    """With a separator that a bearer token may have (RFC 6750, section 2.1)."""
    return signing.TimestampSigner(salt=_SALT, sep="~")
