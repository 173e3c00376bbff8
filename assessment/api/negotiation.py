"""Which language and which format a reply has."""

from collections.abc import Iterable
from functools import lru_cache

from django.http import HttpRequest
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from assessment.language.negotiation import parse_accept_language, parse_tag
from assessment.language.texts import choose_language

INTERFACE_LANGUAGES = ("en", "bg", "fr", "wo")


def choose_interface_language(request: HttpRequest) -> str:
    """The language of what the service itself says, such as the title of a problem."""
    asked = parse_tag(request.GET.get("lang", "")) or ""
    return _choose(asked, request.META.get("HTTP_ACCEPT_LANGUAGE", "")[:1000])


@lru_cache(maxsize=512)
def _choose(asked: str, header: str) -> str:
    preference = parse_accept_language(header)
    languages = (asked, *preference.languages) if asked else preference.languages
    return choose_language(INTERFACE_LANGUAGES, languages, refused=preference.refused)


def list_asked_languages(request: HttpRequest) -> tuple[str, ...]:
    """`?lang=` first, then Accept-Language; empty when the client states nothing."""
    asked = parse_tag(request.GET.get("lang", ""))
    wanted = parse_accept_language(request.META.get("HTTP_ACCEPT_LANGUAGE", "")).languages
    return (asked, *wanted) if asked else wanted


class JsonAlways(BaseContentNegotiation):
    """Every view answers JSON, unless it documents another `?format=`; Accept decides nothing."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        content_type = (request.content_type or "").split(";")[0].strip().lower()
        return next((one for one in parsers if one.media_type == content_type), None)

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, str(first.media_type)
