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
