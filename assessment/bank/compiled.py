"""The compiled form of a bank version: a JSON header, then one JSON line an item.

Written by `compile_bank` when a version is made, read by `assessment.bank.decoding`. Short
names, because a bank of 100,000 items repeats them a million times.
"""

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assessment.bank.specs import (
    BankSpec,
    ClaimSpec,
    EvidenceSpec,
    ItemSpec,
    NumericSpec,
    OptionSpec,
    TextSpec,
)

FORMAT = 1
# Raised whenever the compiled form changes; it is part of a version's digest.

Json = dict[str, object]
StatusKey = tuple[str, str, str]
Statuses = Mapping[StatusKey, str]
# (owner, place, language) -> status, for the texts whose status is not the declared one.


@dataclass(frozen=True)
class Parameters:
    """The calibration that a version holds of one item."""

    a: float
    b: float
    c: float
    d: float
    provisional: bool


@dataclass(frozen=True)
class Placed:
    """An item with what the database gave it: ids by handle, and its parameters."""

    spec: ItemSpec
    version_id: str
    option_ids: Mapping[str, str]
    parameters: Parameters


def compile_bank(bank: BankSpec, placed: Iterable[Placed], *, statuses: Statuses) -> bytes:
    """The zlib-compressed bytes of BankVersion.compiled."""
    rows = list(placed)
    enemies = mirror_enemies(bank.items)
    lines = [encode_item(row, enemies=enemies[row.spec.slug], statuses=statuses) for row in rows]
    header = encode_header(rows)
    ids = {row.spec.slug: row.version_id for row in rows}
    header |= _encode_shared(bank, ids=ids, statuses=statuses)
    return pack_lines(header, lines)


def pack_lines(header: Json, lines: Iterable[Json]) -> bytes:
    return zlib.compress(b"\n".join(dump_json(one) for one in (header, *lines)), 6)


def dump_json(value: object) -> bytes:
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    ).encode()


def encode_header(rows: Iterable[Placed]) -> Json:
    """Columns over the items, in the order of their lines."""
    rows = list(rows)
    return {
        "format": FORMAT,
        "ids": [row.version_id for row in rows],
        "slugs": [row.spec.slug for row in rows],
        "concepts": [row.spec.concept for row in rows],
        "families": [row.spec.family for row in rows],
        "level": [row.spec.level for row in rows],
        "a": [row.parameters.a for row in rows],
        "b": [row.parameters.b for row in rows],
        "c": [row.parameters.c for row in rows],
        "d": [row.parameters.d for row in rows],
        "provisional": [row.parameters.provisional for row in rows],
    }


def encode_item(row: Placed, *, enemies: Iterable[str], statuses: Statuses) -> Json:
    spec, owner = row.spec, f"item:{row.spec.slug}"
    texts = _Texts(owner, statuses)
    line: Json = {
        "id": row.version_id,
        "slug": spec.slug,
        "kind": spec.kind,
        "concept": spec.concept,
        "level": spec.level,
        "enemies": sorted(enemies),
        "shuffle": spec.shuffle,
        "stem": texts.encode("stem", spec.stem),
        "options": [_encode_option(one, row.option_ids[one.handle], texts) for one in spec.options],
        "numeric": _encode_numeric(spec.numeric, texts) if spec.numeric else None,
        "evidence": _encode_evidence("predicts:key", spec.key_evidence, texts),
        "parameters": [getattr(row.parameters, name) for name in "abcd"],
        "provisional": row.parameters.provisional,
        "key": texts.encode("key", spec.key_explanation),
        "wrong": texts.encode("wrong", spec.wrong_explanation),
        "partial": spec.partial,
        "references": list(spec.references),
        "family": spec.family,
        "instance": dict(spec.instance),
    }
    return {name: value for name, value in line.items() if value not in (None, [], {})}


def mirror_enemies(items: Mapping[str, ItemSpec]) -> dict[str, set[str]]:
    """Enemies of each item: those it names, those that name it, and its family."""
    found = {slug: set(item.enemies) for slug, item in items.items()}
    families: dict[str, set[str]] = {}
    for slug, item in items.items():
        if item.family is not None:
            families.setdefault(item.family, set()).add(slug)
        for enemy in item.enemies:
            found[enemy].add(slug)
    for members in families.values():
        for slug in members:
            found[slug] |= members - {slug}
    return found


class _Texts:
    """Encodes the texts of one owner, with the statuses that the database decided."""

    def __init__(self, owner: str, statuses: Statuses) -> None:
        self._owner, self._statuses = owner, statuses

    def encode(self, place: str, text: TextSpec | None) -> Json | None:
        if text is None or not text.best:
            return None
        best = {
            lang: [one.text, self._statuses.get((self._owner, place, lang), one.status)]
            for lang, one in text.best.items()
        }
        return {"best": best} if text.seed is None else {"best": best, "seed": list(text.seed)}


def _encode_option(option: OptionSpec, option_id: str, texts: _Texts) -> Json:
    return {
        "id": option_id,
        "handle": option.handle,
        "is_key": option.is_key,
        "pinned": option.pinned,
        "misconception": option.misconception,
        "text": texts.encode(f"option:{option.handle}", option.text),
        "explanation": texts.encode(f"explanation:{option.handle}", option.explanation),
        "evidence": _encode_evidence(f"predicts:{option.handle}", option.evidence, texts),
    }


def _encode_numeric(numeric: NumericSpec, texts: _Texts) -> Json:
    return {
        "value": numeric.value,
        "unit": numeric.unit,
        "tolerance": numeric.tolerance,
        "relative": numeric.relative,
        "units": dict(numeric.units),
        "key": texts.encode("numeric:key", numeric.key_explanation),
        "other": texts.encode("numeric:other", numeric.other_explanation),
        "near": [
            {
                "value": near.value,
                "misconception": near.misconception,
                "explanation": texts.encode(f"near:{near.misconception}", near.explanation),
                "evidence": _encode_evidence(
                    f"near-predicts:{near.misconception}", near.evidence, texts
                ),
            }
            for near in numeric.near
        ],
    }


def _encode_evidence(place: str, evidence: EvidenceSpec | None, texts: _Texts) -> Json | None:
    if evidence is None:
        return None
    return {
        "grade": evidence.grade,
        "experiment": evidence.experiment,
        "parameters": dict(evidence.parameters),
        "claims": [_encode_claim(place, claim, texts) for claim in evidence.claims],
        "reason": evidence.reason,
        "needs": evidence.needs,
    }


def _encode_claim(place: str, claim: ClaimSpec, texts: _Texts) -> Json:
    text = texts.encode(f"{place}:{claim.claim}", claim.text)
    return {"id": claim.claim, "value": claim.value, "text": text}


def _encode_shared(bank: BankSpec, *, ids: Mapping[str, str], statuses: Statuses) -> Json:
    """Quizzes, misconceptions and claims."""
    quizzes, beliefs, claims = [], [], []
    for quiz in bank.quizzes.values():
        texts = _Texts(f"quiz:{quiz.slug}", statuses)
        quizzes.append(
            {
                "slug": quiz.slug,
                "language": quiz.language,
                "public": quiz.public_practice,
                "title": texts.encode("title", quiz.title),
                "introduction": texts.encode("introduction", quiz.introduction),
                "items": [ids[slug] for slug in quiz.items],
            }
        )
    for belief in bank.misconceptions.values():
        texts = _Texts(f"misconception:{belief.slug}", statuses)
        text = texts.encode("text", belief.text)
        beliefs.append({"slug": belief.slug, "plausible": belief.plausible, "text": text})
    for (experiment, claim), wording in bank.claims.items():
        texts = _Texts(f"claim:{experiment}", statuses)
        claims.append([experiment, claim, texts.encode(claim, wording)])
    return {"quizzes": quizzes, "misconceptions": beliefs, "claims": claims}
