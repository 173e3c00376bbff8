"""Answers and predictions. The hot path of the product: keep it in this one module."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from assessment.api.base import ApiView, read_body, read_key, send_reply
from assessment.api.feedback_outputs import PredictedOutput, RespondedOutput
from assessment.api.inputs import PredictionInput, ResponseInput
from assessment.api.permissions import LEARNERS, get_bearer
from assessment.api.replies import list_languages, reply_json
from assessment.api.schema import EXAMPLE_ID, OTHER_ID, document
from assessment.flow import answers


class ResponsesView(ApiView):
    roles = LEARNERS

    @document(
        "submitResponse",
        "Answer an item",
        body=ResponseInput,
        answers={201: RespondedOutput},
        refusals=(404,),
        is_once=True,
        examples={
            "Chosen options": {
                "administration": EXAMPLE_ID,
                "response": {"options": [EXAMPLE_ID]},
                "certainty": 2,
            },
            "A number as it was typed": {
                "administration": EXAMPLE_ID,
                "response": {"value": "11,5", "unit": "MiB"},
                "elapsed_ms": 21500,
            },
            "An order": {
                "administration": EXAMPLE_ID,
                "response": {"order": [EXAMPLE_ID, OTHER_ID]},
            },
        },
    )
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        """Scored at once, and once: the same answer again is told the same, another one is a
        conflict. The evidence of a wrong answer follows; poll its demonstration.
        """
        given = read_body(request, ResponseInput)
        key = read_key(request)
        return send_reply(
            answers.submit_response(get_bearer(request), key, session_id=session_id, **given)
        )


class PredictionView(ApiView):
    roles = LEARNERS

    @document(
        "answerPrediction",
        "Say what the experiment will show, or skip it; once",
        body=PredictionInput,
        answers={200: PredictedOutput},
        refusals=(404, 409),
        examples={"A prediction": {"choice": "below-half"}, "None": {"skip": True}},
    )
    def put(self, request: Request, session_id: UUID, administration_id: UUID) -> HttpResponse:
        """Its reply carries the feedback. The same choice again is told the same."""
        given = read_body(request, PredictionInput)
        body = answers.answer_prediction(
            get_bearer(request),
            session_id=session_id,
            administration_id=administration_id,
            choice=given.get("choice"),
        )
        return reply_json(body, languages=list_languages(body))
