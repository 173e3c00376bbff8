"""Decision 14: before its time nothing that a learner can reach tells an item's secrets.

Each scan that must find nothing has a twin after answering, with the same eyes, that must
find everything; so no scan can pass by being blind.
"""

from collections.abc import Iterable

import pytest
from django.utils import timezone

from assessment.bank.snapshot import get_snapshot
from assessment.delivery.models import Administration
from assessment.experiments.models import Demonstration, Run
from assessment.flow.evidence import ask_for_kept_back
from tests.flow.reach import LANGUAGES, fetch_all
from tests.flow.secrets import Leak, find_leaks, list_secrets, normalize
from tests.people import answer, make_person, read_json, start
from tests.reports import report_measured

QUIZZES = {"gradient-checkpointing": "bg-1", "activation-recomputation": "wo-1"}
TOLD = {
    "key",
    "explanation",
    "misconception",
    "misconception slug",
    "experiment",
    "claim",
    "claim text",
    "prediction",
    "member correct",
    "member score",
    "member parameters",
}
# What the feedback of a wrong answer must tell.

NO_FINISH = "/finish$"


@pytest.fixture
def snapshot(bank):
    return get_snapshot(bank)


def list_items(snapshot, quiz):
    return [snapshot.items[one] for one in snapshot.quizzes[quiz].item_ids]


def find_wrong(snapshot, shown):
    """A distractor of the shown item that an experiment answers."""
    ids = {one["id"] for one in shown["options"]}
    item = next(one for one in snapshot.items.values() if ids == set(one.options_by_id))
    return item, next(
        one.id for one in item.options if one.evidence is not None and one.evidence.experiment
    )


def list_ids(person, session, activity):
    """Every id that there is, known to the learner or not."""
    administrations = [
        str(one) for one in Administration.objects.values_list("id", flat=True).order_by("id")
    ]
    shown = [str(one) for one in Demonstration.objects.values_list("id", flat=True)]
    runs = [str(one) for one in Run.objects.values_list("id", flat=True)]
    return {
        "session_id": [session["id"]],
        "activity_id": [str(activity)],
        "administration_id": administrations[:3],
        "demonstration_id": [*shown, *runs, administrations[0]],
        "course_id": [str(person.bearer.course_id)],
        "name": ["memory"],
        "kind": ["svg", "json"],
    }


def scan(person, session, activity, *, skip="^$", only=""):
    """All replies, with bodies that ask for as much as can be asked."""
    administrations = [str(one.id) for one in Administration.objects.order_by("position")[:2]]
    bodies = [
        *({"administration": one} for one in administrations),
        {"parameters": {}},
        {"activity": str(activity), "languages": ["wo"]},
        {"skip": True},
    ]
    ids = list_ids(person, session, activity)
    return fetch_all(person, ids, bodies=bodies, skip=skip, only=only)


def miss_first(person, session, snapshot):
    item, wrong = find_wrong(snapshot, session["current"])
    return item, read_json(answer(person, session["id"], session["current"], wrong), 201)


def measure_runs():
    """What the conductor and the worker do behind the learner's back."""
    ask_for_kept_back(now=timezone.now())
    for run in Run.objects.filter(experiment="tradeoff"):
        report_measured(run)


def show(leaks: Iterable[Leak]) -> str:
    return "\n".join(sorted({f"{one.kind} of {one.item}: {one.where}" for one in leaks})[:20])


@pytest.mark.parametrize("quiz", QUIZZES)
@pytest.mark.parametrize(
    "policy", [{"reveal": "after_each"}, {"reveal": "after_finish"}, {"mode": "adaptive"}]
)
def test_before_the_answer_nothing_is_told(ada, make_activity, snapshot, quiz, policy):
    activity = make_activity(quiz, **policy)
    session = start(ada, activity, "wo", "bg")
    replies = scan(ada, session, activity)
    assert len(replies) > 400
    assert not [one for one in replies if one.status >= 500]
    leaks = find_leaks(replies, list_items(snapshot, quiz), snapshot)
    assert not leaks, show(leaks)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("quiz", QUIZZES)
def test_after_each_tells_the_answered_item_and_no_other(ada, make_activity, snapshot, quiz, lang):
    activity = make_activity(quiz)
    session = start(ada, activity, lang)
    item, _ = miss_first(ada, session, snapshot)
    assert item.slug == QUIZZES[quiz]
    measure_runs()
    # The routes apart from these are walked above; here it is the eyes that are tried.
    replies = scan(ada, session, activity, skip="/what-if$", only="/sessions/|/demonstrations/")
    told = find_leaks(replies, [item], snapshot)
    assert {one.kind for one in told} >= TOLD, sorted(TOLD - {one.kind for one in told})
    explanations = [one.explanation.choose([lang]).lang for one in item.options]
    assert {one.lang for one in told if one.kind == "explanation"} >= set(explanations)
    leaks = find_secrets_of_others(replies, item, list_items(snapshot, quiz), snapshot)
    assert not leaks, show(leaks)


def find_secrets_of_others(replies, told, items, snapshot):
    """Leaks of the other items, less what the told item shares with them (a slug, a claim)."""
    shared = {needle for one in list_secrets(told, snapshot) for needle in one.needles}
    own = {
        (one.kind, one.item, one.lang)
        for item in items
        for one in list_secrets(item, snapshot)
        if set(one.needles) & shared
    }
    others = [one for one in items if one.slug != told.slug]
    return [
        one
        for one in find_leaks(replies, others, snapshot)
        if (one.kind, one.item, one.lang) not in own and not one.kind.startswith("member ")
    ]


@pytest.mark.parametrize("quiz", QUIZZES)
def test_after_finish_tells_nothing_until_the_end(ada, make_activity, snapshot, quiz):
    activity = make_activity(quiz, reveal="after_finish")
    session = start(ada, activity, "wo", "bg")
    item, reply = miss_first(ada, session, snapshot)
    assert set(reply) == {"recorded", "next", "end"}
    measure_runs()
    replies = scan(ada, session, activity, skip=NO_FINISH)
    leaks = find_leaks(replies, list_items(snapshot, quiz), snapshot)
    assert not leaks, show(leaks)

    read_json(ada.post(f"sessions/{session['id']}/finish"))
    replies = scan(ada, session, activity, skip="/what-if$")
    told = find_leaks(replies, [item], snapshot)
    assert {one.kind for one in told} >= TOLD, sorted(TOLD - {one.kind for one in told})
    leaks = find_secrets_of_others(replies, item, list_items(snapshot, quiz), snapshot)
    assert not leaks, show(leaks)


def test_until_the_prediction_is_given_nothing_is_told(ada, make_activity, snapshot):
    quiz = "gradient-checkpointing"
    activity = make_activity(quiz, has_predictions=True)
    session = start(ada, activity, "bg")
    item, reply = miss_first(ada, session, snapshot)
    assert set(reply) == {"recorded", "prediction"}
    measure_runs()
    replies = scan(ada, session, activity, skip=f"{NO_FINISH}|/predictions/")
    leaks = find_leaks(replies, list_items(snapshot, quiz), snapshot)
    assert not leaks, show(leaks)

    path = f"sessions/{session['id']}/predictions/{session['current']['administration']}"
    read_json(ada.put(path, {"skip": True}))
    told = find_leaks(scan(ada, session, activity), [item], snapshot)
    assert {one.kind for one in told} >= TOLD


def test_an_unfinished_answer_looks_the_same_right_or_wrong(ada, course, make_activity, snapshot):
    """Status, header, count, length, message: nothing differs between two learners."""
    activity = make_activity(reveal="after_finish")
    twin = make_person(course, "twin", "learn")
    seen = []
    for person, is_right in ((ada, True), (twin, False)):
        session = start(person, activity, "en")
        align_options(session)
        session = read_json(person.get(f"sessions/{session['id']}"))
        item, wrong = find_wrong(snapshot, session["current"])
        chosen = item.key_ids[0] if is_right else wrong
        reply = read_json(answer(person, session["id"], session["current"], chosen), 201)
        assert set(reply) == {"recorded", "next", "end"}
        measure_runs()
        ids = {**list_ids(person, session, activity), "demonstration_id": [session["activity"]]}
        ids["administration_id"] = [session["current"]["administration"]]
        replies = fetch_all(person, ids, skip=f"{NO_FINISH}|handoff|guests")
        seen.append([normalize(one) for one in replies])
    assert len(seen[0]) > 300
    for one, other in zip(*seen, strict=True):
        assert one == other


def align_options(session):
    """Give this session the option orders of the first, so that only the answer differs."""
    order = {}
    for one in Administration.objects.order_by("created_at"):
        order.setdefault(one.position, one.option_order)
    for one in Administration.objects.filter(session_id=session["id"]):
        Administration.objects.filter(pk=one.pk).update(option_order=order[one.position])


def test_cleo_and_a_stranger_reach_nothing_of_an_answered_session(
    ada, cleo, stranger, make_activity, snapshot
):
    activity = make_activity()
    session = start(ada, activity, "bg")
    miss_first(ada, session, snapshot)
    measure_runs()
    items = list_items(snapshot, "gradient-checkpointing")
    for person in (cleo, stranger):
        ids = list_ids(ada, session, activity)
        leaks = find_leaks(fetch_all(person, ids), items, snapshot)
        assert not leaks, show(leaks)
