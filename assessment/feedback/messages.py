"""Project Fluent messages of the feedback, one catalogue a language.

A message either renders with every number it names, or does not render at all: a missing
variable is never shown as a placeholder.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

from babel.numbers import get_decimal_symbol, get_group_symbol
from fluent.runtime import FluentBundle, FluentResource
from fluent.runtime.types import FluentNone

from assessment.language import numbers
from assessment.language.texts import (
    FALLBACKS,
    SOURCE_LANGUAGE,
    LocalText,
    Text,
    choose_language,
    localize_text,
)

LANGUAGES = ("en", "bg", "fr", "wo")
# Every message exists in each of them; a test compares their ids and variables.

DIRECTORY = Path(__file__).parent / "messages"
# One folder a language, one file a subject.

Fact = None | bool | int | float | str
Facts = Mapping[str, Fact]


class Catalogue:
    """The messages of one language, and numbers as it writes them."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        functions = {
            **_make_functions(lang),
            "CELL": self._name_cell,
            "NOUN": self._count_noun,
            "WORD": self._name_word,
        }
        self._bundle = FluentBundle(
            [lang],
            functions=functions,  # type: ignore[arg-type]  # a str is rendered as is
            use_isolating=False,
        )
        for path in sorted((DIRECTORY / lang).glob("*.ftl")):
            self._bundle.add_resource(FluentResource(path.read_text(encoding="utf-8")))

    def has_message(self, name: str) -> bool:
        return bool(self._bundle.has_message(name))

    def find_text(self, name: str, facts: Facts) -> str | None:
        """The message with these facts; None when it, or a fact that it names, is missing."""
        if not self.has_message(name):
            return None
        pattern = self._bundle.get_message(name).value
        if pattern is None:
            return None
        known = {key: _plain_fact(value) for key, value in facts.items() if value is not None}
        text, errors = self._bundle.format_pattern(pattern, known)
        return None if errors else str(text)

    def text(self, name: str, /, **facts: Fact) -> str:
        """As `find_text`. Raises LookupError: for messages whose facts are always there."""
        found = self.find_text(name, facts)
        if found is None:
            raise LookupError(f"message {name!r} does not render in {self.lang} with {facts}")
        return found

    def name(self, kind: str, identifier: str) -> str:
        """The word for an identifier (`arm-plain`), or the identifier where there is none."""
        return self.find_text(f"{kind}-{_fold_identifier(identifier)}", {}) or identifier

    def name_unknown(self, reason: str | None) -> str:
        """The word for "unknown", with the reason where there are words for it."""
        return self.find_text(f"unknown-{reason}", {}) or self.text("unknown")

    def number(self, value: float) -> str:
        return numbers.format_number(value, self.lang)

    def ratio(self, value: float) -> str:
        return numbers.format_ratio(value, self.lang)

    def bytes(self, value: float) -> str:
        return numbers.format_bytes(value, self.lang)

    def exact_bytes(self, value: float | None) -> str:
        """To the byte ("9 707 528 B"); the word for "unknown" where it is not known."""
        if value is None:
            return self.text("unknown")
        return _format_exact_bytes(value, self.lang)

    def quantity(self, value: float | None, unit: str, *, exact: bool = False) -> str:
        """A number of the contract with its unit; the word for "unknown" where it is None."""
        if value is None:
            return self.text("unknown")
        if exact and unit == "byte":
            return self.exact_bytes(value)
        return numbers.format_quantity(value, unit, self.lang)

    def _name_cell(self, cell: object) -> str:
        """ "conv segments", a network and a placement of checkpoints, in words."""
        if not isinstance(cell, str):
            raise TypeError("a cell is missing")
        model, _, placement = cell.partition(" ")
        return f"{self.name('model', model)}, {self.name('placement', placement)}"

    def _count_noun(self, number: object, noun: object) -> str:
        """ "1 step", "20 steps": a number with its noun, in the form that the number asks for."""
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise TypeError("a number is missing")
        return self.text(f"noun-{noun}", number=int(number))

    def _name_word(self, identifier: object, kind: object) -> str:
        """The word for an identifier that is a fact of a report: an arm, an optimizer."""
        if not isinstance(identifier, str):
            raise TypeError("an identifier is missing")
        return self.name(str(kind), identifier)

    @property
    def number_signs(self) -> tuple[str, str]:
        """Decimal sign and group sign."""
        locale = numbers.get_locale(self.lang)
        return str(get_decimal_symbol(locale)), str(get_group_symbol(locale))


@lru_cache(maxsize=len(LANGUAGES))
def get_catalogue(lang: str) -> Catalogue:
    """One of `LANGUAGES`, parsed once a process."""
    return Catalogue(lang)


def choose_catalogue(languages: Sequence[str]) -> Catalogue:
    """The catalogue that serves an ordered list of language ranges best."""
    return get_catalogue(choose_language(LANGUAGES, languages))


def find_local_text(name: str, facts: Facts, languages: Sequence[str]) -> LocalText | None:
    """The message in the best language that has it; None when none can render it."""
    for lang in _list_candidates(languages):
        found = get_catalogue(lang).find_text(name, facts)
        if found is not None:
            return localize_message(found, lang, languages)
    return None


def get_local_text(name: str, facts: Facts, languages: Sequence[str]) -> LocalText:
    """As `find_local_text`. Raises LookupError."""
    found = find_local_text(name, facts, languages)
    if found is None:
        raise LookupError(f"message {name!r} does not render with {dict(facts)}")
    return found


def localize_message(text: str, lang: str, languages: Sequence[str]) -> LocalText:
    """English is the source of every message; the others wait for a reviewer."""
    status = "source" if lang == SOURCE_LANGUAGE else "machine"
    return localize_text(Text(text, lang, status), languages)


def _list_candidates(languages: Sequence[str]) -> Iterable[str]:
    first = choose_language(LANGUAGES, languages)
    return dict.fromkeys((first, *FALLBACKS.get(first, ()), SOURCE_LANGUAGE))


def _plain_fact(value: Fact) -> int | float | str | None:
    """Fluent selects by strings and numbers; a truth value becomes "yes" or "no"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value


def _fold_identifier(identifier: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "-", identifier)


def _make_functions(lang: str) -> dict[str, Callable[..., str]]:
    """The functions that a message may call; each writes one kind of number."""
    formats: dict[str, Callable[..., str]] = {
        "BYTES": numbers.format_bytes,
        "COUNT": numbers.format_count,
        "FLOPS": numbers.format_flops,
        "NUM": numbers.format_number,
        "PERCENT": numbers.format_percent,
        "RATIO": numbers.format_ratio,
        "SECONDS": numbers.format_seconds,
        "EXACT": _format_exact_bytes,
        "TIMES": numbers.format_times,
    }
    return {name: partial(_call_format, write, lang) for name, write in formats.items()}


def _call_format(write: Callable[..., str], lang: str, value: object, **options: object) -> str:
    """A fact that is missing or no number is an error of the message, never a text in it."""
    if isinstance(value, FluentNone) or not isinstance(value, int | float):
        raise TypeError("a number is missing")
    plain = {name: _as_integer(option) for name, option in options.items()}
    number = int(value) if isinstance(value, int) else float(value)
    return write(number, lang, **plain)


def _as_integer(option: object) -> int:
    assert isinstance(option, int | float)
    return int(option)


def _format_exact_bytes(value: float, lang: str) -> str:
    return f"{numbers.format_number(value, lang)} B"
