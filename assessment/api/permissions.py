"""Who may call a view at all; which rows they see is decided by selectors."""

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from assessment.accounts.tokens import Bearer
from assessment.api.authentication import ApiClient

ANYONE = frozenset({"anyone"})
LEARNERS = frozenset({"learn"})
INSTRUCTORS = frozenset({"instruct"})
AUTHORS = frozenset({"author"})
MEMBERS = LEARNERS | INSTRUCTORS
CLIENTS = frozenset({"client"})


class HasRole(BasePermission):
    """The caller has one of the view's `roles`; a view without roles refuses everybody.

    `roles_by_method` narrows single methods.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        by_method: dict[str, frozenset[str]] = getattr(view, "roles_by_method", {})
        allowed = by_method.get(str(request.method), getattr(view, "roles", frozenset()))
        return bool(allowed & list_roles(request))


def list_roles(request: Request) -> frozenset[str]:
    caller = request.auth
    if isinstance(caller, Bearer):
        return ANYONE | caller.rights
    return ANYONE | CLIENTS if isinstance(caller, ApiClient) else ANYONE


def get_bearer(request: Request) -> Bearer:
    """The person who speaks. Only for views whose roles are rights of people."""
    assert isinstance(request.auth, Bearer)
    return request.auth


def get_client(request: Request) -> ApiClient:
    """The client that speaks. Only for views of CLIENTS."""
    assert isinstance(request.auth, ApiClient)
    return request.auth
