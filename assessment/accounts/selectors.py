"""Reads of API clients."""

from oauth2_provider.models import Application

from assessment.core.errors import NotFound


def get_client(client_id: str) -> Application:
    """Raises NotFound."""
    client = Application.objects.filter(client_id=client_id).first()
    if client is None:
        raise NotFound("client_not_found")
    return client


def list_clients() -> list[dict[str, object]]:
    """Each API client with its courses and whether it may mint authors, oldest first."""
    rows = Application.objects.prefetch_related("courses").select_related("authorgrant")
    return [
        {
            "client_id": one.client_id,
            "name": one.name,
            "is_author": hasattr(one, "authorgrant"),
            "courses": sorted(course.slug for course in one.courses.all()),
        }
        for one in rows.order_by("created")
    ]
