from pathlib import Path

import pytest

from assessment.bank.documents import BankError
from assessment.bank.models import BankVersion, Calibration, ItemVersion, TextRevision
from assessment.bank.selectors import read_stored_source
from assessment.bank.services import load_bank, make_version, publish_version
from assessment.bank.snapshot import get_current_version_id, get_snapshot
from assessment.core.errors import NotFound
from tests.bank.documents import make_documents, make_single, write_bank, write_yaml

pytestmark = pytest.mark.django_db

KEYS = {"wo": [2, 4, 1, 3, 4, 2, 3, 1], "bg": [1, 2, 3, 4, 1, 2, 3, 4]}
# Of both seed pages, numbered as on the page.

FIXTURES = Path(__file__).parents[2] / "fixtures" / "bank"


def test_the_same_directory_is_the_same_version(small_bank: Path) -> None:
    first = load_bank(small_bank)
    num_rows = TextRevision.objects.count(), ItemVersion.objects.count()
    assert load_bank(small_bank) == first
    assert (TextRevision.objects.count(), ItemVersion.objects.count()) == num_rows


def test_a_changed_text_keeps_item_version_and_option_ids(small_bank: Path) -> None:
    before = get_snapshot(load_bank(small_bank).id)
    documents = make_documents()
    documents["items"]["one"]["stem"]["en"] = "What is the price of memory?"
    after = get_snapshot(load_bank(write_bank(small_bank, documents)).id)
    assert after.bank_version_id != before.bank_version_id
    one, other = before.find_item("one"), after.find_item("one")
    assert one is not None
    assert other is not None
    assert other.version_id == one.version_id
    assert [option.id for option in other.options] == [option.id for option in one.options]
    assert other.stem.choose(["en"]).text == "What is the price of memory?"
    assert other.stem.choose(["bg"]).status == "stale"
    assert other.options[0].text.choose(["bg"]).status == "machine"


def test_a_translation_that_was_checked_again_is_not_stale(small_bank: Path) -> None:
    load_bank(small_bank)
    documents = make_documents()
    documents["items"]["one"]["stem"]["en"] = "What is the price of memory?"
    stale = load_bank(write_bank(small_bank, documents))
    assert load_bank(small_bank) == stale
    bulgarian = documents["items"]["one"]["stem"]["bg"]
    documents["items"]["one"]["stem"]["bg"] = {"text": bulgarian, "status": "reviewed"}
    item = get_snapshot(load_bank(write_bank(small_bank, documents)).id).find_item("one")
    assert item is not None
    assert item.stem.choose(["bg"]).status == "reviewed"


def test_going_back_to_the_old_source_makes_the_translation_fresh(small_bank: Path) -> None:
    first = load_bank(small_bank)
    documents = make_documents()
    documents["items"]["one"]["stem"]["en"] = "What is the price of memory?"
    load_bank(write_bank(small_bank, documents))
    assert load_bank(write_bank(small_bank)) == first


def test_another_key_is_another_item_version_with_new_option_ids(small_bank: Path) -> None:
    before = get_snapshot(load_bank(small_bank).id).find_item("three")
    documents = make_documents()
    documents["items"]["three"]["numeric"]["value"] = 48
    after = get_snapshot(load_bank(write_bank(small_bank, documents)).id).find_item("three")
    assert before is not None
    assert after is not None
    assert after.version_id != before.version_id
    assert load_bank(write_bank(small_bank)).number == 1


def test_option_ids_are_random_and_tell_no_handle(small_bank: Path) -> None:
    load_bank(small_bank)
    ids = [one["id"] for row in ItemVersion.objects.all() for one in row.options]
    assert len(set(ids)) == len(ids) == 10
    assert all(len(one) == 36 for one in ids)


def test_levels_become_provisional_difficulties(small_bank: Path) -> None:
    version = load_bank(small_bank)
    found = get_snapshot(version.id)
    parameters = {found.slugs[row]: (found.b[row], found.c[row]) for row in range(4)}
    assert parameters["one"] == (-1.0, pytest.approx(1 / 3))
    assert parameters["two"] == (0.0, pytest.approx(1 / 15))
    assert parameters["three"] == (1.0, 0.0)
    assert parameters["four"] == (-1.0, pytest.approx(1 / 6))
    assert found.is_provisional.all()


def test_an_estimate_replaces_the_guess_in_the_next_version(small_bank: Path) -> None:
    first = load_bank(small_bank)
    row = ItemVersion.objects.get(item__slug="one")
    Calibration.objects.create(
        item_version=row, method="mmle", a=1.4, b=0.3, c=0.2, num_responses=800, provisional=False
    )
    second = load_bank(small_bank)
    assert second != first
    item = get_snapshot(second.id).find_item("one")
    assert item is not None
    assert (item.a, item.b, item.provisional) == (1.4, 0.3, False)
    old = get_snapshot(first.id).find_item("one")
    assert old is not None
    assert old.b == -1.0


def test_the_newest_publication_counts(small_bank: Path) -> None:
    with pytest.raises(NotFound):
        get_current_version_id()
    first = publish_version(load_bank(small_bank))
    documents = make_documents()
    documents["items"]["five"] = make_single("five") | {"quizzes": ["small"]}
    second = publish_version(load_bank(write_bank(small_bank, documents)))
    assert get_current_version_id() == str(second.id)
    publish_version(first)
    assert get_current_version_id() == str(second.id)
    publish_version(first, again=True)
    assert get_current_version_id() == str(first.id)


def test_one_new_file_is_served_and_old_versions_stay_as_they_were(small_bank: Path) -> None:
    old = load_bank(small_bank)
    write_yaml(small_bank / "items" / "five.yaml", make_single("five") | {"quizzes": ["small"]})
    new = get_snapshot(load_bank(small_bank).id)
    slugs = [new.items[one].slug for one in new.quizzes["small"].item_ids]
    assert slugs == ["one", "two", "three", "four", "five"]
    assert len(get_snapshot(old.id).quizzes["small"].item_ids) == 4


def test_a_version_can_be_made_again_from_what_was_stored(small_bank: Path) -> None:
    version = load_bank(small_bank)
    assert make_version(read_stored_source(version)) == version


def test_a_bad_directory_stores_nothing(small_bank: Path) -> None:
    (small_bank / "items" / "one.yaml").write_text("slug: one\nkind: essay\n")
    with pytest.raises(BankError):
        load_bank(small_bank)
    assert BankVersion.objects.count() == 0


def test_the_shipped_bank_keeps_keys_and_wording_of_the_two_pages() -> None:
    snapshot = get_snapshot(load_bank(FIXTURES).id)
    for slug, language in (("gradient-checkpointing", "bg"), ("activation-recomputation", "wo")):
        quiz = snapshot.quizzes[slug]
        assert (len(quiz.item_ids), quiz.language) == (8, language)
        items = [snapshot.items[one] for one in quiz.item_ids]
        places = [[one.is_key for one in item.options].index(True) + 1 for item in items]
        assert places == KEYS[language]
    seeds = TextRevision.objects.filter(status="seed")
    assert seeds.count() >= 16 * 5
    assert set(seeds.values_list("number", flat=True)) == {1}
    num_versions = ItemVersion.objects.count()
    assert load_bank(FIXTURES).digest == snapshot.digest
    assert ItemVersion.objects.count() == num_versions
