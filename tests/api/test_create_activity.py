"""POST /activities: the instructor sets a quiz, with a policy that can be."""

import pytest

from assessment.api.schema import get_schema
from assessment.delivery.models import Activity
from tests.people import read_json

QUIZ = "gradient-checkpointing"


def test_what_is_left_out_has_its_default(ben, course):
    reply = ben.post("activities", {"quiz": QUIZ})
    made = read_json(reply, 201)
    assert reply["Location"] == f"/api/v1/activities/{made['id']}"
    none = dict.fromkeys(("max_attempts", "opens_at", "closes_at", "time_limit_s"))
    plain = {"mode": "fixed", "reveal": "after_each", "predictions": False, "texts": "best"}
    assert made["policy"] == {**plain, **none}
    assert Activity.objects.get(pk=made["id"]).course_id == course.id


@pytest.mark.parametrize(
    ("policy", "field", "code"),
    [
        ({"quiz": "no-such"}, "quiz", "unknown_quiz"),
        ({"quiz": None}, "quiz", "null"),
        ({"mode": "adaptive", "reveal": "after_finish"}, "reveal", "invalid"),
        ({"adaptive": {"max_items": 3}}, "adaptive", "not_adaptive"),
        ({"mode": "fixed", "adaptive": {}}, "adaptive", "not_adaptive"),
        ({"mode": "adaptive", "adaptive": {"max_item": 3}}, "adaptive.max_item", "unknown_field"),
        ({"max_attempts": 0}, "max_attempts", "min_value"),
        ({"max_attempts": "2"}, "max_attempts", "invalid"),
        ({"max_attempts": True}, "max_attempts", "invalid"),
        ({"time_limit_s": 9}, "time_limit_s", "min_value"),
        ({"time_limit_s": 10**9}, "time_limit_s", "max_value"),
        ({"predictions": "yes"}, "predictions", "invalid"),
        ({"opens_at": "2026-03-29T03:30"}, "opens_at", "no_offset"),
        ({"closes_at": "2026-10-25"}, "closes_at", "no_offset"),
        ({"closes_at": "2026-10-25T25:00:00Z"}, "closes_at", "invalid"),
        ({"closes_at": 1793000000}, "closes_at", "invalid"),
        (
            {"opens_at": "2026-10-25T03:30:00+03:00", "closes_at": "2026-10-25T00:30:00Z"},
            "closes_at",
            "invalid",
        ),
        ({"is_public_practice": True}, "is_public_practice", "unknown_field"),
        ({"course": "x"}, "course", "unknown_field"),
        ({"policy": {}}, "policy", "unknown_field"),
    ],
)
def test_a_policy_that_cannot_be_names_its_field(ben, policy, field, code):
    """A time without offset may be twice or never (BB-67); nobody sets what is the server's."""
    problem = read_json(ben.post("activities", {"quiz": QUIZ, **policy}), 400)
    assert [(one["field"], one["code"]) for one in problem["errors"]] == [(field, code)]
    assert not Activity.objects.exists()


def test_the_examples_of_the_description_are_taken(ben):
    operation = get_schema()["paths"]["/api/v1/activities"]["post"]
    examples = operation["requestBody"]["content"]["application/json"]["examples"]
    for one in examples.values():
        read_json(ben.post("activities", one["value"]), 201)
    assert Activity.objects.count() == len(examples) == 2


def test_times_are_told_in_utc(ben):
    body = {
        "quiz": QUIZ,
        "opens_at": "2026-03-29T04:30:00+03:00",
        "closes_at": "2027-01-01T00:00:00Z",
    }
    policy = read_json(ben.post("activities", body), 201)["policy"]
    assert policy["opens_at"] == "2026-03-29T01:30:00.000Z"


def test_nobody_else_sets_a_quiz(ada, cleo, stranger, ben):
    assert ada.post("activities", {"quiz": QUIZ}).status_code == 403
    assert stranger.post("activities", {"quiz": QUIZ}).status_code == 401
    made = read_json(cleo.post("activities", {"quiz": QUIZ}), 201)
    assert ben.get(f"activities/{made['id']}").status_code == 404
