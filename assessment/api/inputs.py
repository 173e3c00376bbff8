"""Bodies and queries that the API takes. Unknown fields are refused, types are exact."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from assessment.accounts.tokens import RIGHTS
from assessment.api.fields import (
    AwareTime,
    CanonicalId,
    LanguageTag,
    StrictBoolean,
    StrictInteger,
    StrictNumber,
    StrictSerializer,
    StrictString,
)

MAX_LANGUAGES = 10
# A browser sends at most a handful.
MAX_ATTEMPTS = 1000
# More is the same as no limit.
MAX_TIME_LIMIT_S = 7 * 24 * 3600
# A week; a longer task has a closing time instead.
MAX_ELAPSED_MS = 2_147_483_647
# The column is a 32-bit integer: 24 days.


class EmptyInput(StrictSerializer):
    """No fields: `{}` or no body at all."""


class TokenInput(StrictSerializer):
    """For whom, where and for what."""

    person = StrictString(max_length=200, help_text="Your own id of the person.")
    course = StrictString(max_length=200, help_text="Your own name of the course.")
    rights = serializers.ListField(
        child=serializers.ChoiceField(choices=RIGHTS),
        min_length=1,
        max_length=len(RIGHTS),
        help_text="No more than the client's own scopes.",
    )
    name = StrictString(
        max_length=200,
        required=False,
        allow_blank=True,
        help_text="Shown to instructors; the last one given counts.",
    )


class RenewalInput(StrictSerializer):
    """What a guest has kept."""

    secret = StrictString(max_length=100, help_text="The secret that came with the guest token.")


class ContentInput(StrictSerializer):
    """The share of the test that a concept should have."""

    concept = StrictString(max_length=50, help_text="A concept of the quiz's items.")
    lower = StrictNumber(min_value=0.0, max_value=1.0, help_text="At least this share.")
    upper = StrictNumber(min_value=0.0, max_value=1.0, help_text="At most this share.")


class DecisionInput(StrictSerializer):
    """Pass or fail by a sequential probability ratio test, on calibrated items only."""

    cut = StrictNumber(min_value=-6.0, max_value=6.0, help_text="Ability to pass at, in logits.")
    delta = StrictNumber(
        required=False, min_value=0.05, max_value=3.0, help_text="Half the range of indifference."
    )
    alpha = StrictNumber(
        required=False, min_value=0.001, max_value=0.4, help_text="Share of those below who pass."
    )
    beta = StrictNumber(
        required=False, min_value=0.001, max_value=0.4, help_text="Share of those above who fail."
    )


class AdaptiveInput(StrictSerializer):
    """How an adaptive activity chooses its items and when it ends."""

    concepts = serializers.ListField(
        child=StrictString(max_length=50),
        required=False,
        max_length=50,
        help_text="Items of these concepts alone; all of the quiz without it.",
    )
    criterion = serializers.ChoiceField(
        choices=["MFI", "MPWI", "KLP", "MEPV"], required=False, help_text="What an item is worth."
    )
    randomesque = StrictInteger(
        required=False, min_value=1, max_value=20, help_text="Drawn among so many best items."
    )
    exposure_cap = StrictNumber(
        required=False,
        min_value=0.0,
        max_value=1.0,
        help_text="Share of sessions an item may be in.",
    )
    num_unscored = StrictInteger(
        required=False, min_value=0, max_value=10, help_text="New items given for answers only."
    )
    content = serializers.ListField(
        child=ContentInput(), required=False, max_length=30, help_text="Shares of concepts."
    )
    min_items = StrictInteger(
        required=False, min_value=1, max_value=100, help_text="No end before so many."
    )
    max_items = StrictInteger(
        required=False, min_value=1, max_value=100, help_text="The end after so many."
    )
    standard_error = StrictNumber(
        required=False,
        min_value=0.05,
        max_value=2.0,
        help_text="The end at this precision, logits.",
    )
    min_information = StrictNumber(
        required=False, min_value=0.0, max_value=10.0, help_text="The end when no item tells more."
    )
    sprt = DecisionInput(required=False, help_text="The end when pass or fail is decided.")
    time_s = StrictInteger(
        required=False,
        min_value=10,
        max_value=MAX_TIME_LIMIT_S,
        help_text="No item comes after so many seconds; time_limit_s closes the session.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """In the sections of an activity's policy."""
        sections = {
            "selection": ("criterion", "randomesque", "exposure_cap", "num_unscored"),
            "stop": (
                "min_items",
                "max_items",
                "standard_error",
                "min_information",
                "sprt",
                "time_s",
            ),
        }
        policy: dict[str, Any] = {
            section: {name: attrs[name] for name in names if name in attrs}
            for section, names in sections.items()
        }
        content = attrs.get("content", [])
        return {"concepts": attrs.get("concepts", []), "content": content, **policy}


class ActivityInput(StrictSerializer):
    """The policy of one quiz in the course."""

    quiz = StrictString(max_length=100, help_text="Slug of a published quiz.")
    mode = serializers.ChoiceField(
        choices=["fixed", "adaptive"], required=False, help_text="`fixed` without it."
    )
    reveal = serializers.ChoiceField(
        choices=["after_each", "after_finish"],
        required=False,
        help_text="When the feedback comes; an adaptive activity tells it after each answer.",
    )
    predictions = StrictBoolean(
        required=False,
        source="has_predictions",
        help_text="Ask what the experiment will show, before the feedback.",
    )
    max_attempts = StrictInteger(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MAX_ATTEMPTS,
        help_text="Null: no limit.",
    )
    opens_at = AwareTime(required=False, allow_null=True, help_text="With its offset.")
    closes_at = AwareTime(required=False, allow_null=True, help_text="With its offset.")
    time_limit_s = StrictInteger(
        required=False,
        allow_null=True,
        min_value=10,
        max_value=MAX_TIME_LIMIT_S,
        help_text="Seconds for one session; null: no limit.",
    )
    texts = serializers.ChoiceField(
        choices=["best", "seed"],
        required=False,
        help_text="`seed` shows the original page's own wording.",
    )
    adaptive = AdaptiveInput(
        required=False, source="policy", help_text="For the mode `adaptive` alone."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "policy" in attrs and attrs.get("mode") != "adaptive":
            message = "A fixed activity has no adaptive policy."
            raise serializers.ValidationError({"adaptive": message}, code="not_adaptive")
        return attrs


class SessionInput(StrictSerializer):
    """Which activity, in which languages."""

    activity = CanonicalId(source="activity_id", help_text="Its id.")
    languages = serializers.ListField(
        child=LanguageTag(),
        required=False,
        min_length=1,
        max_length=MAX_LANGUAGES,
        help_text="Best first. Without it, Accept-Language counts.",
    )


_ID = {"type": "string", "format": "uuid"}
_ANSWER = {
    "oneOf": [
        {
            "type": "object",
            "title": "Chosen options",
            "properties": {"options": {"type": "array", "items": _ID, "minItems": 1}},
            "required": ["options"],
            "additionalProperties": False,
        },
        {
            "type": "object",
            "title": "A number",
            "properties": {
                "value": {"type": ["number", "string"], "maxLength": 60},
                "unit": {"type": "string"},
            },
            "required": ["value"],
            "additionalProperties": False,
        },
        {
            "type": "object",
            "title": "An order",
            "properties": {"order": {"type": "array", "items": _ID, "minItems": 1}},
            "required": ["order"],
            "additionalProperties": False,
        },
    ]
}


@extend_schema_field(_ANSWER)
class AnswerField(serializers.Field[Any, Any, Any, Any]):
    """An object; scoring checks it against the item that it answers."""

    default_error_messages = {"not_an_object": "This must be a JSON object."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_an_object")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class ResponseInput(StrictSerializer):
    """The one answer to an item."""

    administration = CanonicalId(source="administration_id", help_text="Of the item, as shown.")
    response = AnswerField(help_text="Of the member that the item's kind asks for.")
    certainty = StrictInteger(
        required=False, min_value=1, max_value=3, help_text="1 guess, 2 rather sure, 3 sure."
    )
    elapsed_ms = StrictInteger(
        required=False,
        min_value=0,
        max_value=MAX_ELAPSED_MS,
        help_text="By the device's clock: kept as a note, decides nothing.",
    )


class PredictionInput(StrictSerializer):
    """A choice, or `skip`."""

    choice = StrictString(required=False, max_length=50, help_text="Id of a choice.")
    skip = StrictBoolean(required=False, help_text="True instead of a choice.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        has_choice, is_skip = "choice" in attrs, attrs.get("skip") is True
        if has_choice == is_skip:
            message = "Send either a choice or skip: true."
            raise serializers.ValidationError({"choice": message}, code="required")
        return attrs


class EvidenceInput(StrictSerializer):
    """Of which answered item."""

    administration = CanonicalId(source="administration_id", help_text="Of the item, as shown.")


class HandoffInput(StrictSerializer):
    """What the other device was given."""

    secret = StrictString(max_length=200, help_text="The part of the link after the hash.")


@extend_schema_field({"type": "object", "additionalProperties": True, "maxProperties": 20})
class ParametersField(serializers.Field[Any, Any, Any, Any]):
    """Changed parameters of an experiment; the catalogue checks names and ranges."""

    default_error_messages = {"not_an_object": "This must be a JSON object."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict) or len(data) > 20:
            self.fail("not_an_object")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class WhatIfInput(StrictSerializer):
    """What is to be changed."""

    parameters = ParametersField(help_text="New values by name, within the ranges told.")


class LanguageQuery(serializers.Serializer[Any]):
    lang = LanguageTag(required=False, help_text="Every text in this language, where it exists.")


class TraceQuery(serializers.Serializer[Any]):
    format = serializers.ChoiceField(
        choices=["json", "perfetto"], required=False, help_text="`perfetto`: a Chrome trace."
    )


class TableQuery(serializers.Serializer[Any]):
    format = serializers.ChoiceField(
        choices=["json", "csv"], required=False, help_text="`csv`: all rows, for a spreadsheet."
    )


class FigureQuery(serializers.Serializer[Any]):
    lang = LanguageTag(required=False, help_text="English without it.")
    s = serializers.CharField(max_length=100, help_text="The signature of the link.")
