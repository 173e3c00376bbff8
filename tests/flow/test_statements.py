"""What an answer costs in SQL in every mode: at most 12 statements, and 3 for its replay."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assessment.bank.snapshot import get_snapshot
from assessment.delivery.models import Administration
from tests.people import read_json, start

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


def capture(work):
    with CaptureQueriesContext(connection) as captured:
        reply = work()
    return reply, [one["sql"] for one in captured.captured_queries]


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
