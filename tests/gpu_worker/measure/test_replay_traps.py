"""Set-ups in which a replay does another thing than the forward pass did, and who notices.

As test_known_issues.py: a version of torch that behaves otherwise fails here first.
"""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
import torch._functorch.config as functorch_config
import torch.distributed as dist
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import (
    CheckpointError,
    CheckpointPolicy,
    checkpoint,
    create_selective_checkpoint_contexts,
    get_device_states,
    set_checkpoint_early_stop,
)

from gpu_worker.measure.allocator import ProfilerBackend
from gpu_worker.measure.flops import FlopCounter
from gpu_worker.measure.memory import trace_step
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import make_gpt, run_plain


def find_gradient(region: Callable[[Tensor], Tensor], *, replays: bool) -> list[float]:
    x = torch.ones(64, requires_grad=True)
    y = checkpoint(region, x, use_reentrant=False) if replays else region(x)
    y.square().sum().backward()
    assert x.grad is not None
    found: list[float] = x.grad.tolist()
    return found


# --- Other random numbers ------------------------------------------------------------


def test_numpy_s_generator_is_not_restored() -> None:
    def drop(x: Tensor) -> Tensor:
        return x * torch.tensor(rng.random(64) > 0.5)

    rng = np.random.default_rng(1)
    plain = find_gradient(drop, replays=False)
    rng = np.random.default_rng(1)
    assert find_gradient(drop, replays=True) != plain


def test_a_generator_passed_in_is_not_restored() -> None:
    def drop(x: Tensor) -> Tensor:
        return x * torch.bernoulli(torch.full((64,), 0.5), generator=generator)

    generator = torch.Generator().manual_seed(1)
    plain = find_gradient(drop, replays=False)
    generator = torch.Generator().manual_seed(1)
    assert find_gradient(drop, replays=True) != plain


def test_torch_s_own_generator_is_restored() -> None:
    torch.manual_seed(1)
    plain = find_gradient(lambda x: nn.functional.dropout(x, 0.5), replays=False)
    torch.manual_seed(1)
    assert find_gradient(lambda x: nn.functional.dropout(x, 0.5), replays=True) == plain


def test_states_are_kept_for_the_devices_of_the_inputs_alone() -> None:
    """pytorch #121212: on a CPU input no card's generator is kept, whatever runs inside."""
    assert get_device_states(torch.ones(1)) == ([], [])


# --- Another mode, another branch ----------------------------------------------------


def test_another_mode_in_backward_raises() -> None:
    block = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout(0.5))
    y = checkpoint(block, torch.ones(3, 4, requires_grad=True), use_reentrant=False)
    block.eval()
    with pytest.raises(CheckpointError):
        y.sum().backward()


def test_a_branch_on_what_changed_raises() -> None:
    """Fewer operators in the replay: a tensor that backward asks for is never rebuilt."""
    switch = [True]

    def branch(x: Tensor) -> Tensor:
        return x.sin().cos().exp() if switch[0] else x.exp()

    y = checkpoint(branch, torch.ones(4, requires_grad=True), use_reentrant=False)
    switch[0] = False
    with pytest.raises(CheckpointError):
        y.sum().backward()


@pytest.mark.parametrize("is_inside", [True, False])
def test_autocast_is_restored_in_the_replay(is_inside: bool) -> None:
    """Inside the region or around the forward pass alone (pytorch #141896: not everywhere)."""
    torch.manual_seed(0)
    layer, x = nn.Linear(8, 8), torch.randn(4, 8, requires_grad=True)

    def inside(given: Tensor) -> Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return layer(given).sin()  # type: ignore[no-any-return]  # a module's call is untyped

    if is_inside:
        y = checkpoint(inside, x, use_reentrant=False)
    else:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = checkpoint(lambda given: layer(given).sin(), x, use_reentrant=False)
    y.float().sum().backward()
    replayed, x.grad = x.grad, None
    inside(x).float().sum().backward()
    assert replayed is not None
    assert x.grad is not None
    assert torch.equal(replayed, x.grad)


# --- Selective checkpoints -----------------------------------------------------------


def save_sine(context: object, operator: object, *_: object, **__: object) -> CheckpointPolicy:
    is_sine = operator is torch.ops.aten.sin.default
    return CheckpointPolicy.MUST_SAVE if is_sine else CheckpointPolicy.PREFER_RECOMPUTE


def test_mutation_of_cached_tensors_that_was_allowed_is_silently_wrong() -> None:
    """`allow_cache_entry_mutation=True` trades an error for wrong gradients (pytorch #113737):
    the doubled sine was kept, and is doubled once more."""

    def change(x: Tensor) -> Tensor:
        return x.sin().mul_(2).cos()

    def contexts() -> object:
        return create_selective_checkpoint_contexts(save_sine, allow_cache_entry_mutation=True)

    x = torch.linspace(0.1, 1, 8).requires_grad_()
    checkpoint(change, x, use_reentrant=False, context_fn=contexts).sum().backward()
    wrong, x.grad = x.grad, None
    change(x).sum().backward()
    assert wrong is not None
    assert x.grad is not None
    assert (wrong - x.grad).abs().max() > 0.1


def test_cached_tensors_cannot_be_handed_to_hooks_yet() -> None:
    """`respect_saved_tensors_hooks` comes after 2.13 (pytorch #190581)."""
    names = inspect.signature(create_selective_checkpoint_contexts).parameters
    assert "respect_saved_tensors_hooks" not in names


# --- Work for nothing, tensors that are no values ------------------------------------


def test_without_early_stop_the_last_product_is_made_for_nothing() -> None:
    """Nothing in backward asks for its result (torchtitan #2763)."""
    block = nn.Sequential(nn.Linear(8, 8, bias=False), nn.ReLU(), nn.Linear(8, 8, bias=False))
    x, product = torch.ones(4, 8, requires_grad=True), 2 * 4 * 8 * 8
    found = []
    for stops in (True, False):
        with FlopCounter() as counter, set_checkpoint_early_stop(stops):
            checkpoint(block, x, use_reentrant=False).sum().backward()
        found.append(counter.get_total_flops())
    assert found == [7 * product, 8 * product]


def test_a_fake_module_cannot_be_cast() -> None:
    """Why models are built in their type: `Module.to(dtype)` swaps what is referred to weakly."""
    with FakeTensorMode():
        layer, x = nn.Linear(2, 2), torch.ones(1, 2)
        y = layer(x)
        with pytest.raises(RuntimeError, match=r"Cannot swap|_apply"):
            layer.to(torch.bfloat16)
    assert y.shape == (1, 2)


@pytest.mark.parametrize(("device", "dtype"), [("cpu", torch.bfloat16), ("meta", torch.float32)])
def test_a_cpu_keeps_the_statistics_of_a_norm_in_the_type_of_its_input(
    device: str, dtype: torch.dtype
) -> None:
    """Other devices accumulate, and keep, in float32: selective's formula knows both."""
    x, weight = (torch.ones(4, 8)[:n].to(torch.bfloat16).to(device) for n in (4, 1))
    _, mean, rstd = torch.native_layer_norm(x, [8], weight[0], weight[0], 1e-5)
    assert mean.dtype == rstd.dtype == dtype


def test_a_smaller_memory_budget_may_have_the_higher_peak() -> None:
    """The compiler's `activation_memory_budget` bounds what is saved (pytorch #197838)."""
    peaks = {}
    for budget in (0.5, 0.0):
        torch.manual_seed(0)
        torch._dynamo.reset()
        with functorch_config.patch(activation_memory_budget=budget):
            model, x = make_gpt(1, 32, 2, 0.0), torch.randn(2, 32, 32)
            compiled = torch.compile(
                lambda given, model=model: model(given, run_plain).sum(), backend="aot_eager"
            )
            step = TrainingStep("compiled", model, lambda: compiled(x), (x,))  # noqa: B023  # run here
            step.reset(0)
            step.run()
            # Under a tracer the compiled function would fall back to eager.
            peaks[budget] = trace_step(step, seed=0, backend=ProfilerBackend()).peak
    assert peaks[0.0] > peaks[0.5] > 0


# --- Several processes ---------------------------------------------------------------


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[None]:
    """A process group of one: the reducer of DDP works as in any other."""
    dist.init_process_group("gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1)
    yield
    dist.destroy_process_group()


class Twice(nn.Module):
    """One block, checkpointed twice in a step."""

    def __init__(self, *, is_reentrant: bool) -> None:
        super().__init__()
        self.block = nn.Linear(4, 4)
        self.is_reentrant = is_reentrant

    def forward(self, x: Tensor) -> Tensor:
        for _ in range(2):
            x = checkpoint(self.block, x, use_reentrant=self.is_reentrant)
        return x


@pytest.mark.usefixtures("alone")
def test_reentrant_checkpoints_under_ddp_mark_a_parameter_ready_twice() -> None:
    """Ours are never reentrant where ranks take part (pytorch #24005, peft #313)."""
    x = torch.ones(2, 4, requires_grad=True)
    for is_reentrant in (False, True):
        model = DistributedDataParallel(
            Twice(is_reentrant=is_reentrant), find_unused_parameters=is_reentrant
        )
        loss = model(x).sum()
        if is_reentrant:
            with pytest.raises(RuntimeError, match=r"marked as ready twice|marked ready twice"):
                loss.backward()
        else:
            loss.backward()
