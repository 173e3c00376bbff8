"""What every view of the API has in common."""

from typing import Any, ClassVar, cast

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from assessment.accounts.tokens import Bearer
from assessment.api.authentication import ApiClient
from assessment.api.negotiation import JsonAlways
from assessment.api.permissions import HasRole
from assessment.api.replies import list_languages, reply_json
from assessment.core.idempotency import Reply, RequestKey, make_request_key


class ApiView(APIView):
    """A door: parses, calls one function, renders. `roles` says who may knock."""

    roles: ClassVar[frozenset[str]] = frozenset()
    roles_by_method: ClassVar[dict[str, frozenset[str]]] = {}
    permission_classes = (HasRole,)
    content_negotiation_class = JsonAlways

    def options(  # type: ignore[override]  # a plain Django response is one of DRF's too
        self, request: Request, *args: object, **kwargs: object
    ) -> HttpResponse:
        """The methods and nothing else: a description of fields would tell of keys."""
        return HttpResponse(status=204, headers={"Allow": ", ".join(self.allowed_methods)})


def read_body(request: Request, serializer: type[BaseSerializer[Any]]) -> dict[str, Any]:
    """The checked fields of the body. Raises a 400 naming those at fault."""
    given = serializer(data=request.data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


def read_query(request: Request, serializer: type[BaseSerializer[Any]]) -> dict[str, Any]:
    given = serializer(data=request.query_params.dict())
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


def read_key(request: Request) -> RequestKey:
    """The Idempotency-Key of this request, in the scope of its caller and route.

    Call it after `read_body`, so that a bad body is refused for what it is.
    """
    caller: Bearer | ApiClient = cast(Any, request.auth)
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    route = f"{request.method} {request.path}"
    return make_request_key(scope=caller.scope, route=route, key=key, body=request.data)


def send_reply(reply: Reply) -> HttpResponse:
    """The stored or fresh reply of a POST, the same bytes each time."""
    headers = dict(reply.headers)
    if reply.replayed:
        headers["Idempotent-Replayed"] = "true"
    return reply_json(
        reply.body, status=reply.status, headers=headers, languages=list_languages(reply.body)
    )
