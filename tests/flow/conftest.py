"""Ada, Ben and Cleo, and the real bank."""

from tests.people import (
    ada,
    bank,
    ben,
    cleo,
    course,
    django_db_setup,
    lms,
    make_activity,
    stranger,
)

__all__ = [
    "ada",
    "bank",
    "ben",
    "cleo",
    "course",
    "django_db_setup",
    "lms",
    "make_activity",
    "stranger",
]
