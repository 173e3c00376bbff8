"""Input fields that take exactly what the schema says, and coerce nothing.

DRF's own fields read true as 1.0, 5 as "5" and "1_000" as 1000.
"""

import math
import re
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from assessment.api.converters import CanonicalUUID
from assessment.api.negotiation import is_known_language
from assessment.language.negotiation import MAX_TAG, parse_tag

_CANONICAL = re.compile(CanonicalUUID.regex)


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it does not know, so that a misspelt one is not lost in silence."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = [name for name in data if name not in self.fields]
            if unknown:
                message = "This field is not known here."
                raise ValidationError(
                    {name: [ErrorDetail(message, code="unknown_field")] for name in unknown}
                )
        return super().to_internal_value(data)


class StrictString(serializers.CharField):
    """A JSON string; 5 and true are none."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class StrictInteger(serializers.IntegerField):
    """A JSON integer; "5", 5.0 and true are none."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return data


class StrictNumber(serializers.FloatField):
    """A finite JSON number; "1" and true are none."""

    def to_internal_value(self, data: Any) -> float:
        if not isinstance(data, int | float) or isinstance(data, bool) or not math.isfinite(data):
            self.fail("invalid")
        return float(data)


class QueryInteger(serializers.IntegerField):
    """An integer of a query in its one form: ASCII digits without sign, space or fraction."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, str) or not re.fullmatch("0|[1-9][0-9]{0,9}", data):
            self.fail("invalid")
        return int(data)


class StrictBoolean(serializers.BooleanField):
    """true or false; "yes" and 1 are neither."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


@extend_schema_field({"type": "string", "format": "uuid", "pattern": f"^{CanonicalUUID.regex}$"})
class CanonicalId(serializers.Field[Any, Any, Any, Any]):
    """A UUID in its one form: lower case, with hyphens."""

    default_error_messages = {"invalid": "Use a UUID in lower case with hyphens."}

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str) or not _CANONICAL.fullmatch(data):
            self.fail("invalid")
        return UUID(data)


@extend_schema_field({"type": "string", "maxLength": MAX_TAG, "examples": ["bg", "wo"]})
class LanguageTag(serializers.CharField):
    """A BCP 47 tag of a language that exists."""

    default_error_messages = {"unknown_language": "This is not a language tag."}

    def to_internal_value(self, data: Any) -> str:
        tag = parse_tag(data) if isinstance(data, str) else None
        if tag is None or not is_known_language(tag):
            self.fail("unknown_language")
        return tag


@extend_schema_field({"type": ["number", "string"], "maxLength": 60})
class NumberOrText(serializers.Field[Any, Any, Any, Any]):
    """A number, or a number as a person types it, read in the session's language."""

    default_error_messages = {"invalid": "Use a number or a short text."}

    def to_internal_value(self, data: Any) -> float | int | str:
        if isinstance(data, bool) or not isinstance(data, int | float | str):
            self.fail("invalid")
        if isinstance(data, str) and not 0 < len(data) <= 60:
            self.fail("invalid")
        if not isinstance(data, str) and not math.isfinite(data):
            self.fail("invalid")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class AwareTime(serializers.DateTimeField):
    """RFC 3339 with an offset: a time without one means another moment in each country."""

    default_error_messages = {"no_offset": "State the offset, such as Z or +02:00."}

    def to_internal_value(self, value: Any) -> datetime:
        if not isinstance(value, str) or len(value) > 40:
            self.fail("invalid", format="RFC 3339")
        parsed = parse_datetime_or_none(value)
        if parsed is None:
            self.fail("invalid", format="RFC 3339")
        if parsed.tzinfo is None:
            self.fail("no_offset")
        try:
            return parsed.astimezone(UTC)
        except OverflowError:
            # The first and the last day of the calendar, seen from another zone.
            self.fail("invalid", format="RFC 3339")


def parse_datetime_or_none(value: str) -> datetime | None:
    try:
        return parse_datetime(value)
    except (ValueError, OverflowError):
        return None
