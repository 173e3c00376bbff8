"""Reads the compiled form of a bank version (`assessment.bank.compiled`) into a snapshot."""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assessment.bank.compiled import FORMAT
from assessment.bank.frozen import (
    NO_TEXT,
    ClaimLink,
    Evidence,
    Item,
    Misconception,
    Near,
    NumericKey,
    Option,
    Quiz,
    Snapshot,
    TextSet,
)
from assessment.core.errors import Unavailable
from assessment.language.texts import Text

Parsed = Mapping[str, Any]
# A JSON object that we wrote ourselves; `FORMAT` says which shape it has.


class LazyItems(Mapping[str, Item]):
    """version id -> Item, decoded once, when first asked for."""

    def __init__(self, version_ids: Sequence[str], encoded: Sequence[bytes]) -> None:
        self._encoded = dict(zip(version_ids, encoded, strict=True))
        self._items: dict[str, Item] = {}

    def __getitem__(self, version_id: str) -> Item:
        found = self._items.get(version_id)
        if found is None:
            # Two threads may decode the same item; both get equal values and the last one stays.
            found = decode_item(json.loads(self._encoded[version_id]))
            self._items[version_id] = found
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._encoded)

    def __len__(self) -> int:
        return len(self._encoded)

    def __contains__(self, version_id: object) -> bool:
        return version_id in self._encoded


def build_snapshot(compiled: bytes, *, bank_version_id: str, number: int, digest: str) -> Snapshot:
    """The snapshot of a compiled bank. Raises Unavailable when another release compiled it."""
    first, *encoded = zlib.decompress(compiled).split(b"\n")
    header = json.loads(first)
    if header["format"] != FORMAT:
        raise Unavailable("bank_version_of_another_release")
    version_ids, slugs = tuple(header["ids"]), tuple(header["slugs"])
    return Snapshot(
        bank_version_id=bank_version_id,
        number=number,
        digest=digest,
        items=LazyItems(version_ids, encoded),
        quizzes=MappingProxyType({one["slug"]: _decode_quiz(one) for one in header["quizzes"]}),
        misconceptions=MappingProxyType(
            {one["slug"]: _decode_misconception(one) for one in header["misconceptions"]}
        ),
        claim_texts=MappingProxyType(
            {(one[0], one[1]): _decode_text(one[2]) for one in header["claims"]}
        ),
        version_ids=version_ids,
        slugs=slugs,
        concepts=tuple(header["concepts"]),
        item_index=MappingProxyType({one: row for row, one in enumerate(version_ids)}),
        slug_index=MappingProxyType({one: row for row, one in enumerate(slugs)}),
        families=_group_families(version_ids, header["families"]),
        a=_freeze(header["a"], float),
        b=_freeze(header["b"], float),
        c=_freeze(header["c"], float),
        d=_freeze(header["d"], float),
        level=_freeze(header["level"], np.int64),
        is_provisional=_freeze(header["provisional"], np.bool_),
    )


def decode_item(line: Parsed) -> Item:
    """One item of its JSON line."""
    a, b, c, d = line["parameters"]
    numeric, evidence = line.get("numeric"), line.get("evidence")
    return Item(
        version_id=line["id"],
        slug=line["slug"],
        kind=line["kind"],
        concept=line["concept"],
        level=line["level"],
        enemies=frozenset(line.get("enemies", ())),
        shuffle=line["shuffle"],
        stem=_decode_text(line["stem"]),
        options=tuple(_decode_option(one) for one in line.get("options", ())),
        numeric=_decode_numeric(numeric) if numeric else None,
        key_evidence=_decode_evidence(evidence),
        a=a,
        b=b,
        c=c,
        d=d,
        provisional=line["provisional"],
        key_explanation=_decode_text(line.get("key")),
        wrong_explanation=_decode_text(line.get("wrong")),
        partial=line.get("partial"),
        references=tuple(line.get("references", ())),
        family=line.get("family"),
        instance=MappingProxyType(line.get("instance", {})),
    )


def _decode_option(line: Parsed) -> Option:
    return Option(
        id=line["id"],
        handle=line["handle"],
        is_key=line["is_key"],
        pinned=line["pinned"],
        misconception=line["misconception"],
        text=_decode_text(line["text"]),
        explanation=_decode_text(line["explanation"]),
        evidence=_decode_evidence(line["evidence"]),
    )


def _decode_numeric(line: Parsed) -> NumericKey:
    return NumericKey(
        value=line["value"],
        unit=line["unit"],
        tolerance=line["tolerance"],
        relative=line["relative"],
        units=MappingProxyType(line["units"]),
        near=tuple(
            Near(
                one["value"],
                one["misconception"],
                _decode_text(one["explanation"]),
                _decode_evidence(one["evidence"]),
            )
            for one in line["near"]
        ),
        key_explanation=_decode_text(line["key"]),
        other_explanation=_decode_text(line["other"]),
    )


def _decode_evidence(line: Parsed | None) -> Evidence | None:
    if line is None:
        return None
    return Evidence(
        grade=line["grade"],
        experiment=line["experiment"],
        parameters=MappingProxyType(line["parameters"]),
        claims=tuple(
            ClaimLink(one["id"], one["value"], _decode_text(one["text"])) for one in line["claims"]
        ),
        reason=line["reason"],
        needs=line["needs"],
    )


def _decode_text(line: Parsed | None) -> TextSet:
    if line is None:
        return NO_TEXT
    best = {lang: Text(text, lang, status) for lang, (text, status) in line["best"].items()}
    seed = line.get("seed")
    return TextSet(MappingProxyType(best), None if seed is None else Text(seed[1], seed[0], "seed"))


def _decode_quiz(line: Parsed) -> Quiz:
    return Quiz(
        slug=line["slug"],
        language=line["language"],
        title=_decode_text(line["title"]),
        introduction=_decode_text(line["introduction"]),
        item_ids=tuple(line["items"]),
        public_practice=line["public"],
    )


def _decode_misconception(line: Parsed) -> Misconception:
    return Misconception(line["slug"], line["plausible"], _decode_text(line["text"]))


def _group_families(
    version_ids: Sequence[str], families: Sequence[str | None]
) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for version_id, family in zip(version_ids, families, strict=True):
        if family is not None:
            found.setdefault(family, []).append(version_id)
    return MappingProxyType({name: tuple(ids) for name, ids in found.items()})


def _freeze(values: Sequence[object], kind: type) -> NDArray[Any]:
    array: NDArray[Any] = np.array(values, dtype=kind)
    array.setflags(write=False)
    return array
