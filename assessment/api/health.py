"""Liveness, readiness and metrics, for those who run the service."""

import logging
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from drf_spectacular.utils import extend_schema
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from assessment.api.authentication import read_header
from assessment.api.base import ApiView
from assessment.api.outputs import HealthOutput, ReadinessOutput
from assessment.api.permissions import ANYONE
from assessment.api.replies import reply_json
from assessment.api.schema import document
from assessment.core.outbox import find_oldest_age_s
from assessment.experiments.dispatch import has_full_window
from assessment.experiments.selectors import count_live_runs, read_fleet
from assessment.experiments.services import RUN_TOPIC

logger = logging.getLogger(__name__)

OUTBOX_PATIENCE_S = 30
# The conductor publishes within a second; half a minute means that it does not run.


class HealthView(ApiView):
    """The process answers; it asks nobody else."""

    roles = ANYONE
    authentication_classes = ()

    @document("readHealth", "Liveness", answers={200: HealthOutput}, is_public=True)
    def get(self, request: Request) -> HttpResponse:
        """It asks no other server."""
        return reply_json({"status": "ok"}, headers={"Cache-Control": "no-store"})


class ReadinessView(ApiView):
    """503 without the database. Without broker or workers answers are still taken: degraded.

    The outbox grows by a message when an answer was wrong, so only operators see its age.
    """

    roles = ANYONE
    authentication_classes = ()

    @document(
        "readReadiness",
        "Readiness",
        answers={200: ReadinessOutput, 503: ReadinessOutput},
        is_public=True,
    )
    def get(self, request: Request) -> HttpResponse:
        """503 without the database alone."""
        checks = run_checks(with_outbox=is_operator(request))
        status = "ready" if all(one["is_ok"] for one in checks.values()) else "degraded"
        if not checks["database"]["is_ok"]:
            status = "unready"
        return reply_json(
            {"status": status, "checks": checks},
            status=503 if status == "unready" else 200,
            headers={"Cache-Control": "no-store"},
        )


class MetricsView(ApiView):
    """Prometheus text, for operators only: counts tell whether an answer was wrong."""

    roles = ANYONE
    authentication_classes = ()

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        if not is_operator(request):
            raise Http404
        queues = CollectorRegistry()
        queues.register(QueueCollector())
        body = generate_latest(find_request_metrics()) + generate_latest(queues)
        return HttpResponse(body, content_type="text/plain; version=0.0.4; charset=utf-8")


def is_operator(request: Request) -> bool:
    """Whether the request carries the operator's token; never where none is set."""
    try:
        token = read_header(request.META.get("HTTP_AUTHORIZATION", "")) or ""
    except AuthenticationFailed:
        return False
    return bool(settings.OPS_TOKEN) and constant_time_compare(token, settings.OPS_TOKEN)


def run_checks(*, with_outbox: bool) -> dict[str, dict[str, Any]]:
    """Database, broker, workers, outbox; ages in whole seconds, None when unknown."""
    broker = {"is_ok": ping_broker()}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        now = timezone.now()
        fleet = read_fleet(now=now)
        outbox_age = find_neglected_age_s(now=now) if with_outbox else 0.0
    except DatabaseError:
        logger.exception("the database does not answer")
        return {"database": {"is_ok": False}, "broker": broker}
    age = min(fleet.ages_s.values(), default=None)
    checks: dict[str, dict[str, Any]] = {
        "database": {"is_ok": True},
        "broker": broker,
        "workers": {"is_ok": fleet.num_alive > 0, "age_s": None if age is None else int(age)},
    }
    if with_outbox:
        checks["outbox"] = {"is_ok": outbox_age < OUTBOX_PATIENCE_S, "age_s": int(outbox_age)}
    return checks


def find_neglected_age_s(*, now: datetime) -> float:
    """How long the oldest message has waited that nothing holds back but its conductor."""
    return find_oldest_age_s(now=now, apart_from=(RUN_TOPIC,) if has_full_window() else ())


def ping_broker() -> bool:
    try:
        return bool(_connect().ping())
    except redis.RedisError:
        return False


@lru_cache(maxsize=1)
def _connect() -> redis.Redis:
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1, max_connections=4
    )


def find_request_metrics() -> CollectorRegistry:
    """Requests of all web processes where they share a folder, else of this process."""
    if not settings.METRICS_FOLDER:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=settings.METRICS_FOLDER)
    return registry


class QueueCollector(Collector):
    """What the database knows of queues and workers."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        now = timezone.now()
        fleet = read_fleet(now=now)
        yield GaugeMetricFamily(
            "remat_outbox_age_seconds",
            "Age of the oldest due message.",
            value=find_oldest_age_s(now=now),
        )
        yield GaugeMetricFamily(
            "remat_live_runs", "Runs requested, sent or running.", value=count_live_runs()
        )
        yield GaugeMetricFamily(
            "remat_workers_alive", "Workers that said hello lately.", value=fleet.num_alive
        )
        ages = GaugeMetricFamily("remat_worker_hello_age_seconds", "Last hello.", labels=["device"])
        for device, age in fleet.ages_s.items():
            ages.add_metric([device], age)
        yield ages
