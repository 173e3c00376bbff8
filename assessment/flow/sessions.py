"""Activities and sessions: what there is, to start, to resume, to hand on and to end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from assessment.accounts.tokens import Bearer, find_remaining_s, mint_token, require_right
from assessment.bank.snapshot import Snapshot, get_current_version_id, get_snapshot
from assessment.core.errors import Conflict, Invalid, NotFound
from assessment.core.idempotency import Reply, RequestKey, answer_once
from assessment.core.times import format_time
from assessment.delivery import access, adaptive, handoffs, presentation, services
from assessment.delivery import selectors as delivery
from assessment.feedback import replies, telling
from assessment.flow.evidence import complete_evidence
from assessment.scoring import progress

if TYPE_CHECKING:
    from assessment.delivery.models import Activity

JsonObject = dict[str, object]


def describe_activities(
    bearer: Bearer, activities: Sequence[Activity], *, languages: Sequence[str]
) -> list[JsonObject]:
    """Activities of the bearer's course as this reader sees them; one query for any number."""
    snapshot = _read_current_bank()
    return presentation.present_activities(bearer, activities, snapshot, languages=languages)


def read_activity(bearer: Bearer, activity_id: UUID, *, languages: Sequence[str]) -> JsonObject:
    """Raises NotFound, for one whose quiz left the bank too."""
    activity = access.get_activity(activity_id, _read_current_bank(), bearer=bearer)
    shown = describe_activities(bearer, [activity], languages=languages)
    if not shown:
        raise NotFound("activity_not_found")
    return shown[0]


def create_activity(
    bearer: Bearer, key: RequestKey, *, quiz: str, policy: Mapping[str, object]
) -> Reply:
    """A new activity in the instructor's course. Raises Invalid for an unknown quiz."""
    require_right(bearer, "instruct")

    def work() -> Reply:
        snapshot = _read_current_bank()
        if quiz not in snapshot.quizzes:
            raise Invalid.field("quiz", "unknown_quiz", "The published bank has no such quiz.")
        if policy.get("mode") == "adaptive":
            adaptive.check_policy(_get_section(policy, "policy"), snapshot, quiz_slug=quiz)
        made = services.create_activity(course_id=bearer.course_id, quiz_slug=quiz, policy=policy)
        body = describe_activities(bearer, [made], languages=["en"])[0]
        return Reply(201, body, {"Location": f"/api/v1/activities/{made.id}"})

    return answer_once(key, work)


def start_session(
    bearer: Bearer, key: RequestKey, *, activity_id: UUID, languages: Sequence[str]
) -> Reply:
    """Open the person's session of an activity, or find the open one (then 200, not 201)."""
    require_right(bearer, "learn")

    def work() -> Reply:
        snapshot = _read_current_bank()
        activity = access.get_activity(activity_id, snapshot, bearer=bearer)
        if activity.quiz_slug not in snapshot.quizzes:
            raise Conflict("quiz_has_no_items")
        session, is_new = services.start_session(
            activity,
            person_id=bearer.person_id,
            languages=languages,
            bank_version_id=UUID(snapshot.bank_version_id),
            choose_items=lambda seed: progress.choose_first(activity, snapshot, seed=seed),
        )
        body = replies.describe_session(session)
        return Reply(201 if is_new else 200, body, {"Location": f"/api/v1/sessions/{session.id}"})

    return answer_once(key, work)


def read_session(bearer: Bearer, session_id: UUID) -> JsonObject:
    """The session for its owner or the course's instructor; reading changes nothing."""
    return replies.describe_session(access.get_session(session_id, bearer=bearer))


def list_items(bearer: Bearer, session_id: UUID, *, language: str | None) -> list[JsonObject]:
    """Every item put before the learner so far, without keys; in one other language if asked."""
    session = delivery.get_session(session_id, bearer=bearer)
    languages = [language, *session.languages] if language else session.languages
    return [
        presentation.present_item(
            telling.find_item(session, one),
            one,
            languages=languages,
            texts="best" if language else session.activity.texts,
        )
        for one in telling.list_shown(session)
    ]


def finish_session(bearer: Bearer, key: RequestKey, session_id: UUID) -> Reply:
    """End the session; what may be revealed then comes with the reply."""

    def work() -> Reply:
        opened = services.open_session(session_id, bearer=bearer)
        services.finish_session(opened.session, reason="finished")
        complete_evidence(opened.session, opened.administrations)
        body = {
            "session": replies.describe_session(opened.session),
            **telling.tell_session(opened.session),
        }
        return Reply(200, body, {})

    return answer_once(key, work)


def read_feedback(bearer: Bearer, session_id: UUID) -> JsonObject:
    """Every answered item with explanation, misconception and evidence, as far as revealed."""
    return telling.tell_session(access.get_session(session_id, bearer=bearer))


def create_handoff(bearer: Bearer, key: RequestKey, session_id: UUID) -> Reply:
    """A one-use secret that resumes this session on another device."""

    def work() -> Reply:
        session = delivery.get_session(session_id, bearer=bearer)
        secret, expires_at = handoffs.create_handoff(session, bearer=bearer)
        return Reply(201, {"secret": secret, "expires_at": format_time(expires_at)}, {})

    return answer_once(key, work)


def use_handoff(secret: str) -> JsonObject:
    """A learner's token for the session's person, once. Raises NotFound."""
    session, bearer = handoffs.use_handoff(secret)
    return {
        "token": mint_token(bearer),
        "token_type": "Bearer",
        "expires_in": find_remaining_s(bearer),
        "session": str(session.id),
    }


def _get_section(plain: Mapping[str, object], name: str) -> Mapping[str, object]:
    section = plain.get(name) or {}
    if not isinstance(section, Mapping):
        raise Invalid.field(name, "invalid", "An object is due here.")
    return section


def _read_current_bank() -> Snapshot:
    return get_snapshot(get_current_version_id())
