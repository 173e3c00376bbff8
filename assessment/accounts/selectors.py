"""Reads: courses and people."""

from uuid import UUID

from django.db.models import QuerySet
from oauth2_provider.models import Application

from assessment.accounts.models import Course, Person
from assessment.core.errors import NotFound


def get_course(course_id: UUID) -> Course:
    """Raises NotFound."""
    course = Course.objects.filter(pk=course_id).first()
    if course is None:
        raise NotFound("course_not_found")
    return course


def get_course_of_client(client: Application, *, slug: str) -> Course:
    """Raises NotFound, for a course of another client too."""
    course = Course.objects.filter(client=client, slug=slug).first()
    if course is None:
        raise NotFound("course_not_found")
    return course


def list_courses(client: Application) -> QuerySet[Course]:
    return Course.objects.filter(client=client)


def find_person(person_id: UUID) -> Person | None:
    return Person.objects.filter(pk=person_id).first()
