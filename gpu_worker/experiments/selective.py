"""Selective recomputation: replay what is large to keep and cheap to redo.

GPT blocks in bfloat16 with one-byte dropout masks, attention written out, so that the
stored bytes are those of Korthikanti et al. 2022 (arXiv:2205.05198, equation 2) plus the
statistics of the two layer norms: sbh(34 + 5as/h + 8/h) a layer on a CPU. No seconds are
shown: a CPU without native bfloat16 makes them meaningless.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import set_checkpoint_early_stop

from gpu_worker.contracts import ClaimResult, Measurement, MemoryArm, Scalar, Table
from gpu_worker.measure.claims import decide, leave_undecided
from gpu_worker.measure.compare import compute_largest_difference, copy_gradients
from gpu_worker.measure.flops import FlopCounter, Flops, read_flops
from gpu_worker.measure.memory import Trace, trace_step
from gpu_worker.measure.passes import SIMULATED_PASSES, describe_memory
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import (
    PRODUCTS,
    WEIGHT_PRODUCTS,
    Block,
    Chain,
    Runner,
    make_gpt,
    make_saving_runner,
    run_alternate,
    run_every,
    run_plain,
    save_products,
    save_second_products,
)

STATISTIC_BYTES = {"cpu": 2, "cuda": 4}
# One mean or deviation of a layer norm in bfloat16: a CPU keeps it so, CUDA as float32.

BYTES_TOLERANCE = 64
# Beside the formula: the loss, and what alignment may add; nothing that grows with a layer.


@dataclass(frozen=True)
class Policy:
    """What is replayed: by a placement of checkpoints, or by flags of the blocks."""

    name: str
    runner: Runner
    replays_core: bool = False
    replays_attention: bool = False


@dataclass(frozen=True)
class Found:
    """One policy. Values are empty in a simulation."""

    name: str
    trace: Trace
    flops: Flops
    gradients: dict[str, Tensor]
    outputs: dict[str, Tensor]

    @property
    def stored(self) -> int:
        assert self.trace.stored is not None
        return self.trace.stored

    @property
    def total_flops(self) -> int:
        assert self.flops.total is not None
        return self.flops.total


def measure(run: Run) -> Measurement:
    with open_tensors(run, dtype=torch.bfloat16):
        return _measure(run)


def _measure(run: Run) -> Measurement:
    model, x = make_model(run), make_input(run)
    found = {one.name: measure_policy(run, model, x, one) for one in list_policies()}
    again = measure_policy(run, model, x, Policy("plain-again", run_plain))
    with set_checkpoint_early_stop(False):
        late = measure_policy(run, model, x, Policy("core-no-early-stop", run_plain, True))
    fused = _measure_fused(run, x)
    inputs = measure_input_layer(run, x)
    claims = [
        *decide_bytes(run, found["plain"], found["core"], x),
        *decide_flops(run, found, late),
        decide_input_layer(inputs),
        *(_leave_simulated() if run.simulate else _decide_values(found, again)),
    ]
    arms = [*found.values(), again, late, *fused, *inputs]
    return build_measurement(
        run,
        claims=claims,
        memory=[_describe_arm(one) for one in arms],
        flops=[one.flops.to_arm(one.name) for one in arms],
        facts=_collect_facts(run, found, late, fused),
        gradients=found["core"].gradients,
        traces={name: found[name].trace for name in ("plain", "core", "full")},
        tables=[_tabulate(found, fused), _tabulate_operators(found)],
        passes=SIMULATED_PASSES if run.simulate else ("values+flops", "memory"),
    )


# --- Networks and policies -----------------------------------------------------------


def make_model(run: Run, *, is_fused: bool = False) -> Chain:
    torch.manual_seed(run.seed)
    return make_gpt(
        run.get_int("layers"),
        run.get_int("hidden"),
        run.get_int("heads"),
        run.get_float("dropout"),
        is_fused=is_fused,
        has_byte_mask=True,
    )


def make_input(run: Run) -> Tensor:
    torch.manual_seed(run.seed + 1)
    return torch.randn(run.get_int("batch"), run.get_int("length"), run.get_int("hidden"))


def list_policies() -> list[Policy]:
    """From nothing replayed to everything, by placement and by operator."""
    return [
        Policy("plain", run_plain),
        Policy("full", run_every),
        Policy("alternate", run_alternate),
        Policy("first-block", _run_first),
        Policy("attention", run_plain, replays_attention=True),
        Policy("core", run_plain, replays_core=True),
        Policy("save-products", make_saving_runner(save_products(PRODUCTS))),
        Policy(
            "save-weight-products",
            make_saving_runner(save_products(WEIGHT_PRODUCTS)),
        ),
        Policy("save-every-second-product", make_saving_runner(save_second_products)),
    ]


def _run_first(blocks: Sequence[nn.Module], x: Tensor) -> Tensor:
    return run_every(blocks, x, num_plain=len(blocks) - 1)


def measure_policy(run: Run, model: Chain, x: Tensor, policy: Policy) -> Found:
    for block in model.blocks:
        if isinstance(block, Block):
            block.attention.replays_core = policy.replays_core
            block.replays_attention = policy.replays_attention
    outputs: dict[str, Tensor] = {}

    def forward() -> Tensor:
        y = model(x, policy.runner)
        loss = y.float().sum()
        if is_keeping:
            outputs.update(output=y.detach().clone(), loss=loss.detach().clone())
        return loss  # type: ignore[no-any-return]  # a module's call is untyped

    step = TrainingStep(policy.name, model, forward, (x,))
    is_keeping = not run.simulate
    step.reset(run.seed)
    counter = FlopCounter()
    flops = read_flops(step, counter)
    gradients = {} if run.simulate else copy_gradients(model)
    is_keeping = False
    trace = trace_step(step, seed=run.seed)
    return Found(policy.name, trace, flops, gradients, outputs)


def _measure_fused(run: Run, x: Tensor) -> list[Found]:
    """Attention in one kernel: it stores no matrix, so there is little left to select."""
    model = make_model(run, is_fused=True)
    policies = {"fused-plain": False, "fused-core": True}
    return [
        measure_policy(run, model, x, Policy(name, run_plain, replays))
        for name, replays in policies.items()
    ]


def measure_input_layer(run: Run, x: Tensor) -> list[Found]:
    """The same blocks behind an input layer, plain and with that layer alone replayed."""
    torch.manual_seed(run.seed)
    hidden = run.get_int("hidden")
    model = Chain([nn.Linear(hidden, hidden), *make_model(run).blocks])
    policies = [Policy("input-plain", run_plain), Policy("input-layer", _run_first)]
    return [measure_policy(run, model, x, one) for one in policies]


# --- Claims --------------------------------------------------------------------------


def compute_stored(run: Run) -> float:
    """sbh(34 + 5as/h + 8/h) a layer: Korthikanti's equation 2 and two layer norms' means
    and deviations, four values of two bytes a token (of four on CUDA: 16/h)."""
    s, b, h, a = (run.get_int(name) for name in ("length", "batch", "hidden", "heads"))
    statistics = 4 * STATISTIC_BYTES[run.torch_device.type]
    return run.get_int("layers") * s * b * h * (34 + 5 * a * s / h + statistics / h)


def compute_core_bytes(run: Run) -> int:
    """5abs^2: softmax and masked softmax in two bytes, the mask in one."""
    s, b, a = (run.get_int(name) for name in ("length", "batch", "heads"))
    return 5 * a * b * s**2


def compute_core_ratio(run: Run, *, early_stop: bool) -> float:
    """1 + s/(36h + 6s) with early stop (one of two products runs again), else 1 + s/(18h + 3s).

    Dropout does not enter: the last product of the core needs its inputs, not its output.
    """
    s, h = run.get_int("length"), run.get_int("hidden")
    return 1 + s / (36 * h + 6 * s) if early_stop else 1 + s / (18 * h + 3 * s)


def decide_bytes(run: Run, plain: Found, core: Found, x: Tensor) -> list[ClaimResult]:
    layers = run.get_int("layers")
    with_input = plain.stored + x.untyped_storage().nbytes()
    return [
        decide(
            "stored-formula",
            with_input,
            "within",
            compute_stored(run),
            unit="byte",
            tolerance=BYTES_TOLERANCE,
            facts={"layers": layers, "first_input_counted": True},
        ),
        decide(
            "core-frees",
            (plain.stored - core.stored) / layers,
            "equal",
            compute_core_bytes(run),
            unit="byte",
            facts={"layers": layers},
        ),
    ]


def decide_flops(run: Run, found: dict[str, Found], late: Found) -> list[ClaimResult]:
    plain = found["plain"].total_flops
    ratios = {name: one.total_flops / plain for name, one in found.items()}
    without = late.total_flops / plain
    expected = compute_core_ratio(run, early_stop=False)
    share = decide(
        "replayed-share",
        ratios["core"],
        "equal",
        compute_core_ratio(run, early_stop=True),
        unit="1",
        tolerance=1e-6,
        facts={
            "dropout": run.get_float("dropout"),
            "early_stop": True,
            "without_early_stop": without,
            "without_early_stop_expected": expected,
            "full": ratios["full"],
        },
    )
    if abs(without - expected) > share.tolerance:
        share = decide(
            "replayed-share", without, "equal", expected, unit="1", tolerance=share.tolerance
        )
    lowest = min(ratios, key=lambda name: ratios[name])
    highest = max(ratios, key=lambda name: ratios[name])
    facts: dict[str, Scalar] = {
        "lowest": lowest,
        "highest": highest,
        "highest_ratio": ratios[highest],
    }
    return [
        share,
        decide("flops-not-fewer", ratios[lowest], "at_least", 1.0, unit="1", facts=facts),
    ]


def decide_input_layer(inputs: Sequence[Found]) -> ClaimResult:
    plain, replayed = inputs
    return decide(
        "input-layer-saves-nothing", plain.stored - replayed.stored, "equal", 0, unit="byte"
    )


def _decide_values(found: dict[str, Found], again: Found) -> list[ClaimResult]:
    plain = found["plain"]
    return [
        decide(
            claim,
            max(_compare(plain, one, part) for one in found.values()),
            "equal",
            0.0,
            unit="1",
            noise_floor=_compare(plain, again, part),
            facts={"policies": len(found)},
        )
        for claim, part in (("loss-equal", "loss"), ("outputs-equal", "output"))
    ]


def _compare(first: Found, second: Found, part: str) -> float:
    return compute_largest_difference({part: first.outputs[part]}, {part: second.outputs[part]})


def _leave_simulated() -> list[ClaimResult]:
    return [
        leave_undecided(claim, "equal", unit="1", reason="simulated")
        for claim in ("loss-equal", "outputs-equal")
    ]


# --- What is shown -------------------------------------------------------------------


def _describe_arm(one: Found) -> MemoryArm:
    return describe_memory(
        one.name,
        one.trace,
        allocator_peak=None,
        unknown={"allocator_peak": "not_measured_for_this_arm"},
        with_timeline=one.name in ("plain", "core", "full"),
    )


def _collect_facts(
    run: Run, found: dict[str, Found], late: Found, fused: Sequence[Found]
) -> dict[str, Scalar]:
    plain, core, full = found["plain"], found["core"], found["full"]
    return {
        "layers": run.get_int("layers"),
        "hidden": run.get_int("hidden"),
        "heads": run.get_int("heads"),
        "length": run.get_int("length"),
        "batch": run.get_int("batch"),
        "stored_plain": plain.stored,
        "stored_core": core.stored,
        "stored_full": full.stored,
        "peak_plain": plain.trace.peak,
        "peak_core": core.trace.peak,
        "peak_full": full.trace.peak,
        "core_share": (plain.stored - core.stored) / plain.stored,
        "core_bytes": compute_core_bytes(run),
        "core_flop_ratio": core.total_flops / plain.total_flops,
        "full_flop_ratio": full.total_flops / plain.total_flops,
        "first_block_saved": 1 - found["first-block"].stored / plain.stored,
        "fused_stored": fused[0].stored,
        "fused_core_stored": fused[1].stored,
        "early_stop_off_ratio": late.total_flops / plain.total_flops,
    }


def _tabulate(found: dict[str, Found], fused: Sequence[Found]) -> Table:
    """Bytes against FLOPs, the points of the Pareto figure."""
    plain = found["plain"]
    rows: list[tuple[Scalar, ...]] = []
    for one in (*found.values(), *fused):
        base = fused[0] if one in fused else plain
        difference = (
            compute_largest_difference(base.gradients, one.gradients) if one.gradients else None
        )
        ratio = one.total_flops / base.total_flops
        rows.append((one.name, one.stored, one.trace.peak, one.total_flops, ratio, difference))
    columns = ("policy", "stored", "peak", "flops", "flop_ratio", "gradient_difference")
    return Table("policies", columns, tuple(rows))


def _tabulate_operators(found: dict[str, Found]) -> Table:
    """Which operators ran more often than in the plain step, by policy."""
    plain = found["plain"].trace.operators
    rows: list[tuple[Scalar, ...]] = []
    for name in ("core", "full", "save-products"):
        for operator, count in sorted(found[name].trace.operators.items()):
            more = count - plain.get(operator, 0)
            if more > 0 and not operator.startswith(("aten.detach", "aten.view")):
                rows.append((name, operator, more))
    return Table("replayed", ("policy", "operator", "more_calls"), tuple(rows))
