"""Pages speak the reader's language, Wolof among them, and say which one they speak."""

import gettext
import re
from pathlib import Path

import pytest
from django.test import Client
from django.utils.translation import get_language_info

from assessment.web.assets import FOLDER
from assessment.web.languages import CATALOGUES, get_catalogue, list_languages
from assessment.web.texts import CLIENT, PAGE

TEMPLATES = Path(__file__).resolve().parents[2] / "assessment" / "web" / "templates"


@pytest.mark.parametrize(
    ("header", "served"),
    [
        ("wo", "wo"),
        ("wo-SN", "wo"),
        ("wo,fr;q=0.8", "wo"),
        ("BG", "bg"),
        ("bg-Cyrl-BG", "bg"),
        ("bg;q=0, en", "en"),
        ("zh-Hant", "en"),
        ("fr-CA, bg;q=0.5", "fr"),
        ("*", "en"),
        ("xx,," * 50_000, "en"),
    ],
)
def test_a_page_negotiates_its_language(header, served):
    page = Client().get("/", headers={"Accept-Language": header})
    assert page.status_code == 200
    assert page["Content-Language"] == served
    assert f'<html lang="{served}"' in page.content.decode()
    assert "Accept-Language" in page["Vary"]
    assert "Cookie" in page["Vary"]


@pytest.mark.parametrize("asked", ["../../x", "", "BG", "zz", "wo" * 99])
def test_a_choice_by_address_never_fails(asked):
    page = Client().get("/learn/", {"lang": asked}, headers={"Accept-Language": "fr"})
    assert page.status_code == 200
    assert page["Content-Language"] == ("bg" if asked == "BG" else "fr")


def test_a_choice_is_kept_and_wins_over_the_header():
    browser = Client(headers={"Accept-Language": "en"})
    browser.get("/?lang=wo")
    assert browser.get("/learn/")["Content-Language"] == "wo"


def test_wolof_is_named_and_known_to_django():
    assert ("wo", "Wolof") in list_languages()
    assert get_language_info("wo")["name_local"] == "Wolof"
    assert ">Wolof<" in Client().get("/").content.decode()


@pytest.mark.parametrize("language", ["en", "bg", "fr", "wo"])
def test_every_text_is_translated_with_its_placeholders(language):
    own = gettext.translation("django", CATALOGUES, languages=[language])
    own._fallback = None
    for name, text in {**PAGE, **CLIENT}.items():
        told = own._catalog.get(text)
        assert told, f"{language} lacks {name}"
        for value in ("n", "total", "text", "time", "name", "share", "score", "max", "language"):
            assert (f"%({value})s" in told) == (f"%({value})s" in text), (language, name)


@pytest.mark.parametrize("language", ["en", "bg", "fr", "wo"])
def test_the_compiled_catalogue_is_that_of_the_text_file(language):
    from babel.messages.pofile import read_po

    folder = CATALOGUES / language / "LC_MESSAGES"
    with (folder / "django.po").open("rb") as stream:
        written = {one.id: one.string for one in read_po(stream) if one.id}
    compiled = dict(gettext.translation("django", CATALOGUES, languages=[language])._catalog)
    compiled.pop("", None)
    assert compiled == written


def test_every_text_is_shown_and_every_shown_text_is_there():
    scripts = "".join(path.read_text() for path in FOLDER.glob("*.js"))
    pages = "".join(path.read_text() for path in TEMPLATES.rglob("*.html"))
    assert set(re.findall(r"\bt\(\s*\"(\w+)\"", scripts)) <= set(CLIENT)
    assert set(re.findall(r"\btext\.(\w+)", pages)) == set(PAGE)
    made = re.findall(r"\bt\(`(\w+)\$\{", scripts)
    unused = [name for name in CLIENT if f'"{name}"' not in scripts]
    assert [name for name in unused if not name.startswith(tuple(made))] == []


def test_a_text_that_wolof_lacks_is_french():
    assert get_catalogue("wo")._fallback._catalog["Right"] == "Juste"
