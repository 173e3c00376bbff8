"""What is told of answers and their evidence, and when: asks `rules`, reads, has it worded.

`assemble` words it from plain values; this module fetches them from the earlier stages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, cast

from django.utils import timezone

from assessment.bank.snapshot import Item, get_snapshot
from assessment.core.links import (
    make_demonstration_url,
    make_figure_url,
    make_trace_url,
)
from assessment.delivery import selectors as delivery
from assessment.delivery.presentation import present_item
from assessment.experiments import predictions
from assessment.experiments import selectors as evidence
from assessment.feedback.assemble import JsonObject as FeedbackJson
from assessment.feedback.assemble import (
    assemble_demonstration,
    assemble_feedback,
    assemble_unanswered,
)
from assessment.feedback.messages import find_local_text
from assessment.feedback.outcome import Outcome, assemble_outcome
from assessment.feedback.quantities import assemble_prediction
from assessment.feedback.rules import PredictionState, Reveal, may_reveal
from assessment.feedback.views import DemonstrationView, Kind
from assessment.scoring import selectors as scores
from assessment.scoring.answers import load_answer

if TYPE_CHECKING:
    from assessment.delivery.models import Administration, Session
    from assessment.experiments.models import Demonstration
    from assessment.experiments.plans import Range
    from assessment.scoring.models import Score

JsonObject = dict[str, object]


def is_revealed(
    session: Session, administration: Administration, *, attempts_left: bool = True
) -> bool:
    """Decisions 14 and 15 for one item. Two devices, one answer: the database says which state.

    attempts_left: whether another attempt could use what an unanswered item would tell.
    """
    return may_reveal(
        cast(Reveal, session.activity.reveal),
        prediction=_find_prediction_state(session, administration),
        session=delivery.find_session_state(session, now=timezone.now()),
        answered=delivery.find_response(administration) is not None,
        attempts_left=attempts_left,
    )


def find_pending_question(
    session: Session, administration: Administration
) -> predictions.Question | None:
    """The prediction that still stands between an answer and its feedback, or None."""
    if not session.activity.has_predictions or delivery.find_response(administration) is None:
        return None
    if delivery.find_prediction(administration) is not None:
        return None
    return predictions.find_question(find_item(session, administration))


def list_shown(session: Session) -> list[Administration]:
    """The administrations that the learner may know of, in order.

    An adaptive choice tells whether the answer before it was right: it waits for the
    prediction that still stands in front of that answer's feedback.
    """
    rows = delivery.list_administrations(session)
    is_open = delivery.find_session_state(session, now=timezone.now()) == "open"
    if session.activity.mode == "fixed" or not is_open:
        return rows
    for place, one in enumerate(rows):
        if find_pending_question(session, one) is not None:
            return rows[: place + 1]
    return rows


def find_item(session: Session, administration: Administration) -> Item:
    """The frozen item of an administration, from the session's pinned bank."""
    items = get_snapshot(session.bank_version_id).items
    return items[str(administration.item_version_id)]


def tell_session(session: Session) -> JsonObject:
    """Every item put before the learner, with as much of its feedback as may be seen.

    Five queries for any number of items.
    """
    is_over = delivery.find_session_state(session, now=timezone.now()) != "open"
    if session.activity.reveal == "after_finish" and not is_over:
        return {"revealed": False, "result": None, "outcome": None, "items": []}
    attempts_left = delivery.has_attempt_left(
        session.activity, person_id=session.person_id, now=timezone.now()
    )
    by_response = {one.response_id: one for one in scores.list_scores([session.id])}
    rows = list_shown(session)
    told = {one.id for one in rows if is_revealed(session, one, attempts_left=attempts_left)}
    kept = evidence.list_demonstrations(session.id).filter(administration_id__in=told)
    shown = {one.administration_id: one for one in kept}
    items: list[JsonObject] = []
    earned = 0.0
    for one in rows:
        response = delivery.find_response(one)
        score = by_response[response.id] if response is not None else None
        entry = _describe_entry(session, one)
        if one.id in told:
            entry["feedback"] = tell_feedback(session, one, score, shown.get(one.id))
            earned += score.score if score is not None else 0.0
        items.append(entry)
    result: JsonObject = {
        "score": round(earned, 6),
        "max_score": float(len(rows)),
        "answered": sum(bool(one["answered"]) for one in items),
        "num_items": len(rows),
    }
    outcome = None
    if is_over:
        scored = list(by_response.values())
        outcome = _tell_outcome(session, scored, attempts_left=attempts_left)
    return {"revealed": True, "result": result, "outcome": outcome, "items": items}


def _tell_outcome(
    session: Session, scored: Sequence[Score], *, attempts_left: bool
) -> FeedbackJson:
    """What the answers of a finished session show, in words.

    While another attempt is left, what was not tested stays out: it would name the
    misconceptions and ideas of items that were not answered.
    """
    outcomes = [
        Outcome(str(one.item_version_id), one.is_correct, tuple(one.misconceptions))
        for one in scored
    ]
    snapshot = get_snapshot(session.bank_version_id)
    return assemble_outcome(
        snapshot,
        session.activity.quiz_slug,
        outcomes,
        session.languages,
        with_untested=not attempts_left,
    )


def tell_end(session: Session) -> JsonObject | None:
    """Why the session is over, in words; None while it is open."""
    if session.state == "open":
        return None
    reason = session.finish_reason or session.state
    message = find_local_text(f"end-{reason.replace('_', '-')}", {}, session.languages)
    return {"reason": reason, "message": message.as_json() if message is not None else None}


def tell_feedback(
    session: Session,
    administration: Administration,
    score: Score | None,
    shown: Demonstration | None,
) -> JsonObject:
    """The heart of the product: feedback of one item, with its evidence inside."""
    item, snapshot = find_item(session, administration), get_snapshot(session.bank_version_id)
    response = delivery.find_response(administration)
    languages, texts = session.languages, session.activity.texts
    if response is None or score is None:
        return dict(assemble_unanswered(item, languages=languages, snapshot=snapshot, texts=texts))
    demonstration = _word(session, administration, shown) if shown is not None else None
    feedback = assemble_feedback(
        item,
        load_answer(response.answer),
        score=score.score,
        is_correct=score.is_correct,
        max_score=score.max_score,
        languages=languages,
        snapshot=snapshot,
        texts=texts,
        demonstration=demonstration,
    )
    return {
        **feedback,
        "certainty": response.certainty,
        "prediction": _tell_prediction(session, administration, shown),
    }


def _tell_prediction(
    session: Session, administration: Administration, shown: Demonstration | None
) -> FeedbackJson | None:
    """What was predicted beside what was measured; None where nothing was asked."""
    kept = delivery.find_prediction(administration)
    question = predictions.find_question(find_item(session, administration))
    if kept is None or question is None:
        return None
    run = shown.run if shown is not None else None
    is_its_own = run is not None and run.experiment == question.experiment and evidence.is_good(run)
    return assemble_prediction(
        question,
        choice=kept.choice,
        measured=run.measurement if run is not None and is_its_own else None,
        languages=session.languages,
    )


def tell_demonstration(
    session: Session,
    administration: Administration,
    shown: Demonstration,
    *,
    queue_position: int | None = None,
) -> JsonObject:
    """One demonstration in whatever state it is, with the addresses of its pictures.

    queue_position: runs in front of it, where the caller has asked for them.
    """
    return dict(_word(session, administration, shown, queue_position=queue_position))


def _word(
    session: Session,
    administration: Administration,
    shown: Demonstration,
    *,
    queue_position: int | None = None,
) -> FeedbackJson:
    lang = session.languages[0]
    name = str(shown.id)
    view = replace(view_demonstration(shown, administration), queue_position=queue_position)
    return assemble_demonstration(
        view,
        get_snapshot(session.bank_version_id),
        session.languages,
        figure_link=lambda figure: make_figure_url(name, figure, kind="svg", lang=lang),
        links={"self": make_demonstration_url(name), "trace": make_trace_url(name)},
        now=timezone.now(),
    )


def tell_range(one: Range, languages: Sequence[str]) -> JsonObject:
    """A parameter that may be changed, with its name in words where there is one."""
    label = find_local_text(f"parameter-{one.name.replace('_', '-')}", {}, languages)
    return {
        "name": one.name,
        "label": label.as_json() if label is not None else None,
        "kind": one.kind,
        "value": one.value,
        "minimum": one.minimum,
        "maximum": one.maximum,
        "choices": list(one.choices),
        "unit": one.unit,
    }


def view_demonstration(shown: Demonstration, administration: Administration) -> DemonstrationView:
    """Plain values of a demonstration, for the pure module that words it."""
    run = shown.run
    response = delivery.find_response(administration)
    answer = load_answer(response.answer) if response is not None else None
    state: Literal["waiting", "measured", "simulated", "failed", "not_run"] = (
        "not_run" if run is None else evidence.find_public_state(run)
    )
    return DemonstrationView(
        id=str(shown.id),
        state=state,
        item_version_id=str(administration.item_version_id),
        chosen_options=answer.options if answer is not None else (),
        answered_value=answer.value if answer is not None else None,
        kind=cast(Kind, shown.kind),
        experiment=run.experiment if run is not None else None,
        reason=(run.reason if run is not None else shown.reason) or None,
        delayed=run is not None and run.is_delayed and state == "waiting",
        reused_from=run.finished_at if run is not None and shown.is_reused else None,
        attempt=run.attempt if run is not None else None,
        requested_at=run.requested_at if run is not None else None,
        sent_at=run.sent_at if run is not None else None,
        started_at=run.started_at if run is not None else None,
        finished_at=run.finished_at if run is not None else None,
        measurement=run.measurement if run is not None else None,
        parameters=run.parameters if run is not None else None,
    )


def _describe_entry(session: Session, administration: Administration) -> JsonObject:
    item = find_item(session, administration)
    return {
        "administration": str(administration.id),
        "position": administration.position,
        "answered": delivery.find_response(administration) is not None,
        "item": present_item(
            item, administration, languages=session.languages, texts=session.activity.texts
        ),
        "feedback": None,
    }


def _find_prediction_state(session: Session, administration: Administration) -> PredictionState:
    if find_pending_question(session, administration) is not None:
        return "pending"
    kept = delivery.find_prediction(administration)
    if kept is None:
        return "not_asked"
    return "skipped" if kept.choice is None else "answered"
