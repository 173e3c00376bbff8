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

    text = s.CharField(help_text="The wording.")
    lang = s.CharField(help_text="BCP 47 tag of this wording.")
    dir = s.ChoiceField(choices=["ltr", "rtl"], help_text="Direction of its script.")
    fallback = s.BooleanField(help_text="True when you asked for another language first.")
    status = s.ChoiceField(
        choices=["source", "seed", "machine", "human", "reviewed", "stale"],
        help_text="`source` and `seed` are original; `machine` waits for a reviewer.",
    )


class TokenOutput(Shape):
    """A minted token."""

    token = s.CharField(help_text="Send it as `Authorization: Bearer`.")
    token_type = s.ChoiceField(choices=["Bearer"], help_text="Always `Bearer`.")
    expires_in = s.IntegerField(help_text="Seconds.")
    person = s.UUIDField(help_text="The person's id here.")
    course = s.UUIDField(help_text="The course that it opens.")
    rights = s.ListField(child=s.ChoiceField(choices=RIGHTS), help_text="What it allows.")


class GuestOutput(TokenOutput):
    """A guest's token."""

    secret = s.CharField(help_text="Keep it: it renews the token.")


class RootOutput(Shape):
    """What this server offers."""

    name = s.CharField(help_text="The product.")
    version = s.CharField(help_text="Version of this API.")
    languages = s.ListField(
        child=s.CharField(), help_text="Languages of titles, pages and messages."
    )
    links = s.DictField(child=s.CharField(), help_text="Addresses to begin with, by name.")


class PolicyOutput(Shape):
    """What the instructor set."""

    mode = s.ChoiceField(
        choices=["fixed", "adaptive"],
        help_text="`fixed`: every item in order; `adaptive`: each item by the answers before.",
    )
    reveal = s.ChoiceField(
        choices=["after_each", "after_finish"], help_text="When the feedback comes."
    )
    predictions = s.BooleanField(help_text="Whether a prediction is asked before the feedback.")
    max_attempts = s.IntegerField(allow_null=True, help_text="Null: no limit.")
    opens_at = s.DateTimeField(allow_null=True, help_text="Null: open from the start.")
    closes_at = s.DateTimeField(allow_null=True, help_text="Null: never.")
    time_limit_s = s.IntegerField(
        allow_null=True, help_text="Seconds for one session; null: no limit."
    )
    texts = s.ChoiceField(
        choices=["best", "seed"], help_text="`seed` shows the original page's own wording."
    )


class OwnSessionOutput(Shape):
    """One of your sessions of the activity."""

    id = s.UUIDField(help_text="Its id.")
    attempt = s.IntegerField(help_text="Counted from 1.")
    state = s.ChoiceField(choices=SESSION_STATES, help_text="`expired`: its time is over.")


class ActivityOutput(Shape):
    """A quiz in a course, with the policy that the instructor set."""

    id = s.UUIDField(help_text="Its id.")
    quiz = s.CharField(help_text="Slug of the quiz.")
    title = TextOutput()
    introduction = TextOutput()
    state = s.ChoiceField(
        choices=["scheduled", "open", "closed"], help_text="By the server's clock."
    )
    num_items = s.IntegerField(
        help_text="Items of a fixed session; of an adaptive one, those it may choose from."
    )
    languages = s.DictField(
        child=s.FloatField(), help_text="Share of stems and options per language, 0 to 1."
    )
    policy = PolicyOutput()
    sessions = OwnSessionOutput(many=True)


class ActivityList(Shape):
    """A page of activities."""

    results = ActivityOutput(many=True)
    next = s.CharField(allow_null=True, help_text="Address of the next page; null on the last one.")


class OptionOutput(Shape):
    """One option, in the order of the session."""

    id = s.UUIDField(help_text="Send it as the answer.")
    text = TextOutput()


class ItemOutput(Shape):
    """A question as this session shows it. It tells nothing of its key."""

    administration = s.UUIDField(
        help_text="The item as it was put before this learner: answers name it."
    )
    position = s.IntegerField(help_text="Counted from 1.")
    kind = s.ChoiceField(
        choices=["single", "multiple", "numeric", "ordering"],
        help_text="Which member the answer has: `options`, `value` or `order`.",
    )
    stem = TextOutput()
    languages = s.ListField(child=s.CharField(), help_text="Languages that the stem exists in.")
    options = OptionOutput(many=True)
    units = s.ListField(
        child=s.CharField(),
        required=False,
        help_text="Units that a numeric answer may name, the item's own first.",
    )


class ItemList(Shape):
    """The items of a session."""

    items = ItemOutput(many=True)


class ChoiceOutput(Shape):
    """One range that may be predicted."""

    id = s.CharField(help_text="Send it as the choice.")
    text = TextOutput()


class QuestionOutput(Shape):
    """What the experiment will show: asked before the feedback, with right answers too."""

    text = TextOutput()
    choices = ChoiceOutput(many=True)
    administration = s.UUIDField(required=False, help_text="The answered item that it belongs to.")


class ProgressOutput(Shape):
    """How far the session is."""

    answered = s.IntegerField(help_text="Items answered.")
    total = s.IntegerField(
        allow_null=True, help_text="Items of a fixed session; null in an adaptive one."
    )


class SessionOutput(Shape):
    """One attempt of one person at one activity."""

    id = s.UUIDField(help_text="Its id.")
    activity = s.UUIDField(help_text="The activity.")
    attempt = s.IntegerField(help_text="Counted from 1.")
    state = s.ChoiceField(choices=SESSION_STATES, help_text="By the server's clock.")
    finish_reason = s.CharField(allow_null=True, help_text="Why it is over; null while it is open.")
    languages = s.ListField(
        child=s.CharField(),
        help_text="Languages of its texts, best first; they win over Accept-Language.",
    )
    reveal = s.ChoiceField(
        choices=["after_each", "after_finish"], help_text="When the feedback comes."
    )
    bank_version = s.IntegerField(help_text="The frozen version of the bank that it is taken from.")
    revision = s.IntegerField(help_text="Moves on with every change.")
    started_at = s.DateTimeField(help_text="UTC.")
    expires_at = s.DateTimeField(
        allow_null=True, help_text="End of its time, 30 seconds of grace apart; null: no limit."
    )
    finished_at = s.DateTimeField(allow_null=True, help_text="UTC; null while it is open.")
    progress = ProgressOutput()
    current = ItemOutput(allow_null=True)
    prediction = QuestionOutput(allow_null=True)


class HandoffOutput(Shape):
    """The way to another device."""

    secret = s.CharField(help_text="Works once: the part of a link after the hash.")
    expires_at = s.DateTimeField(help_text="UTC.")


class HandoffTokenOutput(Shape):
    """A learner's token for the session's person."""

    token = s.CharField(help_text="Send it as `Authorization: Bearer`.")
    token_type = s.ChoiceField(choices=["Bearer"], help_text="Always `Bearer`.")
    expires_in = s.IntegerField(help_text="Seconds.")
    session = s.UUIDField(help_text="The session to resume.")


class HealthOutput(Shape):
    """The process answers."""

    status = s.ChoiceField(choices=["ok"], help_text="Always `ok`.")


class CheckOutput(Shape):
    """One part of the service."""

    is_ok = s.BooleanField(help_text="Whether it does its work.")
    age_s = s.IntegerField(
        allow_null=True,
        required=False,
        help_text="Seconds since the last sign of life, or of waiting; null: never seen.",
    )


class ReadinessOutput(Shape):
    """What works."""

    status = s.ChoiceField(
        choices=["ready", "degraded", "unready"],
        help_text="`degraded`: answers are taken, evidence may be late.",
    )
    checks = s.DictField(
        child=CheckOutput(), help_text="Database, broker, workers; the outbox for operators."
    )


class CourseSessionOutput(Shape):
    """A session of the course."""

    id = s.UUIDField(help_text="Its id.")
    activity = s.UUIDField(help_text="The activity.")
    quiz = s.CharField(help_text="Slug of the quiz.")
    person = s.CharField(help_text="The client's own id of the person.")
    name = s.CharField(help_text="As the client gave it; may be empty.")
    attempt = s.IntegerField(help_text="Counted from 1.")
    state = s.ChoiceField(choices=SESSION_STATES, help_text="By the server's clock.")
    answered = s.IntegerField(help_text="Items answered.")
    score = s.FloatField(help_text="Points earned so far.")
    started_at = s.DateTimeField(help_text="UTC.")
    finished_at = s.DateTimeField(allow_null=True, help_text="UTC; null while it is open.")


class CourseSessionList(Shape):
    """A page of sessions."""

    results = CourseSessionOutput(many=True)
    next = s.CharField(allow_null=True, help_text="Address of the next page; null on the last one.")


class CourseRunOutput(Shape):
    """A run that a session of the course asked for."""

    id = s.UUIDField(help_text="Its id.")
    experiment = s.CharField(help_text="Slug of the experiment.")
    device = s.CharField(help_text="Device class: `cpu` or `cuda`.")
    state = s.CharField(
        help_text="`requested`, `sent`, `running`, `measured`, `simulated` or `failed`."
    )
    attempt = s.IntegerField(help_text="1 to 3.")
    reason = s.CharField(allow_null=True, help_text="Why it failed; null otherwise.")
    requested_at = s.DateTimeField(help_text="UTC.")
    started_at = s.DateTimeField(allow_null=True, help_text="UTC; null before.")
    finished_at = s.DateTimeField(allow_null=True, help_text="UTC; null before.")


class CourseRunList(Shape):
    """A page of runs."""

    results = CourseRunOutput(many=True)
    next = s.CharField(allow_null=True, help_text="Address of the next page; null on the last one.")
