"""Evidence: which run answers an answer, when it is asked for, read, drawn and varied."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from assessment.accounts.services import lock_person
from assessment.core import outbox
from assessment.core.errors import Conflict, DomainError, NotFound, TooMany
from assessment.core.idempotency import Reply, answer_once
from assessment.delivery import selectors as delivery
from assessment.delivery import services
from assessment.experiments import plans
from assessment.experiments import selectors as runs
from assessment.experiments import services as experiments
from assessment.feedback import drawing, replies, telling
from assessment.scoring import selectors as scores
from assessment.scoring.answers import load_answer

if TYPE_CHECKING:
    from assessment.accounts.tokens import Bearer
    from assessment.core.idempotency import RequestKey
    from assessment.delivery.models import Administration, Response, Session
    from assessment.experiments.models import Demonstration
    from assessment.scoring.models import Score

log = logging.getLogger(__name__)

JsonObject = dict[str, object]

KEPT_BACK_TOPIC = "evidence"
# Outbox messages of answers whose feedback is not out yet, by administration.

DAY = timedelta(days=1)


# --- For an answer ------------------------------------------------------------------------------


def demonstrate_answer(
    session: Session, administration: Administration, score: Score, response: Response
) -> Demonstration:
    """Tie the answer to the run that refutes its very choice, or supports the key."""
    refutation = _choose_refutation(session, administration, score, response)
    return experiments.demonstrate(
        plans.plan_evidence(refutation.evidence),
        administration_id=administration.id,
        session_id=session.id,
        kind="support" if score.is_correct else "refute",
        option_id=UUID(refutation.option_id) if refutation.option_id else None,
    )


def leave_for_later(administration: Administration, *, now: datetime) -> None:
    """Have the conductor ask for the evidence of this answer, whatever it was worth.

    One statement, right or wrong: what an answer costs must not tell what is kept back.
    """
    outbox.write_message(topic=KEPT_BACK_TOPIC, key=str(administration.id), not_before=now)


def ask_for_kept_back(*, now: datetime) -> int:
    """Request what answers will show whose feedback is not out yet; the conductor calls it.

    What cannot be asked for now is asked for at the end of its session.
    """
    with outbox.taking(topic=KEPT_BACK_TOPIC, now=now) as messages:
        for message in messages:
            administration = delivery.find_administration(UUID(message.key))
            try:
                if administration is not None:
                    complete_evidence(administration.session, [administration])
            except DomainError as error:
                log.warning("no evidence is asked for %s: %s", message.key, error)
            message.delete()
    return len(messages)


def complete_evidence(session: Session, administrations: Sequence[Administration]) -> None:
    """Demonstrate each wrong answer among these that has no evidence yet."""
    shown = set(runs.list_demonstrated(session.id))
    by_response = {one.response_id: one for one in scores.list_scores([session.id])}
    for one in administrations:
        response = delivery.find_response(one)
        if response is not None and one.id not in shown:
            score = by_response[response.id]
            if not score.is_correct:
                _demonstrate_once(session, one, score, response)


def _demonstrate_once(
    session: Session, administration: Administration, score: Score, response: Response
) -> Demonstration:
    """As `demonstrate_answer`, where the conductor may do the same at this moment."""
    try:
        with transaction.atomic():
            return demonstrate_answer(session, administration, score, response)
    except IntegrityError:
        found = runs.find_demonstration(administration.id)
        if found is None:
            raise
        return found


def _choose_refutation(
    session: Session, administration: Administration, score: Score, response: Response
) -> plans.Refutation:
    item, answer = telling.find_item(session, administration), load_answer(response.answer)
    if score.is_correct:
        return plans.Refutation(item.key_evidence)
    wrong = [one for one in answer.options if not item.options_by_id[one].is_key]
    return plans.choose_refutation(item, wrong_options=wrong, value=answer.value)


# --- Asked for and read -------------------------------------------------------------------------


def request_evidence(
    bearer: Bearer, key: RequestKey, *, session_id: UUID, administration_id: UUID
) -> Reply:
    """The evidence of an answered item: after a right answer too, and again after a failure."""

    def work() -> Reply:
        opened = services.open_session(session_id, bearer=bearer)
        administration = opened.find_administration(administration_id)
        response = delivery.find_response(administration)
        if response is None or not telling.is_revealed(opened.session, administration):
            raise Conflict("feedback_not_revealed")
        score = scores.get_score(response.id)
        shown = runs.find_demonstration(administration.id)
        if shown is None:
            shown = _demonstrate_once(opened.session, administration, score, response)
        elif shown.run is None or shown.run.state == "failed":
            refutation = _choose_refutation(opened.session, administration, score, response)
            experiments.demonstrate_again(shown, plans.plan_evidence(refutation.evidence))
        body = telling.tell_demonstration(opened.session, administration, shown)
        return Reply(202, body, {"Location": f"/api/v1/demonstrations/{shown.id}"})

    return answer_once(key, work)


def read_demonstration(bearer: Bearer, demonstration_id: UUID) -> JsonObject:
    """State and, when there is one, result. NotFound until its feedback may be seen."""
    shown = replies.get_demonstration(demonstration_id, bearer=bearer)
    run = shown.run
    told = telling.tell_demonstration(
        shown.session,
        shown.administration,
        shown,
        queue_position=runs.find_queue_position(run) if run is not None else None,
    )
    if run is not None:
        num_left = max(0, settings.WHAT_IF_PER_DAY - len(_list_spent(bearer)))
        told["what_if"] = replies.describe_what_if(run, shown.session.languages, num_left=num_left)
    return told


def read_trace(bearer: Bearer, demonstration_id: UUID) -> tuple[Demonstration, bytes | None]:
    """The demonstration with its run, and the compressed full trace where there is one."""
    shown = replies.get_demonstration(demonstration_id, bearer=bearer)
    if shown.run is None or not runs.is_good(shown.run):
        raise NotFound("trace_not_found")
    return shown, runs.find_trace(shown.run.id)


def note_evidence_seen(bearer: Bearer, demonstration_id: UUID) -> None:
    """The learner looked at the evidence: an adaptive session may now test the belief again."""
    shown = replies.get_demonstration(demonstration_id, bearer=bearer)
    if not delivery.is_own(shown.session, bearer=bearer):
        raise NotFound("demonstration_not_found")
    services.note_evidence_seen(shown.administration)


# --- With other numbers -------------------------------------------------------------------------


def request_what_if(
    bearer: Bearer,
    key: RequestKey,
    *,
    demonstration_id: UUID,
    parameters: Mapping[str, object],
) -> Reply:
    """The same experiment with other numbers, within the catalogue's ranges and a quota."""

    def work() -> Reply:
        base = replies.get_demonstration(demonstration_id, bearer=bearer)
        if not delivery.is_own(base.session, bearer=bearer):
            raise NotFound("demonstration_not_found")
        if base.run is None:
            raise Conflict("nothing_was_run")
        plan = plans.plan_what_if(
            experiments.load_plan(base.run), parameters, device=base.run.device
        )
        _spend_quota(bearer)
        made = experiments.demonstrate(
            plan,
            administration_id=base.administration_id,
            session_id=base.session_id,
            kind="what_if",
            option_id=base.option_id,
            parent_id=base.id,
        )
        body = telling.tell_demonstration(base.session, base.administration, made)
        return Reply(202, body, {"Location": f"/api/v1/demonstrations/{made.id}"})

    return answer_once(key, work)


def _list_spent(bearer: Bearer) -> list[datetime]:
    return runs.list_what_if_times(bearer.person_id, since=timezone.now() - DAY)


def _spend_quota(bearer: Bearer) -> None:
    """Locks the person, so that two at once do not both take the last try.

    Raises TooMany, with the time until the first of the day's tries counts no more.
    """
    lock_person(bearer.person_id)
    spent, limit = _list_spent(bearer), settings.WHAT_IF_PER_DAY
    if len(spent) >= limit:
        frees_at = (spent[-limit] if limit else timezone.now()) + DAY
        wait_s = (frees_at - timezone.now()).total_seconds()
        raise TooMany("what_if_quota", extra={"retry_after": wait_s})


# --- Figures ------------------------------------------------------------------------------------


def draw_figures(run_id: UUID) -> int:
    """Draw every figure of a finished run in every language; how many. Idempotent.

    The languages of a figure appear at once: a picture in another language than asked may be
    cached for good. The figure that a page shows first is drawn first.
    """
    run, num_drawn = runs.get_run(run_id), 0
    pictures = drawing.draw_all(run.measurement or {})
    for _, group in itertools.groupby(pictures, key=lambda one: one.name):
        same_figure = list(group)
        with transaction.atomic():
            for picture in same_figure:
                experiments.keep_figure(run_id, picture)
        num_drawn += len(same_figure)
    settle_figures(str(run_id))
    return num_drawn


def settle_figures(key: str) -> None:
    """Ask no more for the figures of this run: they are drawn, or cannot be."""
    outbox.settle(topic=experiments.FIGURE_TOPIC, key=key)
