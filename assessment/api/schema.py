"""The OpenAPI description: how an operation is documented, and the document itself."""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_lib_doc_excludes
from drf_spectacular.settings import patched_settings
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
)
from rest_framework import serializers

from assessment.api.base import ApiView
from assessment.api.fields import StrictSerializer
from assessment.api.permissions import CLIENTS
from assessment.core.links import PREFIX

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

SETTINGS: Mapping[str, Any] = {
    "TITLE": "Remat",
    "VERSION": "1",
    "DESCRIPTION": (
        "Adaptive questions about the memory of neural-network training. A wrong answer is "
        "answered with the measured experiment that refutes the chosen option. Refusals are "
        "problem details (RFC 9457) with a stable `code`; a POST that creates or scores takes "
        "an `Idempotency-Key`; each text says its own language."
    ),
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": PREFIX,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {},
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SORT_OPERATIONS": False,
    "OAUTH2_FLOWS": ["clientCredentials"],
    "OAUTH2_TOKEN_URL": f"{PREFIX}/oauth/token",
    "POSTPROCESSING_HOOKS": [],
    "GET_LIB_DOC_EXCLUDES": "assessment.api.schema.list_silent_bases",
}

_STATUS_TEXTS = {
    200: "Here it is.",
    201: "It is made.",
    202: "It is asked for; poll the address in Location.",
    204: "It is noted.",
    304: "Not changed since the ETag in If-None-Match.",
    400: "Not valid; `errors` names the fields.",
    401: "No token, or one that is not valid any more.",
    403: "Not for this caller.",
    404: "No such thing, or none that this caller may know of.",
    409: "Does not fit the present state.",
    411: "The request must state its length.",
    413: "The body is too large.",
    415: "The body is not plain application/json in UTF-8.",
    422: "The Idempotency-Key came before with another body.",
    429: "Too many requests; see Retry-After.",
    503: "Not available now; see Retry-After.",
}


class FieldProblem(serializers.Serializer[Any]):
    """One field at fault."""

    field = serializers.CharField(help_text="Such as `response.options[0]`, or a header's name.")
    code = serializers.CharField(help_text="Stable; made for programs.")
    message = serializers.CharField(help_text="Made for people.")


class Problem(serializers.Serializer[Any]):
    """RFC 9457 problem details."""

    type = serializers.CharField(help_text="Address of its title in the docs.")
    code = serializers.CharField(help_text="Stable; made for programs.")
    title = serializers.CharField(help_text="Localized; made for people.")
    status = serializers.IntegerField(help_text="That of the reply.")
    errors = FieldProblem(many=True)  # type: ignore[assignment]  # a field, not the property
    detail = serializers.CharField(required=False, help_text="In English, for logs.")


def _make_header(name: str, text: str, *, is_required: bool = False) -> OpenApiParameter:
    return OpenApiParameter(
        name, str, OpenApiParameter.HEADER, description=text, required=is_required
    )


IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="Your own name for this request: a repetition gets the first reply again.",
    required=True,
)
IF_NONE_MATCH = _make_header("If-None-Match", "The ETag that you hold.")
LANGUAGE = OpenApiParameter(
    "lang",
    {"type": "string", "maxLength": 35},
    OpenApiParameter.QUERY,
    description="A BCP 47 tag that goes before Accept-Language.",
)


EXAMPLE_ID = "9f1c2d3e-4b5a-4c6d-8e7f-0123456789ab"
OTHER_ID = "1b2c3d4e-5f60-4718-9a2b-3c4d5e6f7081"
# Of nothing: what examples show in the place of an id.

TAG_HEADER = {"ETag": "Strong; send it back as If-None-Match."}
REPLAY_HEADER = {"Idempotent-Replayed": "`true` where this is the stored first reply."}

PLACES = {
    "activity_id": "Of an activity of the token's course.",
    "administration_id": "Of the item, as shown.",
    "course_id": "The course that the token names.",
    "demonstration_id": "As the feedback names it.",
    "kind": "The format.",
    "name": "Name of the figure, as the demonstration lists it.",
    "new": "Number of a version.",
    "old": "Number of a version.",
    "proposal_id": "As the request for a calibration was told.",
    "session_id": "Of your own session; instructors read those of their course.",
    "slug": "Name of the item.",
}
# What the places in a path take.


def document(
    operation_id: str,
    summary: str,
    *,
    answers: Mapping[Any, Any],
    body: Any = None,
    refusals: Sequence[int] = (),
    query: Sequence[Any] = (),
    is_public: bool = False,
    is_once: bool = False,
    is_tagged: bool = False,
    headers: Mapping[str, str] | None = None,
    examples: Mapping[str, object] | None = None,
) -> Callable[[Decorated], Decorated]:
    """Describe one operation with every status that it can have.

    is_once: takes an Idempotency-Key. is_tagged: answers 304. headers: those of the reply.
    examples: bodies by what they show.
    """
    statuses = {400, 503, *refusals} | (set() if is_public else {401, 403})
    statuses |= ({411, 413, 415} if body else set()) | ({409, 422} if is_once else set())
    responses: dict[Any, Any] = {
        key: OpenApiResponse(shape, description=_STATUS_TEXTS[_get_status(key)])
        for key, shape in answers.items()
    }
    if is_tagged:
        responses[304] = OpenApiResponse(description=_STATUS_TEXTS[304])
    for status in sorted(statuses):
        text = _STATUS_TEXTS[status]
        responses[status, "application/problem+json"] = OpenApiResponse(Problem, description=text)
    good = [_get_status(key) for key in answers]
    parameters: list[Any] = [*query, *([IDEMPOTENCY_KEY] if is_once else [])]
    parameters += [IF_NONE_MATCH] if is_tagged else []
    sent = {
        **(headers or {}),
        **(TAG_HEADER if is_tagged else {}),
        **(REPLAY_HEADER if is_once else {}),
    }
    for name, text in sent.items():
        parameters.append(
            OpenApiParameter(name, str, OpenApiParameter.HEADER, description=text, response=good)
        )
    return extend_schema(
        operation_id=operation_id,
        summary=summary,
        request=body,
        parameters=parameters,
        responses=responses,
        examples=[
            OpenApiExample(name, value=value, request_only=True)
            for name, value in (examples or {}).items()
        ],
    )


def _get_status(key: int | tuple[int, str]) -> int:
    """Answers are keyed by status, or by status and media type."""
    return key[0] if isinstance(key, tuple) else key


def list_silent_bases() -> list[type]:
    """Classes whose docstrings tell programmers of this service, and no client of it."""
    return [*get_lib_doc_excludes(), ApiView, StrictSerializer]


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "assessment.api.authentication.BearerAuthentication"
    name = ["token", "client"]

    def get_security_requirement(self, auto_schema: AutoSchema) -> Any:
        is_for_clients = getattr(auto_schema.view, "roles", frozenset()) == CLIENTS
        return [{"client": []}] if is_for_clients else [{"token": []}]

    def get_security_definition(self, auto_schema: AutoSchema) -> Any:
        flow = {"tokenUrl": SETTINGS["OAUTH2_TOKEN_URL"], "scopes": _list_scopes()}
        token = {"type": "http", "scheme": "bearer", "description": "A minted token of a person."}
        return [token, {"type": "oauth2", "flows": {"clientCredentials": flow}}]


class StrictObject(OpenApiSerializerExtension):
    """Inputs that refuse unknown fields say so."""

    target_class = "assessment.api.fields.StrictSerializer"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> Any:
        mapped = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**mapped, "additionalProperties": False}


def _list_scopes() -> dict[str, str]:
    from oauth2_provider.scopes import get_scopes_backend

    return dict(get_scopes_backend().get_all_scopes())


_LOCK = threading.Lock()


def get_schema() -> dict[str, Any]:
    """The OpenAPI document, built once a process."""
    with _LOCK:
        return _build_schema()


@lru_cache(maxsize=1)
def _build_schema() -> dict[str, Any]:
    with patched_settings(SETTINGS):
        generator = SchemaGenerator(api_version="1")
        schema: dict[str, Any] = generator.get_schema(request=None, public=True)
    schema["servers"] = [{"url": "/"}]
    _drop_marks(schema)
    for operations in schema["paths"].values():
        for operation in operations.values():
            for one in operation.get("parameters", []):
                if one["in"] == "path":
                    one["description"] = PLACES[one["name"]]
    return schema


def _drop_marks(value: Any) -> None:
    """Take out what the generator notes for itself."""
    if isinstance(value, dict):
        value.pop("x-spec-enum-id", None)
        for inner in value.values():
            _drop_marks(inner)
    elif isinstance(value, list):
        for inner in value:
            _drop_marks(inner)
