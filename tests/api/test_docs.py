"""The front page, the OpenAPI document and the page for people."""

import json
import re

import jsonschema
import pytest
from openapi_spec_validator import validate

from assessment.api.schema import get_schema
from tests.people import read_json
from tests.routes import list_routes

pytestmark = pytest.mark.usefixtures("bank")


def test_the_front_page_links_to_what_exists(stranger):
    reply = stranger.get("/api/v1/")
    body = read_json(reply)
    assert body["languages"] == ["en", "bg", "fr", "wo"]
    assert stranger.get("/api/v1/", If_None_Match=reply["ETag"]).status_code == 304
    for link in body["links"].values():
        assert stranger.get(link).status_code != 404, link


def test_the_document_is_openapi_3_1(stranger):
    reply = stranger.get("schema")
    schema = json.loads(reply.content)
    assert schema["openapi"] == "3.1.0"
    validate(schema)
    assert stranger.get("schema", If_None_Match=reply["ETag"]).status_code == 304


def test_every_path_is_described():
    described = {re.sub("{[a-z_]+}", "*", path) for path in get_schema()["paths"]}
    served = {
        re.sub("<[a-z]+:[a-z_]+>", "*", route)
        for route in list_routes()
        if route.startswith("/api/v1/")
    }
    apart = {f"/api/v1/{name}" for name in ("schema", "docs", "oauth/token", "metrics")}
    assert served - apart == described


def test_operations_have_names_and_stable_refusals():
    names = []
    for path, operations in get_schema()["paths"].items():
        for method, operation in operations.items():
            names.append(operation["operationId"])
            assert operation["summary"], path
            for status, reply in operation["responses"].items():
                kinds = list(reply.get("content", {}))
                if 400 <= int(status) < 600 and path != "/api/v1/readyz":
                    assert kinds == ["application/problem+json"], (path, method, status)
    assert len(names) == len(set(names))


def test_everything_is_described_and_nothing_meant_for_ourselves():
    schema = get_schema()
    for name, component in schema["components"]["schemas"].items():
        assert component.get("description"), name
        for field, shape in component.get("properties", {}).items():
            # What only refers to another shape is described there.
            assert "description" in shape or "$ref" in json.dumps(shape), (name, field)
    told = set()
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            where = (method, path)
            assert operation.get("description"), where
            assert all(one.get("description") for one in operation.get("parameters", [])), where
            assert all(one["description"] for one in operation["responses"].values()), where
            told.add(operation["description"])
    assert "A door" not in " ".join(told)
    assert "x-spec-enum-id" not in json.dumps(schema)


def test_every_example_is_what_its_operation_takes():
    schema = get_schema()
    shown = 0
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            content = operation.get("requestBody", {}).get("content", {})
            body = content.get("application/json", {})
            whole = {**body.get("schema", {}), "components": schema["components"]}
            for name, example in body.get("examples", {}).items():
                errors = list(jsonschema.Draft202012Validator(whole).iter_errors(example["value"]))
                assert not errors, (path, name, errors[0].message)
                shown += 1
    assert shown >= 10


def test_each_post_that_creates_or_scores_asks_for_its_key():
    excepted = {"mintToken", "createGuest", "renewGuest", "useHandoff"}
    for operations in get_schema()["paths"].values():
        if "post" in operations and operations["post"]["operationId"] not in excepted:
            names = [one["name"] for one in operations["post"]["parameters"]]
            assert "Idempotency-Key" in names


def test_the_page_for_people_is_whole_and_calls_no_other_host(stranger):
    reply = stranger.get("docs", Accept_Language="bg")
    page = reply.content.decode()
    assert reply["Content-Type"] == "text/html; charset=utf-8"
    assert reply["Content-Language"] == "en, bg"
    assert "POST /api/v1/sessions/{session_id}/responses" in page
    assert 'id="session_finished"' in page
    assert "Тази сесия вече е приключила." in page
    assert "<td></td></tr>" not in page
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)
    assert "<script" not in page
