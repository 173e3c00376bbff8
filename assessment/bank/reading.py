"""Takes values out of a document and collects what is wrong with them, by field."""

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from assessment.bank.documents import Problem
from assessment.bank.specs import TextSpec, Wording
from assessment.language.negotiation import parse_tag
from assessment.language.texts import SOURCE_LANGUAGE, STATUSES

T = TypeVar("T")

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_TEXT = 4000
# Characters of one text; the longest explanation of the bank has a fifth of it.

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


class Fields:
    """One mapping of a document, read field by field. `close` reports what nobody read."""

    def __init__(self, value: object, *, file: str, path: str, problems: list[Problem]) -> None:
        self.file, self.path, self.problems = file, path, problems
        self._left: dict[str, object] = {}
        if isinstance(value, Mapping):
            self._left = {str(key): one for key, one in value.items()}
        else:
            self.report("", "must be a mapping")

    def report(self, name: str, message: str) -> None:
        where = ".".join(one for one in (self.path, name) if one)
        self.problems.append(Problem(self.file, where, message))

    def has(self, name: str) -> bool:
        return self._left.get(name) is not None

    def take(self, name: str, default: object = None) -> object:
        value = self._left.pop(name, None)
        return default if value is None else value

    def open(self, name: str) -> "Fields":
        """The mapping below `name`."""
        where = ".".join(one for one in (self.path, name) if one)
        return Fields(self.take(name, {}), file=self.file, path=where, problems=self.problems)

    def close(self) -> None:
        for name in self._left:
            self.report(name, "is not a field of this document")

    def take_string(self, name: str, *, default: str | None = None) -> str:
        value = self.take(name, default)
        if isinstance(value, str) and value.strip() and not _CONTROLS.search(value):
            return value.strip()
        if value != "" or default is None:
            self.report(name, "must be a text" if value is not None else "is missing")
        return ""

    def take_slug(self, name: str) -> str:
        value = self.take_string(name)
        if value and (SLUG.fullmatch(value) is None or len(value) > 80):
            self.report(name, f"{value!r} is no slug (small letters, digits, single hyphens)")
        return value

    def take_choice(self, name: str, choices: Sequence[T], *, default: T | None = None) -> T:
        value = self.take(name, default)
        for one in choices:
            if one == value and type(one) is type(value):
                return one
        shown = ", ".join(map(str, choices))
        said = "is missing" if value is None else f"{value!r} is unknown"
        self.report(name, f"{said}; one of: {shown}")
        return choices[0]

    def take_bool(self, name: str, *, default: bool) -> bool:
        value = self.take(name, default)
        if not isinstance(value, bool):
            self.report(name, "must be true or false")
            return default
        return value

    def take_number(self, name: str, *, default: float | None = None) -> float:
        value = self.take(name, default)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
        self.report(name, "is missing" if value is None else "must be a finite number")
        return 0.0

    def take_strings(self, name: str) -> tuple[str, ...]:
        value = self.take(name, [])
        if isinstance(value, list) and all(isinstance(one, str) and one for one in value):
            if len(set(value)) != len(value):
                self.report(name, "has an entry twice")
            return tuple(value)
        self.report(name, "must be a list of texts")
        return ()

    def take_list(self, name: str, read: Callable[["Fields"], T]) -> tuple[T, ...]:
        """Each entry of a list of mappings, read by `read` and closed."""
        value = self.take(name, [])
        if not isinstance(value, list):
            self.report(name, "must be a list")
            return ()
        found = []
        for place, one in enumerate(value):
            where = ".".join(part for part in (self.path, f"{name}[{place}]") if part)
            entry = Fields(one, file=self.file, path=where, problems=self.problems)
            found.append(read(entry))
            entry.close()
        return tuple(found)

    def take_text(self, name: str, *, may_have_seed: bool = True) -> TextSpec:
        """A text in its languages. English must be there, as `en` or as an English seed."""
        if not self.has(name):
            self._left.pop(name, None)
            self.report(name, "is missing")
            return TextSpec({SOURCE_LANGUAGE: Wording("?", "source")})
        return _read_text(self.open(name), may_have_seed=may_have_seed)

    def find_text(self, name: str) -> TextSpec | None:
        """The text, or None where the document has none."""
        return self.take_text(name, may_have_seed=False) if self.has(name) else None

    def take_names(self) -> list[str]:
        """The names that are left, for mappings whose keys are data."""
        return list(self._left)


def _read_text(fields: Fields, *, may_have_seed: bool) -> TextSpec:
    seed = _read_seed(fields, is_allowed=may_have_seed)
    best: dict[str, Wording] = {}
    for name in fields.take_names():
        if parse_tag(name) != name:
            fields.report(name, f"{name!r} is no language tag")
            fields.take(name)
            continue
        wording = _read_wording(fields, name)
        if wording is not None:
            best[name] = wording
    if seed is not None and seed[0] not in best:
        best[seed[0]] = Wording(seed[1], "seed")
    if SOURCE_LANGUAGE not in best:
        fields.report(SOURCE_LANGUAGE, "the English source is missing")
        best[SOURCE_LANGUAGE] = Wording("?", "source")
    return TextSpec(best, seed)


def _read_seed(fields: Fields, *, is_allowed: bool) -> tuple[str, str] | None:
    if not fields.has("seed"):
        fields.take("seed")
        return None
    if not is_allowed:
        fields.report("seed", "the seed pages have no such text")
    inner = fields.open("seed")
    lang, text = inner.take_string("lang"), _check_text(inner, "text", inner.take("text"))
    inner.close()
    if parse_tag(lang) != lang or not lang:
        inner.report("lang", f"{lang!r} is no language tag")
        return None
    return (lang, text) if text else None


def _read_wording(fields: Fields, name: str) -> Wording | None:
    value = fields.take(name)
    default = "source" if name == SOURCE_LANGUAGE else "machine"
    if isinstance(value, str):
        text = _check_text(fields, name, value)
        return Wording(text, default) if text else None
    inner = Fields(value, file=fields.file, path=f"{fields.path}.{name}", problems=fields.problems)
    text = _check_text(inner, "text", inner.take("text"))
    choices = [one for one in STATUSES if one not in ("stale", "seed")]
    status = inner.take_choice("status", choices, default=default)
    if (status == "source") != (name == SOURCE_LANGUAGE):
        inner.report("status", "only the English text is a source, and it is nothing else")
    checked = inner.take_string("checked", default="")
    inner.close()
    return Wording(text, status, checked) if text else None


def _check_text(fields: Fields, name: str, value: object) -> str:
    """The text without surrounding white space; "" and a problem when it is none."""
    text = value.strip() if isinstance(value, str) else ""
    if not text:
        fields.report(name, "is blank" if isinstance(value, str) else "must be a text")
    elif len(text) > MAX_TEXT:
        fields.report(name, f"is over {MAX_TEXT} characters")
    elif _CONTROLS.search(text):
        fields.report(name, "has a control character")
    elif unicodedata.normalize("NFC", text) != text:
        fields.report(name, "is not in Unicode normal form C")
    return text
