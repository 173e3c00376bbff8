"""Items, their frozen versions, texts and calibrations, and the versions of the bank.

ItemVersion, TextRevision, Calibration, BankVersion, BankItem and Publication never change
once written: a trigger (migration 0002) refuses UPDATE and DELETE.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from assessment.core.models import UUIDModel


class Item(UUIDModel):
    """A question through all its versions. `origin` says who keeps its document."""

    slug = models.SlugField(max_length=80, unique=True)
    origin = models.CharField(max_length=10, default="file")
    retired_at = models.DateTimeField(null=True)
    retired_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(origin__in=["file", "author"]), name="item_origin")
        ]


class ItemVersion(UUIDModel):
    """What answers depend on: kind, options with their random ids, key. Texts stand apart.

    options : [{"id", "handle", "is_key", "pinned"}] in authored order
    key : numeric value, unit, tolerance and units; {} for the other kinds
    """

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10)
    shuffle = models.BooleanField()
    options = models.JSONField()
    key = models.JSONField(default=dict)
    content_digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "number"], name="item_version_number"),
            models.UniqueConstraint(fields=["item", "content_digest"], name="item_version_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["single", "multiple", "numeric", "ordering"]),
                name="item_version_kind",
            ),
        ]


class TextRevision(UUIDModel):
    """One wording of one text in one language.

    owner, place : whose text it is ("item:bg-1") and which ("stem", "option:a")
    source_digest : of the English text it translates, so that a change makes it stale
    """

    owner = models.CharField(max_length=120)
    place = models.CharField(max_length=200)
    language = models.CharField(max_length=35)
    number = models.PositiveIntegerField()
    text = models.TextField()
    status = models.CharField(max_length=10)
    declared_status = models.CharField(max_length=10)
    checked = models.CharField(max_length=200, blank=True)
    source_digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "place", "language", "number"], name="text_revision_number"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["source", "seed", "machine", "human", "reviewed", "stale"]),
                name="text_revision_status",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="text_revision_not_blank"),
        ]


class Calibration(UUIDModel):
    """Parameters of the four-parameter logistic model of one item version (D = 1).

    method "authored": provisional; b from the authored level, c from the audit of guessers, and
    se_b is then the prior's sd.
    """

    item_version = models.ForeignKey(
        ItemVersion, on_delete=models.PROTECT, related_name="calibrations"
    )
    method = models.CharField(max_length=30)
    a = models.FloatField()
    b = models.FloatField()
    c = models.FloatField()
    d = models.FloatField(default=1.0)
    se_a = models.FloatField(null=True)
    se_b = models.FloatField(null=True)
    se_c = models.FloatField(null=True)
    num_responses = models.PositiveIntegerField(default=0)
    provisional = models.BooleanField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(a__gt=0, a__lt=100), name="calibration_a"),
            models.CheckConstraint(condition=Q(b__gt=-100, b__lt=100), name="calibration_b"),
            models.CheckConstraint(
                condition=Q(c__gte=0, d__lte=1, c__lt=F("d")), name="calibration_c_below_d"
            ),
        ]


class BankVersion(UUIDModel):
    """One frozen state of the bank, with the compiled snapshot that processes load.

    shared : the documents that belong to no item (quizzes, misconceptions, claims, glossary)
    """

    number = models.PositiveIntegerField(unique=True)
    digest = models.CharField(max_length=64, unique=True)
    note = models.CharField(max_length=500, blank=True)
    shared = models.JSONField(default=dict)
    compiled = models.BinaryField()


class BankItem(UUIDModel):
    """The triple that a bank version holds of one item, and its whole document."""

    bank_version = models.ForeignKey(
        BankVersion, on_delete=models.PROTECT, related_name="bank_items"
    )
    item_version = models.ForeignKey(ItemVersion, on_delete=models.PROTECT, related_name="+")
    calibration = models.ForeignKey(Calibration, on_delete=models.PROTECT, related_name="+")
    text_revisions = ArrayField(models.UUIDField())
    document = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bank_version", "item_version"], name="bank_item_once")
        ]


class Publication(UUIDModel):
    """From this moment on new sessions use this version; the newest row counts."""

    bank_version = models.ForeignKey(
        BankVersion, on_delete=models.PROTECT, related_name="publications"
    )
    published_at = models.DateTimeField()
    published_by = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [models.Index(fields=["-published_at", "-id"], name="publication_newest")]


class Draft(UUIDModel):
    """An item document that an author is working on; findings are those of its last check."""

    slug = models.SlugField(max_length=80, unique=True)
    document = models.JSONField()
    findings = models.JSONField(default=list)
    state = models.CharField(max_length=10, default="draft")
    revision = models.PositiveIntegerField(default=1)
    author = models.CharField(max_length=200, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["draft", "published", "discarded"]), name="draft_state"
            )
        ]
