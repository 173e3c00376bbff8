import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from assessment.bank.import_text import Page, make_documents, read_page

FIXTURES = Path(__file__).parents[2] / "fixtures"
PAGES = {
    "wo": FIXTURES / "reference" / "pages" / "activation-recomputation.wo.txt",
    "bg": FIXTURES / "reference" / "pages" / "gradient-checkpointing.bg.txt",
}
QUIZZES = {"wo": "activation-recomputation", "bg": "gradient-checkpointing"}
MANGLED = {("bg-5", "b"): "torch.optim.SGD", ("bg-5", "c"): "torch.nn.Dropout"}


def read_seed(language: str) -> Page:
    return read_page(PAGES[language].read_bytes(), language)


@pytest.mark.parametrize("language", ["wo", "bg"])
def test_the_seed_pages_give_the_items_of_the_bank(language: str) -> None:
    page = read_seed(language)
    assert page.is_clean
    for document in make_documents(page, prefix=language):
        slug = document["slug"]
        stored = yaml.safe_load((FIXTURES / "bank" / "items" / f"{slug}.yaml").read_text("utf-8"))
        assert document["stem"]["seed"] == stored["stem"]["seed"]
        for ours, theirs in zip(document["options"], stored["options"], strict=True):
            if (slug, ours["handle"]) in MANGLED:
                assert theirs["text"]["seed"]["text"] == MANGLED[slug, ours["handle"]]
            else:
                assert ours["handle"] == theirs["handle"]
                assert ours["text"]["seed"] == theirs["text"]["seed"]


@pytest.mark.parametrize("language", ["wo", "bg"])
def test_title_and_introduction_are_those_of_the_bank(language: str) -> None:
    page = read_seed(language)
    path = FIXTURES / "bank" / "quizzes" / f"{QUIZZES[language]}.yaml"
    stored = yaml.safe_load(path.read_text("utf-8"))
    assert page.title == stored["title"]["seed"]["text"]
    assert page.introduction == stored["introduction"]["seed"]["text"]


def test_the_guard_reports_exactly_the_two_mangled_options() -> None:
    assert read_seed("wo").findings == []
    found = read_seed("bg").findings
    assert [(one.line, one.code, one.excerpt) for one in found] == [
        (27, "identifier", "горелка.оптим.SGD"),
        (28, "identifier", "факла.nn.Отпадане"),
    ]


def _drop_line(text: str, number: int) -> str:
    lines = text.split("\n")
    return "\n".join(lines[: number - 1] + lines[number:])


THIRTY = "".join(f"• отговор {number}\n" for number in range(30))

DAMAGES: list[tuple[str, Callable[[str], bytes], str, int]] = [
    ("bg", lambda text: _drop_line(text, 8).encode(), "options", 5),
    ("bg", lambda text: text.replace("\n3. In", "\n2. In").encode(), "numbering", 15),
    ("bg", lambda text: text.replace("\n4. What", "\n4. 5. What").encode(), "two_marks", 20),
    ("bg", lambda text: text.replace("• Дисково", "* Дисково").encode(), "mixed_bullets", 8),
    ("bg", lambda text: text.encode("cp1251", "replace"), "encoding", 1),
    ("bg", lambda text: text.encode("utf-16"), "encoding", 1),
    ("wo", lambda text: text.encode("iso-8859-15", "replace"), "encoding", 1),
    ("bg", lambda text: b"\xef\xbb\xbf" + text.encode(), "byte_order_mark", 1),
    ("bg", lambda text: text.replace("\n", "\r\n").encode(), "line_ends", 1),
    ("bg", lambda text: text.split("\n")[0].encode(), "no_questions", 1),
    (
        "wo",
        lambda text: text.replace("  3. Why", "  A stray line\n  3. Why").encode(),
        "not_understood",
        26,
    ),
    ("wo", lambda text: text.replace("Laaj 1 de 8", "Laaj 1 de 9").encode(), "header", 5),
    (
        "wo",
        lambda text: text.replace("    • Njëg ci lim\n", "    • Njëg ci lim\n" * 2).encode(),
        "options",
        16,
    ),
    ("bg", lambda text: text.replace("8. What", "9. What").encode(), "numbering", 40),
    ("bg", lambda text: b"", "empty", 1),
    ("bg", lambda text: b" \n\t\n", "empty", 1),
    ("bg", lambda text: text.encode("koi8-r", "replace"), "encoding", 1),
    ("bg", lambda text: text.encode("utf-16-le"), "control_character", 1),
    ("bg", lambda text: text.encode("utf-32"), "encoding", 1),
    ("bg", lambda text: text.encode().decode("cp1251", "replace").encode(), "encoding", 1),
    ("wo", lambda text: text.encode().decode("cp1252", "replace").encode(), "encoding", 1),
    ("wo", lambda text: text.replace("ŋ", "\ufffd").encode(), "encoding", 3),
    ("wo", lambda text: unicodedata.normalize("NFD", text).encode(), "normal_form", 1),
    ("bg", lambda text: b"\x89PNG\r\n\x1a\n" + bytes(200), "encoding", 1),
    ("bg", lambda text: text.replace("памет", "па\x00мет", 1).encode(), "control_character", 5),
    ("bg", lambda text: text.replace("\n", "\u2028").encode(), "control_character", 1),
    ("bg", lambda text: text.replace("\n", "\r").encode(), "line_ends", 1),
    ("bg", lambda text: (text + "x" * 1_000_000).encode(), "too_large", 1),
    ("bg", lambda text: text.replace("Дисково", "Д" * 5000).encode(), "too_long", 8),
    ("bg", lambda text: text.replace("\n5. ", f"\n{'9' * 5000}. ").encode(), "options", 20),
    ("bg", lambda text: text.replace("• Дисково", THIRTY + "• Дисково").encode(), "options", 5),
    ("bg", lambda text: text.replace("• Диск", "• ● Диск").encode(), "two_marks", 8),
    ("bg", lambda text: text.replace("мрежата", "мре\nжата", 1).encode(), "not_understood", 9),
    ("bg", lambda text: (text + "\nAll rights reserved").encode(), "not_understood", 45),
    ("wo", lambda text: PAGES["bg"].read_bytes(), "language_unclear", 5),
    ("bg", lambda text: PAGES["wo"].read_bytes(), "language_unclear", 16),
]


@pytest.mark.parametrize(("language", "damage", "code", "line"), DAMAGES)
def test_a_damaged_page_says_what_is_wrong(
    language: str, damage: Callable[[str], bytes], code: str, line: int
) -> None:
    page = read_page(damage(PAGES[language].read_text("utf-8")), language)
    errors = [one for one in page.findings if one.level == "error"]
    assert not page.is_clean
    assert (errors[0].code, errors[0].line) == (code, line)
    assert all(one.message for one in errors)
