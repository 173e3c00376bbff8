"""When the forward pass runs again: inside backward, segment by segment, from the last.

Chain of N layers Linear + GELU in S equal segments, the last not checkpointed. Calls are
counted with forward pre-hooks: early stop leaves a block by an exception as soon as its
last needed tensor is rebuilt, so its post hooks may see one call where two began.
"""

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from gpu_worker.contracts import ClaimResult, Measurement, Scalar, Table
from gpu_worker.measure.claims import decide
from gpu_worker.measure.compare import compute_largest_difference, copy_weights, count_changed
from gpu_worker.measure.passes import UNTIMED_PASSES, Arm, measure_arm
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import Chain, Runner, make_mlp, run_every, run_plain, run_segments

MAX_LISTED = 80
# Entries of the written-out order of calls that a page may show.


@dataclass
class Calls:
    """Beginnings (pre-hooks) and ends (post hooks) of layer calls, by phase."""

    began: Counter[tuple[str, int]] = field(default_factory=Counter)
    ended: Counter[tuple[str, int]] = field(default_factory=Counter)
    order: list[str] = field(default_factory=list)
    phase: str = "forward"

    def count(self, phase: str) -> int:
        return sum(number for (when, _), number in self.began.items() if when == phase)

    def begin(self, layer: int) -> None:
        self.began[self.phase, layer] += 1
        self.order.append(f"{self.phase[0]}{layer}")

    def end(self, layer: int) -> None:
        self.ended[self.phase, layer] += 1


def measure(run: Run) -> Measurement:
    with open_tensors(run):
        return _measure(run)


def _measure(run: Run) -> Measurement:
    model, x = make_model(run), make_input(run)
    runner = make_runner(run)
    arms = {
        name: measure_arm(make_step(name, model, x, one), run)
        for name, one in (
            ("plain", run_plain),
            ("checkpointed", runner),
            ("plain-again", run_plain),
        )
    }
    before = copy_weights(model)
    plain_calls, calls = count_calls(model, x, run_plain), count_calls(model, x, runner)
    after = copy_weights(model)
    missing, warned = find_reentrant_loss(model, x)
    claims = [
        decide_calls(run, plain_calls, calls),
        decide_gradients(model, arms),
        decide_weights(before, after),
        decide_training_only(model, x, calls),
    ]
    facts: dict[str, Scalar] = {
        "layers": run.get_int("layers"),
        "segments": run.get_int("segments"),
        "calls_plain": plain_calls.count("forward") + plain_calls.count("backward"),
        "calls_in_forward": calls.count("forward"),
        "calls_in_backward": calls.count("backward"),
        "calls": calls.count("forward") + calls.count("backward"),
        "flops_in_forward_plain": arms["plain"].flops.forward,
        "flops_in_forward": arms["checkpointed"].flops.forward,
        "peak_plain": arms["plain"].trace.peak,
        "peak_checkpointed": arms["checkpointed"].trace.peak,
        "reentrant_missing_gradients": missing,
        "reentrant_warned": warned,
    }
    return build_measurement(
        run,
        claims=claims,
        memory=[arm.memory for arm in arms.values()],
        flops=[arm.flop_arm for arm in arms.values()],
        facts=facts,
        gradients=arms["checkpointed"].gradients,
        traces={name: arms[name].trace for name in ("plain", "checkpointed")},
        tables=[_tabulate_calls(run, calls), _tabulate_order(plain_calls, calls)],
        passes=(*UNTIMED_PASSES, "hooks"),
    )


# --- Networks ------------------------------------------------------------------------


def make_model(run: Run) -> Chain:
    torch.manual_seed(run.seed)
    return make_mlp(run.get_int("layers"), run.get_int("width"))


def make_input(run: Run) -> Tensor:
    torch.manual_seed(run.seed + 1)
    return torch.randn(run.get_int("rows"), run.get_int("width"))


def make_runner(run: Run) -> Runner:
    segments = run.get_int("segments")
    return lambda blocks, x: run_segments(blocks, x, segments=segments)


def make_step(name: str, model: Chain, x: Tensor, runner: Runner) -> TrainingStep:
    return TrainingStep(name, model, lambda: model(x, runner).square().mean(), (x,))


def count_calls(model: Chain, x: Tensor, runner: Runner) -> Calls:
    """One training step with hooks on every layer, and on the gradient that leaves it."""
    calls = Calls()
    hooks = []
    for i, block in enumerate(model.blocks):
        hooks.append(block.register_forward_pre_hook(lambda *_, i=i: calls.begin(i)))
        hooks.append(block.register_forward_hook(lambda *_, i=i: calls.end(i)))
    for i, block in enumerate(model.blocks):
        weight = next(block.parameters())
        hooks.append(
            weight.register_post_accumulate_grad_hook(lambda _, i=i: calls.order.append(f"grad{i}"))
        )
    try:
        make_step("", model, x, runner).run(lambda phase: setattr(calls, "phase", phase))
    finally:
        for hook in hooks:
            hook.remove()
    return calls


def find_reentrant_loss(model: Chain, x: Tensor) -> tuple[int, bool]:
    """Parameters left without a gradient by reentrant checkpoints on an input that asks for
    none, and whether a warning was all that said so."""
    for one in model.parameters():
        one.grad = None

    def run_reentrant(blocks: Sequence[nn.Module], given: Tensor) -> Tensor:
        kept = run_every(blocks[:-1], given, is_reentrant=True)
        return run_plain(blocks[-1:], kept)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        make_step("", model, x.detach(), run_reentrant).run()
    missing = sum(one.grad is None for one in model.parameters())
    return missing, any("requires_grad" in str(one.message) for one in caught)


# --- Claims --------------------------------------------------------------------------


def decide_calls(run: Run, plain: Calls, calls: Calls) -> ClaimResult:
    """2N - N/S calls: N in forward, and again all but those of the last segment."""
    layers, segments = run.get_int("layers"), run.get_int("segments")
    return decide(
        "forward-runs-again",
        calls.count("forward") + calls.count("backward"),
        "equal",
        2 * layers - layers // segments,
        unit="count",
        facts={
            "plain": plain.count("forward") + plain.count("backward"),
            "in_forward": calls.count("forward"),
            "in_backward": calls.count("backward"),
        },
    )


def decide_gradients(model: Chain, arms: dict[str, Arm]) -> ClaimResult:
    """Parameters without a gradient, or with another than plain's beyond the noise floor."""
    plain, checkpointed = arms["plain"].gradients, arms["checkpointed"].gradients
    floor = compute_largest_difference(plain, arms["plain-again"].gradients)
    wrong = sum(
        name not in checkpointed
        or compute_largest_difference({name: plain[name]}, {name: checkpointed[name]}) > floor
        for name, _ in model.named_parameters()
    )
    return decide(
        "every-parameter-has-a-gradient",
        wrong,
        "equal",
        0,
        unit="count",
        facts={"parameters": len(plain), "gradient_floor": floor},
    )


def decide_weights(before: dict[str, Tensor], after: dict[str, Tensor]) -> ClaimResult:
    return decide(
        "weights-intact",
        count_changed(before, after),
        "equal",
        0,
        unit="count",
        facts={"weights": len(before)},
    )


def decide_training_only(model: Chain, x: Tensor, training: Calls) -> ClaimResult:
    """Under no_grad every block is checkpointed and none is replayed."""
    calls = Calls()
    hooks = [
        block.register_forward_pre_hook(lambda *_, i=i: calls.begin(i))
        for i, block in enumerate(model.blocks)
    ]
    try:
        with torch.no_grad():
            model(x, run_every)
    finally:
        for hook in hooks:
            hook.remove()
    layers = len(model.blocks)
    return decide(
        "replay-needs-training",
        calls.count("forward") - layers,
        "equal",
        0,
        unit="count",
        facts={"calls": calls.count("forward"), "training_replays": training.count("backward")},
    )


# --- What is shown -------------------------------------------------------------------


def _tabulate_calls(run: Run, calls: Calls) -> Table:
    rows = tuple(
        (
            i,
            calls.began["forward", i],
            calls.began["backward", i],
            calls.ended["forward", i] + calls.ended["backward", i],
        )
        for i in range(run.get_int("layers"))
    )
    return Table("calls", ("layer", "in_forward", "in_backward", "post_hooks"), rows)


def _tabulate_order(plain: Calls, calls: Calls) -> Table:
    """f3: layer 3 begins in forward; b3: it begins again in backward; grad3: it is done."""
    rows = tuple(
        (name, " ".join(one.order[:MAX_LISTED]))
        for name, one in (("plain", plain), ("checkpointed", calls))
    )
    return Table("order", ("arm", "order"), rows)
