"""The secrets of items, and how to find them in the raw bytes of a reply."""

import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assessment.bank.snapshot import Evidence, Item, Snapshot, TextSet
from tests.flow.reach import Reply

# fmt: off
TELLING_NAMES = frozenset({
    "correct", "is_correct", "correct_options", "is_key", "key",
    "keys", "explanation", "key_explanation", "misconception", "misconceptions",
    "demonstration", "experiment", "claims", "verdict", "narrative",
    "refutes_choice", "chosen_options", "theta", "standard_error", "a",
    "b", "c", "d", "difficulty", "discrimination",
    "level", "concept", "enemies", "handle", "parameters",
    "evidence", "score",
})
# fmt: on
# Members that tell something of an item, unless they are null or empty.

DESCRIPTIONS = ("/api/v1/schema", "/api/v1/docs")
# They name the members of replies; their own bytes are searched for values all the same.


@dataclass(frozen=True)
class Secret:
    """kind: what it would tell; item: whose it is; needles: the bytes that would tell it."""

    kind: str
    item: str
    lang: str
    needles: tuple[bytes, ...]


@dataclass(frozen=True)
class Leak:
    kind: str
    item: str
    lang: str
    where: str


def list_secrets(item: Item, snapshot: Snapshot) -> Iterator[Secret]:
    """Everything that the bank says of an item and no learner may read before answering."""
    texts: list[tuple[str, TextSet]] = []
    evidence: list[Evidence | None] = [item.key_evidence]
    for option in item.options:
        texts.append(("explanation", option.explanation))
        evidence.append(option.evidence)
        if option.misconception is not None:
            texts.append(("misconception", snapshot.misconceptions[option.misconception].text))
            yield _make_secret("misconception slug", item, "", option.misconception)
    for one in filter(None, evidence):
        yield from _list_evidence_secrets(item, one, snapshot)
        texts += [("prediction", link.predicts_text) for link in one.claims]
    for kind, text in texts:
        wordings = [*text.best.values(), *([text.seed] if text.seed else [])]
        for wording in wordings:
            yield _make_secret(kind, item, wording.lang, wording.text)


def _list_evidence_secrets(item: Item, evidence: Evidence, snapshot: Snapshot) -> Iterator[Secret]:
    if evidence.experiment is None:
        return
    name = evidence.experiment
    # The bare word may stand in a stem ("overhead"); as a value or in a path it tells.
    needles = (f'"{name}"'.encode(), f"/{name}".encode(), f"={name}".encode())
    yield Secret("experiment", item.slug, "", needles)
    for link in evidence.claims:
        yield _make_secret("claim", item, "", link.claim)
        text = snapshot.claim_texts.get((name, link.claim))
        for wording in text.best.values() if text else ():
            yield _make_secret("claim text", item, wording.lang, wording.text)


def _make_secret(kind: str, item: Item, lang: str, text: str) -> Secret:
    """As UTF-8, as escaped JSON and as escaped HTML."""
    forms = (
        text,
        json.dumps(text, ensure_ascii=False)[1:-1],
        json.dumps(text)[1:-1],
        html.escape(text),
    )
    return Secret(kind, item.slug, lang, tuple(dict.fromkeys(one.encode() for one in forms)))


def find_leaks(replies: Iterable[Reply], items: Iterable[Item], snapshot: Snapshot) -> list[Leak]:
    """Every secret of these items that stands in a reply."""
    items, distinct = list(items), {reply.raw: reply for reply in replies}
    everything = b"\x00".join(distinct)
    found: list[Leak] = []
    for secret in dict.fromkeys(one for item in items for one in list_secrets(item, snapshot)):
        needles = [one for one in secret.needles if one in everything]
        for raw, reply in distinct.items():
            if any(needle in raw for needle in needles):
                found.append(Leak(secret.kind, secret.item, secret.lang, reply.where))
    for reply in distinct.values():
        found += _search_structure(reply, items)
    return found


def _search_structure(reply: Reply, items: list[Item]) -> Iterator[Leak]:
    body = _parse(reply)
    if body is None or any(path in reply.where for path in DESCRIPTIONS):
        return
    for name in _find_telling_names(body):
        yield Leak(f"member {name}", "", "", reply.where)
    for item in items:
        if _tells_key(body, item):
            yield Leak("key", item.slug, "", reply.where)


def _parse(reply: Reply) -> Any:
    try:
        return json.loads(reply.body)
    except ValueError:
        return None


def _find_telling_names(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            here = f"{path}.{name}" if path else name
            is_told = inner not in (None, [], {}, "")
            # The points earned on items whose feedback is out: nothing before the first.
            is_zero = here == "result.score" and inner == 0
            if name in TELLING_NAMES and is_told and not is_zero:
                yield name
            yield from _find_telling_names(inner, here)
    elif isinstance(value, list):
        for inner in value:
            yield from _find_telling_names(inner, path)


def _tells_key(body: Any, item: Item) -> bool:
    """Whether the places where the key's id stands differ from those of another option."""
    places: dict[str, Counter[str]] = {option.id: Counter() for option in item.options}
    for value, path in _walk_texts(body, ""):
        if value in places:
            places[value][path] += 1
    profiles = list(places.values())
    return any(one != profiles[0] for one in profiles)


def _walk_texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _walk_texts(name, f"{path}.(name)")
            yield from _walk_texts(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from _walk_texts(inner, f"{path}[]")
    elif isinstance(value, str):
        yield value, path


def normalize(reply: Reply) -> tuple[int, str]:
    """A reply without what differs between any two people: ids, times, signatures, ETags."""
    text = reply.raw.decode("utf-8", "replace")
    text = re.sub("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "TIME", text)
    text = re.sub(r"ETag: .*|\"(token|secret|next)\":\"[^\"]*\"|s=[\w~-]+", "", text)
    return reply.status, text
