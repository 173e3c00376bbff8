"""Every refusal of every endpoint has one shape. The walk takes its paths from the URLs."""

import json
import re

import pytest

from assessment.api.parsers import MAX_DEPTH
from assessment.api.problem_titles import MESSAGES
from tests.people import Person, make_person, read_json
from tests.routes import list_sample_paths

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "HEAD", "OPTIONS")
OWN_SHAPE = "/api/v1/oauth/token"
# RFC 6749 says how this one refuses.


def check_problem(reply, *, where):
    assert reply["Content-Type"] == "application/problem+json", where
    problem = json.loads(reply.content)
    assert {"type", "code", "title", "status", "errors"} <= set(problem), where
    assert problem["status"] == reply.status_code, where
    assert re.fullmatch("[a-z_]+", problem["code"]), where
    assert problem["title"], where
    assert problem["type"] == f"/api/v1/docs#{problem['code']}", where
    for error in problem["errors"]:
        assert set(error) == {"field", "code", "message"}, where
        assert error["field"], where
        assert error["message"], where
    assert reply["Content-Language"] in ("en", "bg", "fr", "wo"), where
    assert "Accept-Language" in reply["Vary"], where
    assert reply.status_code < 500, (where, problem)


def test_every_refusal_of_every_endpoint_has_the_shape(ada, ben, cleo, stranger):
    refused = 0
    for path in list_sample_paths():
        for person in (ada, ben, cleo, stranger):
            for method in METHODS:
                body = None if method in ("GET", "HEAD", "OPTIONS") else {"nonsense": 1}
                reply = person.call(method, path, body=body)
                where = (method, path, reply.status_code, reply.content[:300])
                if reply.status_code < 400 or (path == OWN_SHAPE and method == "POST"):
                    continue
                if method == "HEAD":
                    assert reply["Content-Type"] == "application/problem+json", where
                    continue
                check_problem(reply, where=where)
                refused += 1
    assert refused > 300


def test_a_path_that_does_not_exist_has_the_shape(stranger):
    for path in ("/api", "/api/v1", "/api/v2/", "/api/v1/nothing", "/x%00y", "/%ff"):
        reply = stranger.get(path)
        assert reply.status_code == 404
        check_problem(reply, where=path)


@pytest.mark.parametrize("length", [81, 150, 4000])
def test_a_slug_longer_than_any_is_no_such_path(course, length):
    author = make_person(course, "dora", "author")
    reply = author.post(f"bank/items/{'x' * length}/retire", {"reason": "x"})
    check_problem(reply, where=length)
    assert reply.status_code == 404


@pytest.mark.parametrize("path", ["/api/v1/sessions", "/api/v1/nothing", "/api/v1/oauth/token"])
def test_bounds_hold_before_routing_and_login(stranger, path):
    big = stranger.call("POST", path, raw=b"x" * 70_000)
    check_problem(big, where=path)
    assert big.status_code == 413
    for encoding in ("gzip", "deflate", "br", "zstd", "gzip, gzip", "identity, gzip", "x"):
        reply = stranger.call("POST", path, raw=b"x", headers={"Content-Encoding": encoding})
        check_problem(reply, where=path)
        assert reply.status_code == 415
    for length in ("-1", "1e3", "\u0661", "9" * 30):
        reply = stranger.http.post(path, CONTENT_LENGTH=length)
        assert reply.status_code in (400, 413)
    chunked = stranger.http.post(path, headers={"Transfer-Encoding": "chunked"})
    assert chunked.status_code == 411


def test_a_plain_encoding_is_no_encoding(ada):
    reply = ada.call("GET", "activities", headers={"Content-Encoding": "identity"})
    assert reply.status_code == 200


@pytest.mark.parametrize(
    ("header", "lang", "title"),
    [
        ("bg", "bg", "Тук няма нищо."),
        ("wo, fr;q=0.8", "wo", "Dara nekkul fii."),
        ("fr-CA", "fr", "Il n'y a rien ici."),
        ("de, *", "en", "There is nothing here."),
        ("bg;q=0", "en", "There is nothing here."),
        ("", "en", "There is nothing here."),
    ],
)
def test_the_title_is_in_the_readers_language(stranger, header, lang, title):
    reply = stranger.get("/nothing", Accept_Language=header)
    assert (json.loads(reply.content)["title"], reply["Content-Language"]) == (title, lang)


def test_the_query_goes_before_the_header(stranger):
    reply = stranger.get("/nothing?lang=bg", Accept_Language="fr")
    assert reply["Content-Language"] == "bg"


def test_messages_of_fields_are_localized(ada):
    problem = read_json(ada.post("sessions", {}, Accept_Language="bg"), 400)
    assert problem["errors"] == [
        {"field": "activity", "code": "required", "message": MESSAGES["required"]["bg"]}
    ]


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({"quiz": "x" * 101}, "quiz", "Това е твърде дълго."),
        ({"quiz": "no-such"}, "quiz", MESSAGES["unknown_quiz"]["bg"]),
        (
            {"quiz": "training-memory", "max_attempts": 0},
            "max_attempts",
            "Това число е твърде малко.",
        ),
        ({"quiz": "training-memory", "mode": "{code}"}, "mode", "Това не е сред възможностите."),
        ({"quiz": "training-memory", "{braces}": 1}, "{braces}", MESSAGES["unknown_field"]["bg"]),
    ],
)
def test_what_is_wrong_is_said_in_the_readers_language(ben, body, field, message):
    problem = read_json(ben.post("activities", body, Accept_Language="bg"), 400)
    assert [(one["field"], one["message"]) for one in problem["errors"]] == [(field, message)]
    assert set(problem["errors"][0]) == {"field", "code", "message"}


def test_in_english_the_limit_is_named(ben):
    body = {"quiz": "training-memory", "max_attempts": 5000}
    (error,) = read_json(ben.post("activities", body), 400)["errors"]
    assert "1000" in error["message"]


@pytest.mark.parametrize(
    "headers",
    [
        {"X-HTTP-Method-Override": "DELETE"},
        {"X-HTTP-Method": "PUT"},
        {"X-Method-Override": "PATCH"},
    ],
)
def test_no_header_turns_a_method_into_another(ada, headers):
    assert (
        ada.call("POST", "activities/x?_method=DELETE", body={}, headers=headers).status_code == 404
    )
    reply = ada.call("GET", "activities?_method=DELETE", headers=headers)
    assert reply.status_code == 200
    reply = ada.call("DELETE", "activities")
    assert (reply.status_code, reply["Allow"]) == (405, "GET, POST, HEAD, OPTIONS")


def test_options_tell_methods_and_nothing_else(ada, stranger):
    for person in (ada, stranger):
        reply = person.call("OPTIONS", "sessions")
        assert (reply.content, reply.status_code in (204, 401)) != (b"", False)
    assert ada.call("OPTIONS", "sessions")["Allow"] == "POST, OPTIONS"


def test_no_other_origin_gets_leave(ada):
    for origin in ("https://evil.test", "null", "http://localhost.evil.test"):
        asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x"}
        for reply in (
            ada.call("GET", "activities", headers={"Origin": origin}),
            ada.call("OPTIONS", "sessions", headers={"Origin": origin, **asked}),
            ada.call("POST", "sessions", body={}, headers={"Origin": origin}),
        ):
            names = [name.lower() for name in reply.headers]
            assert not [name for name in names if name.startswith("access-control")]


def test_a_fault_of_ours_is_a_500_of_the_same_shape(stranger, settings, monkeypatch):
    monkeypatch.setattr("assessment.api.docs.get_schema", lambda: 1 / 0)
    reply = stranger.get("schema")
    assert reply.status_code == 500
    problem = json.loads(reply.content)
    assert (problem["code"], problem["errors"]) == ("internal_error", [])
    assert "ZeroDivisionError" not in reply.content.decode()


def test_a_wrong_host_is_a_400_of_the_same_shape(stranger):
    reply = stranger.call("GET", "activities", headers={"Host": "evil.test"})
    check_problem(reply, where="host")
    assert reply.status_code == 400


def test_thousands_of_wrong_fields_are_told_in_short(ada):
    body = {f"field-{number}" * 30: number for number in range(150)}
    reply = ada.post("sessions", body)
    assert len(read_json(reply, 400)["errors"]) == 50
    assert len(reply.content) < 30_000


def test_the_depth_limit_is_below_the_interpreters():
    assert MAX_DEPTH < 100


def test_a_token_beside_a_cookie_needs_no_csrf_token(ada):
    person = Person(ada.bearer, ada.token)
    person.http.cookies["sessionid"] = "x"
    assert person.get("activities").status_code == 200
