"""Messages: what travels comes back equal, and what is not the contract is refused by name."""

import dataclasses
import json
from typing import Any

import pytest

from gpu_worker.contracts import (
    MAX_REPORT_BYTES,
    ContractError,
    RunReport,
    WorkerHello,
    decode_request,
    decode_worker_message,
    encode,
    to_plain,
)
from gpu_worker.endings import Ending, make_report
from tests.gpu_worker.misbehaving import measure_well
from tests.gpu_worker.processes import make_request


def make_measured() -> RunReport:
    ending = Ending(message={"measured": dataclasses.asdict(measure_well())}, wall_s=1.5)
    return make_report(make_request("x"), ending, worker="w", cpu_limit_s=9.0)


HELLO = WorkerHello("w", "cpu", "a processor", "c", "t", "2.13.0", ("runs-cpu",), "now", busy=False)


def test_messages_come_back_equal() -> None:
    request = make_request(
        "sqrt-n", parameters={"depths": [4, 9], "rows": 8, "deep": {"a": [[[[None]]]]}}
    )
    assert decode_request(encode(request)) == request
    for message in (make_measured(), HELLO):
        assert decode_worker_message(encode(message)) == message
        assert decode_worker_message(json.loads(encode(message))) == message


def change(plain: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """`plain` with another value at "a.0.b"; "-" takes the field away."""
    *where, last = path.split(".")
    inner: Any = plain
    for step in where:
        inner = inner[int(step)] if step.isdigit() else inner[step]
    if value == "-":
        del inner[last]
    else:
        inner[int(last) if last.isdigit() else last] = value
    return plain


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("run_id", "7", "run_id is not a UUID"),
        ("run_id", "-", "run_id is missing"),
        ("attempt", 0, "attempt is out of range"),
        ("attempt", True, "attempt is not an integer"),
        ("attempt", 1.0, "attempt is not an integer"),
        ("experiment_version", "1", "experiment_version is not an integer"),
        ("seed", -1, "seed is out of range"),
        ("seed", 2**32, "seed is out of range"),
        ("seed", 2**63, "seed is too large"),
        ("memory_mib", 0, "memory_mib is out of range"),
        ("memory_mib", -5, "memory_mib is out of range"),
        ("wall_limit_s", 0, "wall_limit_s is out of range"),
        ("wall_limit_s", float("nan"), "wall_limit_s is not finite"),
        ("device", "tpu", "device is unknown"),
        ("simulate", 1, "simulate is not bool"),
        ("parameters", [], "parameters is not an object"),
        ("experiment", "x\0", "experiment has a NUL"),
        ("extra", 1, "extra is not a field"),
        ("version", 2, "version is not 1"),
    ],
)
def test_a_request_that_is_not_the_contract_is_refused_by_name(
    path: str, value: object, message: str
) -> None:
    with pytest.raises(ContractError, match=rf"^request\.{message}"):
        decode_request(change(to_plain(make_request("sqrt-n")), path, value))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("state", "done", "state is unknown"),
        ("state", "started", "measurement came before the end"),
        ("state", "failed", "reason is unknown"),
        ("reason", "killed", "reason does not belong to a success"),
        ("measurement", None, "measurement is missing"),
        ("detail", "x" * 2001, "detail is over 2000"),
        ("worker", "", "worker is empty"),
        ("measurement.claims.0.verdict", "maybe", "has an unknown verdict"),
        ("measurement.claims.0.relation", "about", "has an unknown relation"),
        ("measurement.claims.1.id", "sound", "has an id twice"),
        ("measurement.claims.0.observed", "1", "observed"),
        ("measurement.facts.value", [1], "value"),
        ("measurement.flops.0.total", 2**63, "total"),
        ("measurement.environment.threads", None, "threads is not an integer"),
        ("measurement.facts.filler", "\ud800", "filler"),
    ],
)
def test_a_report_that_is_not_the_contract_is_refused_by_name(
    path: str, value: object, message: str
) -> None:
    plain = json.loads(encode(make_measured()))
    with pytest.raises(ContractError, match=message):
        decode_worker_message(change(plain, path, value))


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"nul", b'{"a": NaN}', b'{"a": 1e999}', b"\xff", b"[" * 100_000],
)
def test_a_body_that_is_no_object_is_refused(body: bytes) -> None:
    with pytest.raises(ContractError):
        decode_worker_message(body)


def test_nesting_without_end_is_refused_and_not_followed() -> None:
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    plain = to_plain(make_request("sqrt-n")) | {"parameters": {"depths": deep}}
    with pytest.raises(ContractError, match="nested too deeply"):
        decode_request(plain)


def test_a_message_over_the_limit_is_refused_by_both_sides() -> None:
    report = dataclasses.replace(make_measured(), measurement=measure_well(rows=MAX_REPORT_BYTES))
    with pytest.raises(ContractError, match="the limit is"):
        encode(report)
    with pytest.raises(ContractError, match="the limit is"):
        decode_worker_message(json.dumps(to_plain(report)))


def test_a_number_that_is_not_finite_does_not_travel() -> None:
    report = dataclasses.replace(make_measured(), measurement=measure_well(float("inf")))
    with pytest.raises(ContractError, match="not finite"):
        encode(report)
