"""What is replied to an answer, and how a session stands: as much as may be seen now."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.utils import timezone

from assessment.bank.snapshot import get_snapshot
from assessment.core.errors import NotFound
from assessment.delivery import presentation
from assessment.delivery import selectors as delivery
from assessment.delivery.access import is_taught
from assessment.experiments import plans
from assessment.experiments import selectors as evidence
from assessment.experiments import services as experiments
from assessment.feedback import telling
from assessment.scoring import selectors as scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assessment.accounts.tokens import Bearer
    from assessment.delivery.models import Administration, Session
    from assessment.delivery.services import OpenedSession
    from assessment.experiments.models import Demonstration, Run
    from assessment.scoring.models import Score

JsonObject = dict[str, object]


def tell_answer(
    opened: OpenedSession,
    administration: Administration,
    score: Score,
    shown: Demonstration | None,
) -> JsonObject:
    """The reply to an answer: as much as the activity's policy lets out now."""
    session = opened.session
    question = telling.find_pending_question(session, administration)
    if question is not None:
        asked = presentation.present_question(question, administration, session.languages)
        return {"recorded": True, "prediction": asked}
    following = _present_next(opened, administration)
    end = telling.tell_end(session)
    if not telling.is_revealed(session, administration):
        return {"recorded": True, "next": following, "end": end}
    return {
        "score": score.score,
        "max_score": score.max_score,
        "feedback": telling.tell_feedback(session, administration, score, shown),
        "next": following,
        "end": end,
    }


def tell_answer_again(opened: OpenedSession, administration: Administration) -> JsonObject:
    """What the first answer was told, or may be told by now.

    Evidence that is kept back is not read: only a wrong answer has some.
    """
    response = delivery.find_response(administration)
    assert response is not None
    score, shown = scores.get_score(response.id), None
    if telling.is_revealed(opened.session, administration):
        shown = evidence.find_demonstration(administration.id)
    return tell_answer(opened, administration, score, shown)


def _present_next(opened: OpenedSession, answered: Administration) -> JsonObject | None:
    """The first item without an answer, this one counted as answered; None at the end."""
    if opened.session.state != "open":
        return None
    for one in opened.administrations:
        if one.id != answered.id and delivery.find_response(one) is None:
            return presentation.present_item(
                telling.find_item(opened.session, one),
                one,
                languages=opened.session.languages,
                texts=opened.activity.texts,
            )
    return None


def describe_session(session: Session) -> JsonObject:
    """The session with its current item, or the prediction that stands before the next one."""
    rows = delivery.list_administrations(session)
    pending = None
    for one in rows:
        question = telling.find_pending_question(session, one)
        if question is not None:
            pending = presentation.present_question(question, one, session.languages)
            break
    return presentation.present_session(
        session,
        rows,
        get_snapshot(session.bank_version_id),
        state=delivery.find_session_state(session, now=timezone.now()),
        prediction=pending,
    )


def get_demonstration(demonstration_id: UUID, *, bearer: Bearer) -> Demonstration:
    """Raises NotFound for somebody else's, and for one whose feedback is not out yet."""
    shown = evidence.get_demonstration(demonstration_id)
    session = shown.session
    is_theirs = delivery.is_own(session, bearer=bearer) or is_taught(session, bearer=bearer)
    if not is_theirs or not telling.is_revealed(session, shown.administration):
        raise NotFound("demonstration_not_found")
    return shown


def describe_what_if(run: Run, languages: Sequence[str], *, num_left: int) -> JsonObject:
    """What may be changed, within which bounds, and how many tries are left today."""
    ranges = plans.list_ranges(experiments.load_plan(run), device=run.device)
    return {
        "left": num_left,
        "parameters": [telling.tell_range(one, languages) for one in ranges],
    }
