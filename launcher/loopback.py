"""Requests to a service of this machine go straight to it, whatever proxy the environment names."""

import urllib.request
from http.client import HTTPResponse
from typing import cast
from urllib.parse import urlsplit

OWN_HOSTS = ("127.0.0.1", "localhost", "::1")

_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def open_url(request: urllib.request.Request, *, timeout_s: float) -> HTTPResponse:
    """The reply to an http(s) request. Raises what urllib raises."""
    if urlsplit(request.full_url).hostname in OWN_HOSTS:
        return cast(HTTPResponse, _direct.open(request, timeout=timeout_s))
    return cast(HTTPResponse, urllib.request.urlopen(request, timeout=timeout_s))  # noqa: S310 - see above
