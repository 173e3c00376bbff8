"""What recomputation trades: computation for memory, and nothing else.

One network, the same seeded step plain, with every block checkpointed, and plain again.
"""

import torch
from torch import Tensor, nn

from gpu_worker.contracts import ClaimResult, Measurement, Scalar, Timing
from gpu_worker.measure.claims import decide, leave_undecided
from gpu_worker.measure.compare import compute_largest_difference
from gpu_worker.measure.passes import Arm, leave_untimed, measure_arm, time_arms
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep
from gpu_worker.measure.traffic import Traffic, count_collectives, count_traffic
from gpu_worker.measure.training import Training, decide_training, train_copy
from gpu_worker.models import Chain, Runner, make_gpt, make_mlp, run_every, run_plain

TRAINING_ROWS = 32
# Tokens (or rows) a training step: the weights of the whole model move, in a fraction of
# the time of a full batch. Equality to the last bit does not depend on the batch.


def measure(run: Run) -> Measurement:
    dtype = torch.bfloat16 if run.get_text("dtype") == "bfloat16" else torch.float32
    with open_tensors(run, dtype=dtype):
        return _measure(run)


def _measure(run: Run) -> Measurement:
    model, x = make_model(run), make_input(run)
    optimizer = _fill_optimizer(model)
    runner = make_runner(run)
    plain_step = make_step("plain", model, x, run_plain, optimizer)
    checkpointed_step = make_step("checkpointed", model, x, runner, optimizer)
    plain = measure_arm(plain_step, run)
    checkpointed = measure_arm(checkpointed_step, run)
    again_step = make_step("plain-again", model, x, run_plain, optimizer)
    # A simulation has no noise: nothing to do again.
    again = plain if run.simulate else measure_arm(again_step, run, with_allocator=False)
    arms = [plain, checkpointed, *([] if run.simulate else [again]), *_measure_fused(run, x)]
    timing = leave_untimed("simulated")
    if not run.simulate:
        timing = time_arms(plain_step, checkpointed_step, run, pairs=run.get_int("pairs"))
    claims = [
        *(_decide_values(run, plain, checkpointed, again, model) if not run.simulate else ()),
        *_decide_bytes_and_flops(run, plain, checkpointed),
        decide_batch(model, x, runner),
        *(_decide_traffic(checkpointed_step, checkpointed, run) if not run.simulate else ()),
        *(_leave_simulated() if run.simulate else ()),
    ]
    return build_measurement(
        run,
        claims=claims,
        memory=[arm.memory for arm in arms],
        flops=[arm.flop_arm for arm in arms],
        timing=timing,
        facts=collect_facts(run, plain, checkpointed, timing, model),
        gradients=checkpointed.gradients,
        traces={arm.name: arm.trace for arm in arms[:2]},
    )


# --- Networks ------------------------------------------------------------------------


def make_model(run: Run, *, is_fused: bool = False) -> Chain:
    torch.manual_seed(run.seed)
    if run.get_text("model") == "mlp":
        return make_mlp(run.get_int("layers"), run.get_int("hidden"))
    return make_gpt(
        run.get_int("layers"),
        run.get_int("hidden"),
        run.get_int("heads"),
        run.get_float("dropout"),
        is_fused=is_fused,
    )


def make_input(run: Run, *, batch: int | None = None, length: int | None = None) -> Tensor:
    torch.manual_seed(run.seed + 1)
    batch = batch or run.get_int("batch")
    length = length or run.get_int("length")
    if run.get_text("model") == "mlp":
        return torch.randn(batch * length, run.get_int("hidden"))
    return torch.randn(batch, length, run.get_int("hidden"))


def make_runner(run: Run) -> Runner:
    """Every block checkpointed but the last `plain_blocks`."""
    num_plain = run.get_int("plain_blocks")
    return lambda blocks, x: run_every(blocks, x, num_plain=num_plain)


def make_step(
    name: str,
    model: Chain,
    x: Tensor,
    runner: Runner,
    optimizer: torch.optim.Optimizer | None = None,
) -> TrainingStep:
    return TrainingStep(name, model, lambda: model(x, runner).sum(), (x,), optimizer)


def _fill_optimizer(model: nn.Module) -> torch.optim.Optimizer:
    """AdamW with its state allocated and no weight moved (learning rate 0)."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.0)
    for one in model.parameters():
        one.grad = torch.zeros_like(one)
    optimizer.step()
    return optimizer


def _measure_fused(run: Run, x: Tensor) -> list[Arm]:
    """The same blocks with attention in one kernel: what is stored depends on the kernel."""
    if run.get_text("model") != "gpt":
        return []
    model = make_model(run, is_fused=True)
    optimizer = _fill_optimizer(model)
    runners = {"fused-plain": run_plain, "fused-checkpointed": make_runner(run)}
    return [
        measure_arm(
            make_step(name, model, x, runner, optimizer),
            run,
            with_allocator=False,
            with_timeline=False,
        )
        for name, runner in runners.items()
    ]


# --- Claims --------------------------------------------------------------------------


def compute_flop_ratio(run: Run) -> float:
    """FLOPs with checkpoints / without, by formula.

    gpt, c of L blocks checkpointed: a block costs F = 24h^2 + 4sh a token forward and 2F
    backward; its replay costs F with dropout, and F - 8h^2 without, because early stop does
    not run the block's last product again. mlp: the first layer needs no input gradient,
    so plain is 3L - 1 products and c of them are replayed.
    """
    layers = run.get_int("layers")
    replayed = layers - run.get_int("plain_blocks")
    if run.get_text("model") == "mlp":
        return 1 + replayed / (3 * layers - 1)
    hidden, length = run.get_int("hidden"), run.get_int("length")
    forward = 24 * hidden**2 + 4 * length * hidden
    skipped = 0 if run.get_float("dropout") > 0 else 8 * hidden**2
    return 1 + replayed * (forward - skipped) / (3 * layers * forward)


def _decide_values(
    run: Run, plain: Arm, checkpointed: Arm, again: Arm, model: Chain
) -> list[ClaimResult]:
    floor = compute_largest_difference(plain.gradients, again.gradients)
    difference = compute_largest_difference(plain.gradients, checkpointed.gradients)
    return [
        decide("gradients-equal", difference, "equal", 0.0, unit="1", noise_floor=floor),
        decide_training(
            "weights-equal-after-20-steps",
            train(run, model, run_plain),
            train(run, model, make_runner(run)),
            train(run, model, run_plain),
        ),
    ]


def train(run: Run, model: Chain, runner: Runner) -> Training:
    """A copy of the model, trained for some AdamW steps from the same seed."""
    length = min(run.get_int("length"), TRAINING_ROWS)
    x = make_input(run, batch=max(1, TRAINING_ROWS // length), length=length)
    return train_copy(
        model,
        lambda trained: trained(x, runner).square().mean(),
        steps=run.get_int("steps"),
        seed=run.seed + 2,
    )


def _decide_bytes_and_flops(run: Run, plain: Arm, checkpointed: Arm) -> list[ClaimResult]:
    in_backward = checkpointed.trace.get_peak_of("backward")
    assert plain.flops.total is not None
    assert checkpointed.flops.total is not None
    return [
        decide(
            "peak-lower",
            checkpointed.trace.peak,
            "less",
            plain.trace.peak,
            unit="byte",
            facts={
                "total_plain": plain.memory.total_peak,
                "total_checkpointed": checkpointed.memory.total_peak,
            },
        ),
        decide(
            "peak-is-in-backward",
            in_backward,
            "greater",
            checkpointed.stored,
            unit="byte",
        ),
        decide(
            "flops-higher",
            checkpointed.flops.total / plain.flops.total,
            "equal",
            compute_flop_ratio(run),
            unit="1",
            tolerance=1e-6,
            facts={"dropout": run.get_float("dropout"), "early_stop": True},
        ),
        decide_types(plain.trace.made, checkpointed.trace.made),
    ]


def decide_types(plain: dict[str, int], checkpointed: dict[str, int]) -> ClaimResult:
    """`plain`, `checkpointed`: how many tensors operators made, by type."""
    strange = sum(number for dtype, number in checkpointed.items() if dtype not in plain)
    return decide(
        "dtypes-unchanged",
        strange,
        "equal",
        0,
        unit="count",
        facts={
            "types": ", ".join(sorted(checkpointed)),
            "made_plain": sum(plain.values()),
            "made_checkpointed": sum(checkpointed.values()),
        },
    )


def decide_batch(model: Chain, x: Tensor, runner: Runner) -> ClaimResult:
    """Every call of every block, replays included, sees the whole batch."""
    rows: list[int] = []
    hooks = [
        block.register_forward_pre_hook(lambda _, given: rows.append(given[0].shape[0]))
        for block in model.blocks
    ]
    try:
        make_step("checkpointed", model, x, runner).run()
    finally:
        for hook in hooks:
            hook.remove()
    other = [number for number in rows if number != x.shape[0]]
    return decide(
        "batch-unchanged",
        other[0] if other else rows[0],
        "equal",
        x.shape[0],
        unit="count",
        facts={"calls": len(rows), "layers": len(model.blocks)},
    )


def _decide_traffic(step: TrainingStep, arm: Arm, run: Run) -> list[ClaimResult]:
    def act() -> None:
        step.reset(run.seed)
        step.run()

    if run.device == "cuda":
        return [_leave_traffic("driver_writes_too")]
    return [decide_traffic(count_traffic(act), count_collectives(arm.trace))]


def _leave_traffic(reason: str) -> ClaimResult:
    return leave_undecided("no-bytes-leave", "equal", unit="byte", reason=reason)


def decide_traffic(traffic: Traffic, collectives: int) -> ClaimResult:
    if traffic.bytes_written is None:
        return _leave_traffic("kernel_keeps_no_count")
    facts: dict[str, Scalar] = {
        "bytes_written": traffic.bytes_written,
        "sockets_opened": traffic.sockets_opened,
        "collectives": collectives,
    }
    # A socket or a collective is a way out, even before a byte went through it.
    ways = traffic.bytes_written + traffic.sockets_opened + collectives
    return decide("no-bytes-leave", ways, "equal", 0, unit="byte", facts=facts)


def _leave_simulated() -> list[ClaimResult]:
    return [
        leave_undecided("gradients-equal", "equal", unit="1", reason="simulated"),
        leave_undecided("weights-equal-after-20-steps", "equal", unit="1", reason="simulated"),
        _leave_traffic("simulated"),
    ]


def collect_facts(
    run: Run, plain: Arm, checkpointed: Arm, timing: Timing, model: nn.Module
) -> dict[str, Scalar]:
    low, high = timing.ratio_ci95 or (None, None)
    return {
        "model": run.get_text("model"),
        "layers": run.get_int("layers"),
        "parameters": sum(one.numel() for one in model.parameters()),
        "stored_plain": plain.stored,
        "stored_checkpointed": checkpointed.stored,
        "peak_plain": plain.trace.peak,
        "peak_checkpointed": checkpointed.trace.peak,
        "total_plain": plain.memory.total_peak,
        "total_checkpointed": checkpointed.memory.total_peak,
        "peak_ratio": checkpointed.trace.peak / plain.trace.peak,
        "peak_saved": 1 - checkpointed.trace.peak / plain.trace.peak,
        "flops_plain": plain.flops.total,
        "flops_checkpointed": checkpointed.flops.total,
        "flop_ratio": (checkpointed.flops.total or 0) / (plain.flops.total or 1),
        "time_ratio": timing.ratio,
        "time_low": low,
        "time_high": high,
    }
