"""An adaptive choice tells of the answer before it, so it waits for the prediction."""

from assessment.bank.snapshot import get_snapshot
from assessment.delivery.models import Administration
from tests.people import read_json, start


def test_no_next_item_is_seen_before_the_prediction(ada, bank, make_activity):
    session = start(ada, make_activity(mode="adaptive", has_predictions=True), "en")
    path, shown = f"sessions/{session['id']}", session["current"]
    row = Administration.objects.get(pk=shown["administration"])
    item = get_snapshot(bank).items[str(row.item_version_id)]
    body = {"administration": str(row.id), "response": {"options": list(item.key_ids)}}
    told = read_json(ada.post(f"{path}/responses", body), 201)
    assert set(told) == {"recorded", "prediction"}
    assert Administration.objects.count() == 2
    following = str(Administration.objects.get(position=2).id)

    for query in ("", "?lang=bg"):
        assert len(read_json(ada.get(f"{path}/items{query}"))["items"]) == 1
    for route in (path, f"{path}/items", f"{path}/feedback", "activities"):
        assert following.encode() not in ada.get(route).content

    predicted = ada.put(f"{path}/predictions/{shown['administration']}", {"skip": True})
    assert read_json(predicted)["next"]["administration"] == following
    assert len(read_json(ada.get(f"{path}/items"))["items"]) == 2


def test_the_end_waits_for_the_last_prediction(ada, bank, make_activity):
    policy = {"stop": {"min_items": 1, "max_items": 2}}
    activity = make_activity(mode="adaptive", has_predictions=True, policy=policy)
    session = start(ada, activity, "en")
    path = f"sessions/{session['id']}"
    for number in (1, 2):
        row = Administration.objects.get(position=number)
        item = get_snapshot(bank).items[str(row.item_version_id)]
        body = {"administration": str(row.id), "response": {"options": list(item.key_ids)}}
        told = read_json(ada.post(f"{path}/responses", body), 201)
        assert set(told) == {"recorded", "prediction"}
        seen = read_json(ada.get(path))
        assert (seen["state"], seen["finish_reason"]) == ("open", None)
        assert seen["prediction"] == told["prediction"]
        items = read_json(ada.get(f"{path}/feedback"))["items"]
        assert items[-1]["feedback"] is None
        predicted = read_json(ada.put(f"{path}/predictions/{row.id}", {"skip": True}))
        assert predicted["feedback"]["correct"] is True
    assert predicted["end"]["reason"] == "max_items"
    assert read_json(ada.get(path))["state"] == "finished"
    again = read_json(ada.put(f"{path}/predictions/{row.id}", {"skip": True}))
    assert again == predicted
