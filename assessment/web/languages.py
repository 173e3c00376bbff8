"""In which language a page speaks, and its texts from gettext catalogues.

Wolof is none of Django's own languages: its catalogue is read like the others, falls back to
French and then English, and is never replaced silently (see LANGUAGES in the settings).
"""

import gettext
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest

from assessment.language.negotiation import parse_accept_language, parse_tag
from assessment.language.texts import FALLBACKS, SOURCE_LANGUAGE, choose_language

COOKIE = "remat_lang"
COOKIE_AGE_S = 365 * 24 * 3600
CATALOGUES = Path(__file__).resolve().parent.parent / "locale"


def list_languages() -> list[tuple[str, str]]:
    """Tag and own name of each language of the interface."""
    return [(str(tag), str(name)) for tag, name in settings.LANGUAGES]


def find_asked_language(request: HttpRequest) -> str | None:
    """The language of `?lang=`, where it is one of ours."""
    tag = parse_tag(request.GET.get("lang", ""))
    return tag if tag in dict(list_languages()) else None


def choose_page_language(request: HttpRequest) -> str:
    """`?lang=`, then the reader's earlier choice, then Accept-Language."""
    kept = parse_tag(request.COOKIES.get(COOKIE, ""))
    header = request.META.get("HTTP_ACCEPT_LANGUAGE", "")
    preference = parse_accept_language(header)
    asked = [tag for tag in (find_asked_language(request), kept) if tag]
    tags = [tag for tag, _ in list_languages()]
    return choose_language(tags, [*asked, *preference.languages], refused=preference.refused)


@lru_cache(maxsize=8)
def get_catalogue(language: str) -> gettext.NullTranslations:
    """The catalogue of a language, with those that it falls back to behind it."""
    chain = [language, *FALLBACKS.get(language, ()), SOURCE_LANGUAGE]
    return gettext.translation("django", CATALOGUES, languages=chain, fallback=True)
