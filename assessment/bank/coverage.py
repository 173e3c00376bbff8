"""How much of a bank is there in each language, and how far it may be trusted."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from assessment.bank.specs import BankSpec, ItemSpec, walk_item_texts
from assessment.language.texts import STATUSES

LANGUAGES = ("en", "bg", "fr", "wo")
# The languages of the product; others are counted when a text has them.


@dataclass(frozen=True)
class Coverage:
    """One language. An item counts as complete when every text of it is there."""

    language: str
    num_items: int
    num_complete: int
    num_seed_items: int
    num_seed_complete: int
    num_texts: int
    num_present: int
    statuses: Mapping[str, int]
    incomplete: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "language": self.language,
            "items": self.num_items,
            "complete": self.num_complete,
            "share": share_of(self.num_complete, self.num_items),
            "seed_items": self.num_seed_items,
            "seed_complete": self.num_seed_complete,
            "seed_share": share_of(self.num_seed_complete, self.num_seed_items),
            "texts": self.num_texts,
            "present": self.num_present,
            "statuses": dict(self.statuses),
            "incomplete": list(self.incomplete),
        }


def cover_bank(bank: BankSpec, *, stale: Collection[tuple[str, str, str]] = ()) -> list[Coverage]:
    """One row a language. `stale`: (owner, place, language) of what its source has outrun."""
    languages = list(LANGUAGES)
    for item in bank.items.values():
        for _, text in walk_item_texts(item):
            languages += [one for one in text.best if one not in languages]
    return [_cover_language(bank, one, frozenset(stale)) for one in languages]


def is_complete(item: ItemSpec, language: str) -> bool:
    return all(language in text.best for _, text in walk_item_texts(item))


def share_of(part: int, whole: int) -> float | None:
    """None, not 0 or 1, when there is nothing to be a share of."""
    return part / whole if whole else None


def _cover_language(
    bank: BankSpec, language: str, stale: Collection[tuple[str, str, str]]
) -> Coverage:
    counts: Counter[str] = Counter()
    num_texts = 0
    for item in bank.items.values():
        for place, text in walk_item_texts(item):
            num_texts += 1
            if language in text.best:
                is_stale = (f"item:{item.slug}", place, language) in stale
                counts["stale" if is_stale else text.best[language].status] += 1
    complete = [slug for slug, item in bank.items.items() if is_complete(item, language)]
    seeds = {slug for slug, item in bank.items.items() if item.stem.seed is not None}
    return Coverage(
        language=language,
        num_items=len(bank.items),
        num_complete=len(complete),
        num_seed_items=len(seeds),
        num_seed_complete=len(seeds & set(complete)),
        num_texts=num_texts,
        num_present=counts.total(),
        statuses={one: counts[one] for one in STATUSES if counts[one]},
        incomplete=tuple(sorted(bank.items.keys() - set(complete))),
    )
