"""Activities, sessions, administrations, responses, predictions."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from assessment.core.models import UUIDModel


class Activity(UUIDModel):
    """A quiz in a course, with the policy that the instructor set."""

    course = models.ForeignKey(
        "accounts.Course", on_delete=models.PROTECT, related_name="activities"
    )
    quiz_slug = models.CharField(max_length=100)
    mode = models.CharField(max_length=10, default="fixed")
    reveal = models.CharField(max_length=15, default="after_each")
    has_predictions = models.BooleanField(default=False)
    max_attempts = models.PositiveIntegerField(null=True)
    opens_at = models.DateTimeField(null=True)
    closes_at = models.DateTimeField(null=True)
    time_limit_s = models.PositiveIntegerField(null=True)
    texts = models.CharField(max_length=5, default="best")
    policy = models.JSONField(default=dict)
    is_public_practice = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(mode__in=["fixed", "adaptive"]), name="activity_mode"
            ),
            models.CheckConstraint(
                condition=Q(reveal__in=["after_each", "after_finish"]), name="activity_reveal"
            ),
            models.CheckConstraint(
                condition=~Q(mode="adaptive") | Q(reveal="after_each"),
                name="activity_adaptive_after_each",
            ),
            models.CheckConstraint(condition=Q(texts__in=["best", "seed"]), name="activity_texts"),
            models.CheckConstraint(
                condition=Q(max_attempts__isnull=True) | Q(max_attempts__gte=1),
                name="activity_attempts",
            ),
            models.CheckConstraint(
                condition=Q(opens_at__isnull=True)
                | Q(closes_at__isnull=True)
                | Q(opens_at__lt=F("closes_at")),
                name="activity_window",
            ),
        ]
        indexes = [models.Index(fields=["course", "created_at", "id"], name="activity_by_course")]


class Session(UUIDModel):
    """One attempt of one person at one activity, pinned to one bank version."""

    activity = models.ForeignKey(Activity, on_delete=models.PROTECT, related_name="sessions")
    person = models.ForeignKey("accounts.Person", on_delete=models.PROTECT, related_name="sessions")
    bank_version_id = models.UUIDField()
    languages = ArrayField(models.CharField(max_length=35))
    seed = models.BigIntegerField()
    attempt = models.PositiveIntegerField()
    state = models.CharField(max_length=10, default="open")
    finish_reason = models.CharField(max_length=30, blank=True)
    revision = models.PositiveIntegerField(default=1)
    started_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["activity", "person", "attempt"], name="session_attempt_once"
            ),
            models.UniqueConstraint(
                fields=["activity", "person"], condition=Q(state="open"), name="session_one_open"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "finished", "expired"]), name="session_state"
            ),
            models.CheckConstraint(
                condition=Q(state="open", finished_at__isnull=True)
                | (~Q(state="open") & Q(finished_at__isnull=False)),
                name="session_finished_at",
            ),
        ]
        indexes = [
            models.Index(fields=["activity", "created_at", "id"], name="session_by_activity"),
            models.Index(
                fields=["expires_at"], condition=Q(state="open"), name="session_open_expiry"
            ),
        ]


class Administration(UUIDModel):
    """One item put before one learner: which version, in which option order."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="administrations")
    position = models.PositiveIntegerField()
    item_version_id = models.UUIDField()
    option_order = ArrayField(models.UUIDField(), default=list)
    selection = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "position"], name="administration_position"),
            models.UniqueConstraint(
                fields=["session", "item_version_id"], name="administration_item_once"
            ),
        ]
        indexes = [models.Index(fields=["item_version_id"], name="administration_by_item")]


class Response(models.Model):
    """The one answer to an administration, as it was given."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    administration = models.OneToOneField(
        Administration, on_delete=models.CASCADE, related_name="response"
    )
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="responses")
    answer = models.JSONField()
    certainty = models.PositiveSmallIntegerField(null=True)
    elapsed_ms = models.PositiveIntegerField(null=True)
    received_at = models.DateTimeField()
    evidence_seen_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(certainty__isnull=True) | Q(certainty__gte=1, certainty__lte=3),
                name="response_certainty",
            )
        ]


class Prediction(models.Model):
    """What a learner expected of the experiment before the feedback; choice None is a skip."""

    administration = models.OneToOneField(
        Administration, on_delete=models.CASCADE, primary_key=True, related_name="prediction"
    )
    experiment = models.CharField(max_length=50)
    choice = models.CharField(max_length=50, null=True)
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)


class ExposureCount(models.Model):
    """How often each item had been shown when a bank version was published; frozen."""

    bank_version_id = models.UUIDField(primary_key=True)
    num_sessions = models.PositiveIntegerField()
    counts = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)


class Handoff(models.Model):
    """A one-use link that resumes a session on another device.

    issued_at: of the token it was asked with, which the new one may not outlive; None for a
    guest, who may renew anyway.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="handoffs")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    is_guest = models.BooleanField(default=False)
    issued_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)
