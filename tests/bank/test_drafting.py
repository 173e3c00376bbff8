import json
from pathlib import Path

import pytest

from assessment.bank.compare import compare_versions
from assessment.bank.documents import BankError
from assessment.bank.drafting import (
    discard_draft,
    import_page,
    publish_draft,
    retire_item,
    save_draft,
)
from assessment.bank.models import BankVersion, Draft, Item, TextRevision
from assessment.bank.selectors import get_current_version, get_version
from assessment.bank.services import load_bank, publish_version, release_version
from assessment.bank.snapshot import get_current_version_id, get_snapshot
from assessment.core.errors import Conflict, Invalid, NotFound
from tests.bank.documents import make_documents, make_single, write_bank

pytestmark = pytest.mark.django_db

PAGES = Path(__file__).parents[2] / "fixtures" / "reference" / "pages"


def test_a_draft_is_linted_published_and_served(small_bank: Path) -> None:
    old = publish_version(load_bank(small_bank))
    document = make_single("five") | {"quizzes": ["small"]}
    draft = save_draft(document, by="ada")
    assert [one for one in draft.findings if one["level"] == "error"] == []
    new = publish_draft("five", by="ada")
    assert get_current_version_id() == str(new.id)
    quiz = get_snapshot(new.id).quizzes["small"]
    assert [get_snapshot(new.id).items[one].slug for one in quiz.item_ids][-1] == "five"
    assert get_snapshot(old.id).find_item("five") is None
    with pytest.raises(Conflict):
        publish_draft("five")


def test_a_draft_with_faults_says_so_and_is_not_published(small_bank: Path) -> None:
    publish_version(load_bank(small_bank))
    document = make_single("five")
    document["stem"] = {
        "en": "What does torch.utils.checkpoint do?",
        "bg": "Какво прави факла.utils.checkpoint?",
    }
    draft = save_draft(document)
    assert {one["code"] for one in draft.findings} == {"identifier"}
    with pytest.raises(BankError):
        publish_draft("five")
    assert BankVersion.objects.count() == 1
    assert Draft.objects.get(slug="five").state == "draft"


def test_an_unfinished_draft_names_its_fields(small_bank: Path) -> None:
    publish_version(load_bank(small_bank))
    draft = save_draft({"slug": "half", "kind": "single", "stem": {"en": "Half a question?"}})
    assert {"concept", "level", "options"} <= {str(one["place"]) for one in draft.findings}
    with pytest.raises(BankError):
        publish_draft("half")


def test_two_authors_do_not_overwrite_each_other() -> None:
    first = save_draft(make_single("five"))
    save_draft(make_single("five") | {"level": 2}, revision=first.revision)
    with pytest.raises(Conflict):
        save_draft(make_single("five") | {"level": 3}, revision=first.revision)


@pytest.mark.parametrize(
    "document",
    [
        {"slug": "Five!"},
        {"slug": 5},
        {},
        {"slug": "five", "stem": "a\x00b"},
        {"slug": "five", "stem": "\ud800"},
        {"slug": "five", "stem": float("nan")},
        {"slug": "five", "stem": "x" * 300_000},
    ],
)
def test_what_the_database_cannot_hold_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(Invalid):
        save_draft(document)
    assert not Draft.objects.exists()


def test_a_retired_item_leaves_new_versions_only(small_bank: Path) -> None:
    old = publish_version(load_bank(small_bank))
    new = retire_item("two", reason="Two readings are right.", by="ben")
    assert get_current_version() == new
    assert get_snapshot(new.id).find_item("two") is None
    assert len(get_snapshot(new.id).quizzes["small"].item_ids) == 3
    assert get_snapshot(old.id).find_item("two") is not None
    assert Item.objects.get(slug="two").retired_reason == "Two readings are right."
    assert load_bank(small_bank) == new
    with pytest.raises(NotFound):
        retire_item("two", reason="again")


def test_loading_the_files_keeps_the_items_of_authors(small_bank: Path) -> None:
    publish_version(load_bank(small_bank))
    save_draft(make_single("five"))
    new = publish_draft("five")
    assert load_bank(small_bank) == new
    documents = make_documents()
    documents["items"]["one"]["level"] = 3
    changed = get_snapshot(load_bank(write_bank(small_bank, documents)).id)
    assert changed.find_item("five") is not None


def test_a_discarded_draft_cannot_be_published(small_bank: Path) -> None:
    publish_version(load_bank(small_bank))
    save_draft(make_single("five"))
    discard_draft("five")
    with pytest.raises(Conflict):
        publish_draft("five")


def test_a_bank_with_an_error_is_not_released(small_bank: Path) -> None:
    documents = make_documents()
    documents["items"]["one"]["stem"] = {"en": "What is GPU_memory?", "bg": "Какво е памет?"}
    version = load_bank(write_bank(small_bank, documents))
    with pytest.raises(BankError, match="GPU_memory"):
        release_version(version)
    assert not version.publications.exists()


def test_versions_can_be_compared(small_bank: Path) -> None:
    old = load_bank(small_bank)
    documents = make_documents()
    del documents["items"]["two"]
    documents["quizzes"]["small"]["items"].remove("two")
    documents["items"]["one"]["stem"]["bg"] = "Коя е цената на паметта?"
    documents["items"]["three"]["numeric"]["value"] = 48
    documents["items"]["four"]["level"] = 3
    new = load_bank(write_bank(small_bank, documents))
    found = {(one.owner, one.kind, one.field) for one in compare_versions(old, new)}
    assert {
        ("item:two", "removed", ""),
        ("item:one", "text", "stem.bg"),
        ("item:three", "key", "version"),
        ("item:three", "data", "numeric.value"),
        ("item:four", "parameters", "authored -> authored"),
        ("item:four", "data", "level"),
    } <= found
    assert compare_versions(new, new) == []
    assert all(json.dumps(one.as_json()) for one in compare_versions(old, new))


def test_the_history_of_a_text_is_kept(small_bank: Path) -> None:
    load_bank(small_bank)
    documents = make_documents()
    documents["items"]["one"]["stem"]["bg"] = "Коя е цената на паметта?"
    load_bank(write_bank(small_bank, documents))
    rows = TextRevision.objects.filter(owner="item:one", place="stem", language="bg")
    assert sorted(row.number for row in rows) == [1, 2]


@pytest.mark.parametrize("wanted", ["99", "zzz", "9" * 40, "00000000-0000-4000-8000-000000000000"])
def test_an_unknown_version_is_not_found(wanted: str) -> None:
    with pytest.raises(NotFound):
        get_version(wanted)


def test_a_seed_page_becomes_drafts_and_again_the_same_ones() -> None:
    raw = (PAGES / "gradient-checkpointing.bg.txt").read_bytes()
    page, drafts = import_page(raw, language="bg", prefix="page")
    assert [draft.slug for draft in drafts] == [f"page-{number}" for number in range(1, 9)]
    assert len(page.findings) == 2
    again = import_page(raw, language="bg", prefix="page")[1]
    assert again == drafts
    assert Draft.objects.count() == 8


def test_a_damaged_page_changes_nothing() -> None:
    raw = (PAGES / "gradient-checkpointing.bg.txt").read_bytes()
    page, drafts = import_page(
        raw.replace("• Дисково".encode(), "* Дисково".encode()), language="bg"
    )
    assert not page.is_clean
    assert drafts == []
    assert not Draft.objects.exists()


def test_an_import_over_other_drafts_is_all_or_none() -> None:
    save_draft({"slug": "bg-3"})
    raw = (PAGES / "gradient-checkpointing.bg.txt").read_bytes()
    with pytest.raises(Conflict):
        import_page(raw, language="bg")
    assert Draft.objects.count() == 1
