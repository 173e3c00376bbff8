"""Bytes, ETags and tables."""

import csv
import io
import json

import pytest
from django.test import RequestFactory

from assessment.api.replies import (
    defuse_cell,
    dump_json,
    list_languages,
    make_etag,
    matches_etag,
    reply_csv,
    reply_tagged,
)


def test_a_number_that_is_not_finite_becomes_null_and_the_rest_is_served():
    body = {"a": float("nan"), "b": [1.5, float("inf")], "c": {"d": float("-inf"), "e": "x"}}
    assert json.loads(dump_json(body)) == {"a": None, "b": [1.5, None], "c": {"d": None, "e": "x"}}


def test_the_etag_saves_the_bytes_and_changes_with_them():
    first = reply_tagged(RequestFactory().get("/"), {"a": 1}, languages=["bg", "en"])
    assert first.status_code == 200
    assert first["Content-Language"] == "bg, en"
    assert "Accept-Language" in first["Vary"]
    again = RequestFactory().get("/", headers={"If-None-Match": first["ETag"]})
    second = reply_tagged(again, {"a": 1}, languages=["bg", "en"])
    assert (second.status_code, second.content) == (304, b"")
    assert second["ETag"] == first["ETag"]
    assert "Accept-Language" in second["Vary"]
    assert reply_tagged(again, {"a": 2}).status_code == 200


@pytest.mark.parametrize(
    ("header", "is_match"),
    [('"x", "y"', True), ('W/"y"', True), ("*", True), ('"z"', False), ("", False), ("y", False)],
)
def test_it_compares_etags_as_the_standard_says(header, is_match):
    assert matches_etag(header, '"y"') is is_match


def test_etags_of_parts_cannot_be_shifted():
    assert make_etag("ab", "c") != make_etag("a", "bc")


def test_it_lists_the_languages_of_all_texts():
    body = {
        "a": {"text": "x", "lang": "wo"},
        "b": [{"c": {"text": "y", "lang": "fr"}}],
        "lang": "de",
    }
    assert list_languages(body) == ["wo", "fr"]


@pytest.mark.parametrize(
    "text",
    [
        '=HYPERLINK("http://x","y")',
        "+1",
        "-1+1",
        "@SUM(A1)",
        "\tx",
        "\rx",
        "\uff1d1",
        " =1",
        "\u00a0=1",
    ],
)
def test_a_cell_never_runs(text):
    assert defuse_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", [-1.25, 0, 7, "Иван", "ñaar", "a=b", "1+1"])
def test_numbers_and_plain_texts_stay(value):
    assert defuse_cell(value) == value


def test_a_table_opens_in_a_spreadsheet_with_its_letters():
    rows = [{"name": "Иван", "=x": -1.5, "note": None}, {"name": "=1+1", "=x": float("nan")}]
    reply = reply_csv(rows, columns=["name", "=x", "note"], name="sessions")
    text = reply.content.decode("utf-8-sig")
    assert reply.content.startswith(b"\xef\xbb\xbf")
    assert list(csv.reader(io.StringIO(text))) == [
        ["name", "'=x", "note"],
        ["Иван", "-1.5", ""],
        ["'=1+1", "", ""],
    ]
