"""What the API answers, for the description only: stages build the bodies themselves.

A test checks real replies against these shapes, so they cannot drift apart.
"""

from typing import Any

from rest_framework import serializers as s

from assessment.accounts.tokens import RIGHTS

Shape = s.Serializer[Any]

SESSION_STATES = ["open", "finished", "expired"]


class TextOutput(Shape):
    """A text that says its own language."""

    text = s.CharField()
    lang = s.CharField(help_text="BCP 47 tag of this wording.")
    dir = s.ChoiceField(choices=["ltr", "rtl"])
    fallback = s.BooleanField(help_text="True when you asked for another language first.")
    status = s.ChoiceField(choices=["source", "seed", "machine", "human", "reviewed", "stale"])


class TokenOutput(Shape):
    token = s.CharField()
    token_type = s.ChoiceField(choices=["Bearer"])
    expires_in = s.IntegerField(help_text="Seconds.")
    person = s.UUIDField()
    course = s.UUIDField()
    rights = s.ListField(child=s.ChoiceField(choices=RIGHTS))


class GuestOutput(TokenOutput):
    secret = s.CharField(help_text="Keep it: it renews the token.")


class RootOutput(Shape):
    name = s.CharField()
    version = s.CharField()
    languages = s.ListField(child=s.CharField())
    links = s.DictField(child=s.CharField())


class PolicyOutput(Shape):
    mode = s.ChoiceField(choices=["fixed", "adaptive"])
    reveal = s.ChoiceField(choices=["after_each", "after_finish"])
    predictions = s.BooleanField()
    max_attempts = s.IntegerField(allow_null=True)
    opens_at = s.DateTimeField(allow_null=True)
    closes_at = s.DateTimeField(allow_null=True)
    time_limit_s = s.IntegerField(allow_null=True)
    texts = s.ChoiceField(choices=["best", "seed"])


class OwnSessionOutput(Shape):
    id = s.UUIDField()
    attempt = s.IntegerField()
    state = s.ChoiceField(choices=SESSION_STATES)


class ActivityOutput(Shape):
    id = s.UUIDField()
    quiz = s.CharField()
    title = TextOutput()
    introduction = TextOutput()
    state = s.ChoiceField(choices=["scheduled", "open", "closed"])
    num_items = s.IntegerField()
    languages = s.DictField(child=s.FloatField(), help_text="Share of the text per language.")
    policy = PolicyOutput()
    sessions = OwnSessionOutput(many=True)


class ActivityList(Shape):
    results = ActivityOutput(many=True)
    next = s.CharField(allow_null=True)


class OptionOutput(Shape):
    id = s.UUIDField()
    text = TextOutput()


class ItemOutput(Shape):
    """A question as this session shows it. It tells nothing of its key."""

    administration = s.UUIDField()
    position = s.IntegerField()
    kind = s.ChoiceField(choices=["single", "multiple", "numeric", "ordering"])
    stem = TextOutput()
    languages = s.ListField(child=s.CharField())
    options = OptionOutput(many=True)
    units = s.ListField(child=s.CharField(), required=False)


class ItemList(Shape):
    items = ItemOutput(many=True)


class ChoiceOutput(Shape):
    id = s.CharField()
    text = TextOutput()


class QuestionOutput(Shape):
    """What the experiment will show: asked before the feedback, with right answers too."""

    text = TextOutput()
    choices = ChoiceOutput(many=True)
    administration = s.UUIDField(required=False)


class ProgressOutput(Shape):
    answered = s.IntegerField()
    total = s.IntegerField(allow_null=True)


class SessionOutput(Shape):
    id = s.UUIDField()
    activity = s.UUIDField()
    attempt = s.IntegerField()
    state = s.ChoiceField(choices=SESSION_STATES)
    finish_reason = s.CharField(allow_null=True)
    languages = s.ListField(child=s.CharField())
    reveal = s.ChoiceField(choices=["after_each", "after_finish"])
    bank_version = s.IntegerField()
    revision = s.IntegerField()
    started_at = s.DateTimeField()
    expires_at = s.DateTimeField(allow_null=True)
    finished_at = s.DateTimeField(allow_null=True)
    progress = ProgressOutput()
    current = ItemOutput(allow_null=True)
    prediction = QuestionOutput(allow_null=True)


class HandoffOutput(Shape):
    secret = s.CharField()
    expires_at = s.DateTimeField()


class HandoffTokenOutput(Shape):
    token = s.CharField()
    token_type = s.ChoiceField(choices=["Bearer"])
    expires_in = s.IntegerField(help_text="Seconds.")
    session = s.UUIDField()


class HealthOutput(Shape):
    status = s.ChoiceField(choices=["ok"])


class CheckOutput(Shape):
    is_ok = s.BooleanField()
    age_s = s.IntegerField(allow_null=True, required=False)


class ReadinessOutput(Shape):
    status = s.ChoiceField(choices=["ready", "degraded", "unready"])
    checks = s.DictField(child=CheckOutput())


class CourseSessionOutput(Shape):
    id = s.UUIDField()
    activity = s.UUIDField()
    quiz = s.CharField()
    person = s.CharField(help_text="The client's own id of the person.")
    name = s.CharField()
    attempt = s.IntegerField()
    state = s.ChoiceField(choices=SESSION_STATES)
    answered = s.IntegerField()
    score = s.FloatField()
    started_at = s.DateTimeField()
    finished_at = s.DateTimeField(allow_null=True)


class CourseSessionList(Shape):
    results = CourseSessionOutput(many=True)
    next = s.CharField(allow_null=True)


class CourseRunOutput(Shape):
    id = s.UUIDField()
    experiment = s.CharField()
    device = s.CharField()
    state = s.CharField()
    attempt = s.IntegerField()
    reason = s.CharField(allow_null=True)
    requested_at = s.DateTimeField()
    started_at = s.DateTimeField(allow_null=True)
    finished_at = s.DateTimeField(allow_null=True)


class CourseRunList(Shape):
    results = CourseRunOutput(many=True)
    next = s.CharField(allow_null=True)
