"""Activities and sessions: what is there, to start, to resume and to end."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from assessment.api.base import ApiView, read_body, read_key, read_query, send_reply
from assessment.api.feedback_outputs import FinishOutput
from assessment.api.inputs import (
    MAX_LANGUAGES,
    ActivityInput,
    EmptyInput,
    HandoffInput,
    LanguageQuery,
    SessionInput,
)
from assessment.api.negotiation import list_asked_languages
from assessment.api.outputs import (
    ActivityList,
    ActivityOutput,
    HandoffOutput,
    HandoffTokenOutput,
    ItemList,
    SessionOutput,
)
from assessment.api.pagination import PageQuery, paginate
from assessment.api.permissions import ANYONE, INSTRUCTORS, LEARNERS, MEMBERS, get_bearer
from assessment.api.replies import list_languages, reply_json, reply_tagged
from assessment.api.schema import EXAMPLE_ID, LANGUAGE, document
from assessment.api.throttling import GuestThrottle
from assessment.delivery.selectors import list_activities
from assessment.flow import sessions


class ActivitiesView(ApiView):
    roles = MEMBERS
    roles_by_method = {"POST": INSTRUCTORS}

    @document(
        "listActivities",
        "Activities of the course",
        answers={200: ActivityList},
        query=(PageQuery, LANGUAGE),
        is_tagged=True,
    )
    def get(self, request: Request) -> HttpResponse:
        """Oldest first. A guest sees public practice alone."""
        bearer = get_bearer(request)
        page = paginate(request, list_activities(bearer.course_id, is_guest=bearer.is_guest))
        shown = sessions.describe_activities(
            bearer, page.rows, languages=list_asked_languages(request)
        )
        body = {"results": shown, "next": page.next_url}
        return reply_tagged(request, body, languages=list_languages(body))

    @document(
        "createActivity",
        "Set a quiz for the course",
        body=ActivityInput,
        answers={201: ActivityOutput},
        headers={"Location": "The new activity."},
        is_once=True,
        examples={
            "An examination": {
                "quiz": "gradient-checkpointing",
                "reveal": "after_finish",
                "max_attempts": 1,
                "time_limit_s": 1800,
                "closes_at": "2027-01-31T18:00:00+02:00",
            },
            "Practice that adapts": {
                "quiz": "training-memory",
                "mode": "adaptive",
                "adaptive": {"max_items": 12, "standard_error": 0.4},
            },
        },
    )
    def post(self, request: Request) -> HttpResponse:
        """For instructors. Everything left out has its default."""
        given = read_body(request, ActivityInput)
        key = read_key(request)
        quiz = given.pop("quiz")
        return send_reply(
            sessions.create_activity(get_bearer(request), key, quiz=quiz, policy=given)
        )


class ActivityView(ApiView):
    roles = MEMBERS

    @document(
        "readActivity",
        "One activity with your own sessions of it",
        answers={200: ActivityOutput},
        refusals=(404,),
        query=(LANGUAGE,),
        is_tagged=True,
    )
    def get(self, request: Request, activity_id: UUID) -> HttpResponse:
        """With the reader's own sessions of it."""
        languages = list_asked_languages(request)
        body = sessions.read_activity(get_bearer(request), activity_id, languages=languages)
        return reply_tagged(request, body, languages=list_languages(body))


class SessionsView(ApiView):
    roles = LEARNERS

    @document(
        "startSession",
        "Start a session, or find your open one",
        body=SessionInput,
        answers={201: SessionOutput, 200: SessionOutput},
        refusals=(404,),
        headers={"Location": "The session."},
        is_once=True,
        examples={
            "In Wolof, else in French": {
                "activity": EXAMPLE_ID,
                "languages": ["wo", "fr"],
            }
        },
    )
    def post(self, request: Request) -> HttpResponse:
        """201 for a new session, 200 for the one that is open already, in the languages that it was
        begun with.
        """
        given = read_body(request, SessionInput)
        key = read_key(request)
        given.setdefault("languages", list_asked_languages(request)[:MAX_LANGUAGES] or ["en"])
        return send_reply(sessions.start_session(get_bearer(request), key, **given))


class SessionView(ApiView):
    roles = MEMBERS

    @document(
        "readSession",
        "State, progress and the item that waits for an answer",
        answers={200: SessionOutput},
        refusals=(404,),
        is_tagged=True,
    )
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """The same bytes on every device; poll it with its ETag."""
        body = sessions.read_session(get_bearer(request), session_id)
        return reply_tagged(request, body, languages=list_languages(body))


class ItemsView(ApiView):
    roles = LEARNERS

    @document(
        "listItems",
        "Every item of the session so far, without keys",
        answers={200: ItemList},
        refusals=(404,),
        query=(LanguageQuery,),
        is_tagged=True,
    )
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """Of a fixed session all of them, for clients without a network."""
        language = read_query(request, LanguageQuery).get("lang")
        items = sessions.list_items(get_bearer(request), session_id, language=language)
        body: dict[str, Any] = {"items": items}
        return reply_tagged(request, body, languages=list_languages(body))


class FinishView(ApiView):
    roles = LEARNERS

    @document(
        "finishSession",
        "End the session",
        body=EmptyInput,
        answers={200: FinishOutput},
        refusals=(404,),
        is_once=True,
    )
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        """An ended session stays as it is. Items that were not answered tell no key while another
        attempt is possible.
        """
        read_body(request, EmptyInput)
        key = read_key(request)
        return send_reply(sessions.finish_session(get_bearer(request), key, session_id))


class HandoffView(ApiView):
    roles = LEARNERS

    @document(
        "createHandoff",
        "A one-use secret that resumes the session on another device",
        body=EmptyInput,
        answers={201: HandoffOutput},
        refusals=(404,),
        is_once=True,
    )
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        """The secret works once, for a quarter of an hour."""
        read_body(request, EmptyInput)
        key = read_key(request)
        return send_reply(sessions.create_handoff(get_bearer(request), key, session_id))


class HandoffUseView(ApiView):
    roles = ANYONE
    authentication_classes = ()
    throttle_classes = (GuestThrottle,)

    @document(
        "useHandoff",
        "Resume a session here; works once",
        body=HandoffInput,
        answers={200: HandoffTokenOutput},
        refusals=(404, 429),
        is_public=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """The token lasts no longer than the one that the hand-off was asked with."""
        body = sessions.use_handoff(read_body(request, HandoffInput)["secret"])
        return reply_json(body, headers={"Cache-Control": "no-store"})
