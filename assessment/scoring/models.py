"""Scores. Regrading adds a row; the old ones stay."""

import uuid

from django.db import models
from django.db.models import F, Q


class Score(models.Model):
    """What one response was worth under one rule and one frozen item version.

    theta and standard_error: the ability estimate after this response (adaptive only), with
    the bank version whose parameters made it, so that no report recomputes from today's.
    A legal bank (a to 10, b to 50 either way) can move theta past 50, never to 100; NaN and
    infinity fail the upper bounds.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    response = models.ForeignKey(
        "delivery.Response", on_delete=models.CASCADE, related_name="scores"
    )
    session = models.ForeignKey("delivery.Session", on_delete=models.CASCADE, related_name="scores")
    revision = models.PositiveIntegerField(default=1)
    item_version_id = models.UUIDField()
    bank_version_id = models.UUIDField()
    rule = models.CharField(max_length=30)
    score = models.FloatField()
    max_score = models.FloatField(default=1.0)
    is_correct = models.BooleanField()
    misconceptions = models.JSONField(default=list)
    theta = models.FloatField(null=True)
    standard_error = models.FloatField(null=True)
    scored_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["response", "revision"], name="score_revision_once"),
            models.CheckConstraint(
                condition=Q(score__gte=0.0, score__lte=F("max_score")), name="score_in_range"
            ),
            models.CheckConstraint(
                condition=Q(theta__isnull=True) | Q(theta__gte=-100.0, theta__lte=100.0),
                name="score_theta_finite",
            ),
            models.CheckConstraint(
                condition=Q(standard_error__isnull=True)
                | Q(standard_error__gte=0.0, standard_error__lte=100.0),
                name="score_error_finite",
            ),
            models.CheckConstraint(
                condition=Q(max_score__gt=0.0, max_score__lte=1000.0), name="score_max_finite"
            ),
        ]
