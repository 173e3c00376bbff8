"""Path parts in their one canonical form; anything else is no such path (404)."""

from uuid import UUID

MAX_SLUG = 80
# The column of an item's slug; the route of a request must fit its idempotency record too.


class CanonicalUUID:
    """A UUID of version 4 in lower case with hyphens."""

    regex = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"

    def to_python(self, value: str) -> UUID:
        return UUID(value)

    def to_url(self, value: UUID | str) -> str:
        return str(value)


class FigureFormat:
    regex = "svg|png|json"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class CanonicalSlug:
    """Small letters, digits and single hyphens, as long as a slug can be."""

    regex = "[a-z0-9]+(?:-[a-z0-9]+)*"

    def to_python(self, value: str) -> str:
        if len(value) > MAX_SLUG:
            raise ValueError("longer than any slug")
        return value

    def to_url(self, value: str) -> str:
        return value


class FigureName(CanonicalSlug):
    """The name of a kind of figure, such as `memory`."""


class CanonicalNumber:
    """A positive integer without leading zeros, in ASCII digits."""

    regex = "[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)
