"""What selection needs to know of a bank: parameters, concepts, enemies, which items are new."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from assessment.psychometrics.items import Indexes, ItemParameters, Mask

NO_ENEMIES: frozenset[int] = frozenset()


@dataclass(frozen=True, eq=False)
class Bank:
    """I items as arrays; an index means the same item in each of them.

    Attributes
    ----------
    concepts : (I,) int
        Index of the item's concept, from 0.
    enemies : index -> indexes
        Items that give each other away, never in one session.
    unscored : (I,) bool
        New items, given for their answers only.
    provisional : (I,) bool
        Parameters that rest on the author's level and not on answers.
    """

    items: ItemParameters
    concepts: Indexes
    enemies: Mapping[int, frozenset[int]]
    unscored: Mask
    provisional: Mask

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def num_concepts(self) -> int:
        """Number of concepts, at least 1."""
        return int(self.concepts.max(initial=0)) + 1

    @cached_property
    def concept_list(self) -> list[int]:
        """The concepts as a list, which a request reads in a few places only."""
        return [int(concept) for concept in self.concepts]


def make_bank(
    items: ItemParameters,
    *,
    concepts: ArrayLike | None = None,
    enemies: Iterable[Iterable[int]] = (),
    unscored: ArrayLike | None = None,
    provisional: ArrayLike | None = None,
) -> Bank:
    """Make a bank; `enemies` are sets of indexes, within which every two are enemies."""
    return Bank(
        items,
        np.asarray(_fill(concepts, len(items), 0), dtype=np.intp),
        _pair_enemies(enemies, num_items=len(items)),
        np.asarray(_fill(unscored, len(items), 0), dtype=np.bool_),
        np.asarray(_fill(provisional, len(items), 0), dtype=np.bool_),
    )


def list_enemies(bank: Bank, administered: Iterable[int]) -> set[int]:
    """Return the items that those administered have given away."""
    found: set[int] = set()
    for index in administered:
        found |= bank.enemies.get(index, NO_ENEMIES)
    return found


def _fill(values: ArrayLike | None, num_items: int, default: int) -> ArrayLike:
    if values is None:
        return np.full(num_items, default)
    if np.shape(values) != (num_items,):
        raise ValueError(f"{np.shape(values)} values for {num_items} items")
    return values


def _pair_enemies(sets: Iterable[Iterable[int]], *, num_items: int) -> dict[int, frozenset[int]]:
    enemies: dict[int, frozenset[int]] = {}
    for members in map(frozenset, sets):
        if not all(0 <= index < num_items for index in members):
            raise ValueError(f"enemies {sorted(members)} are not all in a bank of {num_items}")
        for index in members:
            enemies[index] = enemies.get(index, NO_ENEMIES) | (members - {index})
    return enemies
