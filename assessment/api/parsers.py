"""One parser: JSON in UTF-8, bounded in size and depth, with nothing that JSON lacks.

The bounds are ours and not the interpreter's, so that no body can end in a
RecursionError, an infinity or a text that PostgreSQL cannot store.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

from django.conf import settings
from django.http.request import RawPostDataException
from rest_framework.parsers import BaseParser

from assessment.api.errors import BodyRefused, join_path, make_field_error

MAX_DEPTH = 32
# An answer needs 3 levels; 32 leaves room and is far below the interpreter's limit.
MAX_DIGITS = 20
# An integer of 64 bits has at most 19 digits and a sign.

_STRUCTURE = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_CHARSETS = {"", "utf-8", "utf8"}


class StrictJSONParser(BaseParser):
    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The object in the body. Raises BodyRefused naming the fields at fault."""
        check_charset(media_type or "")
        return parse_object(read_bounded(stream, limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE))


def check_charset(content_type: str) -> None:
    match = re.search(r'charset\s*=\s*"?([^";\s]*)', content_type, re.IGNORECASE)
    if match and match[1].lower() not in _CHARSETS:
        errors = [make_field_error("Content-Type", "unsupported_media_type")]
        raise BodyRefused("unsupported_media_type", status=415, errors=errors)


def read_bounded(stream: IO[bytes], *, limit: int) -> bytes:
    try:
        body = stream.read(limit + 1)
    except (OSError, RawPostDataException) as error:
        raise BodyRefused("invalid") from error
    if len(body) > limit:
        errors = [make_field_error("body", "body_too_large", f"The limit is {limit} bytes.")]
        raise BodyRefused("body_too_large", status=413, errors=errors)
    return body


def parse_object(body: bytes) -> dict[str, Any]:
    """Bytes to a dict whose every text and number can be stored. An empty body is {}."""
    if not body.strip():
        return {}
    if exceeds_depth(body):
        raise BodyRefused("invalid", errors=[make_field_error("body", "too_deep")])
    try:
        value = json.loads(
            body.decode(),
            object_pairs_hook=_build_object,
            parse_constant=lambda name: _Flaw("not_finite"),
            parse_float=_read_float,
            parse_int=_read_int,
        )
    except ValueError as error:
        found = make_field_error("body", "malformed_json", _say_where(error))
        raise BodyRefused("malformed_json", errors=[found]) from error
    errors = [make_field_error(path or "body", code) for path, code in _find_flaws(value, "")]
    if errors:
        raise BodyRefused("invalid", errors=errors)
    if not isinstance(value, dict):
        raise BodyRefused("invalid", errors=[make_field_error("body", "not_an_object")])
    return value


def exceeds_depth(body: bytes, *, limit: int = MAX_DEPTH) -> bool:
    """Whether brackets outside of strings nest deeper than the limit; linear in the body."""
    if body.count(b"[") + body.count(b"{") <= limit:
        return False
    depth = 0
    for token in _STRUCTURE.finditer(body):
        first = body[token.start()]
        if first in b"[{":
            depth += 1
            if depth > limit:
                return True
        elif first in b"]}":
            depth -= 1
    return False


@dataclass(frozen=True)
class _Flaw:
    """Stands in the parsed value where something must be refused, until its path is known."""

    code: str


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built: dict[str, Any] = {}
    for key, value in pairs:
        built[key] = _Flaw("duplicate_key") if key in built else value
    return built


def _read_float(text: str) -> float | _Flaw:
    number = float(text)
    return number if math.isfinite(number) else _Flaw("not_finite")


def _read_int(text: str) -> int | _Flaw:
    return int(text) if len(text) <= MAX_DIGITS else _Flaw("number_too_large")


def _find_flaws(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """(path, code) of everything in the value that cannot be taken."""
    if isinstance(value, _Flaw):
        yield path, value.code
    elif isinstance(value, str):
        yield from _find_text_flaws(value, path)
    elif isinstance(value, dict):
        for key, inner in value.items():
            inner_path = join_path(path, key)
            yield from _find_text_flaws(key, inner_path)
            yield from _find_flaws(inner, inner_path)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _find_flaws(inner, f"{path}[{number}]")


def _find_text_flaws(text: str, path: str) -> Iterator[tuple[str, str]]:
    if "\x00" in text:
        yield path, "null_characters_not_allowed"
    if _SURROGATE.search(text):
        yield path, "surrogate_characters_not_allowed"


def _say_where(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at line {error.lineno}, column {error.colno}."
    return "The bytes are not UTF-8."
