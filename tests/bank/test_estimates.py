"""What calibration reads of the bank: concepts of all versions, errors of the calibrated."""

from pathlib import Path
from uuid import UUID

import pytest

from assessment.bank.estimates import Estimate, publish_estimates, read_concepts, read_errors
from assessment.bank.services import load_bank, publish_version
from assessment.bank.snapshot import get_snapshot
from tests.bank.documents import make_documents, write_bank

pytestmark = pytest.mark.django_db


def test_old_versions_of_an_item_have_its_concept_too(small_bank: Path) -> None:
    before = get_snapshot(load_bank(small_bank).id).find_item("three")
    documents = make_documents()
    documents["items"]["three"]["numeric"]["value"] = 48
    documents["items"]["three"]["concept"] = "replay"
    after = get_snapshot(load_bank(write_bank(small_bank, documents)).id).find_item("three")
    assert before is not None
    assert after is not None
    concepts = read_concepts()
    assert concepts[before.version_id] == "trade-off"
    assert concepts[after.version_id] == "replay"


def test_errors_are_those_of_the_version(small_bank: Path) -> None:
    first = load_bank(small_bank)
    publish_version(first)
    item = get_snapshot(first.id).find_item("one")
    assert item is not None
    estimate = Estimate(UUID(item.version_id), "2PL", 1.1, 0.2, 0.3, 1.0, 0.1, 0.07, None, 300)
    second = publish_estimates([estimate], by="test", note="test")
    assert read_errors(str(first.id)) == {}
    assert read_errors(str(second.id)) == {item.version_id: 0.07}
