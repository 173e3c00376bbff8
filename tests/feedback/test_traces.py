import base64
import json
import zlib

import pytest

from assessment.feedback import traces
from assessment.feedback.traces import TraceError, decode_trace
from tests.feedback.measurements import pack_trace


def make_arm(**changes: object) -> dict[str, object]:
    arm: dict[str, object] = {
        "name": "plain",
        "op": [0, 1, 2],
        "delta": [1024, 2048, -1024],
        "live": [1024, 3072, 2048],
        "operator": ["aten.addmm", "aten.relu", "aten.mm"],
        "category": ["activation", "activation", "temporary"],
        "phase": ["forward", "forward", "backward"],
    }
    return {**arm, **changes}


def test_it_reads_the_columns_of_each_arm() -> None:
    plain, again = decode_trace(pack_trace({"arms": [make_arm(), make_arm(name="checkpointed")]}))
    assert plain.name == "plain"
    assert plain.live == (1024, 3072, 2048)
    assert plain.phase[-1] == "backward"
    assert again.name == "checkpointed"


def test_it_reads_the_bytes_under_the_base64_too() -> None:
    packed = pack_trace({"arms": [make_arm()]})
    assert decode_trace(base64.b64decode(packed)) == decode_trace(packed)


def test_it_stops_a_bomb_before_it_unfolds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "MAX_TRACE_BYTES", 10_000)
    bomb = zlib.compress(b" " * 50_000_000)
    with pytest.raises(TraceError, match="more than 10000 bytes"):
        decode_trace(bomb)


def test_it_accepts_exactly_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    body = json.dumps({"arms": [make_arm()]}).encode()
    monkeypatch.setattr(traces, "MAX_TRACE_BYTES", len(body))
    assert len(decode_trace(zlib.compress(body))) == 1
    monkeypatch.setattr(traces, "MAX_TRACE_BYTES", len(body) - 1)
    with pytest.raises(TraceError):
        decode_trace(zlib.compress(body))


def test_it_bounds_the_number_of_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "MAX_EVENTS", 5)
    with pytest.raises(TraceError, match="more than 5 events"):
        decode_trace(pack_trace({"arms": [make_arm(), make_arm(name="checkpointed")]}))


@pytest.mark.parametrize(
    "packed",
    [
        "",
        "not base64!",
        b"",
        b"no zlib",
        zlib.compress(b"{}")[:-2],
        zlib.compress(b'{"arms": []}') + b"more",
        zlib.compress(b"[" * 100_000),
        zlib.compress(b"\xff\xfe"),
        zlib.compress(b"[]"),
        zlib.compress(b'{"arms": {}}'),
    ],
)
def test_it_refuses_what_is_no_trace(packed: str | bytes) -> None:
    with pytest.raises(TraceError):
        decode_trace(packed)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"op": [0, 1]}, "different lengths"),
        ({"live": [1, 2, 3.5]}, "live"),
        ({"live": [1, 2, True]}, "live"),
        ({"delta": None}, "delta"),
        ({"operator": ["a", "b", 3]}, "operator"),
        ({"phase": ["f", "f", "x" * 201]}, "phase"),
    ],
)
def test_it_names_the_column_that_does_not_fit(changes: dict[str, object], place: str) -> None:
    with pytest.raises(TraceError, match=place):
        decode_trace(pack_trace({"arms": [make_arm(**changes)]}))
