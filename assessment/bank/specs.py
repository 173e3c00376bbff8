"""What a bank says, checked and typed: the documents without their YAML."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

KINDS = ("single", "multiple", "numeric", "ordering")
LEVELS = (1, 2, 3)
GRADES = ("direct", "partial", "text")

CONCEPTS = (
    "trade-off",
    "saved-tensors",
    "placement",
    "overhead",
    "selective",
    "offload",
    "randomness",
    "optimizer-state",
    "replay",
    "combination",
    "api",
    "normalisation",
    "budget",
    "measuring",
)
# The ideas of the laboratory; an item measures one of them first.


@dataclass(frozen=True)
class Wording:
    """A text as its document declares it. `checked` is a date or a name: looked at again."""

    text: str
    status: str
    checked: str = ""


@dataclass(frozen=True)
class TextSpec:
    """One text in its languages; `seed` is the original page's wording and its language."""

    best: Mapping[str, Wording]
    seed: tuple[str, str] | None = None

    @property
    def source(self) -> str:
        """The English wording that the others translate."""
        return self.best["en"].text


@dataclass(frozen=True)
class ClaimSpec:
    claim: str
    value: float | None = None
    text: TextSpec | None = None


@dataclass(frozen=True)
class EvidenceSpec:
    grade: str
    experiment: str | None
    parameters: Mapping[str, object] = field(default_factory=dict)
    claims: tuple[ClaimSpec, ...] = ()
    reason: str | None = None
    needs: str | None = None


@dataclass(frozen=True)
class OptionSpec:
    handle: str
    is_key: bool
    pinned: bool
    text: TextSpec
    explanation: TextSpec
    misconception: str | None = None
    evidence: EvidenceSpec | None = None


@dataclass(frozen=True)
class NearSpec:
    """A wrong number that shows a belief."""

    value: float
    misconception: str
    explanation: TextSpec
    evidence: EvidenceSpec | None = None


@dataclass(frozen=True)
class NumericSpec:
    """tolerance: absolute in `unit`, or a share of the key when `relative`."""

    value: float
    unit: str
    tolerance: float
    relative: bool
    units: Mapping[str, float]
    near: tuple[NearSpec, ...]
    key_explanation: TextSpec
    other_explanation: TextSpec


@dataclass(frozen=True)
class ItemSpec:
    """quizzes: fixed quizzes that the item joins at their end. edition: raised by an author who
    changes the meaning of a text so far that old answers say nothing about the new item."""

    slug: str
    kind: str
    concept: str
    level: int
    stem: TextSpec
    options: tuple[OptionSpec, ...] = ()
    numeric: NumericSpec | None = None
    enemies: frozenset[str] = frozenset()
    shuffle: bool = True
    partial: str | None = None
    key_explanation: TextSpec | None = None
    wrong_explanation: TextSpec | None = None
    key_evidence: EvidenceSpec | None = None
    references: tuple[str, ...] = ()
    waivers: Mapping[str, str] = field(default_factory=dict)
    family: str | None = None
    instance: Mapping[str, object] = field(default_factory=dict)
    quizzes: tuple[str, ...] = ()
    edition: int = 1

    @property
    def keys(self) -> tuple[OptionSpec, ...]:
        return tuple(one for one in self.options if one.is_key)


@dataclass(frozen=True)
class QuizSpec:
    slug: str
    language: str
    public_practice: bool
    title: TextSpec
    introduction: TextSpec
    items: tuple[str, ...]


@dataclass(frozen=True)
class MisconceptionSpec:
    slug: str
    plausible: bool
    text: TextSpec


@dataclass(frozen=True)
class BankSpec:
    items: Mapping[str, ItemSpec]
    quizzes: Mapping[str, QuizSpec]
    misconceptions: Mapping[str, MisconceptionSpec]
    claims: Mapping[tuple[str, str], TextSpec]
    documents: Mapping[str, Mapping[str, object]]
    glossary: Mapping[str, object] = field(default_factory=dict)


def walk_item_texts(item: ItemSpec) -> Iterator[tuple[str, TextSpec]]:
    """Every text of an item with its place, which is the same in all versions."""
    yield "stem", item.stem
    for option in item.options:
        yield f"option:{option.handle}", option.text
        if option.explanation.best:
            yield f"explanation:{option.handle}", option.explanation
        yield from _walk_evidence(f"predicts:{option.handle}", option.evidence)
    yield from _walk_evidence("predicts:key", item.key_evidence)
    if item.numeric is not None:
        yield "numeric:key", item.numeric.key_explanation
        yield "numeric:other", item.numeric.other_explanation
        for near in item.numeric.near:
            yield f"near:{near.misconception}", near.explanation
            yield from _walk_evidence(f"near-predicts:{near.misconception}", near.evidence)
    if item.key_explanation is not None:
        yield "key", item.key_explanation
    if item.wrong_explanation is not None:
        yield "wrong", item.wrong_explanation


def walk_bank_texts(bank: BankSpec) -> Iterator[tuple[str, str, TextSpec]]:
    """Every text of a bank as (owner, place, text)."""
    for item in bank.items.values():
        for place, text in walk_item_texts(item):
            yield f"item:{item.slug}", place, text
    for quiz in bank.quizzes.values():
        yield f"quiz:{quiz.slug}", "title", quiz.title
        yield f"quiz:{quiz.slug}", "introduction", quiz.introduction
    for belief in bank.misconceptions.values():
        yield f"misconception:{belief.slug}", "text", belief.text
    for (experiment, claim), text in bank.claims.items():
        yield f"claim:{experiment}", claim, text


def _walk_evidence(place: str, evidence: EvidenceSpec | None) -> Iterator[tuple[str, TextSpec]]:
    for claim in evidence.claims if evidence is not None else ():
        if claim.text is not None:
            yield f"{place}:{claim.claim}", claim.text
