"""What an answer costs in SQL in every mode: at most 12 statements, and 3 for its replay."""

import uuid

import pytest

from assessment.bank.snapshot import get_snapshot
from assessment.core import outbox
from assessment.core.models import OutboxMessage
from assessment.delivery.models import Administration
from assessment.flow.publishing import request_default_runs
from tests.people import make_person, read_json, start
from tests.statements import capture, name_statement

pytestmark = pytest.mark.django_db(transaction=True)

FRESH, REPLAY = 12, 3
# BEGIN and COMMIT counted.

MODES = {
    "after each": {},
    "after finish": {"reveal": "after_finish"},
    "predictions": {"has_predictions": True},
    "adaptive": {"mode": "adaptive"},
    "adaptive with predictions": {"mode": "adaptive", "has_predictions": True},
}


def give(item, *, is_right: bool) -> dict[str, object]:
    if item.kind == "numeric":
        return {"value": item.numeric.value if is_right else item.numeric.value * 3 + 1}
    if item.kind == "ordering":
        ids = [one.id for one in item.options]
        return {"order": ids if is_right else ids[::-1]}
    wrong = next(one.id for one in item.options if not one.is_key)
    return {"options": list(item.key_ids) if is_right else [wrong]}


@pytest.mark.parametrize("mode", MODES)
def test_an_answer_costs_the_same_in_every_mode(ada, bank, make_activity, mode):
    snapshot = get_snapshot(bank)
    session = start(ada, make_activity(**MODES[mode]), "en")
    path = f"sessions/{session['id']}/responses"
    for number in range(8):
        rows = Administration.objects.filter(session_id=session["id"], response=None)
        row = rows.order_by("position").first()
        if row is None:
            break
        item = snapshot.items[str(row.item_version_id)]
        response = give(item, is_right=number % 3 == 2)
        body, key = {"administration": str(row.id), "response": response}, str(uuid.uuid4())
        first, fresh = capture(lambda b=body, k=key: ada.post(path, b, key=k))
        again, replay = capture(lambda b=body, k=key: ada.post(path, b, key=k))
        read_json(first, 201)
        assert again.content == first.content
        assert len(fresh) <= FRESH, "\n".join(fresh)
        assert len(replay) <= REPLAY, "\n".join(replay)
    assert number >= 4


@pytest.mark.parametrize("mode", ["after each", "adaptive"])
def test_to_join_a_run_that_waits_costs_no_more_than_to_make_one(course, bank, make_activity, mode):
    """A class misses one item while its run, made ahead of need, still stands in the queue."""
    request_default_runs(bank)
    activity = make_activity(**MODES[mode])
    for name in ("ada", "eve", "fay"):
        person = make_person(course, name, "learn")
        session = start(person, activity, "en")
        row = Administration.objects.filter(session_id=session["id"]).order_by("position").first()
        response = give(get_snapshot(bank).items[str(row.item_version_id)], is_right=False)
        body = {"administration": str(row.id), "response": response}
        told, sql = capture(
            lambda p=person, s=session, b=body: p.post(f"sessions/{s['id']}/responses", b)
        )
        # An adaptive session may begin with an item that nothing measures.
        state = read_json(told, 201)["feedback"]["demonstration"]["state"]
        assert state == "waiting" or (state == "not_run" and mode == "adaptive")
        assert len(sql) <= FRESH, "\n".join(sql)
    is_urgent = OutboxMessage.objects.filter(topic="run", priority=outbox.URGENT).exists()
    assert is_urgent or mode == "adaptive"


KEPT_BACK = {
    "after finish": {"reveal": "after_finish"},
    "predictions": {"has_predictions": True},
    "predictions after finish": {"has_predictions": True, "reveal": "after_finish"},
}


@pytest.mark.parametrize("mode", KEPT_BACK)
def test_kept_back_a_right_answer_costs_what_a_wrong_one_does(course, bank, make_activity, mode):
    """Every item of a quiz, right and wrong: the same statements in the same order."""
    snapshot, activity = get_snapshot(bank), make_activity(**KEPT_BACK[mode])
    seen = {}
    for is_right in (True, False):
        person = make_person(course, f"right-{is_right}", "learn")
        session = start(person, activity, "en")
        for row in Administration.objects.filter(session_id=session["id"]).order_by("position"):
            item = snapshot.items[str(row.item_version_id)]
            body = {"administration": str(row.id), "response": give(item, is_right=is_right)}
            _, sql = capture(
                lambda p=person, s=session, b=body: p.post(f"sessions/{s['id']}/responses", b)
            )
            seen.setdefault(item.slug, []).append([name_statement(one) for one in sql])
    assert len(seen) == 8
    for slug, (right, wrong) in seen.items():
        assert right == wrong, slug
