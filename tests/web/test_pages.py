"""The pages as bytes: a strict policy, no inline code, a small first load."""

import gzip
import re

import pytest
from django.test import Client

from assessment.web.assets import FOLDER, get_assets
from assessment.web.vega import NAME

LIMIT = 100_000
# Bytes of the compressed first load that the learner's page may take.


@pytest.mark.parametrize("path", ["/", "/learn/"])
def test_nothing_on_a_page_needs_a_loose_policy(path):
    page = Client().get(path)
    text = page.content.decode()
    policy = page["Content-Security-Policy"]
    assert "unsafe-inline" not in policy
    assert "unsafe-eval" not in policy
    assert "<style" not in text
    assert not re.search(r"\son\w+=|\sstyle=", text)
    for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL):
        assert not body or 'type="application/json"' in attributes


def test_no_script_parses_markup_or_code():
    for path in FOLDER.glob("*.js"):
        text = path.read_text()
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|eval\(|new Function", text)


def list_files(page: str) -> set[str]:
    return set(re.findall(r'(?:href|src)="(/assets/[^"]+)"', page))


@pytest.mark.parametrize("language", ["en", "bg", "wo"])
def test_the_first_load_is_small(language):
    browser = Client(headers={"Accept-Encoding": "gzip", "Accept-Language": language})
    page = browser.get("/learn/")
    total = len(page.content)
    for path in list_files(gzip.decompress(page.content).decode()):
        reply = browser.get(path)
        assert reply.status_code == 200, path
        assert reply["Content-Encoding"] == "gzip"
        total += len(reply.content)
    assert total < LIMIT


def test_assets_are_kept_for_ever_and_only_under_their_digest():
    assets = get_assets()
    browser = Client()
    reply = browser.get(f"/assets/{assets.digest}/app.js")
    assert reply["Cache-Control"] == "public, max-age=31536000, immutable"
    assert reply["Content-Type"].startswith("text/javascript")
    assert browser.get("/assets/0123456789abcdef/app.js").status_code == 404
    assert browser.get(f"/assets/{assets.digest}/..%2Fviews.py").status_code == 404


def test_pages_read_and_nothing_else():
    for path in ("/", "/learn/", "/learn/worker.js", f"/vega/{NAME}.js"):
        assert Client().post(path).status_code == 405
        assert Client().head(path).status_code == 200


def test_the_library_of_the_figures_comes_once_under_its_address():
    browser = Client(headers={"Accept-Encoding": "gzip"})
    page = gzip.decompress(browser.get("/learn/").content).decode()
    found = re.search(r'"vega": "([^"]+)"', page)
    assert found
    reply = browser.get(found[1])
    script = gzip.decompress(reply.content).decode()
    assert reply["Cache-Control"] == "public, max-age=31536000, immutable"
    assert reply["Content-Type"].startswith("text/javascript")
    assert script.endswith("as default};")
    assert browser.get(found[1]).content == reply.content
    assert browser.get("/vega/0123456789abcdef.js").status_code == 404


def test_every_module_that_is_imported_is_there_and_fetched_ahead():
    modules = set(get_assets().list_modules())
    for path in FOLDER.glob("*.js"):
        imported = set(re.findall(r'from "\./([^"]+)"', path.read_text()))
        assert imported <= modules, path.name
