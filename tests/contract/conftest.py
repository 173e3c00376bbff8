"""No limit on how often one address may try."""

from tests.people import without_throttles

__all__ = ["without_throttles"]
