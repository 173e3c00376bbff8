"""GET /sessions/{id} and its items: the same bytes on every device, each text with its language."""

import pytest

from tests.people import Person, answer, read_json, start


@pytest.fixture
def session(ada, make_activity):
    return start(ada, make_activity(), "wo", "fr")


def test_it_resumes_on_another_device_with_the_same_bytes(ada, session):
    first = ada.get(f"sessions/{session['id']}", Accept_Language="en")
    other = Person(ada.bearer, ada.token).get(f"sessions/{session['id']}", Accept_Language="bg")
    assert first.content == other.content
    assert first["ETag"] == other["ETag"]
    assert read_json(first) == session


def test_the_etag_saves_the_bytes_until_an_answer(ada, session):
    first = ada.get(f"sessions/{session['id']}")
    assert ada.get(f"sessions/{session['id']}", If_None_Match=first["ETag"]).status_code == 304
    item = session["current"]
    answer(ada, session["id"], item, item["options"][0]["id"])
    later = ada.get(f"sessions/{session['id']}", If_None_Match=first["ETag"])
    body = read_json(later)
    assert body["current"]["position"] == 2
    assert body["revision"] > session["revision"]


def test_reading_writes_nothing(ada, session, django_assert_num_queries):
    before = ada.get(f"sessions/{session['id']}").content
    ada.call("HEAD", f"sessions/{session['id']}")
    ada.get(f"sessions/{session['id']}/items?lang=bg")
    ada.get(f"sessions/{session['id']}/feedback")
    assert ada.get(f"sessions/{session['id']}").content == before


def test_items_come_in_any_of_their_languages_with_the_same_ids(ada, session):
    def read(lang):
        items = read_json(ada.get(f"sessions/{session['id']}/items?lang={lang}"))["items"]
        return [[one["id"] for one in item["options"]] for item in items], items

    wolof, bulgarian = read("wo"), read("bg")
    assert wolof[0] == bulgarian[0]
    assert len(wolof[1]) == 8
    assert {item["stem"]["lang"] for item in bulgarian[1]} == {"bg"}
    assert {item["stem"]["fallback"] for item in bulgarian[1]} == {False}


@pytest.mark.parametrize("lang", ["..%2F..%2Fx", "xx", "", "%00", "b" * 40, "bg_BG"])
def test_an_unknown_language_is_named(ada, session, lang):
    problem = read_json(ada.get(f"sessions/{session['id']}/items?lang={lang}"), 400)
    assert [one["field"] for one in problem["errors"]] == ["lang"]


@pytest.mark.parametrize("lang", ["BG", "bg-BG", "bg-Cyrl-BG"])
def test_a_tag_is_matched_as_the_standard_says(ada, session, lang):
    items = read_json(ada.get(f"sessions/{session['id']}/items?lang={lang}"))["items"]
    assert {item["stem"]["lang"] for item in items} == {"bg"}


@pytest.mark.parametrize(
    "header", ["zh-Hant", "*", "bg;q=0", "q" * 5000, "\u0416", ",;=,", "a-" * 999]
)
def test_no_header_of_languages_breaks_anything(ada, session, make_activity, header):
    reply = ada.get("activities", Accept_Language=header)
    assert read_json(reply)["results"]
    assert "Accept-Language" in reply["Vary"]


def test_a_refused_language_is_not_served(ada, make_activity):
    make_activity()
    reply = ada.get("activities", Accept_Language="bg;q=0, de")
    assert "bg" not in reply["Content-Language"].split(", ")


def test_ben_reads_it_and_cleo_finds_nothing(ben, cleo, session):
    assert read_json(ben.get(f"sessions/{session['id']}"))["id"] == session["id"]
    for path in ("", "/items", "/feedback"):
        assert cleo.get(f"sessions/{session['id']}{path}").status_code == 404
    assert ben.get(f"sessions/{session['id']}/items").status_code == 403


@pytest.mark.parametrize(
    "change",
    [
        str.upper,
        lambda one: one.replace("-", ""),
        lambda one: one + "/",
        lambda one: "\u0661" + one[1:],
    ],
)
def test_an_id_has_one_form(ada, session, change):
    assert read_json(ada.get(f"sessions/{change(session['id'])}"), 404)["code"] == "not_found"
