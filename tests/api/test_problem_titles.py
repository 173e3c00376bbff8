"""Every code that the product can refuse with has a title of its own."""

import ast
import re

import pytest
from django.conf import settings

from assessment.api.problem_titles import MESSAGES, STATUS_CODES, TITLES, get_title
from assessment.language.reading import REASONS

ERRORS = {"Invalid", "Forbidden", "NotFound", "Conflict", "Unprocessable", "TooMany", "Unavailable"}


def list_codes():
    """The codes of domain errors, read from the source."""
    for path in (settings.BASE_DIR / "assessment").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                first = node.args[0] if node.args else None
                if node.func.id in ERRORS and isinstance(first, ast.Constant):
                    yield first.value


def test_every_code_has_a_title():
    codes = set(list_codes())
    assert len(codes) > 20
    assert codes - set(TITLES) == set()
    assert not set(STATUS_CODES.values()) - set(TITLES)


def test_every_title_is_a_code_of_somebody():
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in (settings.BASE_DIR / "assessment").rglob("*.py")
    )
    assert [code for code in TITLES if f'"{code}"' not in source] == []


@pytest.mark.parametrize("catalogue", [TITLES, MESSAGES])
def test_every_sentence_exists_in_every_language(catalogue):
    for code, sentence in catalogue.items():
        assert set(sentence) == {"en", "bg", "fr", "wo"}, code
        assert all(text.strip() for text in sentence.values()), code


def test_every_way_to_mistype_a_number_is_told():
    assert {f"number_{reason}" for reason in REASONS} <= set(MESSAGES)


def test_all_languages_of_a_message_name_the_same_values():
    for code, sentence in MESSAGES.items():
        named = {lang: set(re.findall("{([a-z]+)}", text)) for lang, text in sentence.items()}
        assert len(set(map(frozenset, named.values()))) == 1, code


def test_an_unknown_code_has_the_title_of_its_status():
    assert get_title("nobody_wrote_this", status=404) == TITLES["not_found"]
    assert get_title("nobody_wrote_this", status=418) == TITLES["internal_error"]
