"""Reads a bank for the psychometric commands: a CSV file, a folder of YAML, the published one."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assessment.bank.compiled import mirror_enemies
from assessment.bank.documents import BankError
from assessment.bank.families.drawing import read_bank as read_bank_source
from assessment.bank.parsing import parse_bank
from assessment.bank.provisional import guess_parameters
from assessment.psychometrics.banks import Bank, make_bank
from assessment.psychometrics.items import (
    NORMAL_OGIVE_D,
    ItemParameters,
    make_items,
    make_items_from_slopes,
)

METRICS = {"logistic": 1.0, "normal-ogive": NORMAL_OGIVE_D}
FORMS = (("a", "b"), ("slope", "intercept"))


@dataclass(frozen=True, eq=False)
class NamedBank:
    """A bank with the names of its items and concepts."""

    bank: Bank
    items: list[str]
    concepts: list[str]


def read_bank(source: str, *, metric: str | None, seed: int) -> NamedBank:
    """Read `published`, `random:NUMBER`, a CSV file or a folder of YAML.

    Raises ValueError with the reason when the source is none of these or is not in order.
    """
    if source == "published":
        return read_published_bank()
    if source.startswith("random:"):
        return draw_random_bank(int(source.removeprefix("random:")), seed=seed)
    path = Path(source)
    if path.is_dir():
        return read_yaml_bank(path)
    if path.is_file():
        return read_csv_bank(path, metric=metric)
    raise ValueError(f"{source} is no file, no folder, not 'published' and not 'random:NUMBER'")


def draw_random_bank(num_items: int, *, seed: int) -> NamedBank:
    """Return 2PL items with a lognormal(.1, .3) and b N(0, 1.1)."""
    if num_items < 1:
        raise ValueError("a random bank needs an item")
    rng = np.random.default_rng(seed)
    items = make_items(rng.lognormal(0.1, 0.3, num_items), rng.normal(0.0, 1.1, num_items))
    return NamedBank(make_bank(items), [f"item-{i}" for i in range(num_items)], ["all"])


def read_csv_bank(path: Path, *, metric: str | None) -> NamedBank:
    """Read columns a, b, and as they come c, d, item, concept; the metric must be named.

    In place of a and b a file may have slope and intercept, as mirt writes them: a theta +
    intercept. Its own names for these, a1 and d, are refused, as d is an asymptote here.
    """
    if metric is None:
        raise ValueError("say --metric logistic or --metric normal-ogive: the file does not tell")
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    names = set(rows[0]) if rows else set()
    form = next((form for form in FORMS if set(form) <= names), None)
    if form is None:
        raise ValueError(f"{path} has no rows with columns a and b, or slope and intercept")
    columns = {
        name: [parse_number(row.get(name), default, where=f"{path}, row {at}, {name}")
               for at, row in enumerate(rows, start=2)]
        for name, default in ((form[0], None), (form[1], None), ("c", 0.0), ("d", 1.0))
    }  # fmt: skip
    make = make_items if form == ("a", "b") else make_items_from_slopes
    items = make(
        columns[form[0]],
        columns[form[1]],
        c=columns["c"],
        d=columns["d"],
        metric=METRICS[metric],
    )
    labels = [row.get("item") or f"item-{i}" for i, row in enumerate(rows)]
    return _name_bank(items, labels, [row.get("concept") or "all" for row in rows])


def read_yaml_bank(folder: Path) -> NamedBank:
    """Read the items of a bank's folder, families drawn: provisional parameters all of them."""
    try:
        spec = parse_bank(read_bank_source(folder))
    except BankError as error:
        raise ValueError("; ".join(map(str, error.problems))) from None
    guesses = guess_parameters(spec)
    rows = [guesses[slug] for slug in spec.items]
    enemies = mirror_enemies(spec.items)
    return _name_bank(
        make_items(
            [one.a for one in rows],
            [one.b for one in rows],
            c=[one.c for one in rows],
            d=[one.d for one in rows],
        ),
        list(spec.items),
        [item.concept for item in spec.items.values()],
        enemies=[(slug, sorted(others)) for slug, others in enemies.items()],
        is_provisional=True,
    )


def read_published_bank() -> NamedBank:
    """Read the newest published version from the database; Django must be set up."""
    from assessment.bank.snapshot import get_current_version_id, get_snapshot

    snapshot = get_snapshot(get_current_version_id())
    published = list(snapshot.items.values())
    items = make_items(
        [item.a for item in published],
        [item.b for item in published],
        c=[item.c for item in published],
        d=[item.d for item in published],
    )
    return _name_bank(
        items,
        [item.slug for item in published],
        [item.concept for item in published],
        enemies=[(item.slug, sorted(item.enemies)) for item in published],
        is_provisional=[item.provisional for item in published],
    )


def parse_number(text: str | None, default: float | None, *, where: str) -> float:
    """Return the number in a cell, or the default where it is empty."""
    if text is None or not text.strip():
        if default is None:
            raise ValueError(f"{where} is empty")
        return default
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{where}: {text!r} is not a number") from None


def _name_bank(
    items: ItemParameters,
    names: list[str],
    concepts: Sequence[str],
    *,
    enemies: Iterable[tuple[str, Iterable[str]]] = (),
    is_provisional: bool | Sequence[bool] = False,
) -> NamedBank:
    at = {name: index for index, name in enumerate(names)}
    if len(at) != len(names):
        raise ValueError("two items have one name")
    known = sorted(set(concepts))
    pairs = [(at[name], at[enemy]) for name, others in enemies for enemy in others if enemy in at]
    provisional = np.broadcast_to(np.asarray(is_provisional, dtype=np.bool_), len(names))
    bank = make_bank(
        items,
        concepts=[known.index(concept) for concept in concepts],
        enemies=pairs,
        provisional=provisional,
    )
    return NamedBank(bank, names, known)
