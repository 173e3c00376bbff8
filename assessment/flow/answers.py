"""An answer: scored at once, told as much as may be told. The hot path of the product.

    submit_response -> (answer_prediction)
          |
          v
    a run is requested -> conductor -> worker -> its report

At most 12 SQL statements for a fresh answer, 3 for its replay (tests/flow/test_statements.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from assessment.accounts.tokens import Bearer, require_right
from assessment.bank.snapshot import get_snapshot
from assessment.core.errors import Conflict, Invalid, NotFound
from assessment.core.idempotency import Reply, RequestKey, answer_once
from assessment.delivery import selectors as delivery
from assessment.delivery import services
from assessment.experiments import predictions
from assessment.feedback import replies, telling
from assessment.flow import evidence
from assessment.scoring import progress
from assessment.scoring.answers import Answer, load_answer, read_answer
from assessment.scoring.rules import score_answer
from assessment.scoring.services import record_score

if TYPE_CHECKING:
    from assessment.delivery.adaptive import Progress
    from assessment.delivery.models import Administration

JsonObject = dict[str, object]


def submit_response(
    bearer: Bearer,
    key: RequestKey,
    *,
    session_id: UUID,
    administration_id: UUID,
    response: Mapping[str, object],
    certainty: int | None = None,
    elapsed_ms: int | None = None,
) -> Reply:
    """Score an answer at once and ask for its evidence.

    The same answer again is told what the first one was; another one is a Conflict. Where the
    feedback is kept back, a right answer and a wrong one cost the same statements.
    """
    require_right(bearer, "learn")

    def work() -> Reply:
        now = timezone.now()
        opened = services.open_session(session_id, bearer=bearer)
        administration = opened.find_administration(administration_id)
        item = telling.find_item(opened.session, administration)
        answer = read_answer(item, response, language=opened.session.languages[0])
        earlier = delivery.find_response(administration)
        if earlier is not None:
            if not load_answer(earlier.answer).is_same(answer):
                raise Conflict("already_answered")
            return Reply(201, replies.tell_answer_again(opened, administration), {})
        services.check_open(opened.session, now=now)
        given = services.record_response(
            administration,
            answer=answer.as_json(),
            certainty=certainty,
            elapsed_ms=elapsed_ms,
            now=now,
        )
        plan = _plan_next(opened, administration, answer, now=now)
        score = record_score(
            score_answer(item, answer),
            response_id=given.id,
            session_id=opened.session.id,
            item_version_id=administration.item_version_id,
            bank_version_id=opened.session.bank_version_id,
            theta=plan.theta if plan else None,
            standard_error=plan.standard_error if plan else None,
            now=now,
        )
        shown = None
        if not telling.is_revealed(opened.session, administration):
            evidence.leave_for_later(administration, now=now)
        elif not score.is_correct:
            shown = evidence.demonstrate_answer(opened.session, administration, score, given)
        if plan is not None:
            opened = _advance(opened, plan, answered=administration)
        return Reply(201, replies.tell_answer(opened, administration, score, shown), {})

    return answer_once(key, work)


def answer_prediction(
    bearer: Bearer, *, session_id: UUID, administration_id: UUID, choice: str | None
) -> JsonObject:
    """Keep the prediction (None: skipped), once; its reply carries the feedback.

    Raises Conflict when the session is over: its feedback could be read before.
    """
    require_right(bearer, "learn")
    with transaction.atomic():
        opened = services.open_session(session_id, bearer=bearer)
        administration = opened.find_administration(administration_id)
        item = telling.find_item(opened.session, administration)
        response = delivery.find_response(administration)
        question = predictions.find_question(item) if opened.activity.has_predictions else None
        if response is None or question is None:
            raise NotFound("no_prediction_asked")
        if choice is not None and question.find_choice(choice) is None:
            raise Invalid.field("choice", "unknown_choice", "The question has no such choice.")
        if delivery.find_prediction(administration) is None:
            services.check_open(opened.session, now=timezone.now())
        services.record_prediction(
            administration,
            experiment=question.experiment,
            choice=choice,
            asked_at=response.received_at,
        )
        if telling.is_revealed(opened.session, administration):
            evidence.complete_evidence(opened.session, [administration])
        opened = _end_when_done(opened)
        return replies.tell_answer_again(opened, administration)


def _plan_next(
    opened: services.OpenedSession, answered: Administration, answer: Answer, *, now: datetime
) -> Progress | None:
    """Where an adaptive session stands after this answer; None in a fixed one."""
    if opened.activity.mode == "fixed":
        return None
    return progress.plan_after(
        opened.session,
        opened.administrations,
        get_snapshot(opened.session.bank_version_id),
        now=now,
        answered=answered,
        answer=answer,
    )


def _advance(
    opened: services.OpenedSession, plan: Progress, *, answered: Administration
) -> services.OpenedSession:
    """Put the next item before the learner, or end the session with its reason.

    The end reveals everything, so it waits for the prediction that the last answer asks for.
    """
    if plan.chosen is None:
        if telling.find_pending_question(opened.session, answered) is None:
            services.finish_session(opened.session, reason=str(plan.reason))
        return opened
    added = services.add_administrations(
        opened.session, chosen=[plan.chosen], first_position=len(opened.administrations) + 1
    )
    return replace(opened, administrations=(*opened.administrations, *added))


def _end_when_done(opened: services.OpenedSession) -> services.OpenedSession:
    """Go on from the prediction that an adaptive session's end has waited for."""
    session, last = opened.session, opened.administrations[-1]
    is_waiting = session.state == "open" and delivery.find_response(last) is not None
    if opened.activity.mode == "fixed" or not is_waiting:
        return opened
    bank = get_snapshot(session.bank_version_id)
    plan = progress.plan_after(session, opened.administrations, bank, now=timezone.now())
    return _advance(opened, plan, answered=last)
