"""The strict JSON parser: what it takes, and what it refuses with which field."""

import io
import json
import time

import pytest

from assessment.api.errors import BodyRefused
from assessment.api.parsers import (
    MAX_DEPTH,
    check_charset,
    exceeds_depth,
    parse_object,
    read_bounded,
)


def refuse(body: bytes) -> tuple[str, list[tuple[str, str]]]:
    with pytest.raises(BodyRefused) as caught:
        parse_object(body)
    assert caught.value.status_code == 400
    return caught.value.code, [(one["field"], one["code"]) for one in caught.value.errors]


def test_it_takes_what_json_can_say():
    body = '{"a": [1, -2.5, 1e3, true, null, "ж\\u0416\\ud83d\\ude00"], "b": {"c": {}}}'
    assert parse_object(body.encode()) == json.loads(body)


@pytest.mark.parametrize("body", [b"", b"  \n"])
def test_no_body_is_an_empty_object(body):
    assert parse_object(body) == {}


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"nonsense",
        b'{"a": }',
        b"{'a': 1}",
        b'{"a": 1} {"b": 2}',
        b"\xff\xfe",
        b'{"a": 01}',
        b"\xef\xbb\xbf{}",
        b'{"a": "\xed\xa0\x80"}',
        b'{"a": "tab\there"}',
    ],
)
def test_it_refuses_what_is_not_json(body):
    assert refuse(body) == ("malformed_json", [("body", "malformed_json")])


@pytest.mark.parametrize("body", [b"[]", b"1", b'"text"', b"null", b"[1, 2]"])
def test_it_refuses_what_is_no_object(body):
    assert refuse(body) == ("invalid", [("body", "not_an_object")])


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        (rb'{"a": "x\u0000"}', "a", "null_characters_not_allowed"),
        (rb'{"a": {"b": ["\u0000"]}}', "a.b[0]", "null_characters_not_allowed"),
        (rb'{"a": [{"b": "\ud800"}]}', "a[0].b", "surrogate_characters_not_allowed"),
        (rb'{"a": "\udfff\ud83d"}', "a", "surrogate_characters_not_allowed"),
        (b'{"a": 1, "b": 2, "a": 1}', "a", "duplicate_key"),
        (b'{"r": {"score": 1, "score": 2}}', "r.score", "duplicate_key"),
        (b'{"a": NaN}', "a", "not_finite"),
        (b'{"a": [-Infinity]}', "a[0]", "not_finite"),
        (b'{"a": 1e999}', "a", "not_finite"),
        (b'{"a": ' + b"9" * 5000 + b"}", "a", "number_too_large"),
        (b'{"a": -' + b"9" * 25 + b"}", "a", "number_too_large"),
    ],
)
def test_it_names_the_field_that_cannot_be_stored(body, field, code):
    assert refuse(body) == ("invalid", [(field, code)])


def test_it_refuses_a_key_that_cannot_be_stored():
    _, errors = refuse(rb'{"\u0000": 1, "b\ud800": 2}')
    assert [code for _, code in errors] == [
        "null_characters_not_allowed",
        "surrogate_characters_not_allowed",
    ]


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 100, 1000, 10_000, 1_000_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_depth_is_bounded_before_parsing(depth, opening, closing):
    body = b'{"a":' + opening * (depth - 1) + b"1" + closing * (depth - 1) + b"}"
    assert refuse(body) == ("invalid", [("body", "too_deep")])
    assert refuse(b'{"a":' + opening * depth) == ("invalid", [("body", "too_deep")])


def test_the_limit_itself_is_taken():
    body = b'{"a":' + b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1) + b"}"
    assert "a" in parse_object(body)


def test_brackets_in_texts_do_not_count():
    body = json.dumps({"a": "[{" * 500, "b": '\\"[[[' * 50}).encode()
    assert parse_object(body) == json.loads(body)
    assert not exceeds_depth(b'{"a": ["' + b"\\" * 2 + b'", "[[[["]' + b"[]" * 60, limit=4)


def test_hostile_bodies_are_judged_in_linear_time():
    began = time.process_time()
    for body in (b'"\\' * 32_000, b'{"a":"' + b"\\" * 65_000, b"[{" * 32_000, b'{"":' * 16_000):
        with pytest.raises(BodyRefused):
            parse_object(body)
    assert time.process_time() - began < 1.0


def test_a_thousand_keys_are_no_trouble():
    body = {f"k{number}": number for number in range(4000)}
    assert parse_object(json.dumps(body).encode()) == body


def test_a_body_over_the_limit_is_refused_unread():
    stream = io.BytesIO(b"x" * 1000)
    with pytest.raises(BodyRefused) as caught:
        read_bounded(stream, limit=100)
    assert caught.value.status_code == 413
    assert stream.tell() == 101


@pytest.mark.parametrize(
    "content_type", ["application/json", 'a/b; charset="UTF-8"', "a/b;charset=utf8"]
)
def test_utf_8_is_the_one_charset(content_type):
    check_charset(content_type)


@pytest.mark.parametrize("charset", ["utf-16", "latin-1", "windows-1251", "utf-7"])
def test_another_charset_is_refused(charset):
    with pytest.raises(BodyRefused) as caught:
        check_charset(f"application/json; charset={charset}")
    assert caught.value.status_code == 415
