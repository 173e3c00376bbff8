"""Everything that a caller can fetch: every route, method and language of the service.

The routes come from the URLs themselves, so that a new one is walked without being named
here. What would write is rolled back.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from tests.people import Person
from tests.routes import SAMPLES, list_routes

LANGUAGES = ("en", "bg", "fr", "wo")
QUERIES = (
    "fields=is_correct,explanation&expand=options,key&include=feedback",
    "format=json&_method=GET&debug=1",
)
READS, WRITES = ("HEAD", "OPTIONS", "TRACE"), ("POST", "PUT", "PATCH", "DELETE")
NOT_WALKED = frozenset({"/api/v1/oauth/token", "/metrics", "/api/v1/metrics"})
# The first needs a client's secret, the others the operator's token.


@dataclass(frozen=True)
class Reply:
    """One reply, as bytes: headers too, since a status or a header can tell as well."""

    where: str
    status: int
    headers: bytes
    body: bytes

    @property
    def raw(self) -> bytes:
        return self.headers + b"\n" + self.body


def list_paths(ids: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Every route with every id in its place. ids: name of the place -> values."""
    for route in dict.fromkeys(list_routes()):
        places = re.findall("<([a-z]+):([a-z_]+)>", route)
        for values in itertools.product(*(ids.get(name, [SAMPLES[kind]]) for kind, name in places)):
            path = route
            for value in values:
                path = re.sub("<[a-z]+:[a-z_]+>", value, path, count=1)
            if path not in NOT_WALKED:
                yield path


def fetch_all(
    person: Person,
    ids: Mapping[str, Sequence[str]],
    *,
    bodies: Sequence[Mapping[str, Any]] = (),
    skip: str = "^$",
    only: str = "",
) -> list[Reply]:
    """All replies. bodies: what is sent to each writing route; skip, only: which paths."""
    found = []
    for path in list_paths(ids):
        if re.search(skip, path) or not re.search(only, path):
            continue
        found += [fetch(person, "GET", path, lang=lang) for lang in LANGUAGES]
        found += [fetch(person, "GET", f"{path}?{query}") for query in QUERIES]
        found += [fetch(person, method, path) for method in READS]
        for method in WRITES:
            found.append(fetch(person, method, path, body={}))
            if found[-1].status != 405:
                found += [fetch(person, method, path, body=body) for body in bodies]
    return found


def fetch(
    person: Person,
    method: str,
    path: str,
    *,
    lang: str | None = None,
    body: Mapping[str, Any] | None = None,
) -> Reply:
    """One request inside a transaction that is taken back."""
    headers = {"Idempotency-Key": "scan"}
    if lang is not None:
        headers["Accept-Language"] = lang
        path = f"{path}?lang={lang}"
    with transaction.atomic():
        reply = person.call(method, path, body=body, headers=headers)
        transaction.set_rollback(True)
    lines = "\n".join(f"{name}: {value}" for name, value in reply.items())
    where = f"{method} {path} {lang or ''} {body or ''}"
    return Reply(where, reply.status_code, lines.encode(), reply.content)
