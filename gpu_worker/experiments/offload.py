"""Offload: what backward needs is written out and read back, instead of kept or redone.

A chain of Linear + GELU; whatever autograd saves goes to an unlinked file through the
public saved-tensor hooks, each storage once. The disk is the page cache of the machine, so
no seconds of this experiment speak of NVMe; they are wall time, because waiting for a file
is not processor time.
"""

import dataclasses
import os
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks

from gpu_worker.contracts import ClaimResult, Measurement, Point, Scalar, Timing
from gpu_worker.measure.claims import decide, decide_sweep
from gpu_worker.measure.compare import compute_largest_difference
from gpu_worker.measure.memory import Trace, trace_step
from gpu_worker.measure.passes import Arm, measure_arm
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep
from gpu_worker.measure.timing import Sampling, measure_pairs
from gpu_worker.models import Chain, Runner, make_gpt, make_mlp, run_every, run_plain

MIN_BYTES = 16 << 10
# Smaller tensors stay: a write call costs more than they hold.

LOSS_BYTES = 4
# The loss is alive at the end of forward beside what is stored for backward.

NORM_HIDDEN, NORM_HEADS, NORM_LENGTH, NORM_LAYERS = 128, 4, 128, 2
# The blocks whose layer norms are taken away; the share depends on as/h alone.

NORM_TOLERANCE = 0.02
# The formula leaves out what every layer shares, such as the input of the first.

TIME_BUDGET_S = 1.0
# Of wall time, for the pairs plain against offloaded.


@dataclass(frozen=True)
class Slot:
    """Where a saved tensor lies in the file, and how to see it in its storage."""

    store: "DiskStore"
    offset: int
    num_bytes: int
    device: torch.device
    shape: tuple[torch.dtype, torch.Size, tuple[int, ...], int]

    def read(self) -> Tensor:
        content = torch.empty(self.num_bytes, dtype=torch.uint8, device="cpu")
        self.store.read_into(content, self.offset)
        dtype, size, stride, start = self.shape
        return content.to(self.device).view(dtype).as_strided(size, stride, start)


@dataclass
class DiskStore:
    """Saved tensors in one unlinked file. `num_writes` and `num_bytes` count what went out.

    A storage that is saved twice (the input of a Linear is the result of the GELU before
    it) is written once, as long as nobody changed it in between.
    """

    kept: frozenset[int]
    num_writes: int = 0
    num_bytes: int = 0
    _slots: dict[tuple[int, int], tuple[weakref.ref[torch.UntypedStorage], int]] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the graph

    def pack(self, tensor: Tensor) -> Tensor | Slot:
        storage = tensor.untyped_storage()
        if storage.nbytes() < MIN_BYTES or storage._cdata in self.kept:
            return tensor
        shape = (tensor.dtype, tensor.size(), tensor.stride(), int(tensor.storage_offset()))
        return Slot(self, self._find_offset(tensor), storage.nbytes(), tensor.device, shape)

    def unpack(self, packed: Tensor | Slot) -> Tensor:
        return packed.read() if isinstance(packed, Slot) else packed

    def _find_offset(self, tensor: Tensor) -> int:
        storage = tensor.untyped_storage()
        key = (storage._cdata, tensor._version)
        known = self._slots.get(key)
        if known is not None and known[0]() is storage:
            return known[1]
        offset = self.num_bytes
        content = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(storage)
        os.pwrite(self._file.fileno(), content.cpu().numpy().data, offset)
        self.num_writes += 1
        self.num_bytes += storage.nbytes()
        self._slots[key] = (weakref.ref(storage), offset)
        return offset

    def read_into(self, target: Tensor, offset: int) -> None:
        os.preadv(self._file.fileno(), [target.numpy().data], offset)


class Offloader:
    """Makes forward functions that offload, and remembers the last store for its counts."""

    def __init__(self, model: nn.Module, x: Tensor) -> None:
        tensors = (*model.parameters(), x)
        self._kept = frozenset(one.untyped_storage()._cdata for one in tensors)
        self.store = DiskStore(self._kept)

    def wrap(self, forward: Callable[[], Tensor]) -> Callable[[], Tensor]:
        def run() -> Tensor:
            self.store = store = DiskStore(self._kept)
            with saved_tensors_hooks(store.pack, store.unpack):
                return forward()

        return run


def measure(run: Run) -> Measurement:
    with open_tensors(run):
        return _measure(run)


def _measure(run: Run) -> Measurement:
    model, x = make_model(run), make_input(run, run.get_ints("batches")[-1])
    offloader = Offloader(model, x)
    steps = make_steps(model, x, offloader)
    arms = {
        name: measure_arm(one, run, with_allocator=name in _MAIN) for name, one in steps.items()
    }
    steps["offloaded"].reset(run.seed)
    steps["offloaded"].run()
    timing = time_wall(steps["plain"], steps["offloaded"], run)
    claims = [
        *decide_offload(arms),
        decide_batches(run),
        decide_norm_share(run),
    ]
    return build_measurement(
        run,
        claims=claims,
        memory=[arm.memory for arm in arms.values()],
        flops=[arm.flop_arm for arm in arms.values()],
        timing=timing,
        facts=collect_facts(run, arms, claims, offloader.store, timing),
        gradients=arms["offloaded"].gradients,
        traces={name: arms[name].trace for name in _MAIN},
    )


_MAIN = ("plain", "offloaded")


# --- Arms ----------------------------------------------------------------------------


def make_model(run: Run) -> Chain:
    torch.manual_seed(run.seed)
    return make_mlp(run.get_int("layers"), run.get_int("width"))


def make_input(run: Run, batch: int) -> Tensor:
    torch.manual_seed(run.seed + 1)
    return torch.randn(batch, run.get_int("width"))


def make_steps(model: Chain, x: Tensor, offloader: Offloader) -> dict[str, TrainingStep]:
    def forward(runner: Runner) -> Callable[[], Tensor]:
        return lambda: model(x, runner).sum()

    def keep_on_host() -> Tensor:
        # On a CPU the tensors are there already: nothing moves.
        with save_on_cpu(pin_memory=x.is_cuda):
            return forward(run_plain)()

    forwards = {
        "plain": forward(run_plain),
        "offloaded": offloader.wrap(forward(run_plain)),
        "checkpointed": forward(run_every),
        "offloaded-checkpointed": offloader.wrap(forward(run_every)),
        "save-on-cpu": keep_on_host,
        "plain-again": forward(run_plain),
    }
    return {name: TrainingStep(name, model, one, (x,)) for name, one in forwards.items()}


def time_wall(plain: TrainingStep, offloaded: TrainingStep, run: Run) -> Timing:
    def repeat(step: TrainingStep) -> Callable[[], None]:
        def act() -> None:
            step.reset(run.seed)
            step.run()
            if run.device == "cuda":
                torch.cuda.synchronize()

        return act

    sampling = Sampling(pairs=run.get_int("pairs"), budget_s=TIME_BUDGET_S, clock="wall")
    names = (plain.name, offloaded.name)
    timing = measure_pairs(
        repeat(plain), repeat(offloaded), names=names, sampling=sampling, seed=run.seed
    )
    return dataclasses.replace(timing, unknown="page_cache_not_disk")


# --- Claims --------------------------------------------------------------------------


def decide_offload(arms: dict[str, Arm]) -> list[ClaimResult]:
    plain, offloaded = arms["plain"], arms["offloaded"]
    assert plain.flops.total is not None
    assert offloaded.flops.total is not None
    stored, resident = plain.stored - LOSS_BYTES, offloaded.stored - LOSS_BYTES
    difference = compute_largest_difference(plain.gradients, offloaded.gradients)
    floor = compute_largest_difference(plain.gradients, arms["plain-again"].gradients)
    return [
        decide(
            "resident-falls",
            1 - resident / stored,
            "at_least",
            0.9,
            unit="1",
            facts={"stored": stored, "resident": resident},
        ),
        decide("flops-equal", offloaded.flops.total, "equal", plain.flops.total, unit="flop"),
        decide("gradients-equal", difference, "equal", 0.0, unit="1", noise_floor=floor),
    ]


def decide_batches(run: Run) -> ClaimResult:
    """Stored bytes of plain steps; expected: those of the first batch, in proportion."""
    batches = sorted(set(run.get_ints("batches")))
    stored = {batch: _trace_plain(run, batch) for batch in batches}
    first = batches[0]
    points = [Point(batch, found, stored[first] * batch / first) for batch, found in stored.items()]
    return decide_sweep("stored-proportional-to-batch", points, unit="byte")


def _trace_plain(run: Run, batch: int) -> int:
    model, x = make_model(run), make_input(run, batch)
    step = TrainingStep("plain", model, lambda: model(x, run_plain).sum(), (x,))
    stored = trace_step(step, seed=run.seed).stored
    assert stored is not None
    return stored - LOSS_BYTES


def decide_norm_share(run: Run) -> ClaimResult:
    """GPT blocks in bfloat16 with one-byte masks, with their layer norms and without."""
    with open_tensors(run, dtype=torch.bfloat16):
        trace, output = _trace_blocks(run, has_norm=True)
        bare_trace, bare_output = _trace_blocks(run, has_norm=False)
    assert trace.stored is not None
    assert bare_trace.stored is not None
    change = (bare_output - output).norm() / output.norm()
    return decide(
        "norm-share-is-small",
        1 - bare_trace.stored / trace.stored,
        "within",
        4 / (34 + 5 * NORM_HEADS * NORM_LENGTH / NORM_HIDDEN),
        unit="1",
        tolerance=NORM_TOLERANCE,
        facts={
            "stored": trace.stored,
            "stored_without": bare_trace.stored,
            "output_change": float(change),
        },
    )


def _trace_blocks(run: Run, *, has_norm: bool) -> tuple[Trace, Tensor]:
    torch.manual_seed(run.seed)
    model = make_gpt(
        NORM_LAYERS, NORM_HIDDEN, NORM_HEADS, 0.1, has_byte_mask=True, has_norm=has_norm
    )
    torch.manual_seed(run.seed + 1)
    x = torch.randn(1, NORM_LENGTH, NORM_HIDDEN)
    step = TrainingStep("plain", model, lambda: model(x, run_plain).sum(), (x,))
    trace = trace_step(step, seed=run.seed)
    torch.manual_seed(run.seed)
    with torch.no_grad():
        return trace, model(x, run_plain).float()


def collect_facts(
    run: Run, arms: dict[str, Arm], claims: list[ClaimResult], store: DiskStore, timing: Timing
) -> dict[str, Scalar]:
    plain, offloaded = arms["plain"], arms["offloaded"]
    low, high = timing.ratio_ci95 or (None, None)
    norm = claims[-1]
    return {
        "layers": run.get_int("layers"),
        "width": run.get_int("width"),
        "batch": run.get_ints("batches")[-1],
        "stored_plain": plain.stored - LOSS_BYTES,
        "stored_offloaded": offloaded.stored - LOSS_BYTES,
        "stored_checkpointed": arms["checkpointed"].stored - LOSS_BYTES,
        "resident_saved": claims[0].observed,
        "peak_plain": plain.trace.peak,
        "peak_offloaded": offloaded.trace.peak,
        "peak_checkpointed": arms["checkpointed"].trace.peak,
        "peak_both": arms["offloaded-checkpointed"].trace.peak,
        "flops_plain": plain.flops.total,
        "flops_offloaded": offloaded.flops.total,
        "flop_ratio": (offloaded.flops.total or 0) / (plain.flops.total or 1),
        "gradient_difference": claims[2].observed,
        "noise_floor": claims[2].noise_floor,
        "num_writes": store.num_writes,
        "bytes_written": store.num_bytes,
        "norm_share": norm.observed,
        "norm_output_change": norm.facts["output_change"],
        "time_ratio": timing.ratio,
        "time_low": low,
        "time_high": high,
    }
