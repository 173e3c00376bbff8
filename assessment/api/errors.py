"""Every refusal of this service in one shape: RFC 9457 problem details.

DRF calls `handle_exception`; Django calls the four handlers below for what never reaches
a view; middleware calls `refuse`. Nothing else in the product writes a problem.
"""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core import exceptions as django_errors
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from rest_framework import exceptions as drf_errors
from rest_framework.request import Request

from assessment.api.negotiation import choose_interface_language
from assessment.api.problem_titles import MESSAGES, STATUS_CODES, get_title
from assessment.core.errors import DomainError

log = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
MAX_ERRORS = 50
# A body of 64 KiB can hold thousands of wrong fields; the first ones help as much.
MAX_FIELD_LENGTH = 200

FieldError = Mapping[str, str]


@dataclass(frozen=True)
class Problem:
    status: int
    code: str
    errors: Sequence[FieldError] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict)


class BodyRefused(drf_errors.APIException):
    """A body that the parser does not take: 400, 413 or 415, with the fields at fault."""

    def __init__(self, code: str, *, status: int = 400, errors: Sequence[FieldError] = ()) -> None:
        super().__init__(code=code)
        self.status_code = status
        self.code = code
        self.errors = list(errors)


def make_field_error(field_name: str, code: str, message: str = "") -> dict[str, str]:
    return {"field": field_name, "code": code, "message": message or code}


# -- The doors -----------------------------------------------------------------------------------


def handle_exception(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """The EXCEPTION_HANDLER of DRF. None (Django's handler500) for what nobody expected."""
    problem = describe(exc)
    if problem is None:
        return None
    request: Request = context["request"]
    response = render(request._request, problem)
    response.exception = True  # type: ignore[attr-defined]  # DRF reads it in finalize_response
    return response


def refuse(
    request: HttpRequest, code: str, *, status: int, errors: Sequence[FieldError] = ()
) -> HttpResponse:
    return render(request, Problem(status, code, errors))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    problem = describe(exception) or Problem(400, "invalid")
    return render(request, problem)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, Problem(403, "permission_denied"))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, Problem(404, "not_found"))


def server_error(request: HttpRequest) -> HttpResponse:
    return render(request, Problem(500, "internal_error"))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, Problem(403, "csrf_failed"))


# -- From an exception to a problem --------------------------------------------------------------


def describe(exc: Exception) -> Problem | None:
    """The problem that tells of an exception, or None for a fault of ours."""
    if isinstance(exc, DomainError):
        return _describe_domain_error(exc)
    if isinstance(exc, BodyRefused):
        return Problem(exc.status_code, exc.code, exc.errors)
    if isinstance(exc, drf_errors.APIException):
        return _describe_drf_error(exc)
    if isinstance(exc, Http404):
        return Problem(404, "not_found")
    if isinstance(exc, django_errors.PermissionDenied):
        return Problem(403, "permission_denied")
    if isinstance(exc, django_errors.RequestDataTooBig):
        return Problem(413, "body_too_large", [make_field_error("body", "body_too_large")])
    if isinstance(exc, UnreadablePostError | django_errors.SuspiciousOperation):
        return Problem(400, "invalid")
    if isinstance(exc, OperationalError | InterfaceError):
        # The database is away or broke off; nothing was written, and the same request may succeed.
        log.warning("the database does not answer: %s", exc)
        return Problem(503, "unavailable", headers={"Retry-After": "1"})
    return None


def _describe_domain_error(exc: DomainError) -> Problem:
    extra = dict(exc.extra)
    headers = {}
    wait = extra.pop("retry_after", None)
    if wait is not None:
        headers["Retry-After"] = str(max(1, round(float(str(wait)))))
    if exc.detail and exc.detail != exc.code:
        extra["detail"] = exc.detail
    return Problem(exc.status, exc.code, exc.errors, headers, extra)


def _describe_drf_error(exc: drf_errors.APIException) -> Problem:
    headers = {}
    status = exc.status_code
    challenge = getattr(exc, "auth_header", None)
    if challenge:
        headers["WWW-Authenticate"] = challenge
    wait = getattr(exc, "wait", None)
    if isinstance(exc, drf_errors.Throttled):
        headers["Retry-After"] = str(max(1, round(wait or 1)))
    errors = list(flatten(exc.detail)) if isinstance(exc, drf_errors.ValidationError) else []
    code = STATUS_CODES.get(status, "invalid")
    if isinstance(exc, drf_errors.AuthenticationFailed):
        code = "invalid_token"
    if isinstance(exc, drf_errors.UnsupportedMediaType):
        errors = [make_field_error("Content-Type", "unsupported_media_type")]
    return Problem(status, code, errors, headers)


def flatten(detail: Any, path: str = "") -> Iterator[FieldError]:
    """One entry a message of DRF's nested detail, with the field as a dotted path."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            yield from flatten(inner, _extend_path(path, name))
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            is_nested = isinstance(inner, Mapping | list)
            yield from flatten(inner, f"{path}[{number}]" if is_nested else path)
    else:
        yield make_field_error(path or "body", str(getattr(detail, "code", "invalid")), str(detail))


def _extend_path(path: str, name: str | int) -> str:
    """DRF keys the errors of a list by number, and those of a whole object by a word."""
    if name == "non_field_errors":
        return path
    return f"{path}[{name}]" if isinstance(name, int) else join_path(path, name)


def join_path(path: str, name: str) -> str:
    """`response.options[0]`: the way fields are named everywhere."""
    return f"{path}.{name}" if path else name


# -- From a problem to bytes ---------------------------------------------------------------------


def render(request: HttpRequest, problem: Problem) -> HttpResponse:
    language = choose_interface_language(request)
    title = get_title(problem.code, status=problem.status)
    served = language if language in title else "en"
    body = {
        "type": f"/api/v1/docs#{problem.code}",
        "code": problem.code,
        "title": title[served],
        "status": problem.status,
        "errors": [_localize(error, served) for error in problem.errors[:MAX_ERRORS]],
        **problem.extra,
    }
    response = HttpResponse(
        json.dumps(body, allow_nan=False, default=str),
        content_type=CONTENT_TYPE,
        status=problem.status,
        headers={"Content-Language": served, "Vary": "Accept-Language", **problem.headers},
    )
    response["Cache-Control"] = "no-store"
    return response


def _localize(error: FieldError, language: str) -> FieldError:
    """The same error with the catalogue's message, where it has one.

    In English what was said of this very case is never less than that.
    """
    message = error["message"]
    if language != "en" or message == error["code"]:
        sentence = MESSAGES.get(error.get("sentence", error["code"]))
        message = sentence[language].format_map(error) if sentence else message
    shown = error["field"].encode("utf-8", "backslashreplace").decode()
    return {"field": shown[:MAX_FIELD_LENGTH], "code": error["code"], "message": message}
