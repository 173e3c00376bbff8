"""What the API answers, for the description only: stages build the bodies themselves.

A test checks real replies against these shapes, so they cannot drift apart.
"""

from typing import Any

from rest_framework import serializers as s

from assessment.accounts.tokens import RIGHTS

Shape = s.Serializer[Any]


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


class OptionOutput(Shape):
    id = s.UUIDField()
    text = TextOutput()


class ItemOutput(Shape):
    """A question as this session shows it. It tells nothing of its key."""

    administration = s.UUIDField()
    position = s.IntegerField()
    kind = s.ChoiceField(choices=["single", "multiple", "numeric", "ordering"])
    stem = TextOutput()
    options = OptionOutput(many=True)
    units = s.ListField(child=s.CharField(), required=False)


class ProgressOutput(Shape):
    answered = s.IntegerField()
    total = s.IntegerField(allow_null=True)


class PointOutput(Shape):
    x = s.FloatField()
    observed = s.FloatField(allow_null=True)
    expected = s.FloatField(allow_null=True)


class PredictsOutput(Shape):
    text = TextOutput()
    value = s.FloatField(allow_null=True)


class DisplayOutput(Shape):
    """The numbers as the language of the feedback writes them."""

    observed = s.CharField(allow_null=True)
    expected = s.CharField(allow_null=True)
    predicts = s.CharField(allow_null=True)


class ClaimOutput(Shape):
    id = s.CharField()
    about_choice = s.BooleanField(help_text="True when it answers the option that was chosen.")
    grade = s.ChoiceField(choices=["direct", "partial"], allow_null=True)
    text = TextOutput(allow_null=True)
    predicts = PredictsOutput(allow_null=True)
    observed = s.FloatField(allow_null=True)
    expected = s.FloatField(allow_null=True)
    relation = s.CharField()
    tolerance = s.FloatField()
    unit = s.CharField()
    verdict = s.ChoiceField(choices=["holds", "fails", "undecided"])
    noise_floor = s.FloatField(allow_null=True)
    points = PointOutput(many=True)
    display = DisplayOutput()


class TimelineOutput(Shape):
    op = s.ListField(child=s.IntegerField())
    live = s.ListField(child=s.IntegerField())
    backward_op = s.IntegerField(allow_null=True)


class MemoryArmOutput(Shape):
    """Bytes of one arm; null means unknown, and `unknown` says why."""

    name = s.CharField()
    stored = s.IntegerField(allow_null=True)
    peak = s.IntegerField(allow_null=True)
    total_peak = s.IntegerField(allow_null=True)
    allocator_peak = s.IntegerField(allow_null=True)
    timeline = TimelineOutput(allow_null=True)


class MemoryOutput(Shape):
    unit = s.ChoiceField(choices=["byte"])
    arms = MemoryArmOutput(many=True)


class TimeArmOutput(Shape):
    name = s.CharField()
    samples = s.ListField(child=s.FloatField())
    median = s.FloatField(allow_null=True)


class TimingOutput(Shape):
    unit = s.ChoiceField(choices=["s"])
    arms = TimeArmOutput(many=True)
    ratio = s.FloatField(allow_null=True)
    ratio_ci95 = s.ListField(child=s.FloatField(), min_length=2, max_length=2, allow_null=True)


class EnvironmentOutput(Shape):
    device = s.CharField()
    torch = s.CharField()
    threads = s.IntegerField()


class DemonstrationOutput(Shape):
    """The evidence for one answer: measured, or honest about why there is none."""

    id = s.UUIDField()
    state = s.ChoiceField(choices=["waiting", "measured", "simulated", "failed", "not_run"])
    reason = s.CharField(allow_null=True)
    reused_from = s.DateTimeField(allow_null=True)
    delayed = s.BooleanField()
    experiment = s.CharField(allow_null=True)
    claims = ClaimOutput(many=True)
    narrative = TextOutput(allow_null=True)
    memory = MemoryOutput(allow_null=True)
    timing = TimingOutput(allow_null=True)
    environment = EnvironmentOutput(allow_null=True)
    figures = s.DictField(child=s.CharField())


class MisconceptionOutput(Shape):
    slug = s.CharField()
    text = TextOutput()


class FeedbackOutput(Shape):
    correct = s.BooleanField()
    score = s.FloatField()
    correct_options = s.ListField(child=s.UUIDField())
    chosen_options = s.ListField(child=s.UUIDField())
    explanation = TextOutput(allow_null=True)
    misconception = MisconceptionOutput(allow_null=True)
    demonstration = DemonstrationOutput(allow_null=True)


class HealthOutput(Shape):
    status = s.ChoiceField(choices=["ok"])


class CheckOutput(Shape):
    is_ok = s.BooleanField()
    age_s = s.IntegerField(allow_null=True, required=False)


class ReadinessOutput(Shape):
    status = s.ChoiceField(choices=["ready", "degraded", "unready"])
    checks = s.DictField(child=CheckOutput())
