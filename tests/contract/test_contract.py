"""The served app against its own description, once per role.

1. A journey in which every operation succeeds, each reply checked against its schema.
2. For each role, made-up good and bad requests of every operation: no 5xx, no status,
   type or shape that is not described.
"""

import copy
import re
import uuid
from datetime import timedelta

import hypothesis
import jsonschema
import pytest
import schemathesis
import yaml
from django.conf import settings
from django.utils import timezone
from hypothesis import HealthCheck
from oauth2_provider.models import AccessToken
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from assessment.accounts.services import create_course
from assessment.api.schema import get_schema
from assessment.bank.snapshot import forget_snapshots
from tests.contract.world import make_world
from tests.people import (
    load_real_bank,
    make_client_application,
    make_person,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = 3
# Of each kind, operation and role, twice: about 2,000 requests in all.


@pytest.fixture
def world():
    yield make_world()
    forget_snapshots()


@pytest.fixture
def schema(live_server):
    return schemathesis.openapi.from_url(f"{live_server.url}/api/v1/schema")


def log_in(world):
    """The token of the LMS server itself."""
    made = AccessToken.objects.create(
        application=world.course.client,
        token=uuid.uuid4().hex,
        scope="learn instruct",
        expires=timezone.now() + timedelta(hours=1),
    )
    return made.token


def close_objects(value):
    """The same description, with every object of known members closed to others."""
    if isinstance(value, dict):
        if value.get("type") == "object" and "properties" in value:
            value["additionalProperties"] = False
        for inner in value.values():
            close_objects(inner)
    elif isinstance(value, list):
        for inner in value:
            close_objects(inner)
    return value


class Journey:
    """Calls operations by their names and checks each reply against the description."""

    def __init__(self, schema):
        self.operations = {
            one.ok().definition.raw["operationId"]: one.ok() for one in schema.get_all_operations()
        }
        self.reached = set()
        self.described = close_objects(copy.deepcopy(get_schema()))

    def check_members(self, name, status, body):
        """No member that the description does not name, at any depth."""
        operation = self.operations[name]
        replies = self.described["paths"][operation.path][operation.method]["responses"]
        shape = replies[str(status)]["content"]["application/json"]["schema"]
        if "traceEvents" in body or "$schema" in body:
            # Chrome's trace format and Vega-Lite are described by others.
            return
        whole = {**shape, "components": self.described["components"]}
        errors = list(jsonschema.Draft202012Validator(whole).iter_errors(body))
        assert not errors, (name, [f"{one.json_path}: {one.message}"[:300] for one in errors])

    def call(self, name, token=None, *, status, path=None, query=None, body=None):
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        more = {} if body is None else {"body": body, "media_type": "application/json"}
        case = self.operations[name].Case(
            path_parameters=path or {}, query=query or {}, headers=headers, **more
        )
        response = case.call_and_validate(checks=CHECKS)
        assert response.status_code == status, (name, response.status_code, response.text)
        self.reached.add(name)
        if "application/json" in str(response.headers.get("content-type")):
            self.check_members(name, status, response.json())
        return response.json() if "json" in str(response.headers.get("content-type")) else response


def test_every_operation_succeeds_as_described(world, schema):
    journey, ids = Journey(schema), world.ids
    ada, ben = world.ada.token, world.ben.token
    for name in ("readRoot", "readHealth", "readReadiness"):
        journey.call(name, status=200)
    guest = journey.call("createGuest", status=201, body={})
    journey.call("renewGuest", status=200, body={"secret": guest["secret"]})
    wanted = {"person": "x", "course": "course", "rights": ["learn"]}
    journey.call("mintToken", log_in(world), status=201, body=wanted)

    journey.call("listActivities", ada, status=200)
    journey.call("readActivity", ada, status=200, path=ids)
    journey.call("createActivity", ben, status=201, body={"quiz": "synthetic"})
    asking = {"activity": str(world.asking), "languages": ["bg"]}
    session = journey.call("startSession", ada, status=201, body=asking)
    journey.call("startSession", ada, status=200, body=asking)
    here = {"session_id": session["id"]}
    for name in ("readSession", "listItems"):
        journey.call(name, ada, status=200, path=here)

    item = session["current"]
    body = {
        "administration": item["administration"],
        "response": {"options": [item["options"][0]["id"]]},
        "certainty": 2,
        "elapsed_ms": 900,
    }
    journey.call("submitResponse", ada, status=201, path=here, body=body)
    place = {**here, "administration_id": item["administration"]}
    journey.call("answerPrediction", ada, status=200, path=place, body={"skip": True})
    journey.call("readFeedback", ada, status=200, path=here)
    wanted = {"administration": item["administration"]}
    journey.call("requestEvidence", ada, status=202, path=here, body=wanted)
    handoff = journey.call("createHandoff", ada, status=201, path=here, body={})
    journey.call("useHandoff", status=200, body={"secret": handoff["secret"]})
    journey.call("finishSession", ada, status=200, path=here, body={})

    journey.call("noteEvidenceSeen", ada, status=204, path=ids, body={})
    for name in ("readDemonstration", "readTrace"):
        journey.call(name, ada, status=200, path=ids)
    journey.call("readTrace", ada, status=200, path=ids, query={"format": "perfetto"})
    changes = {"parameters": {"layers": 3}}
    journey.call("requestWhatIf", ada, status=202, path=ids, body=changes)
    for kind in ("svg", "png", "json"):
        journey.call("readFigure", status=200, path={**ids, "kind": kind}, query=world.figure)
    for name in ("listCourseSessions", "listCourseRuns"):
        journey.call(name, ben, status=200, path=ids)
        journey.call(name, ben, status=200, path=ids, query={"format": "csv"})
    assert journey.reached == set(journey.operations) - list_authoring(journey)


def list_authoring(journey):
    return {
        name
        for name, one in journey.operations.items()
        if one.path.startswith(("/api/v1/bank/", "/api/v1/calibrations"))
    }


def test_every_operation_of_authors_succeeds_as_described(schema, transactional_db):
    load_real_bank()
    course = create_course(make_client_application("lms"), slug="course", title="Course")
    author = make_person(course, "dora", "author").token
    journey = Journey(schema)
    document = yaml.safe_load((settings.BANK_DIR / "items" / "bg-1.yaml").read_text())
    document["level"] = 3
    slug = {"slug": document["slug"]}
    journey.call("saveDraft", author, status=200, body={"document": document})
    journey.call("readDraft", author, status=200, path=slug)
    journey.call("listDrafts", author, status=200)
    journey.call("publishDraft", author, status=201, path=slug, body={})
    journey.call("retireItem", author, status=201, path={"slug": "bg-2"}, body={"reason": "x"})
    journey.call("compareVersions", author, status=200, path={"old": 1, "new": 2})
    asked = journey.call("requestCalibration", author, status=202, body={})
    journey.call("readCalibration", author, status=200, path={"proposal_id": asked["id"]})
    forget_snapshots()
    # A calibration to publish takes hundreds of answers: tests/analytics has them.
    assert list_authoring(journey) - journey.reached == {"publishCalibration"}


@pytest.mark.parametrize("role", ["anonymous", "client", "learner", "instructor", "author"])
def test_no_request_of_any_role_leaves_the_description(world, schema, role):
    tokens = {
        "anonymous": None,
        "client": log_in(world),
        "learner": world.ada.token,
        "instructor": world.ben.token,
        "author": make_person(world.course, "dora", "author").token,
    }
    before = world.ada.get(f"sessions/{world.session}").content
    seen = {}
    for operation in (one.ok() for one in schema.get_all_operations()):
        name = operation.definition.raw["operationId"]
        seen[name] = set()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            probe(operation, mode, world=world, token=tokens[role], seen=seen[name])
    assert len(seen) > 20
    refused = {status for statuses in seen.values() for status in statuses}
    assert refused >= ({401} if role == "anonymous" else {400, 403, 404})
    if role != "learner":
        # Nothing that others send changes what Ada has.
        assert world.ada.get(f"sessions/{world.session}").content == before


def probe(operation, mode, *, world, token, seen):
    """Made-up requests of one operation; every second one at the things that exist."""

    @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
    @hypothesis.settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[hypothesis.Phase.generate],
    )
    def run(case):
        for is_real in (False, True):
            if is_real:
                names = re.findall("{([a-z_]+)}", operation.path)
                case.path_parameters = {name: world.ids.get(name, "1") for name in names}
                if "figures" in operation.path:
                    case.query = {**(case.query or {}), **world.figure}
            if token is not None:
                case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}
            response = case.call()
            case.validate_response(response, checks=CHECKS)
            seen.add(response.status_code)

    try:
        run()
    except hypothesis.errors.Unsatisfiable:
        # An operation without parameters and body has no bad requests.
        assert mode is GenerationMode.NEGATIVE
