"""What a learner sees before an item is answered: the only place that decides it.

Only stem, options in this session's order and what the input control needs go out: no key,
explanation, misconception, parameter, concept or experiment can, since none is read here.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Protocol
from uuid import UUID

from django.utils import timezone

from assessment.accounts.tokens import Bearer
from assessment.bank.snapshot import Item, Quiz, Snapshot, TextSet, get_snapshot
from assessment.core.times import format_time
from assessment.delivery.access import is_shown
from assessment.delivery.models import Activity, Administration, Session
from assessment.delivery.policy import count_given
from assessment.delivery.selectors import (
    find_activity_state,
    find_response,
    find_session_state,
    list_own_sessions,
)

JsonObject = dict[str, object]


def present_item(
    item: Item, administration: Administration, *, languages: Sequence[str], texts: str
) -> JsonObject:
    """The question as this session shows it, each text with its own language."""
    shown: JsonObject = {
        "administration": str(administration.id),
        "position": administration.position,
        "kind": item.kind,
        "stem": item.stem.choose(languages, texts).as_json(),
        "languages": sorted(item.stem.best),
        "options": [
            {
                "id": str(one),
                "text": item.options_by_id[str(one)].text.choose(languages, texts).as_json(),
            }
            for one in administration.option_order
        ],
    }
    if item.numeric is not None:
        shown["units"] = item.numeric.list_units()
    return shown


def present_activities(
    bearer: Bearer, activities: Sequence[Activity], snapshot: Snapshot, *, languages: Sequence[str]
) -> list[JsonObject]:
    """Those that this reader may see, with the reader's own sessions; one query for any number."""
    own: dict[UUID, list[Session]] = {one.id: [] for one in activities}
    for session in list_own_sessions([*own], person_id=bearer.person_id):
        own[session.activity_id].append(session)
    now = timezone.now()
    return [
        present_activity(one, snapshot, languages=languages, now=now, own=own[one.id])
        for one in activities
        if is_shown(one, snapshot, bearer=bearer)
    ]


def present_activity(
    activity: Activity,
    snapshot: Snapshot,
    *,
    languages: Sequence[str],
    now: datetime,
    own: Iterable[Session],
) -> JsonObject:
    """The activity with its quiz's title, its policy, and the reader's own sessions."""
    quiz = snapshot.quizzes[activity.quiz_slug]
    return {
        "id": str(activity.id),
        "quiz": quiz.slug,
        "title": quiz.title.choose(languages, activity.texts).as_json(),
        "introduction": quiz.introduction.choose(languages, activity.texts).as_json(),
        "state": find_activity_state(activity, now=now),
        "num_items": count_given(quiz.item_ids, snapshot.families)
        if activity.mode == "fixed"
        else len(quiz.item_ids),
        "languages": measure_languages(snapshot.bank_version_id, quiz.slug),
        "policy": {
            "mode": activity.mode,
            "reveal": activity.reveal,
            "predictions": activity.has_predictions,
            "max_attempts": activity.max_attempts,
            "opens_at": format_time(activity.opens_at),
            "closes_at": format_time(activity.closes_at),
            "time_limit_s": activity.time_limit_s,
            "texts": activity.texts,
        },
        "sessions": [
            {
                "id": str(one.id),
                "attempt": one.attempt,
                "state": find_session_state(one, now=now),
            }
            for one in own
        ],
    }


@lru_cache(maxsize=256)
def measure_languages(bank_version_id: str, quiz_slug: str) -> Mapping[str, float]:
    """Share of a quiz's stems and options that exist in each language, 0 to 1."""
    snapshot = get_snapshot(bank_version_id)
    quiz: Quiz = snapshot.quizzes[quiz_slug]
    counts: dict[str, int] = {}
    total = 0
    for item_id in quiz.item_ids:
        item = snapshot.items[item_id]
        for text in (item.stem, *(option.text for option in item.options)):
            total += 1
            for lang in text.best:
                counts[lang] = counts.get(lang, 0) + 1
    return {lang: round(num / total, 3) for lang, num in sorted(counts.items())}


def present_session(
    session: Session,
    administrations: Sequence[Administration],
    snapshot: Snapshot,
    *,
    state: str,
    prediction: JsonObject | None,
) -> JsonObject:
    """State, progress and the item that waits for an answer. The same bytes on every device."""
    activity = session.activity
    answered = [find_response(one) is not None for one in administrations]
    waiting = [one for one, done in zip(administrations, answered, strict=True) if not done]
    current = None
    if state != "open":
        prediction = None
    if state == "open" and waiting and prediction is None:
        item = snapshot.items[str(waiting[0].item_version_id)]
        current = present_item(item, waiting[0], languages=session.languages, texts=activity.texts)
    is_fixed = activity.mode == "fixed"
    return {
        "id": str(session.id),
        "activity": str(activity.id),
        "attempt": session.attempt,
        "state": state,
        "finish_reason": session.finish_reason or None,
        "languages": session.languages,
        "reveal": activity.reveal,
        "bank_version": snapshot.number,
        "revision": session.revision,
        "started_at": format_time(session.started_at),
        "expires_at": format_time(session.expires_at),
        "finished_at": format_time(session.finished_at),
        "progress": {
            "answered": sum(answered),
            "total": len(administrations) if is_fixed else None,
        },
        "current": current,
        "prediction": prediction,
    }


class Choice(Protocol):
    """One choice of a prediction's question."""

    @property
    def id(self) -> str: ...

    @property
    def text(self) -> TextSet: ...


class Question(Protocol):
    """The question of a prediction, made by a later stage."""

    @property
    def text(self) -> TextSet: ...

    @property
    def choices(self) -> Sequence[Choice]: ...


def present_question(
    question: Question, administration: Administration, languages: Sequence[str]
) -> JsonObject:
    """The prediction's question; the same for every answer to the item."""
    return {
        "administration": str(administration.id),
        "text": question.text.choose(languages).as_json(),
        "choices": [
            {"id": one.id, "text": one.text.choose(languages).as_json()} for one in question.choices
        ],
    }
