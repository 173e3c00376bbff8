"""Provisional parameters: the author's level, and a guess floor from the audit."""

from pathlib import Path

import pytest

from assessment.bank.documents import read_bank_directory
from assessment.bank.families.drawing import read_bank
from assessment.bank.guessers import guess_longest, judge
from assessment.bank.models import Calibration
from assessment.bank.parsing import parse_bank
from assessment.bank.provisional import audit_floors, guess_parameters, make_seed_choice
from assessment.bank.services import load_bank
from assessment.bank.snapshot import get_snapshot
from tests.bank.documents import make_documents, make_single, write_bank

FIXTURES = Path(__file__).parents[2] / "fixtures" / "bank"
LONG = "Option a, which says so much more than any of the others that it can only be the key"


def give_away(documents: dict) -> dict:
    """The key of item "one" becomes by far the longest option."""
    documents["items"]["one"]["options"][0]["text"]["en"] = LONG
    return documents


def test_a_key_that_its_form_gives_away_has_a_floor_of_a_half(tmp_path: Path) -> None:
    documents = make_documents()
    documents["items"]["four-options"] = make_single("four-options")
    options = documents["items"]["four-options"]["options"]
    options.append({**options[1], "handle": "d"})
    options[0]["text"]["en"] = LONG
    bank = parse_bank(read_bank_directory(write_bank(tmp_path, documents)))
    found = guess_parameters(bank)
    assert audit_floors(bank) == {"four-options": pytest.approx(0.5)}
    assert {slug: one.c for slug, one in found.items()} == pytest.approx(
        {"one": 1 / 3, "two": 1 / 15, "three": 0.0, "four": 1 / 6, "four-options": 0.5}
    )
    assert all(one.provisional and (one.a, one.d) == (1.0, 1.0) for one in found.values())
    assert [found[slug].b for slug in ("one", "two", "three")] == [-1.0, 0.0, 1.0]


def test_the_seed_items_whose_key_is_the_longest_option_are_guessed_half_of_the_time() -> None:
    bank = parse_bank(read_bank(FIXTURES))
    found = guess_parameters(bank)
    seed = [item for item in bank.items.values() if item.stem.seed is not None]
    longest = [
        item
        for item in seed
        if (choice := make_seed_choice(item)) and judge(choice, guess_longest(choice)) == 1.0
    ]
    assert (len(seed), len(longest)) == (16, 13)
    assert [found[item.slug].c for item in longest] == pytest.approx([0.5] * 13)
    new = [found[item.slug].c for item in bank.items.values() if item.stem.seed is None]
    assert sum(c > 0.4 for c in new) <= 0.1 * len(new)


@pytest.mark.django_db
def test_the_floor_is_frozen_with_the_version(small_bank: Path) -> None:
    before = get_snapshot(load_bank(small_bank).id)
    after = get_snapshot(load_bank(write_bank(small_bank, give_away(make_documents()))).id)
    one, given_away = before.find_item("one"), after.find_item("one")
    assert one is not None
    assert given_away is not None
    assert after.bank_version_id != before.bank_version_id
    assert given_away.version_id == one.version_id
    assert one.c == pytest.approx(1 / 3)
    assert given_away.c == pytest.approx(1 / 3 + (2 / 3) / 3)
    assert given_away.provisional
    rows = Calibration.objects.filter(item_version_id=one.version_id)
    assert sorted(row.c for row in rows) == pytest.approx([one.c, given_away.c])
    again = get_snapshot(load_bank(write_bank(small_bank)).id)
    assert again.bank_version_id == before.bank_version_id
    assert Calibration.objects.filter(item_version_id=one.version_id).count() == 2


@pytest.mark.django_db
def test_an_estimate_outlives_a_new_audit(small_bank: Path) -> None:
    item = get_snapshot(load_bank(small_bank).id).find_item("one")
    assert item is not None
    Calibration.objects.create(
        item_version_id=item.version_id,
        method="mml-em:2PL",
        a=1.3,
        b=0.4,
        c=0.3,
        provisional=False,
    )
    version = load_bank(write_bank(small_bank, give_away(make_documents())))
    found = get_snapshot(version.id).find_item("one")
    assert found is not None
    assert (found.a, found.b, found.c, found.provisional) == (1.3, 0.4, 0.3, False)
