"""Draws the frozen instances of each family and writes them as item documents.

The same family document gives the same instances: numbers come from its seed alone.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from assessment.bank.documents import (
    BankError,
    BankSource,
    Document,
    Problem,
    read_bank_directory,
)
from assessment.bank.families.catalog import FAMILIES
from assessment.bank.families.family import Family, Numbers
from assessment.bank.reading import Fields
from assessment.language.numbers import format_count, format_number

MAX_INSTANCES = 20
# So that runs are shared and each instance sees enough answers to be calibrated.

MAX_DRAWS = 5000
# Draws before a family is called too narrow for the instances it asks for.

_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def read_bank(directory: Path) -> BankSource:
    """The documents of a directory with every family drawn. Raises BankError."""
    return expand_families(read_bank_directory(directory))


def expand_families(source: BankSource) -> BankSource:
    """The documents with an item for each instance. Raises BankError."""
    problems: list[Problem] = []
    items, files = dict(source.items), dict(source.files)
    for slug, document in source.families.items():
        file = source.files.get(f"families/{slug}", slug)
        for instance in _expand(document, file=file, problems=problems):
            name = str(instance["slug"])
            if name in items:
                problems.append(Problem(file, "slug", f"there is an item {name!r} already"))
            items[name] = instance
            files[f"items/{name}"] = file
    if problems:
        raise BankError(problems)
    return replace(source, items=items, families={}, files=files)


def draw_instances(family: Family, *, num_instances: int, seed: int) -> list[Numbers]:
    """Numbers of the instances, all different. Raises ValueError when there are too few."""
    rng = np.random.default_rng([seed, *family.slug.encode()])
    found: dict[str, Numbers] = {}
    for _ in range(MAX_DRAWS):
        if len(found) == num_instances:
            break
        numbers = family.draw(rng)
        if family.list_wrong(numbers) is not None:
            found.setdefault(json.dumps(numbers, sort_keys=True), numbers)
    if len(found) < num_instances:
        raise ValueError(f"only {len(found)} instances can be told apart")
    return list(found.values())


def make_document(family: Family, document: Document, numbers: Numbers, *, slug: str) -> Document:
    """One instance as the item document it will be stored as."""
    key = family.key(numbers)
    wrong = family.list_wrong(numbers)
    assert wrong is not None
    shown = {**numbers, "key": key}
    return {
        "slug": slug,
        "kind": "numeric",
        "concept": family.concept,
        "level": family.level,
        "family": family.slug,
        "instance": dict(numbers),
        "enemies": document.get("enemies", []),
        "references": list(family.references),
        "stem": render(document["stem"], shown),
        "numeric": {
            "value": key,
            "unit": family.unit,
            "units": dict(family.units),
            "tolerance": family.tolerance,
            "relative": family.relative,
            "near": [
                _make_near(family, document, numbers, belief=belief, value=value)
                for belief, value in wrong.items()
            ],
            "key_explanation": render(document["key_explanation"], shown),
            "other_explanation": render(document["other_explanation"], shown),
        },
        "evidence": {
            "experiment": family.experiment,
            "parameters": family.parameters(numbers),
            "claims": list(family.claims(numbers)),
        },
    }


def render(text: object, numbers: Mapping[str, float | str]) -> object:
    """A text in its languages with numbers in place of {placeholders}, as each writes them."""
    if not isinstance(text, Mapping):
        return text
    found: Document = {}
    for language, wording in text.items():
        if isinstance(wording, Mapping):
            filled = _fill(str(wording.get("text", "")), numbers, str(language))
            found[str(language)] = {**wording, "text": filled}
        else:
            found[str(language)] = _fill(str(wording), numbers, str(language))
    return found


def _expand(document: Document, *, file: str, problems: list[Problem]) -> list[Document]:
    fields = Fields(document, file=file, path="", problems=problems)
    slug = fields.take_slug("slug")
    num_instances = fields.take_choice("instances", range(1, MAX_INSTANCES + 1), default=12)
    seed = int(fields.take_number("seed", default=20261130))
    fields.take_strings("enemies")
    family = FAMILIES.get(slug)
    if family is None:
        fields.report("slug", f"there is no family {slug!r}")
        return []
    _check_texts(document, family, fields)
    if problems:
        return []
    try:
        drawn = draw_instances(family, num_instances=num_instances, seed=seed)
        return [
            make_document(family, document, numbers, slug=f"{slug}-{place:02d}")
            for place, numbers in enumerate(drawn, start=1)
        ]
    except (ValueError, KeyError) as error:
        fields.report("", str(error))
        return []


def _check_texts(document: Document, family: Family, fields: Fields) -> None:
    for name in ("stem", "key_explanation", "other_explanation", "predicts"):
        fields.take_text(name, may_have_seed=False)
    distractors = fields.open("distractors")
    for one in family.wrong:
        distractors.take_text(one.misconception, may_have_seed=False)
    distractors.close()
    fields.close()


def _make_near(
    family: Family, document: Document, numbers: Numbers, *, belief: str, value: float
) -> Document:
    distractors = document["distractors"]
    assert isinstance(distractors, Mapping)
    shown = {**numbers, "key": family.key(numbers), "value": value}
    predicts = {
        "value": family.predict(value, numbers),
        "text": render(document["predicts"], shown),
    }
    return {
        "value": value,
        "misconception": belief,
        "explanation": render(distractors[belief], shown),
        "evidence": {
            "grade": "direct",
            "experiment": family.experiment,
            "parameters": family.parameters(numbers),
            "claims": [{"id": family.claims(numbers)[0], "predicts": predicts}],
        },
    }


def _fill(template: str, numbers: Mapping[str, float | str], language: str) -> str:
    def show(match: re.Match[str]) -> str:
        value = numbers.get(match[1])
        if value is None:
            raise ValueError(f"{language}: there is no number {match[0]}")
        if isinstance(value, str):
            return value
        if value == int(value):
            return format_count(int(value), language)
        return format_number(value, language)

    return _PLACEHOLDER.sub(show, template)
