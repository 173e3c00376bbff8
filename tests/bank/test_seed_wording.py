"""The 16 items of the two original pages, word for word."""

from pathlib import Path

import pytest

from assessment.bank.models import TextRevision
from assessment.bank.services import load_bank
from assessment.bank.snapshot import get_snapshot

FIXTURES = Path(__file__).parents[2] / "fixtures" / "bank"
KEYS = {"wo": [2, 4, 1, 3, 4, 2, 3, 1], "bg": [1, 2, 3, 4, 1, 2, 3, 4]}


@pytest.mark.django_db
def test_the_keys_are_those_of_the_table() -> None:
    snapshot = get_snapshot(load_bank(FIXTURES).id)
    for language, keys in KEYS.items():
        for number, key in enumerate(keys, start=1):
            item = snapshot.find_item(f"{language}-{number}")
            assert item is not None
            assert [option.is_key for option in item.options].index(True) + 1 == key


@pytest.mark.django_db
def test_the_seed_wording_is_revision_one_of_its_language() -> None:
    load_bank(FIXTURES)
    seeds = TextRevision.objects.filter(status="seed")
    assert seeds.count() >= 16 * 5
    assert set(seeds.values_list("number", flat=True)) == {1}
