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
    """An item document, and the revision that was seen."""

    document = DocumentField(help_text="As the YAML file of an item has it.")
    revision = StrictInteger(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text="A draft that moved on since is a conflict.",
    )


class RetireInput(StrictSerializer):
    """Why the item is served no more."""

    reason = StrictString(max_length=REASON_LENGTH, help_text="Kept with the item.")


class CalibrationInput(StrictSerializer):
    """How parameters are to be estimated."""

    three_pl = StrictBoolean(required=False, help_text="Fit c too, from 1,000 answers an item.")
    anchored = StrictBoolean(
        required=False, help_text="Hold calibrated items as they are; put new ones on their scale."
    )


class FindingOutput(Shape):
    """Something that the check of a draft found."""

    level = s.ChoiceField(
        choices=["error", "warning"], help_text="An error keeps it from publication."
    )
    code = s.CharField(help_text="Stable name.")
    owner = s.CharField(help_text="What it is about, such as `item:bg-1`.")
    place = s.CharField(help_text="Where in the document.")
    language = s.CharField(allow_null=True, help_text="Null where it is about no single language.")
    message = s.CharField(help_text="In English.")
    excerpt = s.CharField(help_text="The text at fault.")
    suggestion = s.CharField(allow_null=True, help_text="Null where there is none.")


class DraftOutput(Shape):
    """An item on its way into the bank."""

    slug = s.CharField(help_text="Its name.")
    state = s.ChoiceField(
        choices=["draft", "published", "discarded"], help_text="Whether it is still open."
    )
    revision = s.IntegerField(help_text="Send it back with a change.")
    document = s.DictField(child=s.JSONField(), help_text="As the YAML file of an item has it.")
    findings = FindingOutput(many=True)


class DraftList(Shape):
    """A page of drafts."""

    results = DraftOutput(many=True)
    next = s.CharField(allow_null=True, help_text="Address of the next page; null on the last one.")


class VersionOutput(Shape):
    """A published version of the bank."""

    version = s.IntegerField(help_text="Its number.")
    id = s.UUIDField(help_text="Its id.")


class ChangeOutput(Shape):
    """One change between two versions."""

    owner = s.CharField(help_text="What changed, such as `item:bg-1`.")
    kind = s.CharField(help_text="`added`, `removed`, `key`, `text`, `data`, `parameters`.")
    field = s.CharField(help_text="Which part of it.")
    old = s.JSONField(allow_null=True, help_text="Null where it was not there.")
    new = s.JSONField(allow_null=True, help_text="Null where it is gone.")


class ChangesOutput(Shape):
    """What changed between two versions."""

    old = s.IntegerField(help_text="Number of the first.")
    new = s.IntegerField(help_text="Number of the second.")
    changes = ChangeOutput(many=True)


class CalibrationOutput(Shape):
    """Parameters that the answers suggest."""

    id = s.UUIDField(help_text="Its id.")
    state = s.ChoiceField(
        choices=["requested", "ready", "failed", "published"],
        help_text="`ready` waits for publication.",
    )
    reason = s.CharField(allow_null=True, help_text="Why it failed; null otherwise.")
    bank_version = s.UUIDField(help_text="Whose answers were used.")
    is_anchored = s.BooleanField(help_text="Whether calibrated items were held as they are.")
    num_persons = s.IntegerField(help_text="Persons in it.")
    num_answers = s.IntegerField(help_text="Answers in it.")
    created_at = s.DateTimeField(help_text="UTC.")
    finished_at = s.DateTimeField(allow_null=True, help_text="UTC; null before.")
    published_version = s.UUIDField(
        allow_null=True, help_text="The version made of it; null before."
    )
    rows = s.ListField(
        child=s.DictField(child=s.JSONField()),
        help_text="One row an item: parameters, errors, n and fit.",
    )


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
        """For authors. Oldest first."""
        return reply_tagged(request, paginate(request, list_drafts()).as_json(describe_draft))

    @document(
        "saveDraft",
        "Store an item document and check it; the slug names the draft",
        body=DraftInput,
        answers={200: DraftOutput},
        refusals=(409,),
    )
    def put(self, request: Request) -> HttpResponse:
        """For authors. `findings` tells all that is wrong with it; nothing is served yet."""
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
        """For authors."""
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
        """For authors. Sessions begun before keep their version."""
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
        """For authors. Sessions begun before keep their version."""
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
        """For authors."""
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
        """For authors. The task worker does it; poll the proposal."""
        body = read_body(request, CalibrationInput)
        reply = publishing.request_calibration(
            get_bearer(request),
            read_key(request),
            wants_three_pl=bool(body.get("three_pl", False)),
            is_anchored=bool(body.get("anchored", False)),
        )
        return send_reply(reply)


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
        """For authors."""
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
        """For authors. Old scores keep the parameters that they were made with."""
        read_body(request, EmptyInput)
        key = read_key(request)
        return send_reply(publishing.publish_calibration(get_bearer(request), key, proposal_id))
