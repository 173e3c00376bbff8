"""Ada, a student; Ben, her instructor; Cleo, an outsider; and how each talks to the API.

A plugin, so that every folder of tests has them. The real bank is loaded once for all tests
of a database, and again where a test that commits has emptied the tables.
"""

import json
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from oauth2_provider.models import Application
from pytest_django.plugin import blocking_manager_key

from assessment.accounts.services import create_course, register_person
from assessment.accounts.tokens import Bearer, mint_token

API = "/api/v1"

HAS_TABLES = pytest.StashKey[bool]()
# Set once the test database is there.


@dataclass
class Person:
    """One who talks to the API; every POST gets an Idempotency-Key unless one is given."""

    bearer: Bearer | None = None
    token: str | None = None
    http: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self.call("GET", path, headers=headers)

    def post(
        self, path: str, body: object = None, *, key: str | None = None, **headers: str
    ) -> HttpResponse:
        headers.setdefault("Idempotency-Key", key or str(uuid.uuid4()))
        return self.call("POST", path, body={} if body is None else body, headers=headers)

    def put(self, path: str, body: object) -> HttpResponse:
        return self.call("PUT", path, body=body)

    def call(
        self,
        method: str,
        path: str,
        *,
        body: object = None,
        raw: bytes | None = None,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> HttpResponse:
        """Any request, with the body as JSON or as the very bytes given."""
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        sent = {**self.headers, **(headers or {})}
        return self.http.generic(
            method,
            path if path.startswith("/") else f"{API}/{path}",
            data=data,
            content_type=content_type if data else "",
            headers={name.replace("_", "-"): value for name, value in sent.items()},
        )


def read_json(response: HttpResponse, status: int = 200) -> Any:
    assert response.status_code == status, (response.status_code, response.content[:2000])
    return json.loads(response.content)


def load_real_bank() -> str:
    """Load and publish fixtures/bank; the id of the version."""
    from assessment.bank.services import load_bank, publish_version

    version = load_bank(settings.BANK_DIR)
    publish_version(version)
    return str(version.id)


def forget_process_caches() -> None:
    from assessment.bank.snapshot import forget_snapshots

    forget_snapshots()


@pytest.fixture(scope="session")
def stored_bank(request: pytest.FixtureRequest, django_db_setup: None) -> None:
    """The real bank, loaded once a process."""
    request.config.stash[HAS_TABLES] = True
    store_bank(request.config)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Load it again after a test that commits: inside a test's transaction it would not last."""
    if HAS_TABLES in item.config.stash and "stored_bank" in getattr(item, "fixturenames", ()):
        store_bank(item.config)


def store_bank(config: pytest.Config) -> None:
    """Load and commit the real bank where there is none."""
    from assessment.bank.models import BankVersion

    with config.stash[blocking_manager_key].unblock():
        if not BankVersion.objects.exists():
            load_real_bank()
            forget_process_caches()


@pytest.fixture
def bank(stored_bank: None, db: None) -> Iterator[str]:
    """The id of the published version of the real bank."""
    from assessment.bank.models import BankVersion

    forget_process_caches()
    found = BankVersion.objects.order_by("-number").values_list("id", flat=True).first()
    yield str(found) if found else load_real_bank()
    forget_process_caches()


def make_client_application(name: str) -> Application:
    return Application.objects.create(
        name=name,
        client_type=Application.CLIENT_CONFIDENTIAL,
        authorization_grant_type=Application.GRANT_CLIENT_CREDENTIALS,
        client_secret=f"secret of {name}",
    )


def make_person(course: Any, name: str, *rights: str) -> Person:
    person = register_person(course.client, external_id=name, name=name.title())
    bearer = Bearer(person.id, course.id, frozenset(rights), is_guest=False)
    return Person(bearer, mint_token(bearer))


@pytest.fixture
def lms(bank: str) -> Application:
    return make_client_application("lms")


@pytest.fixture
def course(lms: Application) -> Any:
    return create_course(lms, slug="deep-learning", title="Deep learning")


@pytest.fixture
def ada(course: Any) -> Person:
    return make_person(course, "ada", "learn")


@pytest.fixture
def ben(course: Any) -> Person:
    return make_person(course, "ben", "instruct")


@pytest.fixture
def cleo(bank: str) -> Person:
    """A learner and instructor of another school: nothing of this course is hers."""
    other = create_course(make_client_application("other"), slug="elsewhere", title="Elsewhere")
    return make_person(other, "cleo", "learn", "instruct")


@pytest.fixture
def stranger(bank: str) -> Person:
    return Person()


@pytest.fixture
def make_activity(course: Any) -> Callable[..., UUID]:
    """A new activity of the course: `make_activity("gradient-checkpointing", reveal=...)`."""
    from assessment.delivery.services import create_activity

    def make(quiz: str = "gradient-checkpointing", **policy: Any) -> UUID:
        return create_activity(course_id=course.id, quiz_slug=quiz, policy=policy).id

    return make


def start(person: Person, activity: UUID, *languages: str) -> Any:
    """A new session of this activity."""
    body = {"activity": str(activity), "languages": list(languages) or ["en"]}
    return read_json(person.post("sessions", body), 201)


def find_option(item: Mapping[str, Any], text: str) -> str:
    """The id of the shown option with this wording."""
    found = [one["id"] for one in item["options"] if one["text"]["text"] == text]
    assert len(found) == 1, (text, item)
    return found[0]


def answer(
    person: Person, session: str, item: Mapping[str, Any], option: str, **more: Any
) -> HttpResponse:
    body = {"administration": item["administration"], "response": {"options": [option]}, **more}
    return person.post(f"sessions/{session}/responses", body)
