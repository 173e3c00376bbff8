import time
from dataclasses import FrozenInstanceError
from pathlib import Path

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessment.bank.families.drawing import read_bank
from assessment.bank.models import BankVersion
from assessment.bank.services import load_bank, publish_version
from assessment.bank.snapshot import get_current_version_id, get_snapshot
from assessment.core.errors import NotFound, Unavailable
from tests.bank.documents import compile_source
from tests.bank.synthetic import QUIZ, make_synthetic_version

pytestmark = pytest.mark.django_db

FIXTURES = Path(__file__).parents[2] / "fixtures" / "bank"


def test_one_query_the_first_time_and_none_later(small_bank: Path) -> None:
    version = publish_version(load_bank(small_bank))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        first = get_snapshot(version.id)
        second = get_snapshot(str(version.id))
        first.items[first.version_ids[0]]
    assert len(queries) == 1
    assert first is second
    with CaptureQueriesContext(connection) as queries:
        get_current_version_id()
        get_current_version_id()
    assert len(queries) == 1


def test_everything_in_it_is_read_only(small_bank: Path) -> None:
    snapshot = get_snapshot(load_bank(small_bank).id)
    item = snapshot.find_item("one")
    assert item is not None
    with pytest.raises(ValueError, match="read-only"):
        snapshot.b[0] = 3.0
    with pytest.raises(FrozenInstanceError):
        item.b = 3.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        snapshot.quizzes["new"] = None  # type: ignore[index]


def test_an_unknown_version_is_not_found() -> None:
    with pytest.raises(NotFound):
        get_snapshot("00000000-0000-4000-8000-000000000000")


def test_a_version_of_another_release_is_refused(small_bank: Path, monkeypatch) -> None:
    version = load_bank(small_bank)
    monkeypatch.setattr("assessment.bank.decoding.FORMAT", 99)
    with pytest.raises(Unavailable):
        get_snapshot(version.id)


def test_numeric_keys_know_units_tolerance_and_beliefs(small_bank: Path) -> None:
    item = get_snapshot(load_bank(small_bank).id).find_item("three")
    assert item is not None
    assert item.numeric is not None
    key = item.numeric
    assert key.list_units() == ["KiB", "B", "MiB"]
    assert key.convert(12288, "B") == 12
    assert key.convert(12, None) == 12
    assert key.convert(1, "mib") == 1024
    assert key.convert(12, "apples") is None
    assert key.accepts(12.12)
    assert not key.accepts(12.13)
    near = key.find_near(24.1)
    assert near is not None
    assert near.misconception == "savings-are-free"
    assert key.find_near(20) is None


def test_orderings_keep_the_right_order(small_bank: Path) -> None:
    item = get_snapshot(load_bank(small_bank).id).find_item("four")
    assert item is not None
    assert item.key_ids == tuple(option.id for option in item.options)
    assert item.partial == "adjacent"
    assert item.wrong_explanation.choose(["bg"]).text == "Не така."


def test_seed_wording_and_enemies_of_the_shipped_bank() -> None:
    snapshot = compile_source(read_bank(FIXTURES))
    quiz = snapshot.quizzes["gradient-checkpointing"]
    seed = quiz.title.choose(["bg"], "seed")
    assert (seed.text, seed.status) == ("Тест за проверка на градиент", "seed")
    assert "gradient checkpointing" in quiz.title.choose(["bg"]).text
    assert quiz.title.choose(["en"], "seed").fallback
    for version_id in snapshot.version_ids:
        item = snapshot.items[version_id]
        for enemy in item.enemies:
            other = snapshot.find_item(enemy)
            assert other is not None
            assert item.slug in other.enemies
    for slug, version_ids in snapshot.families.items():
        members = {snapshot.items[one].slug for one in version_ids}
        for version_id in version_ids:
            item = snapshot.items[version_id]
            assert item.family == slug
            assert members - {item.slug} <= item.enemies


@pytest.mark.slow
def test_a_hundred_thousand_items_load_in_seconds() -> None:
    version = make_synthetic_version(100_000)
    started = time.perf_counter()
    snapshot = get_snapshot(version.id)
    elapsed = time.perf_counter() - started
    assert elapsed < 10
    assert len(snapshot.items) == snapshot.b.size == 100_000
    assert len(snapshot.quizzes[QUIZ].item_ids) == 100_000
    item = snapshot.items[snapshot.version_ids[77_777]]
    assert (item.slug, item.b) == ("synthetic-77777", snapshot.b[77_777])
    assert np.isfinite(snapshot.a).all()
    assert BankVersion.objects.count() == 1
