"""Abstract bases, the outbox and the idempotency record."""

import uuid

from django.db import models


class UUIDModel(models.Model):
    """A row with an opaque id and the time it was made."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class OutboxMessage(models.Model):
    """Something to do once its transaction has committed; only the conductor hands it on.

    key names what it is about (a run's id). priority 0 goes first: a learner waits.
    attempts: how often a chore was handed to the task worker, which settles it when done.
    """

    id = models.BigAutoField(primary_key=True)
    topic = models.CharField(max_length=50)
    key = models.CharField(max_length=64)
    priority = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    not_before = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["topic", "priority", "id"], name="outbox_due"),
            models.Index(fields=["key"], name="outbox_key"),
        ]


class IdempotencyRecord(models.Model):
    """The stored 2xx reply of one POST: who, where, which key, which body."""

    id = models.BigAutoField(primary_key=True)
    scope = models.CharField(max_length=100)
    route = models.CharField(max_length=200)
    key = models.CharField(max_length=255)
    request_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    reply = models.TextField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scope", "route", "key"], name="idempotency_once")
        ]
        indexes = [models.Index(fields=["created_at"], name="idempotency_age")]
