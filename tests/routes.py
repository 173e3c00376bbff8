"""Every route of the service, read from the URLs, so that a new one is tested unasked."""

import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

SAMPLES: Mapping[str, str] = {
    "id": "11111111-1111-4111-8111-111111111111",
    "figure": "memory",
    "picture": "svg",
    "handle": "no-such",
    "number": "1",
    "str": "x",
}
# A well-formed part for each converter, of something that does not exist.


def list_routes(patterns: Sequence[Any] | None = None, prefix: str = "/") -> Iterator[str]:
    """Such as `/api/v1/sessions/<id:session_id>`."""
    for one in patterns or get_resolver().url_patterns:
        here = prefix + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from list_routes(one.url_patterns, here)
        elif isinstance(one, URLPattern):
            yield here


def list_sample_paths() -> Iterator[str]:
    """Each route of the API once, with something that does not exist in every place."""
    for route in dict.fromkeys(list_routes()):
        if route.startswith("/api/"):
            fresh = {**SAMPLES, "id": str(uuid.uuid4())}
            yield re.sub("<([a-z]+):[a-z_]+>", lambda found: fresh[found[1]], route)  # noqa: B023
