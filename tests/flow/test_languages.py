"""One quiz in three languages: the same options, order, path and scores."""

import pytest

from assessment.bank.snapshot import get_snapshot
from assessment.delivery.models import Administration
from assessment.scoring.models import Score
from tests.people import answer, make_person, read_json, start

LANGUAGES = ("bg", "wo", "en")


@pytest.mark.parametrize("quiz", ["gradient-checkpointing", "activation-recomputation"])
def test_scores_order_and_path_do_not_depend_on_the_language(bank, course, make_activity, quiz):
    snapshot, activity = get_snapshot(bank), make_activity(quiz)
    taken = [
        take(make_person(course, lang, "learn"), activity, lang, snapshot) for lang in LANGUAGES
    ]
    assert taken[0]["path"] == taken[1]["path"] == taken[2]["path"]
    assert taken[0]["scores"] == taken[1]["scores"] == taken[2]["scores"]
    assert 0.0 < sum(taken[0]["scores"]) < 8.0
    assert [one["langs"] for one in taken] == [{"bg"}, {"wo"}, {"en"}]


def take(person, activity, lang, snapshot):
    """Choose the first authored option of every item, which is right now and then."""
    session = start(person, activity, lang)
    item, path, langs = session["current"], [], set()
    while item is not None:
        stored = find_item(snapshot, item)
        langs |= {item["stem"]["lang"], *(one["text"]["lang"] for one in item["options"])}
        chosen = stored.options[0].id
        path.append((stored.version_id, chosen))
        item = read_json(answer(person, session["id"], item, chosen), 201)["next"]
    scores = Score.objects.filter(session_id=session["id"]).order_by("scored_at")
    return {"path": path, "scores": [one.score for one in scores], "langs": langs}


def find_item(snapshot, shown):
    ids = {one["id"] for one in shown["options"]}
    return next(one for one in snapshot.items.values() if ids == set(one.options_by_id))


def test_one_session_has_one_order_in_every_language(ada, make_activity):
    session = start(ada, make_activity(), "bg")
    stored = [
        [str(option) for option in one.option_order]
        for one in Administration.objects.filter(session_id=session["id"]).order_by("position")
    ]
    for lang in (*LANGUAGES, "fr"):
        items = read_json(ada.get(f"sessions/{session['id']}/items?lang={lang}"))["items"]
        assert [[one["id"] for one in item["options"]] for item in items] == stored


def test_two_sessions_have_orders_of_their_own(course, make_activity):
    activity = make_activity()
    orders = set()
    for number in range(8):
        session = start(make_person(course, f"learner-{number}", "learn"), activity, "en")
        orders.add(tuple(one["id"] for one in session["current"]["options"]))
    assert len(orders) > 2
