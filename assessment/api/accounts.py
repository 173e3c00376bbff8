"""Tokens: minted by API clients for their people, and by guests for themselves."""

import base64
import binascii
from typing import Any
from urllib.parse import unquote_plus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from oauth2_provider.views import TokenView
from rest_framework.request import Request

from assessment.accounts.services import create_guest, mint_for_client, renew_guest
from assessment.accounts.tokens import Bearer
from assessment.api.base import ApiView, read_body
from assessment.api.errors import refuse
from assessment.api.inputs import EmptyInput, RenewalInput, TokenInput
from assessment.api.outputs import GuestOutput, TokenOutput
from assessment.api.permissions import ANYONE, CLIENTS, get_client
from assessment.api.replies import reply_json
from assessment.api.schema import document
from assessment.api.throttling import GuestThrottle, TokenThrottle

NO_STORE = {"Cache-Control": "no-store"}

FORM = "application/x-www-form-urlencoded"
# RFC 6749, section 4.4.2: the one form of a request for a token.


class TokensView(ApiView):
    roles = CLIENTS
    throttle_classes = (TokenThrottle,)

    @document(
        "mintToken",
        "Mint a token for one of your people",
        body=TokenInput,
        answers={201: TokenOutput},
        refusals=(404, 429),
        examples={
            "A learner": {
                "person": "student-4711",
                "name": "Ada",
                "course": "deep-learning",
                "rights": ["learn"],
            }
        },
    )
    def post(self, request: Request) -> HttpResponse:
        """For an LMS server: the token names person, course and rights, and lasts an hour.

        A new person is registered on the way.
        """
        client, given = get_client(request), read_body(request, TokenInput)
        token, bearer = mint_for_client(
            client.application,
            scopes=client.scopes,
            external_id=given["person"],
            name=given.get("name", ""),
            course_slug=given["course"],
            rights=frozenset(given["rights"]),
        )
        return reply_json(describe_token(token, bearer), status=201, headers=NO_STORE)


class GuestsView(ApiView):
    roles = ANYONE
    authentication_classes = ()
    throttle_classes = (GuestThrottle,)

    @document(
        "createGuest",
        "Become a guest of the demo course",
        body=EmptyInput,
        answers={201: GuestOutput},
        refusals=(404, 429),
        is_public=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """No account is needed. Keep the secret: it renews the token."""
        read_body(request, EmptyInput)
        token, bearer, secret = create_guest()
        body = {**describe_token(token, bearer), "secret": secret}
        return reply_json(body, status=201, headers=NO_STORE)


class GuestRenewalView(ApiView):
    roles = ANYONE
    authentication_classes = ()
    throttle_classes = (GuestThrottle,)

    @document(
        "renewGuest",
        "Renew the token of a guest",
        body=RenewalInput,
        answers={200: TokenOutput},
        refusals=(404, 429),
        is_public=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """The same guest, with the sessions begun before."""
        token, bearer = renew_guest(read_body(request, RenewalInput)["secret"])
        return reply_json(describe_token(token, bearer), headers=NO_STORE)


def describe_token(token: str, bearer: Bearer) -> dict[str, Any]:
    return {
        "token": token,
        "token_type": "Bearer",
        "expires_in": settings.TOKEN_LIFETIME_S,
        "person": str(bearer.person_id),
        "course": str(bearer.course_id),
        "rights": sorted(bearer.rights),
    }


class OAuthTokenView(TokenView):
    """The library's endpoint, with the shape of errors that RFC 6749 asks for."""

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if request.content_type != FORM or has_nul(request):
            return JsonResponse({"error": "invalid_request"}, status=400, headers=NO_STORE)
        response: HttpResponseBase = super().post(request, *args, **kwargs)
        return response

    def http_method_not_allowed(
        self, request: HttpRequest, *args: object, **kwargs: object
    ) -> HttpResponse:
        response = refuse(request, "method_not_allowed", status=405)
        response["Allow"] = "POST"
        return response

    def options(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return HttpResponse(status=204, headers={"Allow": "POST"})


def has_nul(request: HttpRequest) -> bool:
    """Whether a form value or the Basic credentials hold a NUL, which no column can."""
    values = [value for name in request.POST for value in (name, *request.POST.getlist(name))]
    scheme, _, credentials = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    if scheme.lower() == "basic":
        try:
            decoded = base64.b64decode(credentials).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            decoded = ""
        values += [decoded, unquote_plus(decoded)]
    return any("\x00" in value for value in values)
