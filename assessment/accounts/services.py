"""Writes: courses, people, guests."""

import hashlib
import secrets
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import IntegrityError, transaction
from django.utils import timezone
from oauth2_provider.models import Application

from assessment.accounts.models import AuthorGrant, Course, GuestSecret, Person
from assessment.accounts.tokens import RIGHTS, Bearer, mint_token
from assessment.core.errors import Conflict, Forbidden, Invalid, NotFound


def create_client(*, name: str) -> tuple[Application, str]:
    """A new API client and its secret, which is kept as a hash alone. Raises Conflict."""
    with transaction.atomic():
        if Application.objects.filter(name=name).exists():
            raise Conflict("client_exists")
        secret = secrets.token_urlsafe(32)
        client = Application.objects.create(
            name=name,
            client_type=Application.CLIENT_CONFIDENTIAL,
            authorization_grant_type=Application.GRANT_CLIENT_CREDENTIALS,
            client_secret=secret,
        )
    return client, secret


def set_author_grant(client: Application, *, is_granted: bool) -> None:
    """Whether the client may mint tokens with the right `author`; an operator decides it."""
    if is_granted:
        AuthorGrant.objects.get_or_create(client=client)
    else:
        AuthorGrant.objects.filter(client=client).delete()


def create_course(
    client: Application, *, slug: str, title: str, time_zone: str = "UTC", is_demo: bool = False
) -> Course:
    """A new course of this client. Raises Conflict when the slug is taken."""
    try:
        ZoneInfo(time_zone)
    except (ValueError, KeyError, OSError) as error:
        raise Invalid.field("time_zone", "invalid", "Not an IANA time zone.") from error
    try:
        with transaction.atomic():
            return Course.objects.create(
                client=client, slug=slug, title=title, time_zone=time_zone, is_demo=is_demo
            )
    except IntegrityError as error:
        raise Conflict("course_exists") from error


def register_person(client: Application, *, external_id: str, name: str = "") -> Person:
    """The client's person of this id, made when new, renamed when the name changed."""
    person, is_new = Person.objects.get_or_create(
        client=client, external_id=external_id, defaults={"name": name}
    )
    if not is_new and name and person.name != name:
        Person.objects.filter(pk=person.pk).update(name=name)
        person.name = name
    return person


def lock_person(person_id: UUID) -> None:
    """Make whoever counts what this person did wait for its turn. In a transaction."""
    Person.objects.select_for_update(no_key=True).filter(pk=person_id).first()


def mint_for_client(
    client: Application,
    *,
    scopes: frozenset[str],
    external_id: str,
    name: str,
    course_slug: str,
    rights: frozenset[str],
) -> tuple[str, Bearer]:
    """A token for one of the client's people, with no more rights than the client has.

    Raises NotFound for a course of somebody else, Forbidden for a right beyond the scopes.
    """
    unknown = rights - set(RIGHTS)
    if unknown or not rights:
        raise Invalid.field("rights", "invalid", f"Choose from {', '.join(RIGHTS)}.")
    if not rights <= scopes:
        raise Forbidden("right_beyond_scope")
    if "author" in rights and not AuthorGrant.objects.filter(client=client).exists():
        raise Forbidden("author_not_granted")
    course = Course.objects.filter(client=client, slug=course_slug).first()
    if course is None:
        raise NotFound("course_not_found")
    person = register_person(client, external_id=external_id, name=name)
    bearer = Bearer(person.id, course.id, rights, is_guest=False)
    return mint_token(bearer), bearer


def create_guest() -> tuple[str, Bearer, str]:
    """A guest of the demo course: token, bearer and the secret that renews the token."""
    course = get_demo_course()
    secret = secrets.token_urlsafe(32)
    with transaction.atomic():
        person = Person.objects.create(
            client_id=course.client_id, external_id=f"guest:{secrets.token_hex(12)}"
        )
        GuestSecret.objects.create(
            person=person, digest=_digest_secret(secret), renewed_at=timezone.now()
        )
    bearer = Bearer(person.id, course.id, frozenset({"learn"}), is_guest=True)
    return mint_token(bearer), bearer, secret


def renew_guest(secret: str) -> tuple[str, Bearer]:
    """A fresh token for the guest who kept this secret. Raises NotFound."""
    kept = GuestSecret.objects.filter(digest=_digest_secret(secret)).first()
    if kept is None:
        raise NotFound("guest_not_found")
    GuestSecret.objects.filter(pk=kept.pk).update(renewed_at=timezone.now())
    course = get_demo_course()
    bearer = Bearer(kept.person_id, course.id, frozenset({"learn"}), is_guest=True)
    return mint_token(bearer), bearer


def get_demo_course() -> Course:
    """The course open to guests. Raises NotFound when this server has none."""
    course = Course.objects.filter(is_demo=True).order_by("created_at").first()
    if course is None:
        raise NotFound("no_demo_course")
    return course


def _digest_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
