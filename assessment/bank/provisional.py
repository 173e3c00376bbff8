"""What the parameters of items are before there are answers: the author's level, the form's clues.

Such parameters are called provisional wherever they are told. They are frozen with a bank
version like any others, so that an audit which says something new makes a new version. Pure.
"""

from collections.abc import Iterator
from typing import cast

import numpy as np

from assessment.bank.audit import AUDITED_LANGUAGES, LIMIT, flag_choice, make_choice, summarize
from assessment.bank.compiled import Parameters
from assessment.bank.guessers import GUESSERS, Choice, Guesser, judge
from assessment.bank.specs import BankSpec, ItemSpec
from assessment.psychometrics.cold_start import Kind, find_guess_floor, make_authored_items

TEST_WISE_SHARE = 1 / 3
# A choice: of those who do not know, one in three picks by form. With four options a key that
# its form gives away then has a floor of .5, a blind guess .25.


def guess_parameters(bank: BankSpec) -> dict[str, Parameters]:
    """Provisional parameters by slug: b from the level, c the chance of a right guess."""
    audited = audit_floors(bank)
    floors = [
        find_guess_floor(cast(Kind, one.kind), len(one.options), audited=audited.get(slug))
        for slug, one in bank.items.items()
    ]
    items = make_authored_items([one.level for one in bank.items.values()], floors)
    rows = np.stack([items.a, items.b, items.c, items.d], axis=1).tolist()
    return {
        slug: Parameters(a, b, c, d, provisional=True)
        for slug, (a, b, c, d) in zip(bank.items, rows, strict=True)
    }


def audit_floors(bank: BankSpec) -> dict[str, float]:
    """The guess floor of each item whose form gives its key away in some wording.

    Given away is an item that the audit flags, and one whose key is picked by a guesser that
    beats the audit's limit beyond doubt on all items of its kind, those of the seed or the new.
    A waiver keeps such an item; it does not make the key harder to guess.
    """
    floors: dict[str, float] = {}
    for choices in _list_wordings(bank):
        winners = [one for one in GUESSERS.values() if _wins(one, choices)]
        for choice in choices:
            if flag_choice(choice, waivers={}) or any(_picks_key(one, choice) for one in winners):
                blind = 1.0 / len(choice.options)
                floors[choice.slug] = blind + (1.0 - blind) * TEST_WISE_SHARE
    return floors


def _list_wordings(bank: BankSpec) -> Iterator[list[Choice]]:
    """The single-choice items in each language, seed and new apart, and the seed's own words."""
    for language in AUDITED_LANGUAGES:
        for is_seed in (True, False):
            found = [
                make_choice(item, language)
                for item in bank.items.values()
                if (item.stem.seed is not None) is is_seed
            ]
            yield [one for one in found if one is not None]
    own = [make_seed_choice(item) for item in bank.items.values()]
    yield [one for one in own if one is not None]


def make_seed_choice(item: ItemSpec) -> Choice | None:
    """The item in the original page's own words; None where it has none."""
    texts = [one.text.seed[1] for one in item.options if one.text.seed is not None]
    if item.kind != "single" or item.stem.seed is None or len(texts) != len(item.options):
        return None
    language, stem = item.stem.seed
    key = [one.is_key for one in item.options].index(True)
    return Choice(item.slug, stem, tuple(texts), key, language)


def _wins(guesser: Guesser, choices: list[Choice]) -> bool:
    low = summarize("", "", [judge(one, guesser(one)) for one in choices]).low
    return low is not None and low >= LIMIT


def _picks_key(guesser: Guesser, choice: Choice) -> bool:
    return judge(choice, guesser(choice)) == 1.0
