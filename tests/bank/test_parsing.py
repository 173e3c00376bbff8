from collections.abc import Callable
from pathlib import Path

import pytest

from assessment.bank.documents import BankError, Document, read_bank_directory
from assessment.bank.lint import lint_item
from assessment.bank.parsing import parse_bank
from tests.bank.documents import make_documents, write_bank


def find_problems(directory: Path) -> list[str]:
    with pytest.raises(BankError) as caught:
        parse_bank(read_bank_directory(directory))
    return [str(problem) for problem in caught.value.problems]


def test_all_four_kinds_parse(small_bank: Path) -> None:
    bank = parse_bank(read_bank_directory(small_bank))
    kinds = [bank.items[slug].kind for slug in ("one", "two", "three", "four")]
    assert kinds == ["single", "multiple", "numeric", "ordering"]


def _set(path: str, value: object) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        target: object = document
        *parents, last = path.split(".")
        for name in parents:
            target = target[int(name)] if name.isdigit() else target[name]  # type: ignore[index]
        target[int(last) if last.isdigit() else last] = value  # type: ignore[index]

    return change


@pytest.mark.parametrize(
    ("slug", "change", "problem"),
    [
        ("one", _set("kind", "essay"), "items/one.yaml: kind: 'essay' is unknown"),
        ("one", _set("level", 4), "items/one.yaml: level: 4 is unknown"),
        ("one", _set("level", True), "items/one.yaml: level: True is unknown"),
        ("one", _set("stem", None), "items/one.yaml: stem: is missing"),
        ("one", _set("stem", {"bg": "Само"}), "items/one.yaml: stem.en: the English source"),
        ("one", _set("stem.bg", "  "), "items/one.yaml: stem.bg: is blank"),
        ("one", _set("stem.bg", "a\x00b"), "items/one.yaml: stem.bg: has a control character"),
        ("one", _set("stem.bg", "и\u0306"), "items/one.yaml: stem.bg: is not in Unicode normal"),
        ("one", _set("stem.bg_BG", "x"), "stem.bg_BG: 'bg_BG' is no language tag"),
        ("one", _set("colour", "red"), "items/one.yaml: colour: is not a field"),
        ("one", _set("options.1.key", True), "a single choice has exactly one key, here are 2"),
        ("one", _set("options.1.misconception", None), "options[1].misconception: every"),
        ("one", _set("options.1.misconception", "unheard-of"), "'unheard-of' is not in misc"),
        ("one", _set("options.1.handle", "a"), "options: 'a' stands here twice"),
        ("one", _set("options.1.evidence.claims.0.id", "no"), "'tradeoff: no' is not in claims"),
        ("one", _set("options.1.evidence.claims", []), "options[1].evidence.claims: a measured"),
        ("one", _set("references", ["Chen 2016"]), "references[0]: 'Chen 2016' is no arXiv"),
        ("one", _set("enemies", ["nobody"]), "enemies: there is no item 'nobody'"),
        ("one", _set("slug", "other"), "slug: must be 'one', as the file name"),
        ("one", _set("evidence", {"grade": "text", "claims": []}), "evidence.claims: is not a"),
        ("three", _set("numeric.value", "12"), "numeric.value: must be a finite number"),
        ("three", _set("numeric.value", float("nan")), "numeric.value: must be a finite number"),
        ("three", _set("numeric.near.0.value", 12.1), "numeric.near[0].value: is within twice"),
        ("three", _set("numeric.units.B", 0), "numeric.units: a unit's factor must be above 0"),
        ("four", _set("wrong_explanation", None), "wrong_explanation: is missing"),
    ],
)
def test_each_problem_names_file_and_field(
    tmp_path: Path, slug: str, change: Callable[[Document], None], problem: str
) -> None:
    documents = make_documents()
    change(documents["items"][slug])
    found = find_problems(write_bank(tmp_path, documents))
    assert any(problem in one for one in found), found


def test_a_quiz_names_only_items_that_exist(tmp_path: Path) -> None:
    documents = make_documents()
    documents["quizzes"]["small"]["items"] = ["one", "ghost"]
    found = find_problems(write_bank(tmp_path, documents))
    assert found == ["quizzes/small.yaml: items: there is no item 'ghost'"]


def test_all_problems_come_at_once(tmp_path: Path) -> None:
    documents = make_documents()
    documents["items"]["one"]["kind"] = "essay"
    documents["items"]["two"]["level"] = 9
    assert len(find_problems(write_bank(tmp_path, documents))) >= 2


def test_a_key_that_nothing_measures_says_so(tmp_path: Path) -> None:
    documents = make_documents()
    documents["items"]["one"]["evidence"] = {"grade": "text", "reason": "not_measurable"}
    del documents["items"]["two"]["evidence"]
    bank = parse_bank(read_bank_directory(write_bank(tmp_path, documents)))
    evidence = bank.items["one"].key_evidence
    assert evidence is not None
    assert (evidence.experiment, evidence.reason) == (None, "not_measurable")
    assert [one.message for one in lint_item(bank.items["one"])] == []
    assert ["`grade: text`" in one.message for one in lint_item(bank.items["two"])] == [True]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"slug: one\nslug: two\n", "stands here twice"),
        (b"- a\n- b\n", "is not a mapping"),
        (b"slug: [", "is not YAML"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"slug: !!python/object/apply:os.system ['true']\n", "is not YAML"),
        (b"a: " + b"[" * 20_000, "is not YAML"),
        (b"#" * 1_000_001, "is over 1000000 bytes"),
    ],
)
def test_a_file_that_is_no_document_is_named(
    small_bank: Path, content: bytes, message: str
) -> None:
    (small_bank / "items" / "one.yaml").write_bytes(content)
    found = find_problems(small_bank)
    assert any("items/one.yaml" in one and message in one for one in found), found
