"""What workers say is checked, fenced, and taken in exactly once."""

import json
import uuid
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from assessment.core.models import OutboxMessage
from assessment.experiments import dispatch
from assessment.experiments.ingest import take_message
from assessment.experiments.models import Run, RunTrace, WorkerHello
from assessment.experiments.services import request_run
from gpu_worker.contracts import ContractError, encode
from tests.experiments.reports import make_hello, make_report

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(plan):
    with transaction.atomic():
        asked = request_run(plan)
    return Run.objects.get(pk=asked.run.id)


def test_a_report_ends_the_run_and_asks_for_its_figures(run):
    assert take_message(encode(make_report(run))) == "measured"
    run.refresh_from_db()
    assert run.state == "measured"
    assert run.measurement["claims"][0]["id"] == "gradients-equal"
    assert "trace" not in run.measurement
    assert OutboxMessage.objects.filter(topic="figures", key=str(run.id)).count() == 1


def test_a_report_may_come_before_its_start(run):
    take_message(encode(make_report(run)))
    assert take_message(encode(make_report(run, state="started"))) == "late start"
    run.refresh_from_db()
    assert run.state == "measured"
    assert run.started_at is not None


def test_the_same_report_twice_is_one_report(run):
    body = encode(make_report(run))
    assert take_message(body) == "measured"
    assert take_message(body) == "fenced off"
    assert OutboxMessage.objects.filter(topic="figures").count() == 1


def test_a_report_of_an_older_attempt_changes_nothing(run):
    old = encode(make_report(run))
    take_message(encode(make_report(run, state="started")))
    dispatch.reap_runs(now=timezone.now() + timedelta(hours=1))
    assert take_message(old) == "fenced off"
    run.refresh_from_db()
    assert (run.state, run.attempt) == ("requested", 2)


def test_a_failure_keeps_its_reason(run):
    report = make_report(run, state="failed", reason="killed", detail="signal 9")
    take_message(encode(report))
    run.refresh_from_db()
    assert (run.state, run.reason, run.detail) == ("failed", "killed", "signal 9")


def test_a_measurement_of_other_parameters_is_refused(run):
    body = json.loads(encode(make_report(run)))
    body["measurement"]["provenance"]["parameters"]["layers"] = 12
    assert take_message(json.dumps(body)) == "refused"
    run.refresh_from_db()
    assert (run.state, run.reason) == ("failed", "crashed")


@pytest.mark.parametrize(
    ("device", "is_simulated", "said", "taken"),
    [
        ("cpu", False, "cpu", "measured"),
        ("cpu", False, "cuda", "refused"),
        ("cpu", False, "simulated", "refused"),
        ("cuda", False, "cuda", "measured"),
        ("cuda", False, "cpu", "measured"),
        ("cpu", True, "cpu", "refused"),
        ("cpu", True, "simulated", "measured"),
    ],
)
def test_what_it_ran_on_is_what_was_asked_for_or_less(run, device, is_simulated, said, taken):
    """A group of processes may fall back to the processor, and says so."""
    Run.objects.filter(pk=run.pk).update(device=device, is_simulated=is_simulated)
    body = json.loads(encode(make_report(run)))
    body["measurement"]["environment"]["device"] = said
    assert take_message(json.dumps(body)) == taken


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"version": 2}, "version"),
        ({"run_id": "1"}, "run_id"),
        ({"state": "done"}, "state"),
        ({"attempt": 0}, "attempt"),
        ({"attempt": "1"}, "attempt"),
        ({"measurement": None}, "measurement"),
        ({"surprise": 1}, "surprise"),
        ({"worker": ""}, "worker"),
        ({"detail": "x" * 2001}, "detail"),
    ],
)
def test_what_is_no_report_is_refused_naming_the_field(run, change, named):
    body = {**json.loads(encode(make_report(run))), **change}
    with pytest.raises(ContractError, match=named):
        take_message(json.dumps(body))
    run.refresh_from_db()
    assert run.state == "requested"


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"a": NaN}', b"[" * 100_000, b"\xff"])
def test_what_is_no_json_is_refused(body):
    with pytest.raises(ContractError):
        take_message(body)


def test_a_report_over_a_megabyte_is_refused(run):
    body = encode(make_report(run)) + b" " * 1_000_000
    with pytest.raises(ContractError, match="1000000"):
        take_message(body)


def test_a_trace_is_kept_apart(run):
    report = make_report(run)
    body = json.loads(encode(report))
    body["measurement"]["trace"] = "eJwDAAAAAAE="
    take_message(json.dumps(body))
    assert bytes(RunTrace.objects.get(run=run).body).startswith(b"\x78\x9c")


def test_a_hello_is_dated_by_our_clock():
    before = timezone.now()
    take_message(encode(make_hello()))
    take_message(encode(make_hello()))
    hello = WorkerHello.objects.get()
    assert hello.seen_at >= before
    assert hello.device == "cpu"


@pytest.mark.parametrize(
    ("name", "value"),
    [("wall_s", 10**400), ("attempt", 10**400), ("worker", "a\ud800"), ("detail", "\udc00")],
)
def test_what_cannot_be_stored_is_refused(run, name, value):
    body = {**json.loads(encode(make_report(run))), name: value}
    with pytest.raises(ContractError, match=name):
        take_message(json.dumps(body))


@pytest.mark.parametrize("key", ["a\x00", "a\ud800"])
def test_names_that_cannot_be_stored_are_refused(run, key):
    body = json.loads(encode(make_report(run)))
    body["measurement"]["facts"][key] = 1
    with pytest.raises(ContractError, match="facts"):
        take_message(json.dumps(body))


@pytest.mark.parametrize("state", ["started", "measured"])
def test_a_run_whose_experiment_left_the_catalogue_ends(run, state):
    body = encode(make_report(run, state=state))
    Run.objects.filter(pk=run.pk).update(experiment="alchemy")
    assert take_message(body) == "refused"
    run.refresh_from_db()
    assert (run.state, run.reason) == ("failed", "unknown_experiment")


def test_a_report_of_an_unknown_run_changes_nothing(run):
    body = {**json.loads(encode(make_report(run))), "run_id": str(uuid.uuid4())}
    assert take_message(json.dumps(body)) == "fenced off"
    assert take_message(json.dumps({**body, "state": "started", "measurement": None})) == (
        "late start"
    )
