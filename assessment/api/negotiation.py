"""Which language and which format a reply has."""

from collections.abc import Iterable
from functools import lru_cache

from babel import Locale
from django.http import HttpRequest
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from assessment.language.negotiation import MAX_HEADER, parse_accept_language, parse_tag
from assessment.language.texts import SOURCE_LANGUAGE, choose_language

INTERFACE_LANGUAGES = ("en", "bg", "fr", "wo")

_LANGUAGES = frozenset(Locale("en").languages)
# The languages that CLDR can name: 600 of those that people write in.


def choose_interface_language(request: HttpRequest) -> str:
    """The language of what the service itself says, such as the title of a problem."""
    asked = parse_tag(request.GET.get("lang", "")) or ""
    return _choose(asked, _read_header(request))


@lru_cache(maxsize=512)
def _choose(asked: str, header: str) -> str:
    preference = parse_accept_language(header)
    languages = (asked, *preference.languages) if asked else preference.languages
    return choose_language(INTERFACE_LANGUAGES, languages, refused=preference.refused)


def list_asked_languages(request: HttpRequest) -> tuple[str, ...]:
    """`?lang=` first, then Accept-Language; empty when the client states nothing.

    Behind those of a header that refuses a language stands English, which every text has, so
    that no fallback leads to what it refuses; or our others, where it refuses English.
    """
    header = parse_accept_language(_read_header(request))
    allowed = [one for one in INTERFACE_LANGUAGES if one not in header.refused]
    spare = allowed[:1] if SOURCE_LANGUAGE in allowed else allowed
    wanted = (parse_tag(request.GET.get("lang", "")), *header.languages)
    known = [one for one in wanted if one is not None and is_known_language(one)]
    return tuple(dict.fromkeys([*known, *(spare if header.refused else ())]))


def is_known_language(tag: str) -> bool:
    """Whether a well-formed tag names a language that there is; `*` names none."""
    return tag.split("-")[0] in _LANGUAGES


def _read_header(request: HttpRequest) -> str:
    """As much of it as is read: one character more shows that it was cut in the middle of a tag."""
    header: str = request.META.get("HTTP_ACCEPT_LANGUAGE", "")
    return header[: MAX_HEADER + 1]


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
