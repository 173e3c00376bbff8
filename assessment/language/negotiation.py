"""BCP 47 tags, the Accept-Language header and RFC 4647 lookup, for untrusted input."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from babel.core import get_global

MAX_HEADER = 1000
# Characters of Accept-Language that are read; browsers send fewer than 200.

MAX_RANGES = 20
# Ranges that are read from one header or one list.

MAX_TAG = 35
# Longest tag read: RFC 5646, section 4.4.1, asks for at least 35 characters.

_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_QUALITY = re.compile(r"(0(\.[0-9]{0,3})?|1(\.0{0,3})?)")


@dataclass(frozen=True)
class Preference:
    """What a header asks for, best first, and the ranges it refuses with q=0."""

    languages: tuple[str, ...]
    refused: frozenset[str]


def parse_tag(raw: str) -> str | None:
    """A well-formed tag in canonical case (`bg-Cyrl-BG`); None for anything else."""
    if len(raw) > MAX_TAG or _TAG.fullmatch(raw) is None:
        return None
    first, *rest = raw.split("-")
    subtags = [first.lower()]
    for subtag in rest:
        is_after_singleton = any(len(one) == 1 for one in subtags)
        subtags.append(subtag.lower() if is_after_singleton else _fold_subtag(subtag))
    return None if len(subtags[-1]) == 1 else "-".join(subtags)


def parse_accept_language(header: str) -> Preference:
    """Ranges by falling quality (RFC 9110, 12.5.4). What is malformed is left out."""
    weighed: list[tuple[float, str]] = []
    for part in _cut_header(header).split(",")[:MAX_RANGES]:
        parsed = _parse_range(part)
        if parsed is not None:
            weighed.append(parsed)
    ordered = sorted(weighed, key=lambda pair: -pair[0])
    wanted = dict.fromkeys(tag for quality, tag in ordered if quality > 0)
    refused = frozenset(tag for quality, tag in weighed if quality == 0 and tag != "*")
    return Preference(tuple(tag for tag in wanted if tag not in refused), refused)


def lookup_range(wanted: str, available: Mapping[str, str]) -> str | None:
    """RFC 4647, section 3.4: shorten the range until a tag fits, never in another script.

    available : lower-case tag -> tag as it is stored
    """
    tag = parse_tag(wanted)
    if tag is None:
        return None
    script = get_script(tag)
    subtags = tag.lower().split("-")
    while subtags:
        found = available.get("-".join(subtags))
        if found is not None and get_script(found) == script:
            return found
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:
            subtags.pop()
    return None


@lru_cache(maxsize=1024)
def get_script(tag: str) -> str | None:
    """The script of a tag, written in it or likely for it (CLDR); None when unknown."""
    parsed = parse_tag(tag)
    if parsed is None:
        return None
    language, *rest = parsed.split("-")
    script = next((one for one in rest if len(one) == 4 and one.isalpha()), None)
    region = next((one for one in rest if len(one) == 2), None)
    if script is not None:
        return script
    likely = get_global("likely_subtags")
    full = likely.get(f"{language}_{region}") or likely.get(language)
    return str(full).split("_")[1] if full else None


def _fold_subtag(subtag: str) -> str:
    if len(subtag) == 4 and subtag.isalpha():
        return subtag.title()
    return subtag.upper() if len(subtag) == 2 else subtag.lower()


def _cut_header(header: str) -> str:
    """At most MAX_HEADER characters, cut at a comma so that no tag is read in half."""
    if len(header) <= MAX_HEADER:
        return header
    return header[:MAX_HEADER].rpartition(",")[0]


def _parse_range(part: str) -> tuple[float, str] | None:
    name, *parameters = [one.strip() for one in part.split(";")]
    tag = "*" if name == "*" else parse_tag(name)
    if tag is None or len(parameters) > 1:
        return None
    if not parameters:
        return 1.0, tag
    key, _, value = parameters[0].partition("=")
    if key.strip().lower() != "q" or _QUALITY.fullmatch(value.strip()) is None:
        return None
    return float(value), tag
