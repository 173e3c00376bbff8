"""Traces for the wire: a short timeline that keeps the peak, and the whole, compressed."""

import base64
import itertools
import json
import zlib
from collections.abc import Mapping
from typing import Any

from gpu_worker.contracts import Timeline
from gpu_worker.measure.memory import Trace

MAX_POINTS = 400
# What one arm of a figure shows; more is not visible at the width of a phone.

MAX_TRACE_BYTES = 600_000
# Of base64; with the rest of a report this stays below the limit of one message.


def shorten_trace(trace: Trace, *, limit: int = MAX_POINTS) -> Timeline:
    """At most `limit` points: first, last, and of each stretch its highest.

    The peak, the end of forward and the last event are always among them.
    """
    live = [event.live for event in trace.events]
    keep = set(range(len(live)))
    if len(live) > limit:
        must = {0, len(live) - 1, max(range(len(live)), key=live.__getitem__)}
        if trace.backward_op:
            must.add(trace.backward_op - 1)
        stretches = limit - len(must)
        edges = [len(live) * i // stretches for i in range(stretches + 1)]
        highest = {
            max(range(low, high), key=live.__getitem__) for low, high in itertools.pairwise(edges)
        }
        keep = must | highest
    order = sorted(keep)
    return Timeline(tuple(order), tuple(live[i] for i in order), trace.backward_op)


def pack_traces(traces: Mapping[str, Trace]) -> str | None:
    """All events of the named arms: zlib-compressed JSON in base64.

    None when even compressed it would not fit into a report: it is dropped, never cut.
    """
    arms: list[dict[str, Any]] = []
    for name, trace in traces.items():
        arms.append(
            {
                "name": name,
                "op": list(range(len(trace.events))),
                "delta": [event.delta for event in trace.events],
                "live": [event.live for event in trace.events],
                "operator": [event.operator for event in trace.events],
                "category": [event.category for event in trace.events],
                "phase": [event.phase for event in trace.events],
            }
        )
    body = json.dumps({"arms": arms}, separators=(",", ":")).encode()
    packed = base64.b64encode(zlib.compress(body, 9)).decode()
    return packed if len(packed) <= MAX_TRACE_BYTES else None
