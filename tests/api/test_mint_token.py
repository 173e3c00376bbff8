"""POST /tokens: an LMS server mints tokens for its own people, within its own scopes."""

import base64
from datetime import timedelta

import pytest
from django.utils import timezone
from oauth2_provider.models import AccessToken

from assessment.accounts.models import AuthorGrant
from assessment.accounts.tokens import read_token
from tests.people import Person, read_json

TOKEN_URL = "/api/v1/oauth/token"


def log_in(application, *, scope="learn instruct") -> Person:
    """The LMS server itself, with an access token got as RFC 6749 says."""
    client = Person()
    secret = f"{application.client_id}:secret of {application.name}".encode()
    reply = client.call(
        "POST",
        TOKEN_URL,
        raw=f"grant_type=client_credentials&scope={scope.replace(' ', '+')}".encode(),
        content_type="application/x-www-form-urlencoded",
        headers={"Authorization": "Basic " + base64.b64encode(secret).decode()},
    )
    client.token = read_json(reply)["access_token"]
    return client


def mint(client, **changes):
    body = {"person": "ada", "course": "deep-learning", "rights": ["learn"], **changes}
    return client.post("tokens", body)


def test_a_client_mints_a_token_for_its_person(lms, course):
    reply = mint(log_in(lms), name="Ada")
    body = read_json(reply, 201)
    assert body["expires_in"] == 3600
    assert body["course"] == str(course.id)
    bearer = read_token(body["token"])
    assert (str(bearer.person_id), bearer.rights) == (body["person"], {"learn"})
    assert reply["Cache-Control"] == "no-store"


def test_the_same_person_stays_the_same(lms, course):
    client = log_in(lms)
    first = read_json(mint(client), 201)
    assert read_json(mint(client, rights=["instruct"]), 201)["person"] == first["person"]
    assert read_json(mint(client, person="ben"), 201)["person"] != first["person"]


def test_a_right_beyond_the_scopes_is_refused(lms, course):
    body = read_json(mint(log_in(lms, scope="learn"), rights=["instruct"]), 403)
    assert body["code"] == "right_beyond_scope"


def test_the_right_to_author_needs_an_operator(lms, course):
    client = log_in(lms, scope="learn author")
    assert read_json(mint(client, rights=["author"]), 403)["code"] == "author_not_granted"
    AuthorGrant.objects.create(client=lms)
    assert read_json(mint(client, rights=["author"]), 201)["rights"] == ["author"]


def test_cleos_school_cannot_mint_for_this_course(cleo, course):
    other = AccessToken.objects.create(
        application_id=_application_of(cleo),
        token="token-of-the-other-school",
        scope="learn",
        expires=timezone.now() + timedelta(hours=1),
    )
    body = read_json(mint(Person(token=other.token)), 404)
    assert body["code"] == "course_not_found"


def _application_of(person):
    from assessment.accounts.models import Course

    return Course.objects.get(pk=person.bearer.course_id).client_id


def test_an_expired_or_revoked_access_token_is_refused(lms, course):
    client = log_in(lms)
    AccessToken.objects.update(expires=timezone.now() - timedelta(seconds=1))
    reply = mint(client)
    assert read_json(reply, 401)["code"] == "invalid_token"
    assert reply["WWW-Authenticate"].startswith("Bearer")


def test_a_learner_cannot_mint(ada, stranger):
    assert read_json(mint(ada), 403)["code"] == "permission_denied"
    assert read_json(mint(stranger), 401)["code"] == "not_authenticated"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"person": ""}, "person"),
        ({"person": 5}, "person"),
        ({"person": "x" * 201}, "person"),
        ({"course": None}, "course"),
        ({"rights": []}, "rights"),
        ({"rights": ["rule"]}, "rights[0]"),
        ({"rights": "learn"}, "rights"),
        ({"rights": [["learn"]]}, "rights[0]"),
        ({"is_staff": True}, "is_staff"),
    ],
)
def test_bad_input_names_its_field(lms, course, changes, field):
    body = read_json(mint(log_in(lms), **changes), 400)
    assert [one["field"] for one in body["errors"]] == [field]


@pytest.mark.parametrize(
    "raw",
    [
        b"grant_type=client_credentials&client_id=%00&client_secret=x",
        b"grant_type=%00",
        b"",
        b"%ff=%fe",
    ],
)
def test_a_bad_grant_is_a_4xx(bank, stranger, raw):
    reply = stranger.call(
        "POST", TOKEN_URL, raw=raw, content_type="application/x-www-form-urlencoded"
    )
    assert 400 <= reply.status_code < 500, reply.content
    assert b"error" in reply.content


@pytest.mark.parametrize(
    ("content_type", "raw"),
    [
        ("multipart/form-data; boundary=b", b"--b--\r\n"),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nx\r\n' * 900,
        ),
        ("multipart/form-data", b"x"),
        ("application/json", b'{"grant_type": "client_credentials"}'),
        ("text/plain", b"grant_type=client_credentials"),
    ],
)
def test_a_grant_has_one_form(bank, stranger, content_type, raw):
    """Ten thousand parts are not even counted (BB-74)."""
    reply = stranger.call("POST", TOKEN_URL, raw=raw, content_type=content_type)
    assert read_json(reply, 400) == {"error": "invalid_request"}
    assert reply["Cache-Control"] == "no-store"


def test_a_form_of_too_many_fields_is_a_400(bank, stranger):
    raw = b"&".join(b"f%d=1" % number for number in range(5000))
    reply = stranger.call(
        "POST", TOKEN_URL, raw=raw, content_type="application/x-www-form-urlencoded"
    )
    assert reply.status_code == 400


@pytest.mark.parametrize("secret", [b"\x00:\x00", b"%00:x", b"a:%00", b"\xff\xfe", b"nothing"])
def test_bad_basic_credentials_are_a_4xx(bank, stranger, secret):
    reply = stranger.call(
        "POST",
        TOKEN_URL,
        raw=b"grant_type=client_credentials",
        content_type="application/x-www-form-urlencoded",
        headers={"Authorization": "Basic " + base64.b64encode(secret).decode()},
    )
    assert 400 <= reply.status_code < 500, reply.content


@pytest.mark.parametrize(
    "token", ["x", "a:b:c", "\u0416", "x" * 5000, "a b", "0", "W10~x~y", "%00", "\\x00"]
)
def test_a_made_up_token_is_401(bank, token):
    liar = Person(token=token)
    assert read_json(liar.get("activities"), 401)["code"] == "invalid_token"
