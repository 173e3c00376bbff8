"""Bytes, ETags and headers of the replies."""

import csv
import hashlib
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
# What a spreadsheet may read as the start of a formula, full-width forms included.

BYTE_ORDER_MARK = "\ufeff"
# Without it a spreadsheet opens UTF-8 as the code page of its country.


def dump_json(body: object) -> bytes:
    """JSON that every parser reads: a number that is not finite becomes null."""
    try:
        text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        clean = drop_non_finite(body)
        text = json.dumps(clean, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()


def drop_non_finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: drop_non_finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [drop_non_finite(inner) for inner in value]
    return value


def reply_json(
    body: object,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    languages: Iterable[str] = (),
) -> HttpResponse:
    """A JSON reply. languages: those of the texts in it, for Content-Language."""
    response = HttpResponse(dump_json(body), content_type="application/json", status=status)
    served = ", ".join(dict.fromkeys(languages))
    if served:
        response["Content-Language"] = served
    response["Cache-Control"] = "private, no-cache"
    for name, value in (headers or {}).items():
        response[name] = value
    return response


def reply_tagged(
    request: HttpRequest,
    body: object,
    *,
    languages: Iterable[str] = (),
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """A 200 with a strong ETag over its bytes, or the 304 that saves them."""
    response = reply_json(body, headers=headers, languages=languages)
    return tag_response(request, response, etag=make_etag(response.content))


def tag_response(request: HttpRequest, response: HttpResponse, *, etag: str) -> HttpResponse:
    patch_vary_headers(response, ("Authorization", "Accept-Language"))
    response["ETag"] = etag
    if not matches_etag(request.META.get("HTTP_IF_NONE_MATCH", ""), etag):
        return response
    kept = {name: value for name, value in response.items() if name != "Content-Type"}
    return HttpResponse(status=304, headers=kept)


def make_etag(*parts: str | bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() if isinstance(part, str) else part)
        digest.update(b"\x00")
    return f'"{digest.hexdigest()[:32]}"'


def matches_etag(header: str, etag: str) -> bool:
    """RFC 9110, 13.1.2: weak comparison with each listed tag, or `*`."""
    if header.strip() == "*":
        return True
    return etag in (one.strip().removeprefix("W/") for one in header.split(",")[:50])


def list_languages(body: object) -> list[str]:
    """The languages of all texts in a reply, in the order they come."""
    found: dict[str, None] = {}
    _collect_languages(body, found)
    return list(found)


def _collect_languages(value: object, found: dict[str, None]) -> None:
    if isinstance(value, Mapping):
        if "text" in value and isinstance(value.get("lang"), str):
            found[value["lang"]] = None
        for inner in value.values():
            if isinstance(inner, Mapping | list | tuple):
                _collect_languages(inner, found)
    elif isinstance(value, list | tuple):
        for inner in value:
            if isinstance(inner, Mapping | list | tuple):
                _collect_languages(inner, found)


def reply_csv(
    rows: Iterable[Mapping[str, object]], *, columns: Sequence[str], name: str
) -> HttpResponse:
    """A table that a spreadsheet opens without running or garbling anything."""
    out = io.StringIO()
    out.write(BYTE_ORDER_MARK)
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([defuse_cell(one) for one in columns])
    for row in rows:
        writer.writerow([defuse_cell(row.get(column)) for column in columns])
    response = HttpResponse(out.getvalue().encode(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    response["Cache-Control"] = "private, no-store"
    return response


def defuse_cell(value: object) -> object:
    """Text that a spreadsheet would run gets an apostrophe; numbers stay numbers."""
    if value is None:
        return ""
    if isinstance(value, bool | int):
        return str(value).lower() if isinstance(value, bool) else value
    if isinstance(value, float):
        return value if math.isfinite(value) else ""
    text = str(value).replace("\x00", "")
    return f"'{text}" if text.lstrip(" \u00a0").startswith(FORMULA_STARTS) else text
