"""The pages: a shell with texts; the client in it talks to the public API and nothing else."""

import gzip

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from assessment.language.texts import FALLBACKS, SOURCE_LANGUAGE, get_direction
from assessment.web.assets import get_assets
from assessment.web.languages import (
    COOKIE,
    COOKIE_AGE_S,
    choose_page_language,
    find_asked_language,
    list_languages,
)
from assessment.web.texts import translate_client, translate_page
from assessment.web.vega import NAME, find_vega

FOR_EVER = "public, max-age=31536000, immutable"


@require_safe
def show_home(request: HttpRequest) -> HttpResponse:
    return _show(request, "web/home.html")


@require_safe
def show_client(request: HttpRequest) -> HttpResponse:
    return _show(request, "web/learn.html")


@require_safe
def serve_asset(request: HttpRequest, digest: str, name: str) -> HttpResponse:
    """A file of the client. Another digest than ours is an old page's: it gets no other bytes."""
    assets = get_assets()
    asset = assets.files.get(name)
    if asset is None or digest != assets.digest:
        raise Http404
    return _send(request, asset.content_type, asset.plain, asset.packed, FOR_EVER)


@require_safe
def serve_vega(request: HttpRequest, name: str) -> HttpResponse:
    """The library of the interactive figures, for readers who ask for one."""
    if name != NAME:
        raise Http404
    asset = find_vega()
    if asset is None:
        return HttpResponse(status=503, headers={"Retry-After": "1", "Cache-Control": "no-store"})
    return _send(request, asset.content_type, asset.plain, asset.packed, FOR_EVER)


@require_safe
def serve_worker(request: HttpRequest) -> HttpResponse:
    """The service worker, which must lie beside the page that it keeps for bad networks."""
    asset = get_assets().files["worker.js"]
    return _send(request, asset.content_type, asset.plain, asset.packed, "no-cache")


def _send(
    request: HttpRequest, content_type: str, plain: bytes, packed: bytes, cache: str
) -> HttpResponse:
    takes_gzip = "gzip" in request.META.get("HTTP_ACCEPT_ENCODING", "")
    response = HttpResponse(packed if takes_gzip else plain, content_type=content_type)
    if takes_gzip:
        response["Content-Encoding"] = "gzip"
    response["Cache-Control"] = cache
    patch_vary_headers(response, ("Accept-Encoding",))
    return response


def _show(request: HttpRequest, template: str) -> HttpResponse:
    language = choose_page_language(request)
    assets = get_assets()
    context = {
        "language": language,
        "direction": get_direction(language),
        "languages": list_languages(),
        "fallbacks": [*FALLBACKS.get(language, ()), SOURCE_LANGUAGE],
        "text": translate_page(language),
        "client": {
            "language": language,
            "languages": dict(list_languages()),
            "texts": translate_client(language),
            "vega": f"/vega/{NAME}.js",
        },
        "assets": f"/assets/{assets.digest}",
        "modules": assets.list_modules(),
    }
    # Compressed here: the page holds no secret that its length could tell.
    page = render_to_string(template, context, request).encode()
    packed = gzip.compress(page, 6, mtime=0)
    response = _send(request, "text/html; charset=utf-8", page, packed, "private, no-cache")
    response["Content-Language"] = language
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    if find_asked_language(request) is not None:
        response.set_cookie(
            COOKIE, language, max_age=COOKIE_AGE_S, samesite="Lax", secure=request.is_secure()
        )
    return response
