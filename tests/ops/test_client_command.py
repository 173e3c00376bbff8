"""An operator registers a client, opens its course and lets it mint authors."""

import base64
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tests.people import API

pytestmark = pytest.mark.django_db


def run(*words: str):
    out = StringIO()
    call_command("client", *words, stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture
def client():
    return run("add", "School of Dakar")


def fetch_access(made) -> str:
    basic = base64.b64encode(f"{made['client_id']}:{made['client_secret']}".encode()).decode()
    reply = Client().post(
        f"{API}/oauth/token",
        "grant_type=client_credentials&scope=learn+author",
        content_type="application/x-www-form-urlencoded",
        headers={"Authorization": f"Basic {basic}"},
    )
    assert reply.status_code == 200, reply.content
    return reply.json()["access_token"]


def mint(made, right: str) -> int:
    reply = Client().post(
        f"{API}/tokens",
        json.dumps({"person": "ada", "course": "dl-1", "rights": [right]}),
        content_type="application/json",
        headers={"Authorization": f"Bearer {fetch_access(made)}"},
    )
    return reply.status_code


def test_a_client_mints_for_the_course_that_was_opened(client):
    assert mint(client, "learn") == 404
    made = run(
        "course", client["client_id"], "dl-1", "--title", "Deep", "--time-zone", "Africa/Dakar"
    )
    assert (made["course"], made["time_zone"]) == ("dl-1", "Africa/Dakar")
    assert mint(client, "learn") == 201
    (listed,) = run("list")
    assert (listed["courses"], listed["is_author"]) == (["dl-1"], False)
    assert "secret" not in json.dumps(listed)


def test_authors_are_granted_by_the_operator_alone(client):
    run("course", client["client_id"], "dl-1", "--title", "Deep")
    assert mint(client, "author") == 403
    assert run("author", client["client_id"])["is_author"] is True
    assert mint(client, "author") == 201
    run("author", client["client_id"], "--revoke")
    assert mint(client, "author") == 403


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add", "School of Dakar"), "client_exists"),
        (("add", "a\x00"), "name"),
        (("add", " "), "name"),
        (("course", "nobody", "x", "--title", "X"), "client_not_found"),
        (("author", "nobody"), "client_not_found"),
    ],
)
def test_what_cannot_be_is_said(client, words, said):
    with pytest.raises(CommandError, match=said):
        run(*words)


def test_a_course_needs_a_free_slug_and_a_real_zone(client):
    run("course", client["client_id"], "dl-1", "--title", "Deep")
    with pytest.raises(CommandError, match="course_exists"):
        run("course", client["client_id"], "dl-1", "--title", "Again")
    with pytest.raises(CommandError, match="time zone"):
        run("course", client["client_id"], "dl-2", "--title", "X", "--time-zone", "Mars/North")
