"""People, courses and who belongs where. An API client is an OAuth 2 application."""

from django.conf import settings
from django.db import models

from assessment.core.models import UUIDModel


class Course(UUIDModel):
    """A course of one API client; `slug` is the client's own name for it."""

    client = models.ForeignKey(
        settings.OAUTH2_PROVIDER_APPLICATION_MODEL, on_delete=models.PROTECT, related_name="courses"
    )
    slug = models.CharField(max_length=200)
    title = models.CharField(max_length=300)
    time_zone = models.CharField(max_length=64, default="UTC")
    is_demo = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["client", "slug"], name="course_slug_once"),
            models.CheckConstraint(condition=~models.Q(slug=""), name="course_has_slug"),
        ]


class Person(UUIDModel):
    """Somebody the client knows as `external_id`; two clients never share a person."""

    client = models.ForeignKey(
        settings.OAUTH2_PROVIDER_APPLICATION_MODEL, on_delete=models.PROTECT, related_name="people"
    )
    external_id = models.CharField(max_length=200)
    name = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["client", "external_id"], name="person_once"),
            models.CheckConstraint(condition=~models.Q(external_id=""), name="person_has_id"),
        ]


class GuestSecret(models.Model):
    """The digest of the secret by which a guest renews a token."""

    person = models.OneToOneField(Person, on_delete=models.CASCADE, primary_key=True)
    digest = models.CharField(max_length=64, unique=True)
    renewed_at = models.DateTimeField()


class AuthorGrant(models.Model):
    """An operator allowed this client to mint tokens with the right `author`."""

    client = models.OneToOneField(
        settings.OAUTH2_PROVIDER_APPLICATION_MODEL, on_delete=models.CASCADE, primary_key=True
    )
    granted_at = models.DateTimeField(auto_now_add=True)
