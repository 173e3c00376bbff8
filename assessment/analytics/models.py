"""Calibrations that were proposed; publishing one is a person's decision."""

from django.db import models
from django.db.models import Q

from assessment.core.models import UUIDModel


class CalibrationProposal(UUIDModel):
    """Parameters that the answers suggest for one bank version; nothing changes until published.

    is_anchored: calibrated items hold the scale, and new ones are put on it.
    rows: one object an item version, as `psychometrics.proposal` tells them, with its slug.
    """

    bank_version_id = models.UUIDField()
    state = models.CharField(max_length=10, default="requested")
    reason = models.CharField(max_length=40, blank=True)
    wants_three_pl = models.BooleanField(default=False)
    is_anchored = models.BooleanField(default=False)
    num_persons = models.PositiveIntegerField(default=0)
    num_answers = models.PositiveIntegerField(default=0)
    rows = models.JSONField(default=list)
    finished_at = models.DateTimeField(null=True)
    published_version_id = models.UUIDField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["requested", "ready", "failed", "published"]),
                name="proposal_state",
            ),
            models.CheckConstraint(
                condition=~Q(state="failed") | ~Q(reason=""), name="proposal_failed_has_reason"
            ),
        ]
        indexes = [models.Index(fields=["created_at", "id"], name="proposal_by_age")]
