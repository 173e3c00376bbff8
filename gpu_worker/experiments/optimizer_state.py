"""What checkpoints cannot lower: the state of the optimizer.

GPT blocks with SGD, momentum and AdamW, with checkpoints and without; chains of growing
depth; the bytes of mixed precision (Rajbhandari et al. 2020, arXiv:1910.02054, section
3.1); and a real out-of-memory in the optimizer's step, with checkpoints and without.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from gpu_worker.contracts import (
    ClaimResult,
    Measurement,
    MemoryArm,
    Point,
    Scalar,
    Scaling,
    Series,
    Table,
)
from gpu_worker.measure.claims import decide, decide_sweep
from gpu_worker.measure.compare import copy_gradients
from gpu_worker.measure.limits import Attempt, tabulate_attempts, try_within
from gpu_worker.measure.memory import Trace, trace_step
from gpu_worker.measure.optimizers import (
    COUNTER_BYTES,
    MOMENT_BYTES,
    States,
    list_moments,
    make_optimizer,
    read_states,
)
from gpu_worker.measure.passes import describe_memory
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep, count_bytes
from gpu_worker.measure.training import decide_training, train_copy
from gpu_worker.models import Chain, Runner, make_gpt, make_relu_chain, run_every, run_plain

WRITTEN_OUT = {name: name for name in MOMENT_BYTES}
FUSED = {"adamw-fused": "adamw"}
# Names of arms and the optimizer of each: with written-out attention, and in one kernel.

CHAIN_ROWS = 8
# Rows through the chains: their states do not depend on it.

MEMORY_WIDTH, MEMORY_LAYERS, MEMORY_ROWS = 1536, 4, 16
# A model whose moments (75 MB) are much larger than its activations.


def measure(run: Run) -> Measurement:
    with open_tensors(run):
        return _measure(run)


def _measure(run: Run) -> Measurement:
    model, x = make_model(run), make_input(run)
    arms, states, traces = measure_arms(run, model, x)
    fused, _, _ = measure_arms(run, make_model(run, is_fused=True), x, optimizers=FUSED)
    numel = sum(one.numel() for one in model.parameters())
    num_tensors = len(list(model.parameters()))
    depths = [
        measure_depth(run, layers, runner)
        for runner in (run_plain, run_every)
        for layers in sorted(set(run.get_ints("depths")))
    ]
    half = len(depths) // 2
    budget = try_budgets(run)
    claims = [
        decide_moments(states, numel, num_tensors),
        decide_momentum(states, numel),
        decide_depths(run, depths[:half]),
        decide_both_arms(states, depths[:half], depths[half:]),
        decide_types(states, numel),
        decide_weights(run, model),
    ]
    return build_measurement(
        run,
        claims=claims,
        memory=[*arms, *fused],
        facts=_collect_facts(run, arms, states, budget, numel),
        gradients=copy_gradients(model),
        traces={name: traces[name] for name in ("adamw-plain", "adamw-checkpointed")},
        scaling=_describe_scaling(run, depths[:half], depths[half:]),
        tables=[
            _tabulate_states(states, numel),
            measure_mixed(run),
            tabulate_attempts(budget),
        ],
        passes=("memory", "training", "memory-limit"),
    )


def measure_arms(
    run: Run, model: Chain, x: Tensor, *, optimizers: Mapping[str, str] = WRITTEN_OUT
) -> tuple[list[MemoryArm], list[States], dict[str, Trace]]:
    """Every optimizer, plain and checkpointed: bytes of the step, and of the state."""
    arms, states, traces = [], [], {}
    for prefix, optimizer in optimizers.items():
        for name, runner in (("plain", run_plain), ("checkpointed", run_every)):
            step = make_step(f"{prefix}-{name}", model, x, runner, optimizer)
            assert step.optimizer is not None
            states.append(read_states(step.optimizer, name=optimizer, arm=name))
            traces[step.name] = trace_step(step, seed=run.seed)
            arms.append(
                describe_memory(
                    step.name,
                    traces[step.name],
                    allocator_peak=None,
                    unknown={"allocator_peak": "not_measured_for_this_arm"},
                    with_timeline=prefix == "adamw",
                )
            )
    return arms, states, traces


# --- Networks ------------------------------------------------------------------------


def make_model(run: Run, *, is_fused: bool = False) -> Chain:
    torch.manual_seed(run.seed)
    return make_gpt(
        run.get_int("layers"),
        run.get_int("hidden"),
        run.get_int("heads"),
        run.get_float("dropout"),
        is_fused=is_fused,
    )


def make_input(run: Run) -> Tensor:
    torch.manual_seed(run.seed + 1)
    return torch.randn(run.get_int("batch"), run.get_int("length"), run.get_int("hidden"))


def make_step(name: str, model: Chain, x: Tensor, runner: Runner, optimizer: str) -> TrainingStep:
    """A step whose optimizer has its state already, as every step but the first."""
    step = TrainingStep(
        name,
        model,
        lambda: model(x, runner).sum(),
        (x,),
        make_optimizer(optimizer, model.parameters()),
    )
    step.reset(0)
    step.updates = True
    step.run()
    step.updates = False
    return step


@dataclass(frozen=True)
class Depth:
    layers: int
    moments: int


def measure_depth(run: Run, layers: int, runner: Runner) -> Depth:
    torch.manual_seed(run.seed)
    model = make_relu_chain(layers, run.get_int("width"))
    x = torch.randn(CHAIN_ROWS, run.get_int("width"))
    step = make_step("", model, x, runner, "adamw")
    assert step.optimizer is not None
    return Depth(layers, count_bytes(list_moments(step.optimizer)))


def measure_mixed(run: Run) -> Table:
    """bf16 weights and gradients, float32 master weights and moments: 2 + 2 + 4 + 8 bytes."""
    torch.manual_seed(run.seed)
    with torch.no_grad():
        model = make_relu_chain(run.get_int("layers"), run.get_int("width")).bfloat16()
    masters = [nn.Parameter(one.detach().float()) for one in model.parameters()]
    optimizer = make_optimizer("adamw", masters)
    x = torch.randn(CHAIN_ROWS, run.get_int("width"), dtype=torch.bfloat16)
    model(x, run_every).float().sum().backward()
    gradients = [one.grad for one in model.parameters() if one.grad is not None]
    for master, gradient in zip(masters, gradients, strict=True):
        master.grad = gradient.float()
    optimizer.step()
    optimizer.zero_grad()
    moments = list_moments(optimizer)
    numel = sum(one.numel() for one in masters)
    parts: dict[str, Sequence[Tensor]] = {
        "weights": list(model.parameters()),
        "gradients": gradients,
        "master-weights": masters,
        "moments": moments,
    }
    rows = tuple(
        (name, count_bytes(tensors), count_bytes(tensors) / numel)
        for name, tensors in parts.items()
    )
    return Table("mixed", ("part", "bytes", "bytes_a_parameter"), rows)


# --- A real limit --------------------------------------------------------------------


def try_budgets(run: Run) -> list[Attempt]:
    """SGD and AdamW, plain and checkpointed, with room for half of AdamW's moments."""
    torch.manual_seed(run.seed)
    model = make_relu_chain(MEMORY_LAYERS, MEMORY_WIDTH)
    x = torch.randn(MEMORY_ROWS, MEMORY_WIDTH)
    budget = count_bytes(model.parameters()) * MOMENT_BYTES["adamw"] // 4 // 2
    found = []
    for name in ("sgd", "adamw"):
        for arm, runner in (("plain", run_plain), ("checkpointed", run_every)):
            step = TrainingStep(
                f"{name}-{arm}",
                model,
                lambda runner=runner: model(x, runner).sum(),  # type: ignore[misc]  # a default binds the arm
                (x,),
                make_optimizer(name, model.parameters()),
                updates=True,
            )
            step.reset(run.seed)
            found.append(try_within(step, budget))
    return found


# --- Claims --------------------------------------------------------------------------


def decide_moments(states: Sequence[States], numel: int, num_tensors: int) -> ClaimResult:
    """Shown is AdamW; every optimizer and arm must be what it keeps, counters apart."""

    def compute_bytes(one: States) -> float:
        counters = COUNTER_BYTES * num_tensors if one.optimizer == "adamw" else 0
        return (one.moments + one.counters - counters) / numel

    wrong = [one for one in states if compute_bytes(one) != MOMENT_BYTES[one.optimizer]]
    shown = wrong[0] if wrong else states[-1]
    return decide(
        "moment-bytes",
        compute_bytes(shown),
        "equal",
        MOMENT_BYTES[shown.optimizer],
        unit="1",
        facts={
            "optimizer": shown.optimizer,
            "counter_bytes": states[-1].counters,
            "parameter_tensors": num_tensors,
            "parameters": numel,
        },
    )


def decide_momentum(states: Sequence[States], numel: int) -> ClaimResult:
    """SGD with momentum keeps one moment, with checkpoints too."""
    found = {one.arm: one.moments / numel for one in states if one.optimizer == "momentum"}
    return decide(
        "momentum-bytes",
        found["checkpointed"],
        "equal",
        MOMENT_BYTES["momentum"],
        unit="1",
        facts={"plain": found["plain"], "parameters": numel},
    )


def compute_depth_moments(run: Run, layers: int) -> int:
    """8 bytes for each of N(d^2 + d) parameters."""
    width = run.get_int("width")
    return MOMENT_BYTES["adamw"] * layers * (width**2 + width)


def decide_depths(run: Run, depths: Sequence[Depth]) -> ClaimResult:
    """x16 from N = 4 to 64; the points are bytes, each exactly its formula."""
    points = [
        Point(one.layers, one.moments, compute_depth_moments(run, one.layers)) for one in depths
    ]
    sweep = decide_sweep("state-linear-in-depth", points, unit="byte")
    if sweep.verdict == "fails":
        return sweep
    first, last = depths[0], depths[-1]
    return decide(
        "state-linear-in-depth",
        last.moments / first.moments,
        "equal",
        last.layers / first.layers,
        unit="1",
        facts={"first": first.layers, "last": last.layers, "bytes": last.moments},
    )


def decide_both_arms(
    states: Sequence[States], plain: Sequence[Depth], checkpointed: Sequence[Depth]
) -> ClaimResult:
    """Over every optimizer and depth, the largest difference between the two arms."""
    moments = {(one.optimizer, one.arm): one.moments + one.counters for one in states}
    differences = [
        moments[name, "checkpointed"] - moments[name, "plain"] for name in MOMENT_BYTES
    ] + [b.moments - a.moments for a, b in zip(plain, checkpointed, strict=True)]
    return decide(
        "state-equal-in-both-arms",
        max(differences, key=abs),
        "equal",
        0,
        unit="byte",
        facts={"compared": len(differences), "moments": moments["adamw", "plain"]},
    )


def decide_types(states: Sequence[States], numel: int) -> ClaimResult:
    """Bytes a parameter in the checkpointed arm against those of plain, and the types."""
    plain, checkpointed = (
        next(one for one in states if one.optimizer == "adamw" and one.arm == arm)
        for arm in ("plain", "checkpointed")
    )
    return decide(
        "state-types-equal",
        checkpointed.moments / numel,
        "equal",
        plain.moments / numel,
        unit="1",
        facts={
            "types_plain": ", ".join(plain.types),
            "types_checkpointed": ", ".join(checkpointed.types),
        },
    )


def decide_weights(run: Run, model: Chain) -> ClaimResult:
    """AdamW runs with checkpoints, and ends where it ends without them."""
    torch.manual_seed(run.seed + 1)
    x = torch.randn(1, min(32, run.get_int("length")), run.get_int("hidden"))
    plain, checkpointed, again = (
        train_copy(
            model,
            lambda trained, runner=runner: trained(x, runner).square().mean(),  # type: ignore[misc]  # a default binds the arm
            steps=run.get_int("steps"),
            seed=run.seed + 2,
        )
        for runner in (run_plain, run_every, run_plain)
    )
    return decide_training("steps-run-and-weights-equal", plain, checkpointed, again)


# --- What is shown -------------------------------------------------------------------


def _collect_facts(
    run: Run,
    arms: Sequence[MemoryArm],
    states: Sequence[States],
    budget: Sequence[Attempt],
    numel: int,
) -> dict[str, Scalar]:
    adamw = {one.arm: one for one in states if one.optimizer == "adamw"}
    peaks = {arm.name: arm for arm in arms}
    return {
        "layers": run.get_int("layers"),
        "parameters": numel,
        "parameter_bytes": peaks["adamw-plain"].parameters,
        "gradient_bytes": peaks["adamw-plain"].gradients,
        "moments_plain": adamw["plain"].moments,
        "moments_checkpointed": adamw["checkpointed"].moments,
        "counters": adamw["plain"].counters,
        "peak_plain": peaks["adamw-plain"].peak,
        "peak_checkpointed": peaks["adamw-checkpointed"].peak,
        "total_plain": peaks["adamw-plain"].total_peak,
        "total_checkpointed": peaks["adamw-checkpointed"].total_peak,
        "adamw_out_of_memory": sum(
            one.is_out_of_memory for one in budget if one.name.startswith("adamw")
        ),
        "sgd_fits": sum(not one.is_out_of_memory for one in budget if one.name.startswith("sgd")),
        "budget_bytes": budget[0].budget,
    }


def _describe_scaling(run: Run, plain: Sequence[Depth], checkpointed: Sequence[Depth]) -> Scaling:
    x = tuple(float(one.layers) for one in plain)
    theory = tuple(float(compute_depth_moments(run, one.layers)) for one in plain)
    return Scaling(
        "layers",
        "byte",
        tuple(
            Series(name, x, tuple(float(one.moments) for one in depths), theory)
            for name, depths in (("plain", plain), ("checkpointed", checkpointed))
        ),
    )


def _tabulate_states(states: Sequence[States], numel: int) -> Table:
    rows = tuple(
        (
            one.optimizer,
            one.arm,
            one.moments,
            one.moments / numel,
            one.counters,
            ", ".join(one.types),
        )
        for one in states
    )
    columns = ("optimizer", "arm", "moments", "bytes_a_parameter", "counters", "types")
    return Table("states", columns, rows)
