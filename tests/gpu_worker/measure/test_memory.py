"""The tracer against the allocator's events and against formulas worked out by hand."""

import random

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import (
    CheckpointPolicy,
    checkpoint,
    create_selective_checkpoint_contexts,
)

from gpu_worker.measure.allocator import ProfilerBackend
from gpu_worker.measure.flops import FlopCounter
from gpu_worker.measure.memory import StorageTracer, trace_step
from gpu_worker.measure.setup import prepare_process
from gpu_worker.measure.step import TrainingStep, count_bytes
from gpu_worker.models import make_gpt, make_mlp, run_every, run_plain
from tests.gpu_worker.chains import (
    compute_peak,
    compute_peak_without_gradients,
    make_chain_step,
)

RANDOM = random.Random(20261130)

SHAPES = [
    (RANDOM.randint(2, 12), RANDOM.randint(1, 96), RANDOM.choice([3, 8, 17, 32, 64, 100]))
    for _ in range(20)
]


@pytest.fixture(autouse=True)
def _pin_threads() -> None:
    prepare_process(seed=0, device="cpu")


@pytest.mark.parametrize(
    ("layers", "rows", "width", "expected"),
    [(8, 256, 256, 2_628_608 + 8), (16, 1024, 64, 4_473_088 + 8)],
)
def test_tracer_profiler_and_hand_value_agree(
    layers: int, rows: int, width: int, expected: int
) -> None:
    step = make_chain_step(layers, rows=rows, width=width)
    tracer = trace_step(step, seed=0, with_gradients=False)
    profiler = trace_step(step, seed=0, with_gradients=False, backend=ProfilerBackend())
    assert compute_peak_without_gradients(layers, rows, width) == expected
    assert tracer.peak == profiler.peak == expected
    assert tracer.stored == layers * 4 * rows * width + 4


@pytest.mark.parametrize(("layers", "rows", "width"), SHAPES)
def test_tracer_profiler_and_formula_agree_on_random_shapes(
    layers: int, rows: int, width: int
) -> None:
    step = make_chain_step(layers, rows=rows, width=width)
    tracer = trace_step(step, seed=0, with_gradients=False)
    profiler = trace_step(step, seed=0, with_gradients=False, backend=ProfilerBackend())
    expected = compute_peak_without_gradients(layers, rows, width)
    assert (tracer.peak, profiler.peak) == (expected, expected)
    before = trace_step(step, seed=0)
    assert before.peak == compute_peak(layers, rows, width)


def test_live_bytes_are_the_running_sum_and_end_at_zero() -> None:
    trace = trace_step(make_chain_step(5, rows=16, width=8), seed=0)
    live = 0
    for event in trace.events:
        live += event.delta
        assert event.live == live
    assert trace.left == live == 0
    assert trace.peak == max(event.live for event in trace.events)


def test_the_same_seed_gives_the_same_trace() -> None:
    first = trace_step(make_chain_step(5, rows=16, width=8), seed=3)
    second = trace_step(make_chain_step(5, rows=16, width=8), seed=3)
    assert first == second


def test_gradients_that_grow_in_backward_hide_the_fall_of_activations() -> None:
    """Wide layers: without allocated gradients the last event of backward is the highest."""
    step = make_chain_step(6, rows=4, width=64)
    grown = trace_step(step, seed=0, with_gradients=False)
    allocated = trace_step(step, seed=0)
    num_parameters = sum(one.numel() for one in step.module.parameters())
    assert grown.peak > 3 * allocated.peak
    assert grown.left == 4 * num_parameters
    assert {event.category for event in grown.events if event.delta > 0} >= {
        "activation",
        "gradient",
        "temporary",
    }


def test_it_labels_what_a_replay_rebuilds() -> None:
    plain = trace_step(make_chain_step(4, rows=16, width=8), seed=0)
    replayed = trace_step(make_chain_step(4, rows=16, width=8, runner=run_every), seed=0)
    assert "recomputed" not in {event.category for event in plain.events}
    assert "recomputed" in {event.category for event in replayed.events}
    phases = {event.phase for event in replayed.events if event.category == "recomputed"}
    assert "forward" not in phases


def test_storage_freed_by_resizing_counts_as_free() -> None:
    """FSDP2 frees that way; weak references alone do not see it."""
    tracer = StorageTracer()
    tracer.start({})
    kept = torch.ones(1024)
    kept.untyped_storage().resize_(0)
    during = tracer._builder.live
    kept.untyped_storage().resize_(512)
    trace = tracer.stop({})
    assert [event.delta for event in trace.events] == [4096, -4096, 512]
    assert (during, trace.left, trace.peak) == (0, 512, 4096)


def test_resizing_is_left_as_it_was() -> None:
    before = torch.UntypedStorage.resize_
    trace_step(make_chain_step(2, rows=2, width=2), seed=0)
    assert torch.UntypedStorage.resize_ is before


def test_views_and_in_place_results_are_no_new_memory() -> None:
    x = torch.ones(64)
    tracer = StorageTracer()
    tracer.start({})
    y = x.view(8, 8)
    y.add_(1)
    z = y[2:]
    trace = tracer.stop({})
    assert z.shape == (6, 8)
    assert trace.events == ()
    assert trace.baseline == {"other": 256}


def test_only_the_device_of_the_step_counts() -> None:
    """What is kept elsewhere is spared here: a card's step that offloads to the host."""
    x = torch.ones(64)
    tracer = StorageTracer()
    tracer.start({"input": [x], "other": [torch.empty(512, device="meta")]})
    kept = [x * 2, torch.empty(1024, device="meta")]
    trace = tracer.stop({})
    assert [one.numel() for one in kept] == [64, 1024]
    assert (trace.left, trace.peak) == (256, 256)
    assert trace.baseline == {"input": 256, "other": 0}
    assert trace.made == {"float32": 1}


def test_what_a_step_frees_of_its_baseline_is_a_free_and_no_peak() -> None:
    """A profiler's rows of negative bytes must not become "used -1 MB" (pytorch #70028)."""
    layer, x = nn.Linear(64, 64), torch.ones(16, 64)

    def drop_gradients() -> torch.Tensor:
        layer.weight.grad = None
        return layer(x).sum()  # type: ignore[no-any-return]  # a module's call is untyped

    step = TrainingStep("frees", layer, drop_gradients, (x,))
    trace = trace_step(step, seed=0)
    profiler = trace_step(step, seed=0, backend=ProfilerBackend())
    assert trace.events[0].delta == -4 * 64 * 64
    assert min(event.live for event in trace.events) < 0
    for one in (trace, profiler):
        assert one.peak == max(0, *(event.live for event in one.events))
        assert one.peak >= 0


def test_the_tracer_stops_when_the_step_fails() -> None:
    def fail() -> torch.Tensor:
        raise RuntimeError("no")

    step = TrainingStep("bad", nn.Linear(2, 2), fail)
    with pytest.raises(RuntimeError, match="no"):
        trace_step(step, seed=0)
    trace = trace_step(make_chain_step(2, rows=2, width=2), seed=0)
    assert trace.peak == compute_peak(2, 2, 2)


def test_tracer_and_profiler_refuse_to_share_a_pass() -> None:
    """In torch 2.13 the profiler counts every operator twice under a dispatch mode."""
    tracer = StorageTracer()
    tracer.start({})
    with pytest.raises(RuntimeError, match="never share"):
        ProfilerBackend().start({})
    tracer.stop({})
    profiler = ProfilerBackend()
    profiler.start({})
    with pytest.raises(RuntimeError, match="never share"):
        StorageTracer().start({})
    profiler.stop({})


def test_a_flop_counter_in_the_same_pass_would_keep_replayed_tensors_alive() -> None:
    """Why memory and FLOPs are two passes."""
    model, x = make_gpt(3, 32, 2, 0.1), torch.randn(2, 16, 32)
    step = TrainingStep("gpt", model, lambda: model(x, run_every).sum(), (x,))
    alone = trace_step(step, seed=0)
    with FlopCounter():
        together = trace_step(step, seed=0)
    assert together.peak > 1.5 * alone.peak


def test_workspace_inside_an_operator_is_seen_by_the_allocator_alone() -> None:
    """oneDNN takes memory inside its linear kernels that no tensor stands for."""
    model, x = make_mlp(8, 256), torch.randn(512, 256)
    step = TrainingStep("mlp", model, lambda: model(x, run_plain).sum(), (x,))
    tracer = trace_step(step, seed=0)
    profiler = trace_step(step, seed=0, backend=ProfilerBackend())
    assert tracer.peak == 8_651_784
    assert profiler.peak >= tracer.peak


def test_the_reference_transformer_is_met_to_the_byte() -> None:
    model, x = make_gpt(4, 128, 4, 0.1), torch.randn(4, 128, 128)
    plain = TrainingStep("plain", model, lambda: model(x, run_plain).sum(), (x,))
    every = TrainingStep("every", model, lambda: model(x, run_every).sum(), (x,))
    found = [trace_step(one, seed=0) for one in (plain, every)]
    assert [(one.stored, one.peak) for one in found] == [
        (31_227_908, 32_539_144),
        (786_436, 9_707_528),
    ]
    assert all(one.peak_phase == "backward" for one in found)
    assert trace_step(plain, seed=0, backend=ProfilerBackend()).peak == 32_539_176


def test_tensors_cached_by_selective_checkpoints_are_seen_here_and_not_by_hooks() -> None:
    """Two 32 x 32 results are kept; saved-tensors hooks report nothing (pytorch #191236)."""
    layer, x = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 32)), torch.randn(32, 32)

    def save_products(context: object, operator: object, *_: object, **__: object) -> object:
        keep = operator is torch.ops.aten.addmm.default
        return CheckpointPolicy.MUST_SAVE if keep else CheckpointPolicy.PREFER_RECOMPUTE

    def run() -> torch.Tensor:
        return checkpoint(
            layer,
            x,
            use_reentrant=False,
            context_fn=lambda: create_selective_checkpoint_contexts(save_products),
        )

    seen: list[torch.Tensor] = []
    tracer = StorageTracer()
    tracer.start({"parameter": list(layer.parameters()), "input": [x]})
    y = run()
    trace = tracer.stop({})
    with torch.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t) or t, lambda t: t):
        hooked = run()
    owned = {one.untyped_storage()._cdata for one in (*layer.parameters(), x)}
    inside = [one for one in seen if one.untyped_storage()._cdata not in owned]
    # The result of the last product is the output itself: one of the two is kept inside.
    assert trace.left == 2 * 32 * 32 * 4
    assert count_bytes(inside) == 0
    assert y.shape == hooked.shape


def test_compiled_code_is_measured_by_the_profiler() -> None:
    """The tracer runs over compiled code, but inside it the allocator is the one to ask."""
    model, x = make_mlp(2, 32), torch.randn(16, 32)
    compiled = torch.compile(lambda given: model(given, run_plain).sum(), backend="aot_eager")
    step = TrainingStep("compiled", model, lambda: compiled(x), (x,))
    step.reset(0)
    step.run()
    peak = trace_step(step, seed=0, backend=ProfilerBackend()).peak
    assert peak >= 3 * 16 * 32 * 4
