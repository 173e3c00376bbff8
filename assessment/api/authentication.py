"""Who speaks: a person with a minted token (no query), or an API client (OAuth 2)."""

from dataclasses import dataclass
from typing import Any

from oauth2_provider.contrib.rest_framework import OAuth2Authentication
from oauth2_provider.models import Application
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from assessment.accounts.tokens import Bearer, TokenError, read_token

MAX_TOKEN = 1000
# A minted token is about 170 characters, an OAuth token 30.


@dataclass(frozen=True)
class ApiClient:
    """An LMS server or another program that owns courses."""

    application: Application
    scopes: frozenset[str]

    @property
    def scope(self) -> str:
        """The idempotency scope."""
        return f"client:{self.application.pk}"


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer`; `request.auth` is then a Bearer or an ApiClient."""

    def authenticate(self, request: Request) -> tuple[Any, Bearer | ApiClient] | None:
        token = read_header(request.META.get("HTTP_AUTHORIZATION", ""))
        if token is None:
            return None
        try:
            return None, read_token(token)
        except TokenError as error:
            client = find_client(request)
            if client is None:
                raise AuthenticationFailed from error
            return None, client

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="remat"'


def read_header(header: str) -> str | None:
    """The token of an Authorization header; None for another scheme or none."""
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        return None
    token = token.strip()
    if not token or len(token) > MAX_TOKEN or not token.isascii() or not token.isprintable():
        raise AuthenticationFailed
    return token


def find_client(request: Request) -> ApiClient | None:
    """The client whose OAuth 2 access token this is; costs a query."""
    found = OAuth2Authentication().authenticate(request)
    if found is None or found[1].application is None:
        return None
    return ApiClient(found[1].application, frozenset(found[1].scope.split()))
