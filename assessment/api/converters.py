"""Path parts in their one canonical form; anything else is no such path (404)."""

from uuid import UUID


class CanonicalUUID:
    """A UUID of version 4 in lower case with hyphens."""

    regex = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"

    def to_python(self, value: str) -> UUID:
        return UUID(value)

    def to_url(self, value: UUID | str) -> str:
        return str(value)


class FigureName:
    regex = "[a-z0-9]+(?:-[a-z0-9]+){0,5}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class FigureFormat:
    regex = "svg|png|json"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class CanonicalSlug:
    regex = "[a-z0-9]+(?:-[a-z0-9]+){0,20}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class CanonicalNumber:
    """A positive integer without leading zeros, in ASCII digits."""

    regex = "[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)
