import json
from typing import Any

from assessment.feedback.perfetto import make_perfetto_trace
from assessment.feedback.traces import ArmTrace, decode_trace

PLAIN = ArmTrace(
    name="plain",
    op=(0, 1, 2, 3),
    delta=(1024, 2048, 0, -3072),
    live=(1024, 3072, 3072, 0),
    operator=("aten.addmm", "aten.relu", "aten.mm", "aten.mm"),
    category=("activation", "activation", "temporary", ""),
    phase=("forward", "forward", "backward", "backward"),
)
AGAIN = ArmTrace("checkpointed", (0,), (8,), (8,), ("aten.mul",), ("gradient",), ("forward",))


def make_document() -> dict[str, object]:
    made = make_perfetto_trace(
        [PLAIN, AGAIN], provenance={"seed": 7, "command": "./remat lab"}, environment={"torch": "2"}
    )
    loaded: dict[str, object] = json.loads(json.dumps(made))
    return loaded


def list_events(kind: str, process: int) -> list[dict[str, object]]:
    events = make_document()["traceEvents"]
    assert isinstance(events, list)
    return [one for one in events if one["ph"] == kind and one["pid"] == process]


def test_live_bytes_are_a_counter_track_of_each_arm() -> None:
    counters = list_events("C", 1)
    assert [one["args"] for one in counters] == [{"bytes": live} for live in PLAIN.live]
    assert [one["ts"] for one in counters] == [0, 1, 2, 3]
    assert {one["name"] for one in list_events("C", 2)} == {"live bytes (checkpointed)"}


def test_operators_are_instants_with_their_bytes_and_phase() -> None:
    instant = list_events("i", 1)[1]
    assert instant["name"] == "aten.relu"
    assert instant["args"] == {"delta_bytes": 2048, "live_bytes": 3072, "phase": "forward"}


def test_phases_are_slices_that_cover_their_operators() -> None:
    slices = [(one["name"], one["ts"], one["dur"]) for one in list_events("X", 1)]
    assert slices == [("forward", 0, 2), ("backward", 2, 2)]


def test_arms_are_named_processes() -> None:
    names = [one["args"] for one in list_events("M", 2)]
    assert {"name": "checkpointed"} in names


def test_the_document_says_where_it_comes_from_and_that_the_axis_is_no_time() -> None:
    other = make_document()["otherData"]
    assert isinstance(other, dict)
    assert other["provenance"] == {"seed": 7, "command": "./remat lab"}
    assert other["environment"] == {"torch": "2"}
    assert "not a microsecond" in other["axis"]


def test_the_trace_of_a_real_run_peaks_where_its_report_says(
    real_reports: dict[str, dict[str, Any]],
) -> None:
    stored = real_reports["tradeoff"]
    arms = decode_trace(stored["trace"])
    made = make_perfetto_trace(
        arms, provenance=stored["provenance"], environment=stored["environment"]
    )
    events = made["traceEvents"]
    assert isinstance(events, list)
    peaks = {arm["name"]: arm["peak"] for arm in stored["memory"]}
    for number, arm in enumerate(arms, start=1):
        counted = [
            one["args"]["bytes"] for one in events if one["ph"] == "C" and one["pid"] == number
        ]
        assert max(counted) == peaks[arm.name]
    assert json.dumps(made, allow_nan=False)
