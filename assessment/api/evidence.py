"""Feedback, and the experiments behind it: demonstrations, traces, figures, what-ifs."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request

from assessment.api.base import ApiView, read_body, read_key, read_query, send_reply
from assessment.api.evidence_outputs import DemonstrationOutput, TraceOutput
from assessment.api.feedback_outputs import SessionFeedbackOutput
from assessment.api.inputs import EmptyInput, EvidenceInput, FigureQuery, TraceQuery, WhatIfInput
from assessment.api.permissions import ANYONE, LEARNERS, MEMBERS, get_bearer
from assessment.api.replies import dump_json, list_languages, make_etag, reply_tagged, tag_response
from assessment.api.schema import EXAMPLE_ID, document
from assessment.core import outbox
from assessment.core.errors import NotFound, Unavailable
from assessment.core.links import is_figure_signed
from assessment.experiments.selectors import find_figure, get_demonstration, is_good
from assessment.experiments.services import FIGURE_TOPIC
from assessment.feedback.figures.listing import list_figures
from assessment.feedback.perfetto import make_perfetto_trace
from assessment.feedback.traces import ArmTrace, decode_trace
from assessment.flow import evidence, sessions

if TYPE_CHECKING:
    from assessment.experiments.models import Figure, Run

FIGURE_TYPES = {"svg": "image/svg+xml", "png": "image/png", "json": "application/json"}


class FeedbackView(ApiView):
    roles = MEMBERS

    @document(
        "readFeedback",
        "Every answered item with explanation, misconception and evidence",
        answers={200: SessionFeedbackOutput},
        refusals=(404,),
        is_tagged=True,
    )
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """As far as it is out; `revealed` is false while all is kept for the end."""
        body = sessions.read_feedback(get_bearer(request), session_id)
        return reply_tagged(request, body, languages=list_languages(body))


class EvidenceView(ApiView):
    roles = LEARNERS

    @document(
        "requestEvidence",
        "Ask for the evidence of an answered item",
        body=EvidenceInput,
        answers={202: DemonstrationOutput},
        refusals=(404,),
        headers={"Location": "The demonstration."},
        is_once=True,
        examples={"Of an item": {"administration": EXAMPLE_ID}},
    )
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        """After a right answer too. Evidence that failed is asked for again, but not within ten
        minutes.
        """
        given = read_body(request, EvidenceInput)
        key = read_key(request)
        return send_reply(
            evidence.request_evidence(get_bearer(request), key, session_id=session_id, **given)
        )


class DemonstrationView(ApiView):
    roles = MEMBERS

    @document(
        "readDemonstration",
        "State, and the result when there is one; poll it with its ETag",
        answers={200: DemonstrationOutput},
        refusals=(404,),
        headers={"Retry-After": "Seconds until it is worth asking again; only while waiting."},
        is_tagged=True,
    )
    def get(self, request: Request, demonstration_id: UUID) -> HttpResponse:
        """No such demonstration is there until its feedback may be seen."""
        body = evidence.read_demonstration(get_bearer(request), demonstration_id)
        headers = {"Retry-After": "1"} if body["state"] == "waiting" else {}
        return reply_tagged(request, body, languages=list_languages(body), headers=headers)


class SeenView(ApiView):
    roles = LEARNERS

    @document(
        "noteEvidenceSeen",
        "Say that the learner looked at the evidence; again changes nothing",
        body=EmptyInput,
        answers={204: None},
        refusals=(404,),
    )
    def put(self, request: Request, demonstration_id: UUID) -> HttpResponse:
        """An adaptive session may then test the same belief again."""
        read_body(request, EmptyInput)
        evidence.note_evidence_seen(get_bearer(request), demonstration_id)
        return HttpResponse(status=204)


class TraceView(ApiView):
    roles = MEMBERS

    @document(
        "readTrace",
        "The full trace with its provenance",
        answers={200: TraceOutput},
        refusals=(404,),
        query=(TraceQuery,),
        is_tagged=True,
    )
    def get(self, request: Request, demonstration_id: UUID) -> HttpResponse:
        """Raw samples and every event, with the command that measures them again."""
        form = read_query(request, TraceQuery).get("format", "json")
        shown, packed = evidence.read_trace(get_bearer(request), demonstration_id)
        assert shown.run is not None
        arms = decode_trace(packed) if packed is not None else ()
        measurement: dict[str, Any] = shown.run.measurement or {}
        if form == "perfetto":
            origin = {name: measurement[name] for name in ("provenance", "environment")}
            return reply_tagged(request, make_perfetto_trace(arms, **origin))
        return reply_tagged(request, describe_trace(shown.run, measurement, arms))


class WhatIfView(ApiView):
    roles = LEARNERS

    @document(
        "requestWhatIf",
        "The same experiment with other numbers",
        body=WhatIfInput,
        answers={202: DemonstrationOutput},
        refusals=(404, 429),
        headers={"Location": "The new demonstration."},
        is_once=True,
        examples={"Twice as deep": {"parameters": {"layers": 8}}},
    )
    def post(self, request: Request, demonstration_id: UUID) -> HttpResponse:
        """Within the ranges that the demonstration tells, so many a day."""
        given = read_body(request, WhatIfInput)
        bearer, key = get_bearer(request), read_key(request)
        return send_reply(
            evidence.request_what_if(bearer, key, demonstration_id=demonstration_id, **given)
        )


class FigureView(ApiView):
    """A picture by its signed link: an `<img>` sends no token."""

    roles = ANYONE
    authentication_classes = ()

    @document(
        "readFigure",
        "A picture, or the Vega-Lite specification it was drawn from",
        answers={
            (200, "image/svg+xml"): OpenApiTypes.BINARY,
            (200, "image/png"): OpenApiTypes.BINARY,
            (200, "application/json"): OpenApiTypes.OBJECT,
        },
        refusals=(404,),
        query=(FigureQuery,),
        is_public=True,
        is_tagged=True,
    )
    def get(self, request: Request, demonstration_id: UUID, name: str, kind: str) -> HttpResponse:
        """By its signed link alone: an `<img>` sends no token."""
        given: dict[str, Any] = read_query(request, FigureQuery)
        if not is_figure_signed(str(demonstration_id), name, signature=given["s"]):
            raise NotFound("figure_not_found")
        figure = get_figure(demonstration_id, name=name, language=given.get("lang", "en"))
        body = dump_json(figure.spec) if kind == "json" else bytes(getattr(figure, kind))
        response = HttpResponse(body, content_type=FIGURE_TYPES[kind])
        response["Cache-Control"] = "private, max-age=31536000, immutable"
        response["Content-Language"] = figure.lang
        return tag_response(request, response, etag=make_etag(body))


def get_figure(demonstration_id: UUID, *, name: str, language: str) -> "Figure":
    """The drawn figure. Raises Unavailable while it is to be drawn, NotFound when it never is."""
    shown = get_demonstration(demonstration_id)
    if shown.run is None or not is_good(shown.run):
        raise NotFound("figure_not_found")
    figure = find_figure(shown.run.id, name=name, language=language)
    if figure is None:
        is_coming = outbox.is_open(topic=FIGURE_TOPIC, key=str(shown.run.id))
        if not is_coming or name not in list_figures(shown.run.measurement or {}):
            raise NotFound("figure_not_found")
        raise Unavailable("figure_not_drawn", extra={"retry_after": 1})
    return figure


def describe_trace(
    run: "Run", measurement: Mapping[str, Any], arms: Sequence[ArmTrace]
) -> dict[str, Any]:
    """Everything that was recorded, and what it takes to record it again.

    `arms` is empty where the full event list was too large to travel.
    """
    return {
        "experiment": run.experiment,
        "experiment_version": run.experiment_version,
        "state": run.state,
        "device": run.device,
        "digest": run.digest,
        "provenance": measurement["provenance"],
        "environment": measurement["environment"],
        "timing": measurement["timing"],
        "arms": [dataclasses.asdict(one) for one in arms],
    }
