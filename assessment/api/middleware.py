"""The bounds that hold for every request, before routing and authentication."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from assessment.api.errors import make_field_error, refuse

Handler = Callable[[HttpRequest], HttpResponse]

MAX_QUERY_LENGTH = 4096
# The longest honest query is a signed figure link, under 300 characters.


class RequestBoundsMiddleware:
    """Refuses compressed, oversized and unmeasured bodies, also where no route is."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refusal = check_bounds(request)
        response = refusal or self.get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        return response


def check_bounds(request: HttpRequest) -> HttpResponse | None:
    """The problem that refuses the request, or None."""
    meta = request.META
    if meta.get("HTTP_CONTENT_ENCODING", "identity").strip().lower() not in ("", "identity"):
        errors = [make_field_error("Content-Encoding", "unsupported_encoding")]
        return refuse(request, "unsupported_encoding", status=415, errors=errors)
    if "chunked" in meta.get("HTTP_TRANSFER_ENCODING", "").lower():
        errors = [make_field_error("Content-Length", "required")]
        return refuse(request, "length_required", status=411, errors=errors)
    length = meta.get("CONTENT_LENGTH") or "0"
    if not (length.isascii() and length.isdigit()):
        errors = [make_field_error("Content-Length", "invalid")]
        return refuse(request, "invalid", status=400, errors=errors)
    if len(length) > 9 or int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        errors = [make_field_error("body", "body_too_large", f"The limit is {limit} bytes.")]
        return refuse(request, "body_too_large", status=413, errors=errors)
    if len(meta.get("QUERY_STRING", "")) > MAX_QUERY_LENGTH:
        errors = [make_field_error("query", "too_long", "The query is too long.")]
        return refuse(request, "invalid", status=400, errors=errors)
    return None
