"""Strangers are limited, answers are not, and a cache that is away limits nobody."""

import uuid

import pytest

from assessment.accounts.services import create_course
from tests.people import read_json


@pytest.fixture
def demo(lms):
    return create_course(lms, slug="demo", title="Demo", is_demo=True)


def become_guest(person, address):
    return person.http.post(
        "/api/v1/guests", data="{}", content_type="application/json", REMOTE_ADDR=address
    )


def test_one_address_makes_so_many_guests(demo, stranger, settings):
    settings.GUESTS_PER_HOUR = 2
    here, there = str(uuid.uuid4()), str(uuid.uuid4())
    assert [become_guest(stranger, here).status_code for _ in range(2)] == [201, 201]
    refused = become_guest(stranger, here)
    assert read_json(refused, 429)["code"] == "throttled"
    assert 0 < int(refused["Retry-After"]) <= 3600
    assert become_guest(stranger, there).status_code == 201


def test_without_the_cache_nobody_is_limited(demo, stranger, settings):
    settings.GUESTS_PER_HOUR = 0
    settings.CACHES = {
        "default": {**settings.CACHES["default"], "LOCATION": "unix:///nonexistent/valkey.sock"}
    }
    assert become_guest(stranger, str(uuid.uuid4())).status_code == 201
