"""Runs, demonstrations, workers that said hello, figures."""

from django.db import models
from django.db.models import Q

from assessment.core.models import UUIDModel

LIVE_STATES = ["requested", "sent", "running"]
GOOD_STATES = ["measured", "simulated"]


class Run(UUIDModel):
    """One experiment with one set of parameters on one device class. This row is the truth.

    At most one run of a digest is live at a time (single flight); a finished one is reused
    while the digests of code and torch are those of the workers at hand.
    """

    digest = models.CharField(max_length=64)
    experiment = models.CharField(max_length=50)
    experiment_version = models.PositiveIntegerField()
    parameters = models.JSONField()
    seed = models.BigIntegerField()
    device = models.CharField(max_length=10)
    is_simulated = models.BooleanField(default=False)
    state = models.CharField(max_length=10, default="requested")
    attempt = models.PositiveIntegerField(default=1)
    reason = models.CharField(max_length=40, blank=True)
    detail = models.TextField(blank=True)
    is_delayed = models.BooleanField(default=False)
    requested_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    not_after = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    worker = models.CharField(max_length=200, blank=True)
    code_digest = models.CharField(max_length=64, blank=True)
    torch_digest = models.CharField(max_length=64, blank=True)
    measurement = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["digest"], condition=Q(state__in=LIVE_STATES), name="run_single_flight"
            ),
            models.CheckConstraint(
                condition=Q(state__in=[*LIVE_STATES, *GOOD_STATES, "failed"]), name="run_state"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=GOOD_STATES) | Q(measurement__isnull=False),
                name="run_good_has_measurement",
            ),
            models.CheckConstraint(
                condition=~Q(state="failed") | ~Q(reason=""), name="run_failed_has_reason"
            ),
            models.CheckConstraint(
                condition=Q(attempt__gte=1, attempt__lte=3), name="run_attempt_limit"
            ),
        ]
        indexes = [
            models.Index(fields=["digest", "-requested_at"], name="run_by_digest"),
            models.Index(
                fields=["state", "requested_at"],
                condition=Q(state__in=LIVE_STATES),
                name="run_live",
            ),
        ]


class RunTrace(models.Model):
    """The full event list of a run: zlib-compressed JSON, apart from the row that is read often."""

    run = models.OneToOneField(
        Run, on_delete=models.CASCADE, primary_key=True, related_name="trace"
    )
    body = models.BinaryField()


class Demonstration(UUIDModel):
    """The evidence for one answered item: a run, or the reason why there is none."""

    administration = models.ForeignKey(
        "delivery.Administration", on_delete=models.CASCADE, related_name="demonstrations"
    )
    session = models.ForeignKey(
        "delivery.Session", on_delete=models.CASCADE, related_name="demonstrations"
    )
    run = models.ForeignKey(Run, on_delete=models.PROTECT, null=True, related_name="demonstrations")
    kind = models.CharField(max_length=10, default="refute")
    option_id = models.UUIDField(null=True)
    reason = models.CharField(max_length=40, blank=True)
    is_reused = models.BooleanField(default=False)
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="what_ifs")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(run__isnull=False) | ~Q(reason=""), name="demonstration_run_or_reason"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["refute", "support", "what_if"]), name="demonstration_kind"
            ),
            models.UniqueConstraint(
                fields=["administration"],
                condition=~Q(kind="what_if"),
                name="demonstration_once",
            ),
        ]
        indexes = [models.Index(fields=["session"], name="demonstration_by_session")]


class WorkerHello(models.Model):
    """The last hello of a worker: which device class it serves, with which code."""

    worker = models.CharField(max_length=200, primary_key=True)
    device = models.CharField(max_length=10)
    device_name = models.CharField(max_length=200, blank=True)
    code_digest = models.CharField(max_length=64)
    torch_digest = models.CharField(max_length=64)
    torch = models.CharField(max_length=50)
    is_busy = models.BooleanField(default=False)
    seen_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["device", "-seen_at"], name="hello_recent")]


class Figure(models.Model):
    """A rendered picture of a run in one language, with the spec it was drawn from."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="figures")
    name = models.CharField(max_length=30)
    lang = models.CharField(max_length=35)
    spec = models.JSONField()
    alt = models.TextField()
    table = models.JSONField()
    svg = models.BinaryField()
    png = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "name", "lang"], name="figure_once")]
