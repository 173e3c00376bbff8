import base64
import json
import random
import zlib

import pytest

from gpu_worker.measure.memory import Event, Trace, TraceBuilder, trace_step
from gpu_worker.measure.sampling import MAX_POINTS, pack_traces, shorten_trace
from tests.gpu_worker.chains import make_chain_step


def make_trace(length: int, *, seed: int = 1) -> Trace:
    rng = random.Random(seed)
    builder = TraceBuilder()
    builder.mark("forward")
    for i in range(length):
        if i == length // 2:
            builder.mark("backward")
        builder.add(rng.randint(-40, 50), "aten.add", "activation")
    return builder.build("test", {})


@pytest.mark.parametrize("length", [1, 2, 399, 400, 401, 1000, 25_000])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_short_timeline_keeps_peak_ends_and_the_end_of_forward(length: int, seed: int) -> None:
    trace = make_trace(length, seed=seed)
    live = [event.live for event in trace.events]
    short = shorten_trace(trace)
    assert len(short.op) == len(short.live) <= MAX_POINTS
    assert max(short.live) == max(live)
    assert (short.op[0], short.op[-1]) == (0, length - 1)
    assert list(short.op) == sorted(set(short.op))
    assert [live[i] for i in short.op] == list(short.live)
    if length > 2:
        assert short.backward_op == length // 2
        assert short.backward_op - 1 in short.op


def test_a_trace_that_fits_is_kept_whole() -> None:
    trace = make_trace(300)
    assert shorten_trace(trace).op == tuple(range(300))


def test_a_packed_trace_unpacks_to_every_event() -> None:
    trace = trace_step(make_chain_step(3, rows=4, width=8), seed=0)
    packed = pack_traces({"plain": trace})
    assert packed is not None
    (arm,) = json.loads(zlib.decompress(base64.b64decode(packed)))["arms"]
    assert arm["name"] == "plain"
    rows = zip(
        arm["delta"], arm["live"], arm["operator"], arm["category"], arm["phase"], strict=True
    )
    assert tuple(Event(*row) for row in rows) == trace.events
    assert arm["op"] == list(range(len(trace.events)))


def test_a_trace_that_would_not_fit_is_dropped_whole() -> None:
    rng = random.Random(5)
    builder = TraceBuilder()
    for _ in range(40_000):
        builder.add(rng.getrandbits(60), str(rng.getrandbits(60)), "activation")
    assert pack_traces({"huge": builder.build("test", {})}) is None
