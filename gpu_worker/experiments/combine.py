"""Checkpointing together with sharding (FSDP2) and lower precision, on real ranks.

Processes of a group of their own train the same GPT blocks: plain, checkpointed, sharded,
in bfloat16, and all of it. Sharding divides parameters, gradients and optimizer state;
checkpointing lowers activations; neither does the other's work. No seconds are shown: two
processes share the cores of one machine, and most CPUs have no native bfloat16.
"""

import dataclasses
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor
from torch.multiprocessing.spawn import spawn

from gpu_worker.catalog import get_experiment, resolve_parameters
from gpu_worker.contracts import ClaimResult, Measurement, MemoryArm, Point, Scalar, Table
from gpu_worker.measure.claims import decide, decide_sweep
from gpu_worker.measure.collectives import RankTracer, count_collective_bytes
from gpu_worker.measure.compare import compute_largest_difference, copy_gradients, digest_tensors
from gpu_worker.measure.gloo import SettledAllGather, SettledReduceScatter
from gpu_worker.measure.memory import Event, Trace, trace_step
from gpu_worker.measure.passes import describe_memory, leave_untimed
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, prepare_process
from gpu_worker.measure.step import TrainingStep, count_bytes
from gpu_worker.models import Chain, make_gpt, run_every, run_plain

GROUP_TIMEOUT_S = 60
# A rank that waits longer for the others has lost them; the run's own limit is above it.


@dataclass(frozen=True)
class Cell:
    """One way of training: sharded or whole, lower precision or not, replay or not."""

    name: str
    is_sharded: bool
    is_low: bool
    is_checkpointed: bool
    is_fused: bool = False


CELLS = (
    Cell("plain", is_sharded=False, is_low=False, is_checkpointed=False),
    Cell("sharded", is_sharded=True, is_low=False, is_checkpointed=False),
    Cell("sharded-checkpointed", is_sharded=True, is_low=False, is_checkpointed=True),
    Cell("sharded-bf16", is_sharded=True, is_low=True, is_checkpointed=False),
    Cell("sharded-bf16-checkpointed", is_sharded=True, is_low=True, is_checkpointed=True),
    Cell("plain-again", is_sharded=False, is_low=False, is_checkpointed=False),
    Cell("fused-plain", is_sharded=False, is_low=False, is_checkpointed=False, is_fused=True),
    Cell("fused-checkpointed", is_sharded=False, is_low=False, is_checkpointed=True, is_fused=True),
)
_DRAWN = tuple(cell.name for cell in CELLS if not cell.is_fused)
# The arms whose traces travel; attention in one kernel stands beside them in bytes.


@dataclass(frozen=True)
class Found:
    """What one rank saw of one cell, in bytes.

    `moments` leaves out AdamW's step counters, which are whole on every rank. `difference`
    compares gradients with those of the first cell of the same network, precision and sharding.
    """

    name: str
    parameters: int
    gradients: int
    moments: int
    stored: int
    peak: int
    total_peak: int
    gathered: int
    scattered: int
    difference: float
    digest: str
    trace: Trace | None = field(default=None, compare=False)

    @property
    def states(self) -> int:
        return self.parameters + self.gradients + self.moments


def measure(run: Run) -> Measurement:
    ranks = run.get_int("ranks")
    device, backend = choose_backend(run.device, ranks)
    if device != run.device:
        check_fallback(run)
    with tempfile.TemporaryDirectory() as directory:
        spawn_ranks(run, device=device, backend=backend, directory=directory)
        found = [read_rank(Path(directory), rank) for rank in range(ranks)]
    first = found[0]
    claims = [decide_sharding(found), decide_collectives(first), decide_stored(first)]
    measurement = build_measurement(
        run,
        claims=claims,
        memory=[_describe_arm(one) for one in first.values()],
        timing=leave_untimed("processes_share_cores"),
        facts=_collect_facts(run, first, claims, device=device, backend=backend),
        traces={name: trace for name in _DRAWN if (trace := first[name].trace) is not None},
        tables=[_tabulate(found)],
        passes=("gradients", "memory", "collectives"),
    )
    digest = first["sharded-checkpointed"].digest
    return dataclasses.replace(
        measurement,
        environment=dataclasses.replace(measurement.environment, device=device),
        provenance=dataclasses.replace(measurement.provenance, gradient_digest=digest),
    )


# --- The ranks -----------------------------------------------------------------------


def choose_backend(device: str, ranks: int) -> tuple[str, str]:
    """NCCL with a card for every rank; else the CPU and gloo, and the evidence says so."""
    if device == "cuda" and torch.cuda.device_count() >= ranks:
        return "cuda", "nccl"
    return "cpu", "gloo"


def check_fallback(run: Run) -> None:
    """Raises ValueError for what only cards could run, where there are too few of them."""
    try:
        resolve_parameters(get_experiment(run.experiment), run.parameters)
    except ValueError as error:
        raise ValueError(f"device: too few cards for the ranks, and for a CPU {error}") from error


def spawn_ranks(run: Run, *, device: str, backend: str, directory: str) -> None:
    """Start the ranks as fresh processes and wait. Raises when one of them fails."""
    # Only this machine takes part: the loopback interface is always there.
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    spawn(run_rank, args=(run, device, backend, directory), nprocs=run.get_int("ranks"))


def run_rank(rank: int, run: Run, device: str, backend: str, directory: str) -> None:
    """One rank, from joining the group to its file of findings."""
    prepare_process(seed=run.seed, device=device)
    if device == "cuda":
        torch.cuda.set_device(rank)
    dist.init_process_group(
        backend,
        init_method=f"file://{directory}/store",
        rank=rank,
        world_size=run.get_int("ranks"),
        timeout=timedelta(seconds=GROUP_TIMEOUT_S),
    )
    try:
        found = measure_cells(run, rank, device)
    finally:
        dist.destroy_process_group()
    (Path(directory) / f"rank-{rank}.json").write_text(json.dumps(found))


def read_rank(directory: Path, rank: int) -> dict[str, Found]:
    """What a rank wrote, by cell."""
    found = {}
    for plain in json.loads((directory / f"rank-{rank}.json").read_text()):
        trace = plain.pop("trace")
        if trace is not None:
            events = tuple(Event(*one) for one in trace.pop("events"))
            trace = Trace(events=events, **trace)
        found[plain["name"]] = Found(trace=trace, **plain)
    return found


def measure_cells(run: Run, rank: int, device: str) -> list[dict[str, Any]]:
    references: dict[tuple[bool, bool, bool], Mapping[str, Tensor]] = {}
    found = []
    for cell in CELLS:
        step = make_step(run, cell, rank, device)
        step.reset(run.seed)
        step.run()
        gradients = localize(copy_gradients(step.module))
        kind = (cell.is_sharded, cell.is_low, cell.is_fused)
        trace = trace_step(step, seed=run.seed, backend=RankTracer())
        gathered, scattered = count_collective_bytes(step, seed=run.seed)
        assert trace.stored is not None
        one = Found(
            name=cell.name,
            parameters=trace.baseline["parameter"],
            gradients=trace.baseline["gradient"],
            moments=step.count_moments(),
            stored=trace.stored,
            peak=trace.peak,
            total_peak=trace.peak + sum(trace.baseline.values()) - trace.baseline["wrapper"],
            gathered=gathered,
            scattered=scattered,
            difference=compute_largest_difference(
                references.setdefault(kind, gradients), gradients
            ),
            digest=digest_tensors(gradients),
        )
        found.append({**dataclasses.asdict(one), "trace": _write_trace(trace, rank)})
    return found


def _write_trace(trace: Trace, rank: int) -> dict[str, Any] | None:
    """The first rank speaks for all: their traces are alike."""
    if rank:
        return None
    return {**dataclasses.asdict(trace), "events": [*map(dataclasses.astuple, trace.events)]}


class RankStep(TrainingStep):
    """A step on one rank: what is alive before it are the rank's own shards."""

    def list_known(self) -> dict[str, list[Tensor]]:
        known = super().list_known()
        wrappers: list[Tensor] = []
        shards: dict[str, list[Tensor]] = {}
        for name, tensors in known.items():
            wrappers += [one for one in tensors if isinstance(one, DTensor)]
            shards[name] = list(localize(dict(enumerate(tensors))).values())
        # The wrappers around the shards hold nothing, but have a size.
        return {**shards, "wrapper": wrappers}

    def count_moments(self) -> int:
        """Bytes of AdamW's two moments on this rank, without its step counters."""
        assert self.optimizer is not None
        states = self.optimizer.state.values()
        moments = [state[name] for state in states for name in ("exp_avg", "exp_avg_sq")]
        return count_bytes(localize(dict(enumerate(moments))).values())


def localize(tensors: Mapping[Any, Tensor]) -> dict[Any, Tensor]:
    """The rank's own part of each tensor."""
    return {
        name: one.to_local() if isinstance(one, DTensor) else one for name, one in tensors.items()
    }


def make_step(run: Run, cell: Cell, rank: int, device: str) -> RankStep:
    """Equal weights on every rank, and every rank its own rows of the batch."""
    torch.manual_seed(run.seed)
    with torch.device(device):
        model = make_gpt(
            run.get_int("layers"),
            run.get_int("hidden"),
            run.get_int("heads"),
            run.get_float("dropout"),
            is_fused=cell.is_fused,
        )
        torch.manual_seed(run.seed + 1 + rank)
        x = torch.randn(run.get_int("batch"), run.get_int("length"), run.get_int("hidden"))
    if cell.is_sharded:
        shard(model, run.get_int("ranks"), device, is_low=cell.is_low)
    runner = run_every if cell.is_checkpointed else run_plain
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.0)
    step = RankStep(cell.name, model, lambda: model(x, runner).float().sum(), (x,), optimizer)
    step.reset(run.seed)
    optimizer.step()
    return step


def shard(model: Chain, ranks: int, device: str, *, is_low: bool) -> None:
    """FSDP2: a group for every block, and the root."""
    mesh = init_device_mesh(device, (ranks,))
    low = MixedPrecisionPolicy(param_dtype=torch.bfloat16)
    policy = low if is_low else MixedPrecisionPolicy()
    for one in (*model.blocks, model):
        module = fully_shard(one, mesh=mesh, mp_policy=policy)
        if device == "cpu":
            module.set_custom_all_gather(SettledAllGather())
            module.set_custom_reduce_scatter(SettledReduceScatter())


# --- Claims --------------------------------------------------------------------------


def decide_sharding(found: list[dict[str, Found]]) -> ClaimResult:
    """Parameters, gradients and moments of each rank, beside the whole."""
    ranks = len(found)
    points = [
        Point(rank, one["sharded"].states / one["plain"].states, 1 / ranks)
        for rank, one in enumerate(found)
    ]
    first = found[0]
    return decide_sweep(
        "sharded-half",
        points,
        unit="1",
        facts={
            "ranks": ranks,
            "states_whole": first["plain"].states,
            "states_sharded": first["sharded"].states,
        },
    )


def decide_collectives(found: Mapping[str, Found]) -> ClaimResult:
    plain, checkpointed = found["sharded"], found["sharded-checkpointed"]
    return decide(
        "collective-bytes-equal",
        checkpointed.gathered + checkpointed.scattered,
        "equal",
        plain.gathered + plain.scattered,
        unit="byte",
        facts={
            "gathered": plain.gathered,
            "gathered_checkpointed": checkpointed.gathered,
            "scattered": plain.scattered,
            "scattered_checkpointed": checkpointed.scattered,
        },
    )


def decide_stored(found: Mapping[str, Found]) -> ClaimResult:
    low, both = found["sharded-bf16"], found["sharded-bf16-checkpointed"]
    return decide(
        "stored-lower",
        both.stored,
        "less",
        low.stored,
        unit="byte",
        facts={
            "stored_sharded": found["sharded"].stored,
            "stored_checkpointed": found["sharded-checkpointed"].stored,
        },
    )


# --- For the page --------------------------------------------------------------------


def _describe_arm(found: Found) -> MemoryArm:
    assert found.trace is not None
    arm = describe_memory(
        found.name,
        found.trace,
        allocator_peak=None,
        unknown={"allocator_peak": "not_measured_for_this_arm"},
        with_timeline=found.name in _DRAWN,
        optimizer_state=found.moments,
    )
    return dataclasses.replace(arm, total_peak=found.total_peak)


def _collect_facts(
    run: Run,
    found: Mapping[str, Found],
    claims: list[ClaimResult],
    *,
    device: str,
    backend: str,
) -> dict[str, Scalar]:
    plain, sharded = found["plain"], found["sharded"]
    low, both = found["sharded-bf16"], found["sharded-bf16-checkpointed"]
    return {
        "ranks": run.get_int("ranks"),
        "device": device,
        "backend": backend,
        "layers": run.get_int("layers"),
        "states_whole": plain.states,
        "states_sharded": sharded.states,
        "share": claims[0].observed,
        "stored_plain": plain.stored,
        "stored_sharded": sharded.stored,
        "stored_sharded_checkpointed": found["sharded-checkpointed"].stored,
        "stored_bf16": low.stored,
        "stored_bf16_checkpointed": both.stored,
        "collective_bytes": sharded.gathered + sharded.scattered,
        "gathered": sharded.gathered,
        "scattered": sharded.scattered,
        "gradient_difference": found["sharded-checkpointed"].difference,
        "gradient_difference_bf16": both.difference,
        "noise_floor": found["plain-again"].difference,
    }


def _tabulate(found: list[dict[str, Found]]) -> Table:
    rows = tuple(
        (
            rank,
            one.name,
            one.parameters,
            one.gradients,
            one.moments,
            one.stored,
            one.peak,
            one.gathered,
            one.scattered,
        )
        for rank, cells in enumerate(found)
        for one in cells.values()
    )
    columns = ("rank", "arm", "parameters", "gradients", "moments", "stored", "peak")
    return Table("ranks", (*columns, "gathered", "scattered"), rows)
