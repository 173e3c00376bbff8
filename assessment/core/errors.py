"""Errors of the domain. The API turns each into one shape of problem details."""

from collections.abc import Mapping, Sequence


class DomainError(Exception):
    """Something a client can understand and react to.

    code : stable identifier, `status` its HTTP class, `errors` the fields it concerns
    as {"field", "code", "message"} with what its localized message names beside them,
    `extra` further members of the problem.
    """

    status = 400

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        errors: Sequence[Mapping[str, str]] = (),
        extra: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(detail or code)
        self.code = code
        self.detail = detail
        self.errors = list(errors)
        self.extra = dict(extra or {})


class Invalid(DomainError):
    """The request says something that cannot be (400)."""

    status = 400

    @classmethod
    def field(cls, field: str, code: str, message: str, **values: str) -> "Invalid":
        """message: in English. values: what the localized message names; `sentence` is its own
        name where one code has several.
        """
        return cls("invalid", errors=[{**values, "field": field, "code": code, "message": message}])


class Forbidden(DomainError):
    """Known, but not for this person (403)."""

    status = 403


class NotFound(DomainError):
    """No such thing, or none that this person may know of (404)."""

    status = 404


class Conflict(DomainError):
    """The thing is in another state than the request supposes (409)."""

    status = 409


class Unprocessable(DomainError):
    """Well-formed, but contradicts what was said before (422)."""

    status = 422


class TooMany(DomainError):
    """A quota is used up (429)."""

    status = 429


class Unavailable(DomainError):
    """Not now; `extra["retry_after"]` may say when (503)."""

    status = 503
