"""An adaptive session over REST: ends by its rule, tells no parameter, replays to its path."""

import json
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from assessment.bank.estimates import Estimate, publish_estimates
from assessment.bank.snapshot import forget_current_version, get_snapshot
from assessment.delivery import selectors as delivery
from assessment.delivery.adaptive import Taken, get_pool, plan_next
from assessment.delivery.models import Administration, ExposureCount, Session
from assessment.scoring.models import Score
from assessment.scoring.progress import replay_session
from tests.people import read_json, start

SECRET_WORDS = (b"theta", b"standard_error", b"information", b"randomesque", b"provisional_b")


def set_up(ben, quiz: str = "training-memory", **adaptive: object) -> UUID:
    body = {"quiz": quiz, "mode": "adaptive", "adaptive": adaptive}
    return UUID(read_json(ben.post("activities", body), 201)["id"])


def find_item(shown: dict, snapshot):
    row = Administration.objects.get(pk=shown["administration"])
    return snapshot.items[str(row.item_version_id)]


def give(shown: dict, item, *, is_right: bool) -> dict:
    """An answer to this item: the right one, or a wrong one of its kind."""
    if item.kind == "numeric":
        return {"value": item.numeric.value if is_right else item.numeric.value * 3 + 1}
    if item.kind == "ordering":
        ids = [one.id for one in item.options]
        return {"order": ids if is_right else ids[::-1]}
    keys = list(item.key_ids)
    wrong = [one.id for one in item.options if not one.is_key][:1]
    return {"options": keys if is_right else wrong}


def take(ada, activity: UUID, snapshot, rights) -> tuple[str, list[bytes]]:
    """Answer until the end, right or wrong as told; the session's id and every reply."""
    session = start(ada, activity, "en")
    shown, replies = session["current"], []
    for is_right in rights:
        item = find_item(shown, snapshot)
        body = {
            "administration": shown["administration"],
            "response": give(shown, item, is_right=is_right),
        }
        reply = ada.post(f"sessions/{session['id']}/responses", body)
        replies.append(reply.content)
        shown = read_json(reply, 201)["next"]
        if shown is None:
            break
    return session["id"], replies


@pytest.fixture
def snapshot(bank):
    return get_snapshot(bank)


def load(session_id: str) -> tuple[Session, list[Administration]]:
    session = Session.objects.select_related("activity").get(pk=session_id)
    return session, delivery.list_administrations(session)


def test_it_ends_by_its_rule_and_replays_to_the_same_items(ada, ben, snapshot):
    activity = set_up(ben, min_items=3, max_items=6)
    session_id, replies = take(ada, activity, snapshot, [True, False] * 10)
    last = json.loads(replies[-1])
    assert len(replies) == 6
    assert last["end"]["reason"] == "max_items"
    assert last["end"]["message"]["text"]
    session, rows = load(session_id)
    assert (session.state, session.finish_reason) == ("finished", "max_items")
    given = [str(row.item_version_id) for row in rows]
    assert replay_session(session, rows, snapshot) == given
    assert len(set(given)) == 6


def test_theta_follows_the_answers_and_stays_here(ada, ben, snapshot):
    activity = set_up(ben, max_items=5)
    session_id, replies = take(ada, activity, snapshot, [True, True, False, True, False])
    scores = list(Score.objects.filter(session_id=session_id).order_by("scored_at"))
    thetas = [0.0, *(one.theta for one in scores)]
    for before, score in zip(thetas, scores, strict=False):
        assert (score.theta > before) is score.is_correct
        assert str(score.bank_version_id) == snapshot.bank_version_id
    assert scores[-1].standard_error < 1.0
    for word in SECRET_WORDS:
        assert not any(word in reply for reply in replies)
    feedback = ada.get(f"sessions/{session_id}/feedback")
    assert b"theta" not in feedback.content
    interval = read_json(feedback)["outcome"]["interval"]
    assert 0 <= interval["low"] <= interval["high"] <= interval["num_items"]


def test_a_small_bank_ends_with_a_clear_state(ada, ben, snapshot):
    activity = set_up(ben, "gradient-checkpointing", min_items=8, max_items=20, standard_error=0.05)
    session_id, replies = take(ada, activity, snapshot, [True] * 30)
    assert len(replies) == 8
    assert json.loads(replies[-1])["end"]["reason"] == "bank_exhausted"
    assert load(session_id)[0].state == "finished"


def test_items_that_give_each_other_away_never_meet(ada, ben, snapshot):
    activity = set_up(ben, max_items=30, standard_error=0.05)
    session_id, _ = take(ada, activity, snapshot, [True, False, True] * 10)
    items = [snapshot.items[str(row.item_version_id)] for row in load(session_id)[1]]
    slugs = {item.slug for item in items}
    assert not any(item.enemies & slugs for item in items)


def test_a_session_resumes_at_the_same_item(ada, ben, snapshot):
    activity = set_up(ben, max_items=5)
    session = start(ada, activity, "bg")
    again = start_again(ada, activity)
    assert again["current"] == session["current"]
    path = f"sessions/{session['id']}"
    assert read_json(ada.get(path))["current"] == session["current"]


def start_again(ada, activity: UUID) -> dict:
    return read_json(ada.post("sessions", {"activity": str(activity), "languages": ["bg"]}), 200)


def test_a_held_belief_is_tested_again_once_its_evidence_was_seen(ada, ben, snapshot):
    activity = set_up(ben, max_items=20, randomesque=1, standard_error=0.05)
    session = start(ada, activity, "en")
    shown, seen = session["current"], False
    for _ in range(20):
        item = find_item(shown, snapshot)
        body = {
            "administration": shown["administration"],
            "response": give(shown, item, is_right=False),
        }
        reply = read_json(ada.post(f"sessions/{session['id']}/responses", body), 201)
        demonstration = (reply["feedback"] or {}).get("demonstration")
        if demonstration is not None:
            look = ada.call("PUT", f"demonstrations/{demonstration['id']}/seen", body={})
            assert look.status_code == 204
            seen = True
        shown = reply["next"]
        if shown is None:
            break
    rows = load(session["id"])[1]
    retests = [row for row in rows if row.selection and row.selection["retests"]]
    assert seen
    assert retests
    assert replay_session(*load(session["id"]), snapshot) == [
        str(row.item_version_id) for row in rows
    ]


@pytest.mark.parametrize(
    ("adaptive", "field"),
    [
        ({"exposure_cap": 0.01}, "policy.selection.exposure_cap"),
        ({"concepts": ["astrology"]}, "policy.concepts"),
        ({"min_items": 9, "max_items": 3}, "policy"),
        ({"criterion": "luck"}, "adaptive.criterion"),
        ({"sprt": {"cut": 0, "alpha": 0.5}}, "adaptive.sprt.alpha"),
        ({"sprt": {}}, "adaptive.sprt.cut"),
        (
            {"content": [{"concept": "astrology", "lower": 0, "upper": 1}]},
            "policy.content[0].concept",
        ),
        ({"content": [{"concept": "replay", "lower": 0.9, "upper": 0.1}]}, "policy.content[0]"),
    ],
)
def test_a_policy_that_cannot_be_is_refused_by_field(ben, adaptive, field):
    body = {"quiz": "training-memory", "mode": "adaptive", "adaptive": adaptive}
    problem = read_json(ben.post("activities", body), 400)
    assert [one["field"] for one in problem["errors"]] == [field]


def test_an_outsider_gets_nothing(ada, ben, cleo, snapshot):
    activity = set_up(ben, max_items=5)
    session = start(ada, activity, "en")
    body = {"activity": str(activity), "languages": ["en"]}
    assert cleo.post("sessions", body).status_code == 404
    assert cleo.get(f"sessions/{session['id']}").status_code == 404


def test_new_items_are_given_for_their_answers_only(ada, ben, snapshot):
    """With one item calibrated the others are new, and new items leave theta where it was."""
    quiz = snapshot.quizzes["training-memory"]
    calibrated = [one for one in quiz.item_ids if snapshot.items[one].concept != "replay"]
    estimates = [
        Estimate(UUID(one), "2PL", 1.0, 0.1, 0.2, 1.0, 0.1, 0.1, None, 300) for one in calibrated
    ]
    version = publish_estimates(estimates, by="test", note="test")
    forget_current_version()
    newer = get_snapshot(str(version.id))
    activity = set_up(ben, max_items=6, num_unscored=2, standard_error=0.05)
    session_id, _ = take(ada, activity, newer, [True, False] * 6)
    session, rows = load(session_id)
    unscored = [row for row in rows if not row.selection["is_scored"]]
    assert len(unscored) == 2
    assert all(newer.items[str(row.item_version_id)].concept == "replay" for row in unscored)
    thetas = dict(Score.objects.filter(session=session).values_list("item_version_id", "theta"))
    for row in unscored:
        before = next(one for one in rows if one.position == row.position - 1)
        assert thetas[row.item_version_id] == thetas[before.item_version_id]
    assert replay_session(session, rows, newer) == [str(row.item_version_id) for row in rows]


@pytest.mark.parametrize("randomesque", [1, 3])
def test_concepts_get_the_shares_that_were_asked_for(ada, ben, snapshot, randomesque):
    shares = [{"concept": "replay", "lower": 0.5, "upper": 0.5}]
    activity = set_up(
        ben, max_items=6, randomesque=randomesque, standard_error=0.05, content=shares
    )
    session_id, _ = take(ada, activity, snapshot, [True, False] * 6)
    concepts = [snapshot.items[str(row.item_version_id)].concept for row in load(session_id)[1]]
    assert len(concepts) == 6
    assert concepts.count("replay") == 3


def calibrate_all(snapshot, *, spread: float = 0.0):
    """The next version, in which every item of the quiz is sharp and calibrated."""
    ids = snapshot.quizzes["training-memory"].item_ids
    estimates = [
        Estimate(UUID(one), "2PL", 2.0, spread * at, 0.0, 1.0, 0.1, 0.1, None, 300)
        for at, one in enumerate(ids)
    ]
    version = publish_estimates(estimates, by="test", note="test")
    forget_current_version()
    return get_snapshot(str(version.id))


@pytest.mark.parametrize(("is_right", "reason"), [(True, "passed"), (False, "not_passed")])
def test_pass_or_fail_is_decided_and_told(ada, ben, snapshot, is_right, reason):
    newer = calibrate_all(snapshot)
    activity = set_up(ben, min_items=2, max_items=15, standard_error=0.05, sprt={"cut": 0.0})
    session_id, replies = take(ada, activity, newer, [is_right] * 15)
    end = json.loads(replies[-1])["end"]
    assert end["reason"] == reason
    assert end["message"]["text"].startswith("Your answers are enough to decide")
    # Each answer to an item with a = 2 at the cut is worth log(e) = 1, of the 2.94 asked for.
    assert len(replies) == 3
    session, rows = load(session_id)
    assert session.finish_reason == reason
    assert replay_session(session, rows, newer) == [str(row.item_version_id) for row in rows]


def test_a_provisional_bank_decides_nothing(ada, ben, snapshot):
    activity = set_up(ben, max_items=8, standard_error=0.05, sprt={"cut": 0.0, "delta": 1.0})
    _, replies = take(ada, activity, snapshot, [True] * 8)
    assert json.loads(replies[-1])["end"]["reason"] == "max_items"


def test_no_item_comes_after_its_time(ada, ben, snapshot):
    activity = set_up(ben, max_items=8, time_s=600)
    session = start(ada, activity, "en")
    Session.objects.filter(pk=session["id"]).update(
        started_at=timezone.now() - timedelta(seconds=601)
    )
    shown = session["current"]
    body = {
        "administration": shown["administration"],
        "response": give(shown, find_item(shown, snapshot), is_right=True),
    }
    reply = read_json(ada.post(f"sessions/{session['id']}/responses", body), 201)
    assert reply["next"] is None
    assert reply["end"]["reason"] == "time"


def test_an_item_over_its_cap_is_not_served_and_lists_serve_the_rest(ada, ben, snapshot):
    ids = snapshot.quizzes["training-memory"].item_ids
    newer = calibrate_all(snapshot, spread=0.01)
    shown = dict.fromkeys(ids[:2], 90)
    ExposureCount.objects.create(
        bank_version_id=newer.bank_version_id, num_sessions=100, counts=shown
    )
    activity = set_up(ben, max_items=10, standard_error=0.05, exposure_cap=0.8)
    session_id, _ = take(ada, activity, newer, [True, False] * 5)
    session, rows = load(session_id)
    assert len(rows) == 10
    assert not {str(row.item_version_id) for row in rows} & set(shown)
    assert {row.selection["path"] for row in rows} == {"lists"}
    assert len({row.selection["exposure"] for row in rows}) == 1
    assert replay_session(session, rows, newer) == [str(row.item_version_id) for row in rows]


def test_a_cap_is_weighed_against_the_items_that_can_be_asked(ben, snapshot):
    """A test of 20 in a quiz of 8 asks 8 items of each learner: a cap below 1 cannot hold."""
    body = {"quiz": "gradient-checkpointing", "mode": "adaptive"}
    for cap, status in ((0.99, 400), (1.0, 201)):
        adaptive = {"exposure_cap": cap, "max_items": 20}
        read_json(ben.post("activities", body | {"adaptive": adaptive}), status)


def test_a_belief_is_tested_again_until_it_is_answered_right(snapshot):
    pool = get_pool(snapshot.bank_version_id, "training-memory", ())
    slug, rows = next((slug, rows) for slug, rows in pool.retests.items() if len(rows) > 2)
    first, second, third = (pool.version_ids[row] for row in sorted(rows)[:3])

    def look(*log: Taken) -> set[int]:
        progress = plan_next(
            snapshot, quiz_slug="training-memory", policy={}, seed=1, log=list(log)
        )
        return set(progress.chosen.selection["retests"])

    held = Taken(first, True, False, True, (slug,), ())
    unseen, right = replace(held, beliefs=()), Taken(second, True, True, True, (), ())
    assert look(unseen) == set()
    assert look(held) == look(right, held) == set(rows)
    assert look(held, replace(right, is_right=False)) == set(rows)
    assert look(held, right) == set()
    assert look(held, right, replace(held, item_id=third)) == set(rows)
