"""Replay must throw the same dice: dropout with the generator restored, and not.

Blocks Linear + GELU + Dropout, each checkpointed. The loss is the same either way, because
the forward pass is not touched; with another mask in the replay only gradients are wrong,
and nothing says so.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from gpu_worker.contracts import ClaimResult, Measurement, Point, Table
from gpu_worker.measure.claims import decide, decide_sweep
from gpu_worker.measure.compare import (
    compute_largest_difference,
    compute_relative_error,
    copy_weights,
    count_changed,
)
from gpu_worker.measure.passes import UNTIMED_PASSES, Arm, measure_arm
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import Chain, Runner, make_mlp, run_every, run_plain


@dataclass(frozen=True)
class Outcome:
    """One step of one arm: its loss, its gradients, and where the generator stood after."""

    loss: float
    gradients: dict[str, Tensor]
    generator: Tensor


def measure(run: Run) -> Measurement:
    with open_tensors(run):
        return _measure(run)


def _measure(run: Run) -> Measurement:
    model = make_model(run)
    batch = run.get_ints("batches")[-1]
    x = make_input(run, batch)
    steps = {
        "plain": make_step("plain", model, x, run_plain),
        "checkpointed": make_step("checkpointed", model, x, make_runner(restores=True)),
        "not-restored": make_step("not-restored", model, x, make_runner(restores=False)),
        "plain-again": make_step("plain-again", model, x, run_plain),
    }
    arms = {name: measure_arm(step, run) for name, step in steps.items()}
    rows = [
        compare_arm(run, model, x, is_reentrant=reentrant, restores=restores)
        for reentrant in (False, True)
        for restores in (True, False)
    ]
    claims = [
        _decide_restored(arms),
        decide_wrong_mask(run, model, x),
        decide_batches(run, model),
        decide_untouched(run, model, x),
        decide_no_step(run),
    ]
    wrong = claims[1].facts
    facts = {
        "layers": run.get_int("layers"),
        "dropout": run.get_float("dropout"),
        "batch": batch,
        "restored_difference": claims[0].observed,
        "wrong_difference": wrong["largest_difference"],
        "wrong_relative_error": claims[1].observed,
        "losses_equal": wrong["losses_equal"],
        "noise_floor": claims[0].noise_floor,
        "peak_plain": arms["plain"].trace.peak,
        "peak_checkpointed": arms["checkpointed"].trace.peak,
        "generator_bytes": count_generator_bytes(x),
    }
    columns = ("reentrant", "restored", "loss_difference", "largest_difference", "relative_error")
    return build_measurement(
        run,
        claims=claims,
        memory=[arm.memory for arm in arms.values()],
        flops=[arm.flop_arm for arm in arms.values()],
        facts=facts,
        gradients=arms["checkpointed"].gradients,
        traces={name: arms[name].trace for name in ("plain", "checkpointed")},
        tables=[Table("arms", (*columns, "generator_equal"), tuple(rows))],
        passes=UNTIMED_PASSES,
    )


# --- Networks ------------------------------------------------------------------------


def make_model(run: Run) -> Chain:
    torch.manual_seed(run.seed)
    return make_mlp(run.get_int("layers"), run.get_int("width"), dropout=run.get_float("dropout"))


def make_input(run: Run, batch: int) -> Tensor:
    torch.manual_seed(run.seed + 1)
    x = torch.randn(batch, run.get_int("width"))
    # Reentrant checkpoints lose all gradients when no input asks for one.
    return x.requires_grad_()


def make_runner(*, restores: bool, is_reentrant: bool = False) -> Runner:
    return lambda blocks, x: run_every(
        blocks, x, restores_generator=restores, is_reentrant=is_reentrant
    )


def make_step(name: str, model: Chain, x: Tensor, runner: Runner) -> TrainingStep:
    return TrainingStep(name, model, lambda: model(x, runner).square().mean(), (x,))


def run_arm(run: Run, model: Chain, x: Tensor, runner: Runner) -> Outcome:
    """One seeded step with no instrument, and the loss it saw."""
    step = make_step("", model, x, runner)
    step.reset(run.seed)
    loss = step.forward()
    loss.backward()
    gradients = {
        name: one.grad.detach().clone()
        for name, one in model.named_parameters()
        if one.grad is not None
    }
    return Outcome(loss.item(), gradients, _read_generator(x))


def count_generator_bytes(x: Tensor) -> int:
    """What a checkpoint keeps: the state of the processor's generator, and of the card's."""
    states = [torch.get_rng_state(), *([torch.cuda.get_rng_state()] if x.is_cuda else [])]
    return sum(one.numel() for one in states)


def _read_generator(x: Tensor) -> Tensor:
    return torch.cuda.get_rng_state() if x.is_cuda else torch.get_rng_state()


# --- Claims --------------------------------------------------------------------------


def compare_arm(
    run: Run, model: Chain, x: Tensor, *, is_reentrant: bool, restores: bool
) -> tuple[bool, bool, float, float, float, bool]:
    """One row of the table: an arm against plain."""
    plain = run_arm(run, model, x, run_plain)
    other = run_arm(run, model, x, make_runner(restores=restores, is_reentrant=is_reentrant))
    return (
        is_reentrant,
        restores,
        abs(plain.loss - other.loss),
        compute_largest_difference(plain.gradients, other.gradients),
        compute_relative_error(plain.gradients, other.gradients),
        torch.equal(plain.generator, other.generator),
    )


def _decide_restored(arms: dict[str, Arm]) -> ClaimResult:
    plain = arms["plain"].gradients
    return decide(
        "restored-equal",
        compute_largest_difference(plain, arms["checkpointed"].gradients),
        "equal",
        0.0,
        unit="1",
        noise_floor=compute_largest_difference(plain, arms["plain-again"].gradients),
    )


def decide_wrong_mask(run: Run, model: Chain, x: Tensor) -> ClaimResult:
    """Gradients are wrong without the generator; loss and shapes give no sign of it."""
    plain = run_arm(run, model, x, run_plain)
    again = run_arm(run, model, x, run_plain)
    wrong = run_arm(run, model, x, make_runner(restores=False))
    return decide(
        "wrong-mask-wrong-gradient",
        compute_relative_error(plain.gradients, wrong.gradients),
        "greater",
        0.0,
        unit="1",
        noise_floor=compute_relative_error(plain.gradients, again.gradients),
        facts={
            "largest_difference": compute_largest_difference(plain.gradients, wrong.gradients),
            "loss_difference": abs(plain.loss - wrong.loss),
            "losses_equal": plain.loss == wrong.loss,
        },
    )


def decide_batches(run: Run, model: Chain) -> ClaimResult:
    points, wrong, floor = [], {}, 0.0
    for batch in run.get_ints("batches"):
        x = make_input(run, batch)
        plain, again = (run_arm(run, model, x, run_plain) for _ in range(2))
        floor = max(floor, compute_largest_difference(plain.gradients, again.gradients))
        right = run_arm(run, model, x, make_runner(restores=True))
        other = run_arm(run, model, x, make_runner(restores=False))
        difference = compute_largest_difference(plain.gradients, right.gradients)
        points.append(Point(batch, difference, 0.0))
        wrong[f"not_restored_{batch}"] = compute_largest_difference(
            plain.gradients, other.gradients
        )
    return decide_sweep("any-batch-equal", points, unit="1", noise_floor=floor, facts=dict(wrong))


def decide_untouched(run: Run, model: Chain, x: Tensor) -> ClaimResult:
    before = copy_weights(model)
    run_arm(run, model, x, make_runner(restores=True))
    after = copy_weights(model)
    types = sorted({str(one.dtype).removeprefix("torch.") for one in after.values()})
    return decide(
        "weights-untouched",
        count_changed(before, after),
        "equal",
        0,
        unit="count",
        facts={"weights": len(before), "types": ", ".join(types)},
    )


def decide_no_step(run: Run) -> ClaimResult:
    """AdamW without any gradient moves nothing; with gradients it does."""
    model = make_model(run)
    before = copy_weights(model)
    optimizer = torch.optim.AdamW(model.parameters())
    optimizer.step()
    still = compute_largest_difference(before, copy_weights(model))
    x = make_input(run, run.get_ints("batches")[-1])
    run_arm(run, model, x, run_plain)
    optimizer.step()
    moved = compute_largest_difference(before, copy_weights(model))
    facts = {"moved_with_gradients": moved}
    return decide("no-gradient-no-step", still, "equal", 0.0, unit="1", facts=dict(facts))
