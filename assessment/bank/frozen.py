"""What a pinned bank holds in memory: frozen dataclasses, made by `assessment.bank.decoding`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from assessment.language.texts import LocalText, Text, choose_text, localize_text
from assessment.language.units import name_unit

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TextSet:
    """One text in all its languages; `seed` is the original page's own wording."""

    best: Mapping[str, Text] = field(default_factory=dict)
    seed: Text | None = None

    def __bool__(self) -> bool:
        return bool(self.best)

    def choose(
        self, languages: Sequence[str], texts: str = "best", *, refused: Iterable[str] = ()
    ) -> LocalText:
        """The wording for these languages; with texts "seed" the original one, if there is one."""
        if texts == "seed" and self.seed is not None:
            return localize_text(self.seed, languages)
        return choose_text(self.best, languages, refused=refused)


NO_TEXT = TextSet()


@dataclass(frozen=True, slots=True)
class ClaimLink:
    """A claim of an experiment; `predicts_*` is what it would show if the option were right."""

    claim: str
    predicts_value: float | None
    predicts_text: TextSet


@dataclass(frozen=True, slots=True)
class Evidence:
    """What answers an option, or supports a key. experiment None: nothing to measure (`reason`)."""

    grade: str
    experiment: str | None
    parameters: Mapping[str, object]
    claims: tuple[ClaimLink, ...]
    reason: str | None
    needs: str | None


@dataclass(frozen=True, slots=True)
class Option:
    id: str
    handle: str
    is_key: bool
    pinned: bool
    misconception: str | None
    text: TextSet
    explanation: TextSet
    evidence: Evidence | None


@dataclass(frozen=True, slots=True)
class Near:
    """A wrong number that shows a belief."""

    value: float
    misconception: str
    explanation: TextSet
    evidence: Evidence | None


@dataclass(frozen=True, slots=True)
class NumericKey:
    """tolerance: absolute in `unit`, or a share of the key when `relative`."""

    value: float
    unit: str
    tolerance: float
    relative: bool
    units: Mapping[str, float]
    near: tuple[Near, ...]
    key_explanation: TextSet
    other_explanation: TextSet

    def list_units(self) -> list[str]:
        """The units a learner may name, the item's own first; [] for a bare number."""
        return list(dict.fromkeys([self.unit, *self.units])) if self.unit else list(self.units)

    def convert(self, value: float, unit: str | None) -> float | None:
        """The value in the item's own unit; None when the unit is not one of the item's."""
        if unit is None or unit == self.unit:
            return value
        symbol = name_unit(unit).casefold()
        if symbol == self.unit.casefold():
            return value
        folded = {name.casefold(): factor for name, factor in self.units.items()}
        factor = self.units.get(unit, folded.get(symbol))
        return None if factor is None else value * factor

    def accepts(self, value: float) -> bool:
        return self._is_near(value, self.value)

    def find_near(self, value: float) -> Near | None:
        """The closest wrong number within the tolerance, with the belief it shows."""
        found = [one for one in self.near if self._is_near(value, one.value)]
        return min(found, key=lambda one: abs(one.value - value), default=None)

    def _is_near(self, value: float, target: float) -> bool:
        allowed = self.tolerance * abs(target) if self.relative else self.tolerance
        # The slack covers the rounding of decimal input, not a wrong digit.
        return abs(value - target) <= allowed + 1e-9 * max(1.0, abs(target))


@dataclass(frozen=True)
class Item:
    """A frozen item with its texts and parameters. `enemies` are slugs, both ways."""

    version_id: str
    slug: str
    kind: str
    concept: str
    level: int
    enemies: frozenset[str]
    shuffle: bool
    stem: TextSet
    options: tuple[Option, ...]
    numeric: NumericKey | None
    key_evidence: Evidence | None
    a: float
    b: float
    c: float
    d: float
    provisional: bool
    key_explanation: TextSet = NO_TEXT
    wrong_explanation: TextSet = NO_TEXT
    partial: str | None = None
    references: tuple[str, ...] = ()
    family: str | None = None
    instance: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def options_by_id(self) -> Mapping[str, Option]:
        return MappingProxyType({option.id: option for option in self.options})

    @cached_property
    def key_ids(self) -> tuple[str, ...]:
        """The right options; for an ordering, all of them in the right order."""
        return tuple(option.id for option in self.options if option.is_key)


@dataclass(frozen=True, slots=True)
class Quiz:
    slug: str
    language: str
    title: TextSet
    introduction: TextSet
    item_ids: tuple[str, ...]
    public_practice: bool


@dataclass(frozen=True, slots=True)
class Misconception:
    slug: str
    plausible: bool
    text: TextSet


@dataclass(frozen=True)
class Snapshot:
    """One bank version. Row i of every array is the item `version_ids[i]`.

    a, b, c, d : (I,) float; is_provisional : (I,) bool; level : (I,) int
    families : slug of a family -> its instances
    """

    bank_version_id: str
    number: int
    digest: str
    items: Mapping[str, Item]
    quizzes: Mapping[str, Quiz]
    misconceptions: Mapping[str, Misconception]
    claim_texts: Mapping[tuple[str, str], TextSet]
    version_ids: tuple[str, ...]
    slugs: tuple[str, ...]
    concepts: tuple[str, ...]
    item_index: Mapping[str, int]
    slug_index: Mapping[str, int]
    families: Mapping[str, tuple[str, ...]]
    a: FloatArray
    b: FloatArray
    c: FloatArray
    d: FloatArray
    level: NDArray[np.int64]
    is_provisional: NDArray[np.bool_]

    def find_item(self, slug: str) -> Item | None:
        row = self.slug_index.get(slug)
        return None if row is None else self.items[self.version_ids[row]]
