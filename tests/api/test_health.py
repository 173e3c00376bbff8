"""Liveness, readiness and metrics."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from assessment.core.models import OutboxMessage
from assessment.experiments.models import Run, WorkerHello
from assessment.experiments.plans import RunPlan
from assessment.experiments.services import request_run
from gpu_worker import catalog
from tests.people import Person, read_json


def hello(age_s=1):
    WorkerHello.objects.create(
        worker="one",
        device="cpu",
        code_digest="c",
        torch_digest="t",
        torch="2.13.0",
        seen_at=timezone.now() - timedelta(seconds=age_s),
    )


@pytest.mark.parametrize("path", ["healthz", "/healthz"])
def test_liveness_asks_nobody(stranger, path, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert read_json(stranger.get(path)) == {"status": "ok"}


def test_it_is_ready_with_a_worker_that_said_hello(stranger):
    hello(age_s=3)
    body = read_json(stranger.get("readyz"))
    assert body["status"] == "ready"
    assert body["checks"]["workers"] == {"is_ok": True, "age_s": 3}


def test_only_operators_see_the_outbox(stranger, settings):
    settings.OPS_TOKEN = "operators-only"
    assert "outbox" not in read_json(stranger.get("readyz"))["checks"]
    body = read_json(Person(token="operators-only").get("readyz"))
    assert body["checks"]["outbox"] == {"is_ok": True, "age_s": 0}


def test_runs_that_wait_for_room_are_no_neglect(stranger, settings):
    """A window that has room, with a run still before it, means that nobody conducts."""
    settings.OPS_TOKEN = "operators-only"
    experiment = catalog.get_experiment("tradeoff")
    for layers in range(2, 5):
        parameters = catalog.resolve_parameters(experiment, {"layers": layers})
        with transaction.atomic():
            request_run(RunPlan("tradeoff", experiment.version, parameters))
    long_ago = timezone.now() - timedelta(seconds=60)
    OutboxMessage.objects.update(not_before=long_ago)
    first, second, _ = Run.objects.order_by("requested_at", "id")
    sent = Run.objects.filter(pk__in=[first.pk, second.pk])
    OutboxMessage.objects.filter(key__in=[str(first.pk), str(second.pk)]).delete()

    def is_ok():
        return read_json(Person(token="operators-only").get("readyz"))["checks"]["outbox"]["is_ok"]

    sent.update(state="sent", sent_at=long_ago)
    assert is_ok()
    sent.update(state="running")
    assert not is_ok()


@pytest.mark.parametrize("token", ["x" * 5000, "a b", "\u0416"])
def test_what_is_no_token_is_no_operators(stranger, settings, token):
    settings.OPS_TOKEN = "operators-only"
    reply = Person(token=token).get("readyz")
    assert "outbox" not in read_json(reply)["checks"]
    assert Person(token=token).get("metrics").status_code == 404


def test_without_workers_or_broker_answers_are_still_taken(stranger, settings, monkeypatch):
    settings.REDIS_URL = "unix:///nonexistent/valkey.sock"
    from assessment.api.health import _connect

    _connect.cache_clear()
    body = read_json(stranger.get("/readyz"))
    _connect.cache_clear()
    assert body["status"] == "degraded"
    assert (body["checks"]["broker"]["is_ok"], body["checks"]["workers"]["is_ok"]) == (False, False)


@pytest.mark.django_db(transaction=True)
def test_without_the_database_it_is_not_ready(monkeypatch):
    stranger = Person()
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nonexistent")
    body = read_json(stranger.get("readyz"), 503)
    assert (body["status"], body["checks"]["database"]) == ("unready", {"is_ok": False})


def test_metrics_are_for_operators(stranger, ada, settings):
    settings.OPS_TOKEN = ""
    assert stranger.get("metrics").status_code == 404
    assert Person(token="").get("metrics").status_code == 404
    settings.OPS_TOKEN = "operators-only"
    assert ada.get("metrics").status_code == 404
    hello()
    text = Person(token="operators-only").get("metrics").content.decode()
    assert "remat_workers_alive 1.0" in text
    assert "remat_outbox_age_seconds 0.0" in text
