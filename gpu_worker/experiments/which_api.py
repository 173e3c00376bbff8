"""Which call lowers activation memory: torch.utils.checkpoint, and not its neighbours.

The same chain of Linear + GELU plain, checkpointed, with another optimizer, with Dropout,
and with the allocator's cache emptied after each layer.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from gpu_worker.contracts import ClaimResult, Measurement, Scalar, Table
from gpu_worker.measure.claims import decide
from gpu_worker.measure.compare import compute_largest_difference
from gpu_worker.measure.passes import UNTIMED_PASSES, Arm, measure_arm
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import Chain, Runner, make_mlp, run_every, run_plain


def measure(run: Run) -> Measurement:
    with open_tensors(run):
        return _measure(run)


def _measure(run: Run) -> Measurement:
    arms = {name: measure_arm(step, run) for name, step in make_steps(run).items()}
    claims = [*decide_stored(arms), *(_decide_cache(run) if run.device == "cuda" else ())]
    floor = compute_largest_difference(arms["plain"].gradients, arms["plain-again"].gradients)
    facts: dict[str, Scalar] = {"layers": run.get_int("layers"), "noise_floor": floor}
    for name, arm in arms.items():
        key = name.replace("-", "_")
        facts[f"stored_{key}"] = arm.stored
        facts[f"peak_{key}"] = arm.trace.peak
    facts["state_adamw"] = arms["plain"].memory.optimizer_state
    facts["state_sgd"] = arms["sgd"].memory.optimizer_state
    rows = tuple(
        (name, arm.stored, arm.trace.peak, arm.memory.optimizer_state, arm.flops.total)
        for name, arm in arms.items()
    )
    return build_measurement(
        run,
        claims=claims,
        memory=[arm.memory for arm in arms.values()],
        flops=[arm.flop_arm for arm in arms.values()],
        facts=facts,
        gradients=arms["checkpointed"].gradients,
        traces={name: arms[name].trace for name in ("plain", "checkpointed", "dropout")},
        tables=[Table("calls", ("call", "stored", "peak", "optimizer_state", "flops"), rows)],
        passes=UNTIMED_PASSES,
    )


def make_steps(run: Run) -> dict[str, TrainingStep]:
    """The arms. Every one has its own optimizer, with the state it keeps."""
    x = make_input(run)
    dropout = run.get_float("dropout")
    return {
        "plain": make_step("plain", make_model(run), x, run_plain),
        "checkpointed": make_step("checkpointed", make_model(run), x, run_every),
        "sgd": make_step("sgd", make_model(run), x, run_plain, is_sgd=True),
        "dropout": make_step("dropout", make_model(run, dropout=dropout), x, run_plain),
        "empty-cache": make_step("empty-cache", make_model(run), x, run_emptying_cache),
        "plain-again": make_step("plain-again", make_model(run), x, run_plain),
    }


def make_model(run: Run, *, dropout: float = 0.0) -> Chain:
    torch.manual_seed(run.seed)
    return make_mlp(run.get_int("layers"), run.get_int("width"), dropout=dropout)


def make_input(run: Run) -> Tensor:
    torch.manual_seed(run.seed + 1)
    return torch.randn(run.get_int("rows"), run.get_int("width"))


def make_step(
    name: str, model: Chain, x: Tensor, runner: Runner, *, is_sgd: bool = False
) -> TrainingStep:
    make = torch.optim.SGD if is_sgd else torch.optim.AdamW
    # A step with learning rate 0 allocates the state and moves no weight.
    optimizer = make(model.parameters(), lr=0.0)
    for one in model.parameters():
        one.grad = torch.zeros_like(one)
    optimizer.step()
    return TrainingStep(name, model, lambda: model(x, runner).sum(), (x,), optimizer)


def run_emptying_cache(blocks: Sequence[nn.Module], x: Tensor) -> Tensor:
    """`torch.cuda.empty_cache()` after each block; without CUDA the call does nothing."""
    for block in blocks:
        x = block(x)
        torch.cuda.empty_cache()
    return x


# --- Claims --------------------------------------------------------------------------


def decide_stored(arms: Mapping[str, Arm]) -> list[ClaimResult]:
    plain = arms["plain"].stored
    return [
        decide(
            "checkpoint-lowers",
            arms["checkpointed"].stored,
            "less",
            plain,
            unit="byte",
            facts={
                "peak_plain": arms["plain"].trace.peak,
                "peak_checkpointed": arms["checkpointed"].trace.peak,
            },
        ),
        decide(
            "optimizer-leaves-activations",
            arms["sgd"].stored - plain,
            "equal",
            0,
            unit="byte",
            facts={
                "peak_difference": arms["sgd"].trace.peak - arms["plain"].trace.peak,
                "state_adamw": arms["plain"].memory.optimizer_state,
                "state_sgd": arms["sgd"].memory.optimizer_state,
            },
        ),
        decide("dropout-adds-bytes", arms["dropout"].stored, "greater", plain, unit="byte"),
    ]


def _decide_cache(run: Run) -> list[ClaimResult]:
    """CUDA only: emptying the cache frees reserved blocks, and no allocated byte."""
    model, x = make_model(run), make_input(run)
    loss = model(x, run_plain).sum()
    torch.cuda.synchronize()
    allocated, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
    torch.cuda.empty_cache()
    freed = allocated - torch.cuda.memory_allocated()
    facts: dict[str, Scalar] = {
        "allocated": allocated,
        "reserved_freed": reserved - torch.cuda.memory_reserved(),
    }
    loss.backward()
    return [decide("allocated-unchanged", freed, "equal", 0, unit="byte", facts=facts)]
