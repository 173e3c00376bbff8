"""A phone answers offline and sends later: twice, in any order, from two devices, after a 401."""

import random
import uuid

from assessment.delivery.models import Response
from assessment.scoring.models import Score
from tests.people import Person, read_json, start


def list_batch(person, session):
    """One answer for each item, each under a key of its own, as a phone would keep them."""
    items = read_json(person.get(f"sessions/{session['id']}/items"))["items"]
    return [
        (
            str(uuid.uuid4()),
            {
                "administration": item["administration"],
                "response": {"options": [item["options"][0]["id"]]},
            },
        )
        for item in items
    ]


def send(person, session, batch):
    path = f"sessions/{session['id']}/responses"
    return [person.post(path, body, key=key) for key, body in batch]


def test_a_batch_counts_once_however_it_arrives(ada, make_activity):
    session = start(ada, make_activity(), "en")
    batch = list_batch(ada, session)
    first = send(ada, session, reversed(batch[:5]))
    shuffled = random.Random(1).sample(batch, len(batch))
    second = send(Person(ada.bearer, ada.token), session, shuffled)
    assert {one.status_code for one in first + second} == {201}
    assert Response.objects.count() == Score.objects.count() == len(batch) == 8
    state = read_json(ada.get(f"sessions/{session['id']}"))
    assert state["progress"] == {"answered": 8, "total": 8}
    assert state["current"] is None


def test_nothing_is_lost_when_the_token_has_expired(ada, make_activity):
    session = start(ada, make_activity(), "en")
    batch = list_batch(ada, session)
    late = Person(ada.bearer, ada.token[:-2] + "xx")
    assert {one.status_code for one in send(late, session, batch)} == {401}
    assert not Response.objects.exists()
    assert {one.status_code for one in send(ada, session, batch)} == {201}


def test_another_answer_from_another_device_is_told_as_a_conflict(ada, make_activity):
    session = start(ada, make_activity(), "en")
    batch = list_batch(ada, session)
    send(ada, session, batch)
    items = read_json(ada.get(f"sessions/{session['id']}/items"))["items"]
    other = [
        (str(uuid.uuid4()), {**body, "response": {"options": [item["options"][1]["id"]]}})
        for (_, body), item in zip(batch, items, strict=True)
    ]
    replies = send(Person(ada.bearer, ada.token), session, other)
    assert {read_json(one, 409)["code"] for one in replies} == {"already_answered"}
    assert Score.objects.count() == 8
