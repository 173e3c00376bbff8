"""What torch 2.13 does, right or wrong, that the laboratory relies on or teaches.

A new version of torch that behaves otherwise fails here first, with the issue's number.
"""

import ast
import functools
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn
from torch.utils.checkpoint import (
    CheckpointError,
    CheckpointPolicy,
    checkpoint,
    checkpoint_sequential,
    create_selective_checkpoint_contexts,
)

from gpu_worker.measure.memory import trace_step
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import make_gpt, make_relu_chain, run_every, run_plain, run_segments

PACKAGE = Path(__file__).parents[3] / "gpu_worker"


def save_all(context: object, operator: object, *_: object, **__: object) -> CheckpointPolicy:
    return CheckpointPolicy.MUST_SAVE


def contexts(policy: object) -> object:
    return functools.partial(create_selective_checkpoint_contexts, policy)


def test_every_checkpoint_of_ours_names_its_variant() -> None:
    """Omitted, `use_reentrant` is True with a warning only (pytorch #193711)."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "checkpoint":
                assert "use_reentrant" in {one.arg for one in node.keywords}, path


def test_omitting_the_variant_only_warns() -> None:
    layer, x = nn.Linear(2, 2), torch.ones(1, 2, requires_grad=True)
    with pytest.warns(UserWarning, match="use_reentrant"):
        checkpoint(layer, x)


def test_a_reentrant_checkpoint_loses_gradients_of_an_input_that_asks_for_none() -> None:
    layer, x = nn.Linear(2, 2), torch.ones(1, 2)
    with pytest.warns(UserWarning, match="requires_grad"):
        assert not checkpoint(layer, x, use_reentrant=True).requires_grad
    assert checkpoint(layer, x, use_reentrant=False).requires_grad


def test_remainder_layers_of_checkpoint_sequential_are_not_checkpointed() -> None:
    """64 layers in 33 segments: it saves nothing, equal segments save half."""
    model, x = make_relu_chain(64, 8), torch.randn(16, 8)

    def measure(forward: Callable[[], Tensor]) -> int:
        return trace_step(TrainingStep("", model, forward, (x,)), seed=0).peak

    plain = measure(lambda: model(x, run_plain).sum())
    library = measure(lambda: checkpoint_sequential(model.blocks, 33, x, use_reentrant=False).sum())
    even = measure(lambda: model(x, lambda blocks, y: run_segments(blocks, y, segments=33)).sum())
    assert library == plain
    assert even < 0.6 * plain


@pytest.mark.parametrize("segments", [2, 3, 4, 6])
def test_where_segments_divide_ours_and_the_library_agree(segments: int) -> None:
    model, x = make_relu_chain(12, 8), torch.randn(16, 8)
    ours = TrainingStep(
        "", model, lambda: model(x, lambda b, y: run_segments(b, y, segments=segments)).sum(), (x,)
    )
    library = TrainingStep(
        "",
        model,
        lambda: checkpoint_sequential(model.blocks, segments, x, use_reentrant=False).sum(),
        (x,),
    )
    assert trace_step(ours, seed=0).peak == trace_step(library, seed=0).peak


def test_other_shapes_in_the_replay_raise() -> None:
    sizes = iter([4, 3])

    def grow(x: Tensor) -> Tensor:
        return (x[: next(sizes)] * 2).sin()

    y = checkpoint(grow, torch.ones(4, requires_grad=True), use_reentrant=False)
    with pytest.raises(CheckpointError, match="metadata"):
        y.sum().backward()


def test_other_values_in_the_replay_are_silently_wrong() -> None:
    factors = iter([1.0, 3.0])
    x = torch.ones(4, requires_grad=True)

    def scale(given: Tensor) -> Tensor:
        return (given * next(factors)).square()

    checkpoint(scale, x, use_reentrant=False).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() != [2.0] * 4


def test_changing_a_checkpoint_s_input_before_backward_raises() -> None:
    x = torch.ones(4)
    weight = torch.ones(4, requires_grad=True)
    y = checkpoint(lambda given: (given * weight).square(), x, use_reentrant=False)
    x.add_(1)
    with pytest.raises((RuntimeError, CheckpointError)):
        y.sum().backward()


def test_a_cached_tensor_that_was_changed_in_place_raises() -> None:
    """Selective checkpoints and in-place operators (pytorch #119590, #113737)."""
    x = torch.ones(4, requires_grad=True)

    def change(given: Tensor) -> Tensor:
        return given.sin().mul_(2).cos()

    y = checkpoint(change, x, use_reentrant=False, context_fn=contexts(save_all))
    with pytest.raises(RuntimeError, match="mutated"):
        y.sum().backward()


def test_an_eager_offload_policy_is_not_carried_out() -> None:
    """MUST_CPU_OFFLOAD exists in 2.13 and runs without an error (pytorch #196956)."""
    x = torch.ones(4, requires_grad=True)

    def policy(context: object, operator: object, *_: object, **__: object) -> CheckpointPolicy:
        return CheckpointPolicy.MUST_CPU_OFFLOAD

    y = checkpoint(lambda given: given.sin(), x, use_reentrant=False, context_fn=contexts(policy))
    y.sum().backward()
    assert x.grad is not None


def test_a_second_backward_through_selective_checkpoints_raises() -> None:
    x = torch.ones(4, requires_grad=True)
    y = checkpoint(
        lambda given: given.sin().sin(), x, use_reentrant=False, context_fn=contexts(save_all)
    ).sum()
    y.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="backward"):
        y.backward()


def test_autograd_grad_refuses_reentrant_checkpoints() -> None:
    x = torch.ones(4, requires_grad=True)
    y = checkpoint(torch.sin, x, use_reentrant=True)
    with pytest.raises(RuntimeError, match="use_reentrant"):
        torch.autograd.grad(y.sum(), x)


def test_checkpoints_run_on_fake_tensors_where_meta_tensors_failed() -> None:
    """pytorch #133550."""
    run = Run("tradeoff", {}, 1, "cpu", True)
    with open_tensors(run, dtype=torch.bfloat16):
        model, x = make_gpt(2, 32, 2, 0.1), torch.randn(2, 8, 32)
        step = TrainingStep("fake", model, lambda: model(x, run_every).sum(), (x,))
        assert trace_step(step, seed=0).peak > 0
        assert {one.dtype for one in model.parameters()} == {torch.bfloat16}
    assert torch.get_default_dtype() == torch.float32


def test_a_mask_drawn_outside_torch_is_not_restored() -> None:
    """Python's own generator inside the region: wrong gradients and no error."""
    import random

    random.seed(1)
    x = torch.ones(64, requires_grad=True)
    masks: list[list[float]] = []

    def drop(given: Tensor) -> Tensor:
        masks.append([float(random.random() > 0.5) for _ in range(64)])
        return (given * torch.tensor(masks[-1])).square()

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checkpoint(drop, x, use_reentrant=False).sum().backward()
    assert len(masks) == 2
    assert x.grad is not None
    assert x.grad.tolist() != [2 * one for one in masks[0]]
