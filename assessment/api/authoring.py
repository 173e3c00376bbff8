"""What authors do: drafts, publication, retirement, versions, calibrations."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from rest_framework import serializers as s
from rest_framework.request import Request

from assessment.api.base import ApiView, read_body, read_key, send_reply
from assessment.api.fields import StrictBoolean, StrictInteger, StrictSerializer, StrictString
from assessment.api.inputs import EmptyInput, ParametersField
from assessment.api.outputs import Shape
from assessment.api.pagination import PageQuery, paginate
from assessment.api.permissions import AUTHORS, get_bearer
from assessment.api.replies import reply_json, reply_tagged
from assessment.api.schema import document
from assessment.bank import drafting
from assessment.bank.compare import compare_versions
from assessment.bank.selectors import get_draft, get_version, list_drafts
from assessment.flow import publishing

REASON_LENGTH = 500


class DocumentField(ParametersField):
    """An item document as its YAML file has it; the check says what is wrong with it."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_an_object")
        return data


class DraftInput(StrictSerializer):
    document = DocumentField()
    revision = StrictInteger(required=False, min_value=1, max_value=2**31 - 1)


class RetireInput(StrictSerializer):
    reason = StrictString(max_length=REASON_LENGTH)


class CalibrationInput(StrictSerializer):
    three_pl = StrictBoolean(required=False, help_text="Fit c too, from 1,000 answers an item.")


class FindingOutput(Shape):
    level = s.ChoiceField(choices=["error", "warning"])
    code = s.CharField()
    owner = s.CharField()
    place = s.CharField()
    language = s.CharField(allow_null=True)
    message = s.CharField()
    excerpt = s.CharField()
    suggestion = s.CharField(allow_null=True)


class DraftOutput(Shape):
    slug = s.CharField()
    state = s.ChoiceField(choices=["draft", "published", "discarded"])
    revision = s.IntegerField()
    document = s.DictField(child=s.JSONField())
    findings = FindingOutput(many=True)


class DraftList(Shape):
    results = DraftOutput(many=True)
    next = s.CharField(allow_null=True)


class VersionOutput(Shape):
    version = s.IntegerField()
    id = s.UUIDField()


class ChangeOutput(Shape):
    owner = s.CharField()
    kind = s.CharField()
    field = s.CharField()
    old = s.JSONField(allow_null=True)
    new = s.JSONField(allow_null=True)


class ChangesOutput(Shape):
    old = s.IntegerField()
    new = s.IntegerField()
    changes = ChangeOutput(many=True)


class CalibrationOutput(Shape):
    id = s.UUIDField()
    state = s.ChoiceField(choices=["requested", "ready", "failed", "published"])
    reason = s.CharField(allow_null=True)
    bank_version = s.UUIDField()
    num_persons = s.IntegerField()
    num_answers = s.IntegerField()
    created_at = s.DateTimeField()
    finished_at = s.DateTimeField(allow_null=True)
    published_version = s.UUIDField(allow_null=True)
    rows = s.ListField(child=s.DictField(child=s.JSONField()))


def describe_draft(draft: Any) -> dict[str, Any]:
    names = ("slug", "state", "revision", "document", "findings")
    return {name: getattr(draft, name) for name in names}


class DraftsView(ApiView):
    roles = AUTHORS

    @document(
        "listDrafts",
        "Drafts, with what is still wrong with them",
        answers={200: DraftList},
        query=(PageQuery,),
        is_tagged=True,
    )
    def get(self, request: Request) -> HttpResponse:
        return reply_tagged(request, paginate(request, list_drafts()).as_json(describe_draft))

    @document(
        "saveDraft",
        "Store an item document and check it; the slug names the draft",
        body=DraftInput,
        answers={200: DraftOutput},
        refusals=(409,),
    )
    def put(self, request: Request) -> HttpResponse:
        given = read_body(request, DraftInput)
        saved = drafting.save_draft(
            given["document"], by=get_bearer(request).name, revision=given.get("revision")
        )
        return reply_json(describe_draft(saved))


class DraftView(ApiView):
    roles = AUTHORS

    @document(
        "readDraft",
        "One draft",
        answers={200: DraftOutput},
        refusals=(404,),
        is_tagged=True,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return reply_tagged(request, describe_draft(get_draft(slug)))


class PublishDraftView(ApiView):
    roles = AUTHORS

    @document(
        "publishDraft",
        "Serve the bank with this item from now on",
        body=EmptyInput,
        answers={201: VersionOutput},
        refusals=(404,),
        is_once=True,
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        read_body(request, EmptyInput)
        return send_reply(
            publishing.publish_draft(get_bearer(request), read_key(request), slug=slug)
        )


class RetireItemView(ApiView):
    roles = AUTHORS

    @document(
        "retireItem",
        "Serve the bank without this item from now on",
        body=RetireInput,
        answers={201: VersionOutput},
        refusals=(404,),
        is_once=True,
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        reason = read_body(request, RetireInput)["reason"]
        key = read_key(request)
        return send_reply(
            publishing.retire_item(get_bearer(request), key, slug=slug, reason=reason)
        )


class ChangesView(ApiView):
    roles = AUTHORS

    @document(
        "compareVersions",
        "What changed from one bank version to another",
        answers={200: ChangesOutput},
        refusals=(404,),
        is_tagged=True,
    )
    def get(self, request: Request, old: int, new: int) -> HttpResponse:
        first, second = get_version(old), get_version(new)
        changes = [one.as_json() for one in compare_versions(first, second)]
        body = {"old": first.number, "new": second.number, "changes": changes}
        return reply_tagged(request, body)


class CalibrationsView(ApiView):
    roles = AUTHORS

    @document(
        "requestCalibration",
        "Ask for parameters that the answers so far suggest",
        body=CalibrationInput,
        answers={202: CalibrationOutput},
        headers={"Location": "The proposal."},
        is_once=True,
    )
    def post(self, request: Request) -> HttpResponse:
        wants = bool(read_body(request, CalibrationInput).get("three_pl", False))
        key = read_key(request)
        return send_reply(
            publishing.request_calibration(get_bearer(request), key, wants_three_pl=wants)
        )


class CalibrationView(ApiView):
    roles = AUTHORS

    @document(
        "readCalibration",
        "A proposal: nothing changes until it is published",
        answers={200: CalibrationOutput},
        refusals=(404,),
        is_tagged=True,
    )
    def get(self, request: Request, proposal_id: UUID) -> HttpResponse:
        return reply_tagged(request, publishing.read_calibration(get_bearer(request), proposal_id))


class PublishCalibrationView(ApiView):
    roles = AUTHORS

    @document(
        "publishCalibration",
        "Make the proposal the next bank version",
        body=EmptyInput,
        answers={201: VersionOutput},
        refusals=(404,),
        is_once=True,
    )
    def post(self, request: Request, proposal_id: UUID) -> HttpResponse:
        read_body(request, EmptyInput)
        key = read_key(request)
        return send_reply(publishing.publish_calibration(get_bearer(request), key, proposal_id))
