"""The API's front page, its OpenAPI document, and that document for people.

The page is made here from the document: no script, no other host, readable offline.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from assessment.api.base import ApiView
from assessment.api.negotiation import INTERFACE_LANGUAGES, choose_interface_language
from assessment.api.outputs import RootOutput
from assessment.api.permissions import ANYONE
from assessment.api.problem_titles import TITLES
from assessment.api.replies import dump_json, make_etag, reply_tagged, tag_response
from assessment.api.schema import SETTINGS, document, get_schema
from assessment.core.links import PREFIX

LINKS = {
    "activities": f"{PREFIX}/activities",
    "docs": f"{PREFIX}/docs",
    "guests": f"{PREFIX}/guests",
    "oauth_token": f"{PREFIX}/oauth/token",
    "schema": f"{PREFIX}/schema",
    "sessions": f"{PREFIX}/sessions",
    "tokens": f"{PREFIX}/tokens",
}


class RootView(ApiView):
    roles = ANYONE
    authentication_classes = ()

    @document(
        "readRoot",
        "Links, version and languages",
        answers={200: RootOutput},
        is_public=True,
        is_tagged=True,
    )
    def get(self, request: Request) -> HttpResponse:
        """Where to begin."""
        body = {
            "name": SETTINGS["TITLE"],
            "version": SETTINGS["VERSION"],
            "languages": list(INTERFACE_LANGUAGES),
            "links": LINKS,
        }
        return reply_tagged(request, body)


class SchemaView(ApiView):
    roles = ANYONE
    authentication_classes = ()

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        body = dump_json(get_schema())
        response = HttpResponse(body, content_type="application/vnd.oai.openapi+json;version=3.1")
        return tag_response(request, response, etag=make_etag(body))


class DocsView(ApiView):
    roles = ANYONE
    authentication_classes = ()

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        language = choose_interface_language(request)
        schema = get_schema()
        context = {
            "info": schema["info"],
            "groups": _group_operations(schema),
            "problems": [
                {"code": code, "title": title.get(language, title["en"])}
                for code, title in sorted(TITLES.items())
            ],
            "language": language,
        }
        page = render_to_string("api/docs.html", context)
        served = ", ".join(dict.fromkeys(("en", language)))
        response = HttpResponse(page, headers={"Content-Language": served})
        return tag_response(request, response, etag=make_etag(page))


def _group_operations(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Operations by the first part of their path, in the order of the document."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, operations in schema["paths"].items():
        name = path.removeprefix(PREFIX).strip("/").split("/")[0] or "root"
        for method, operation in operations.items():
            groups.setdefault(name, []).append(_describe(path, method, operation, schema))
    return [{"name": name, "operations": found} for name, found in groups.items()]


def _describe(
    path: str, method: str, operation: Mapping[str, Any], schema: Mapping[str, Any]
) -> dict[str, Any]:
    good = next(one for status, one in operation["responses"].items() if int(status) < 300)
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": operation["summary"],
        "text": operation["description"],
        "who": ", ".join(name for one in operation.get("security", [{}]) for name in one) or "all",
        "parameters": operation.get("parameters", []),
        "fields": list(_list_fields(_get_shape(operation.get("requestBody", {})), schema)),
        "told": list(_list_fields(_get_shape(good), schema)),
        "responses": [
            {"status": status, "text": one.get("description", "")}
            for status, one in operation["responses"].items()
        ],
    }


def _get_shape(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """The JSON schema of a body or a reply; {} where there is none."""
    shape: Mapping[str, Any] = (
        message.get("content", {}).get("application/json", {}).get("schema", {})
    )
    return shape


def _list_fields(body: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One row a field of a body, with its type in short."""
    resolved = _resolve(body, schema)
    required = resolved.get("required", [])
    for name, field in resolved.get("properties", {}).items():
        yield {
            "name": name,
            "kind": _name_kind(field, schema),
            "is_required": name in required,
            "text": _find_text(field, schema),
        }


def _find_text(field: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """What a field is; else what its type is, or that of its entries."""
    if "description" in field:
        return str(field["description"])
    for inner in (field, field.get("items", {}), *field.get("oneOf", ())):
        found = _resolve(inner, schema)
        if "description" in found:
            return str(found["description"])
    return ""


def _name_kind(field: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """ "string or null", "object"; of alternatives each kind once."""
    if "oneOf" in field:
        return " or ".join(dict.fromkeys(_name_kind(one, schema) for one in field["oneOf"]))
    kind = _resolve(field, schema).get("type", "object")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _resolve(found: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = found.get("$ref")
    if reference is None:
        return found
    resolved: Mapping[str, Any] = schema["components"]["schemas"][reference.rpartition("/")[2]]
    return resolved
