"""A full trace as Chrome trace JSON, which Perfetto and chrome://tracing open.

The axis is the operator number, not time: a traced pass has no honest microseconds. One
operator takes one "microsecond" of the viewer's ruler; `otherData` says so.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from assessment.feedback.traces import ArmTrace

THREAD = 1
# Every arm is a process of its own in the viewer; its operators stand on one thread.

AXIS_NOTE = "One unit of the time axis is one operator, not a microsecond."

Event = dict[str, object]


def make_perfetto_trace(
    arms: Sequence[ArmTrace], *, provenance: Mapping[str, object], environment: Mapping[str, object]
) -> dict[str, object]:
    """Counter tracks of live bytes, phases as slices, operators as instants.

    provenance, environment : as in the report; they travel in `otherData`.
    """
    events = [event for number, arm in enumerate(arms, start=1) for event in _draw_arm(arm, number)]
    return {
        "traceEvents": events,
        "displayTimeUnit": "ns",
        "otherData": {
            "axis": AXIS_NOTE,
            "provenance": dict(provenance),
            "environment": dict(environment),
        },
    }


def _draw_arm(arm: ArmTrace, process: int) -> Iterator[Event]:
    yield _name_track("process_name", process, arm.name)
    yield _name_track("thread_name", process, "operators")
    yield from _draw_phases(arm, process)
    rows = zip(arm.op, arm.delta, arm.live, arm.operator, arm.category, arm.phase, strict=True)
    for op, delta, live, operator, category, phase in rows:
        yield {
            "ph": "i",
            "s": "t",
            "name": operator,
            "cat": category or "other",
            "pid": process,
            "tid": THREAD,
            "ts": op,
            "args": {"delta_bytes": delta, "live_bytes": live, "phase": phase},
        }
        yield {
            "ph": "C",
            "name": f"live bytes ({arm.name})",
            "pid": process,
            "ts": op,
            "args": {"bytes": live},
        }


def _draw_phases(arm: ArmTrace, process: int) -> Iterator[Event]:
    for phase, first, last in _runs_of(zip(arm.phase, arm.op, strict=True)):
        yield {
            "ph": "X",
            "name": phase,
            "cat": "phase",
            "pid": process,
            "tid": THREAD,
            "ts": first,
            "dur": last - first + 1,
        }


def _runs_of(pairs: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int, int]]:
    """(phase, first operator, last operator) of each stretch of one phase."""
    for phase, stretch in groupby(pairs, key=lambda pair: pair[0]):
        operators = [op for _, op in stretch]
        yield phase, operators[0], operators[-1]


def _name_track(kind: str, process: int, name: str) -> Event:
    return {"ph": "M", "name": kind, "pid": process, "tid": THREAD, "args": {"name": name}}
