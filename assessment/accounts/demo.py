"""The demo client and its course, made once."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from oauth2_provider.models import get_application_model

from assessment.accounts.models import Course

if TYPE_CHECKING:
    from oauth2_provider.models import Application

CLIENT_NAME = "Demo LMS"
COURSE_SLUG = "demo"


@dataclass(frozen=True)
class DemoClient:
    """The OAuth 2 client of the demo and its course."""

    client: "Application"
    course: Course


def set_up_demo_client(*, client_secret: str) -> DemoClient:
    """Make the demo client with this secret, or give the one there is this secret. Idempotent."""
    model = get_application_model()
    with transaction.atomic():
        client = model.objects.filter(name=CLIENT_NAME).select_for_update().first()
        if client is None:
            client = model(
                name=CLIENT_NAME,
                client_type=model.CLIENT_CONFIDENTIAL,
                authorization_grant_type=model.GRANT_CLIENT_CREDENTIALS,
            )
        client.client_secret = client_secret
        client.save()
        course, _ = Course.objects.get_or_create(
            client=client,
            slug=COURSE_SLUG,
            defaults={"title": "Training memory", "is_demo": True},
        )
    return DemoClient(client, course)
