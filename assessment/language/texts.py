"""A text with its language, and the choice among its languages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assessment.language.negotiation import get_script, lookup_range, parse_tag

FALLBACKS: Mapping[str, tuple[str, ...]] = {"wo": ("fr", "en"), "fr": ("en",), "bg": ("en",)}
# Where a text is missing: readers of Wolof read French at school; English is every source.

SOURCE_LANGUAGE = "en"
# The language that every text of the bank has.

STATUSES = ("source", "seed", "machine", "human", "reviewed", "stale")
# How far a text may be trusted; "stale" when its source changed after it was translated.

RIGHT_TO_LEFT_SCRIPTS = frozenset({"Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm"})
# Scripts that are written from right to left (Unicode Standard Annex 9).


@dataclass(frozen=True, slots=True)
class Text:
    """One wording in one language."""

    text: str
    lang: str
    status: str


@dataclass(frozen=True, slots=True)
class LocalText:
    """What a reader gets. `fallback` is true when it is not in the language asked first."""

    text: str
    lang: str
    dir: str
    fallback: bool
    status: str

    def as_json(self) -> dict[str, str | bool]:
        return {
            "text": self.text,
            "lang": self.lang,
            "dir": self.dir,
            "fallback": self.fallback,
            "status": self.status,
        }


def choose_text(
    texts: Mapping[str, Text], languages: Sequence[str], *, refused: Iterable[str] = ()
) -> LocalText:
    """The best text for an ordered list of ranges. Raises ValueError when there is no text.

    1. RFC 4647 lookup of each range; 2. the fallbacks of each range; 3. English;
    4. whatever there is, so that a refused language is served only when it is the last one.
    """
    if not texts:
        raise ValueError("a text needs at least one language")
    lang = choose_language(texts, languages, refused=refused)
    return localize_text(texts[lang], languages)


def choose_language(
    available: Iterable[str], languages: Sequence[str], *, refused: Iterable[str] = ()
) -> str:
    """The tag among `available` that serves best; see `choose_text` for the order."""
    tags = {tag.lower(): tag for tag in available}
    banned = {tag.lower() for tag in refused}
    allowed = {low: tag for low, tag in tags.items() if low not in banned} or tags
    for wanted in (*languages, *_list_fallbacks(languages), SOURCE_LANGUAGE):
        found = lookup_range(wanted, allowed)
        if found is not None:
            return found
    return allowed[min(allowed)]


def localize_text(text: Text, languages: Sequence[str]) -> LocalText:
    """This very text, marked as a fallback where the first range asked for another language."""
    asked = next((tag for tag in languages if tag != "*"), None)
    is_match = asked is None or lookup_range(asked, {text.lang.lower(): text.lang}) is not None
    return LocalText(text.text, text.lang, get_direction(text.lang), not is_match, text.status)


def get_direction(lang: str) -> str:
    """ "rtl" or "ltr", by the script of the tag."""
    return "rtl" if get_script(lang) in RIGHT_TO_LEFT_SCRIPTS else "ltr"


def _list_fallbacks(languages: Sequence[str]) -> list[str]:
    found: list[str] = []
    for tag in languages:
        parsed = parse_tag(tag)
        if parsed is not None:
            found.extend(FALLBACKS.get(parsed.split("-")[0], ()))
    return found
