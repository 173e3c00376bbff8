"""Guests: a token for the demo course, a secret that renews it, nothing else."""

import pytest

from assessment.accounts.services import create_course
from tests.people import Person, read_json


@pytest.fixture
def demo(lms):
    return create_course(lms, slug="demo", title="Demo", is_demo=True)


def test_a_guest_gets_a_token_and_a_secret(demo, stranger):
    body = read_json(stranger.post("guests"), 201)
    assert (body["course"], body["rights"]) == (str(demo.id), ["learn"])
    renewed = read_json(stranger.post("guests/renew", {"secret": body["secret"]}))
    assert renewed["person"] == body["person"]


def test_every_guest_is_somebody_else(demo, stranger):
    people = {read_json(stranger.post("guests"), 201)["person"] for _ in range(3)}
    assert len(people) == 3


def test_without_a_demo_course_there_are_no_guests(bank, stranger):
    assert read_json(stranger.post("guests"), 404)["code"] == "no_demo_course"


@pytest.mark.parametrize("secret", ["", "wrong", 5, None, "x" * 101])
def test_a_wrong_secret_renews_nothing(demo, stranger, secret):
    reply = stranger.post("guests/renew", {"secret": secret})
    assert reply.status_code == (404 if secret == "wrong" else 400)


def test_a_guest_is_no_instructor(demo, stranger):
    guest = Person(token=read_json(stranger.post("guests"), 201)["token"])
    assert guest.get(f"courses/{demo.id}/sessions").status_code == 403
