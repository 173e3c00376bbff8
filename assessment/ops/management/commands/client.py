"""`manage.py client add|course|author|list`: API clients, their courses, who may write items."""

import json

from django.core.management.base import BaseCommand, CommandError, CommandParser

from assessment.accounts import selectors, services
from assessment.core.errors import DomainError


class Command(BaseCommand):
    help = "Register an API client, open a course for it, let it mint authors."

    def add_arguments(self, parser: CommandParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True)
        add = commands.add_parser("add", help="a new client; prints its id and secret once")
        add.add_argument("name")
        course = commands.add_parser("course", help="a new course of a client")
        course.add_argument("client_id")
        course.add_argument("slug", help="the client's own name of the course")
        course.add_argument("--title", required=True)
        course.add_argument("--time-zone", default="UTC", help="an IANA name")
        author = commands.add_parser("author", help="let a client mint tokens of authors")
        author.add_argument("client_id")
        author.add_argument("--revoke", action="store_true")
        commands.add_parser("list", help="clients with their courses")

    def handle(self, *args: object, **options: str) -> None:
        try:
            told = _COMMANDS[options["command"]](options)
        except DomainError as error:
            detail = "; ".join(one["message"] for one in error.errors) or error.detail
            raise CommandError(f"{error.code} {detail}".strip()) from error
        self.stdout.write(json.dumps(told, indent=2, ensure_ascii=False))


def _add(options: dict[str, str]) -> object:
    client, secret = services.create_client(name=_check_text("name", options["name"], 255))
    return {"client_id": client.client_id, "client_secret": secret, "name": client.name}


def _course(options: dict[str, str]) -> object:
    course = services.create_course(
        selectors.get_client(options["client_id"]),
        slug=_check_text("slug", options["slug"], 200),
        title=_check_text("title", options["title"], 300),
        time_zone=_check_text("time zone", options["time_zone"], 64),
    )
    return {"course": course.slug, "course_id": str(course.id), "time_zone": course.time_zone}


def _author(options: dict[str, str]) -> object:
    client, is_granted = selectors.get_client(options["client_id"]), not options["revoke"]
    services.set_author_grant(client, is_granted=is_granted)
    return {"client_id": client.client_id, "is_author": is_granted}


def _list(options: dict[str, str]) -> object:
    return selectors.list_clients()


def _check_text(name: str, text: str, limit: int) -> str:
    """A text that its column can hold."""
    if not text.strip() or len(text) > limit or not text.isprintable():
        raise CommandError(f"{name}: 1 to {limit} printable characters are due")
    return text


_COMMANDS = {"add": _add, "course": _course, "author": _author, "list": _list}
