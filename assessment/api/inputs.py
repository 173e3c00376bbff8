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
    person = StrictString(max_length=200, help_text="Your own id of the person.")
    course = StrictString(max_length=200, help_text="Your own name of the course.")
    rights = serializers.ListField(
        child=serializers.ChoiceField(choices=RIGHTS), min_length=1, max_length=len(RIGHTS)
    )
    name = StrictString(max_length=200, required=False, allow_blank=True)


class RenewalInput(StrictSerializer):
    secret = StrictString(max_length=100, help_text="The secret that came with the guest token.")


class ContentInput(StrictSerializer):
    """The share of the test that a concept should have."""

    concept = StrictString(max_length=50)
    lower = StrictNumber(min_value=0.0, max_value=1.0)
    upper = StrictNumber(min_value=0.0, max_value=1.0)


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
        child=StrictString(max_length=50), required=False, max_length=50
    )
    criterion = serializers.ChoiceField(
        choices=["MFI", "MPWI", "KLP", "MEPV"], required=False, help_text="What an item is worth."
    )
    randomesque = StrictInteger(required=False, min_value=1, max_value=20)
    exposure_cap = StrictNumber(required=False, min_value=0.0, max_value=1.0)
    num_unscored = StrictInteger(
        required=False, min_value=0, max_value=10, help_text="New items given for answers only."
    )
    content = serializers.ListField(child=ContentInput(), required=False, max_length=30)
    min_items = StrictInteger(required=False, min_value=1, max_value=100)
    max_items = StrictInteger(required=False, min_value=1, max_value=100)
    standard_error = StrictNumber(required=False, min_value=0.05, max_value=2.0)
    min_information = StrictNumber(required=False, min_value=0.0, max_value=10.0)
    sprt = DecisionInput(required=False)
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

    quiz = StrictString(max_length=100)
    mode = serializers.ChoiceField(choices=["fixed", "adaptive"], required=False)
    reveal = serializers.ChoiceField(choices=["after_each", "after_finish"], required=False)
    predictions = StrictBoolean(required=False, source="has_predictions")
    max_attempts = StrictInteger(
        required=False, allow_null=True, min_value=1, max_value=MAX_ATTEMPTS
    )
    opens_at = AwareTime(required=False, allow_null=True)
    closes_at = AwareTime(required=False, allow_null=True)
    time_limit_s = StrictInteger(
        required=False, allow_null=True, min_value=10, max_value=MAX_TIME_LIMIT_S
    )
    texts = serializers.ChoiceField(choices=["best", "seed"], required=False)
    adaptive = AdaptiveInput(required=False, source="policy")


class SessionInput(StrictSerializer):
    activity = CanonicalId(source="activity_id")
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
    administration = CanonicalId(source="administration_id")
    response = AnswerField()
    certainty = StrictInteger(
        required=False, min_value=1, max_value=3, help_text="1 guess, 2 rather sure, 3 sure."
    )
    elapsed_ms = StrictInteger(required=False, min_value=0, max_value=MAX_ELAPSED_MS)


class PredictionInput(StrictSerializer):
    choice = StrictString(required=False, max_length=50)
    skip = StrictBoolean(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        has_choice, is_skip = "choice" in attrs, attrs.get("skip") is True
        if has_choice == is_skip:
            message = "Send either a choice or skip: true."
            raise serializers.ValidationError({"choice": message}, code="required")
        return attrs


class EvidenceInput(StrictSerializer):
    administration = CanonicalId(source="administration_id")


class HandoffInput(StrictSerializer):
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
    parameters = ParametersField()


class LanguageQuery(serializers.Serializer[Any]):
    lang = LanguageTag(required=False, help_text="Every text in this language, where it exists.")


class TraceQuery(serializers.Serializer[Any]):
    format = serializers.ChoiceField(choices=["json", "perfetto"], required=False)


class TableQuery(serializers.Serializer[Any]):
    format = serializers.ChoiceField(choices=["json", "csv"], required=False)


class FigureQuery(serializers.Serializer[Any]):
    lang = LanguageTag(required=False)
    s = serializers.CharField(max_length=100, help_text="The signature of the link.")
