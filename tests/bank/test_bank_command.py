"""`manage.py bank` as an author uses it."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessment.bank.models import Draft
from assessment.bank.snapshot import get_current_version_id, get_snapshot
from tests.bank.documents import make_documents, make_single, write_bank, write_yaml

pytestmark = pytest.mark.django_db

PAGES = Path(__file__).parents[2] / "fixtures" / "reference" / "pages"
PAGE = "gradient-checkpointing.bg.txt"


def run(*arguments: str, status: int = 0) -> Any:
    out = StringIO()
    if status == 0:
        call_command("bank", *arguments, "--json", stdout=out)
    else:
        with pytest.raises(SystemExit) as ended:
            call_command("bank", *arguments, "--json", stdout=out)
        assert ended.value.code == status
    return json.loads(out.getvalue())


def test_a_new_file_is_loaded_linted_published_and_served(small_bank: Path) -> None:
    first = run("load", str(small_bank), "--publish")
    write_yaml(small_bank / "items" / "five.yaml", make_single("five") | {"quizzes": ["small"]})
    assert run("lint", str(small_bank))["errors"] == 0
    second = run("load", str(small_bank), "--publish")
    assert second["version"] == first["version"] + 1
    assert get_current_version_id() == second["id"]
    assert get_snapshot(second["id"]).find_item("five") is not None
    assert get_snapshot(first["id"]).find_item("five") is None
    changes = run("compare", str(first["version"]), str(second["version"]))["changes"]
    assert {(one["owner"], one["kind"]) for one in changes} == {("item:five", "added")}


def test_the_published_bank_is_checked_when_no_folder_is_named(small_bank: Path) -> None:
    run("load", str(small_bank), "--publish")
    assert run("lint")["errors"] == 0
    by_language = {one["language"]: one for one in run("coverage")["languages"]}
    assert by_language["bg"]["share"] == 1.0
    assert by_language["wo"]["share"] == 0.0


def test_coverage_names_what_its_source_has_outrun(small_bank: Path) -> None:
    run("load", str(small_bank), "--publish")
    documents = make_documents()
    documents["items"]["one"]["stem"]["en"] = "What is the price of memory?"
    run("load", str(write_bank(small_bank, documents)), "--publish")
    by_language = {one["language"]: one for one in run("coverage")["languages"]}
    assert by_language["bg"]["statuses"]["stale"] == 1
    assert "stale" not in by_language["en"]["statuses"]
    assert by_language["bg"]["share"] == 1.0


def test_lint_ends_with_one_when_it_finds_an_error(small_bank: Path) -> None:
    documents = make_documents()
    documents["items"]["one"]["stem"] = {"en": "What is AdamW?", "bg": "Какво е оптимизатор?"}
    found = run("lint", str(write_bank(small_bank, documents)), status=1)
    assert [one["code"] for one in found["findings"] if one["level"] == "error"] == ["identifier"]


def test_a_bad_folder_is_explained(small_bank: Path) -> None:
    (small_bank / "items" / "one.yaml").write_text("slug: one\nkind: essay\n")
    with pytest.raises(CommandError, match=r"items/one.yaml: kind: 'essay' is unknown"):
        call_command("bank", "load", str(small_bank))


def test_nothing_published_is_explained() -> None:
    with pytest.raises(CommandError, match="no_bank_published"):
        call_command("bank", "lint")


def test_draft_publish_retire(small_bank: Path, tmp_path: Path) -> None:
    run("load", str(small_bank), "--publish")
    path = tmp_path / "five.yaml"
    write_yaml(path, make_single("five"))
    assert run("draft", str(path))["revision"] == 1
    published = run("publish", "five", "--draft")
    assert get_snapshot(published["id"]).find_item("five") is not None
    retired = run("retire", "five", "--reason", "A twin exists.")
    assert get_current_version_id() == retired["id"]
    assert get_snapshot(retired["id"]).find_item("five") is None
    assert [one["version"] for one in run("versions")["versions"]] == [2, 1]


def test_the_table_of_beliefs_is_printed_as_a_page(small_bank: Path) -> None:
    out = StringIO()
    call_command("bank", "table", str(small_bank), stdout=out)
    assert out.getvalue() == run("table", str(small_bank))["page"]
    assert out.getvalue().startswith("# Wrong answers")


def test_a_draft_is_given_up(small_bank: Path, tmp_path: Path) -> None:
    run("load", str(small_bank), "--publish")
    path = tmp_path / "five.yaml"
    write_yaml(path, make_single("five"))
    run("draft", str(path))
    assert run("discard", "five") == {"slug": "five", "state": "discarded"}
    with pytest.raises(CommandError):
        run("publish", "five", "--draft")


def test_an_older_version_can_be_served_again(small_bank: Path) -> None:
    first = run("load", str(small_bank), "--publish")
    documents = make_documents()
    documents["items"]["one"]["level"] = 3
    run("load", str(write_bank(small_bank, documents)), "--publish")
    run("publish", str(first["version"]))
    assert get_current_version_id() == first["id"]


def test_import_text_makes_drafts_or_nothing(tmp_path: Path) -> None:
    page = PAGES / PAGE
    found = run("import-text", str(page), "--lang", "bg", "--prefix", "page")
    assert len(found["drafts"]) == 8
    assert [one["line"] for one in found["findings"]] == [27, 28]
    damaged = tmp_path / "page.txt"
    damaged.write_bytes(page.read_bytes().replace(b"\n", b"\r\n"))
    found = run("import-text", str(damaged), "--lang", "bg", "--prefix", "other", status=1)
    assert not found["clean"]
    assert Draft.objects.count() == 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("import-text", "nowhere.txt", "--lang", "bg"), "nowhere.txt"),
        (("import-text", str(PAGES / "README.md"), "--lang", "bg_BG"), "is no language tag"),
        (("import-text", str(PAGES / PAGE), "--lang", "bg", "--prefix", "Q 1"), "slug: A slug"),
        (("draft", "nowhere.yaml"), "nowhere.yaml"),
        (("load", "nowhere"), "nowhere"),
        (("publish", "99"), "bank_version_not_found"),
    ],
)
def test_what_is_not_there_is_explained(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("bank", *arguments)
