"""From the answers of a session to its next item: scores the log, asks the adaptive engine."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from assessment.bank.snapshot import Snapshot
from assessment.delivery import adaptive
from assessment.delivery.policy import pick_instances
from assessment.delivery.selectors import find_response
from assessment.scoring.answers import Answer, load_answer
from assessment.scoring.rules import Verdict, score_answer

if TYPE_CHECKING:
    from assessment.delivery.models import Activity, Administration, Session


def choose_first(activity: Activity, snapshot: Snapshot, *, seed: int) -> list[adaptive.Chosen]:
    """What a new session is given: each item or family in order, or the first adaptive one."""
    quiz = snapshot.quizzes[activity.quiz_slug]
    if activity.mode == "fixed":
        ids = pick_instances(quiz.item_ids, snapshot.families, seed=seed)
        return [adaptive.Chosen(snapshot.items[one], None) for one in ids]
    plan = adaptive.plan_next(
        snapshot, quiz_slug=activity.quiz_slug, policy=activity.policy, seed=seed, log=[]
    )
    return [plan.chosen] if plan.chosen is not None else []


def plan_after(
    session: Session,
    administrations: Sequence[Administration],
    snapshot: Snapshot,
    *,
    now: datetime,
    answered: Administration | None = None,
    answer: Answer | None = None,
) -> adaptive.Progress:
    """Theta after the answers of the log, and the next item or the reason to end.

    answered, answer: the answer that is being recorded, not in the database yet.
    """
    log = [
        _read_taken(one, snapshot, answer if one is answered else None)
        for one in administrations
        if one is answered or find_response(one) is not None
    ]
    return adaptive.plan_next(
        snapshot,
        quiz_slug=session.activity.quiz_slug,
        policy=session.activity.policy,
        seed=session.seed,
        log=log,
        elapsed_s=adaptive.measure_elapsed_s(session.started_at, now=now),
    )


def replay_session(
    session: Session, administrations: Sequence[Administration], snapshot: Snapshot
) -> list[str | None]:
    """The items that this session's log is given when it is run again; the audit of a path."""
    return adaptive.replay(
        snapshot,
        quiz_slug=session.activity.quiz_slug,
        policy=session.activity.policy,
        seed=session.seed,
        log=[_read_taken(one, snapshot, None) for one in administrations],
    )


def _read_taken(
    administration: Administration, snapshot: Snapshot, answer: Answer | None
) -> adaptive.Taken:
    item = snapshot.items[str(administration.item_version_id)]
    response = find_response(administration)
    if answer is None and response is not None:
        answer = load_answer(response.answer)
    verdict: Verdict | None = score_answer(item, answer) if answer is not None else None
    was_seen = response is not None and response.evidence_seen_at is not None
    selection = administration.selection or {}
    return adaptive.Taken(
        item_id=item.version_id,
        is_answered=verdict is not None,
        is_right=verdict is not None and verdict.is_correct,
        is_scored=bool(selection.get("is_scored", True)),
        beliefs=verdict.misconceptions if verdict is not None and was_seen else (),
        retests=tuple(selection.get("retests", ())),
    )
