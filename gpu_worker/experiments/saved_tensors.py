"""Why activations are stored: backward reads them, nothing else does.

Chain of layers Linear + GELU (or ReLU). Saved tensors are seen through the public hooks of
autograd, their bytes through the tracer as well.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from gpu_worker.contracts import ClaimResult, Measurement, Scalar, Table
from gpu_worker.measure.claims import decide
from gpu_worker.measure.compare import compute_largest_difference, copy_weights
from gpu_worker.measure.memory import StorageTracer
from gpu_worker.measure.passes import UNTIMED_PASSES, Arm, measure_arm
from gpu_worker.measure.report import build_measurement
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.measure.step import TrainingStep, count_bytes
from gpu_worker.models import Chain, make_mlp, make_relu_chain, run_every, run_plain

MAX_LISTED = 60
# Rows of the listing that a page may show.

LOSS_BYTES = 4
# The loss is alive at the end of forward beside what is stored for backward.


@dataclass
class Ledger:
    """What autograd stored, and when it took it back.

    `owners` maps a storage to what it was before the step ("parameter", "input").
    """

    owners: Mapping[int, str]
    saved: list[tuple[str, Tensor]] = field(default_factory=list)
    reads: list[tuple[str, str]] = field(default_factory=list)
    phase: str = "forward"
    module: str = ""

    def pack(self, tensor: Tensor) -> tuple[str, Tensor]:
        entry = (self.module, tensor)
        self.saved.append(entry)
        return entry

    def unpack(self, entry: tuple[str, Tensor]) -> Tensor:
        module, tensor = entry
        if self.find_owner(tensor) == "activation":
            self.reads.append((self.phase, module))
        return tensor

    def find_owner(self, tensor: Tensor) -> str:
        return self.owners.get(tensor.untyped_storage()._cdata, "activation")

    def count_reads(self, phase: str) -> int:
        return sum(when == phase for when, _ in self.reads)

    def list_activations(self) -> list[Tensor]:
        return [one for _, one in self.saved if self.find_owner(one) == "activation"]


def measure(run: Run) -> Measurement:
    with open_tensors(run):
        return _measure(run)


def _measure(run: Run) -> Measurement:
    model, x = make_model(run), make_input(run)
    parameters = count_bytes(model.parameters())
    arms = {
        name: measure_arm(make_step(name, model, x, runner), run)
        for name, runner in (
            ("plain", run_plain),
            ("checkpointed", run_every),
            ("plain-again", run_plain),
        )
    }
    plain = arms["plain"]
    ledger = keep_ledger(model, x)
    stored_in_inference, is_equal = find_inference_bytes(model, x)
    acts = try_acts(run)
    claims = [
        decide_reads(ledger),
        decide_stored(run, plain),
        *decide_inference(model, x, stored_in_inference, is_equal=is_equal),
        decide_parameters(model, plain, before=parameters),
        decide("nothing-left-after-step", plain.trace.left, "equal", 0, unit="byte"),
        decide_acts(acts),
        decide_no_backward(run),
    ]
    return build_measurement(
        run,
        claims=claims,
        memory=[arm.memory for arm in arms.values()],
        flops=[arm.flop_arm for arm in arms.values()],
        facts=_collect_facts(run, arms, ledger, x),
        gradients=plain.gradients,
        traces={name: arms[name].trace for name in ("plain", "checkpointed")},
        tables=[_tabulate_saved(ledger), _tabulate_acts(acts)],
        passes=(*UNTIMED_PASSES, "saved-tensors-hooks"),
    )


# --- Networks ------------------------------------------------------------------------


def make_model(run: Run) -> Chain:
    torch.manual_seed(run.seed)
    make = make_relu_chain if run.get_text("activation") == "relu" else make_mlp
    return make(run.get_int("layers"), run.get_int("width"))


def make_input(run: Run) -> Tensor:
    torch.manual_seed(run.seed + 1)
    return torch.randn(run.get_int("rows"), run.get_int("width"))


def make_step(
    name: str, model: Chain, x: Tensor, runner: Callable[[Sequence[nn.Module], Tensor], Tensor]
) -> TrainingStep:
    return TrainingStep(name, model, lambda: model(x, runner).sum(), (x,))


# --- Observations --------------------------------------------------------------------


def keep_ledger(model: Chain, x: Tensor) -> Ledger:
    """One plain step: the output is shown first, then backward runs."""
    owners = {one.untyped_storage()._cdata: "parameter" for one in model.parameters()}
    owners[x.untyped_storage()._cdata] = "input"
    ledger = Ledger(owners)
    hooks = [
        module.register_forward_pre_hook(lambda _, __, name=name: setattr(ledger, "module", name))
        for name, module in model.named_modules()
        if not list(module.children())
    ]
    try:
        with torch.autograd.graph.saved_tensors_hooks(ledger.pack, ledger.unpack):
            y = model(x, run_plain)
            loss = y.sum()
    finally:
        for hook in hooks:
            hook.remove()
    ledger.phase = "shown"
    loss.item()
    ledger.phase = "backward"
    loss.backward()
    return ledger


def find_inference_bytes(model: Chain, x: Tensor) -> tuple[int, bool]:
    """Bytes kept by a forward in inference mode beside its output; is the output the same?"""
    expected = model(x, run_plain)
    tracer = StorageTracer()
    tracer.start({"parameter": list(model.parameters()), "input": [x, expected]})
    tracer.mark("forward")
    with torch.inference_mode():
        y = model(x, run_plain)
    trace = tracer.stop({})
    return trace.left - count_bytes([y]), torch.equal(y, expected)


def find_message(act: Callable[[], object]) -> str | None:
    """The first line of the RuntimeError that `act` raises, None if it raises none."""
    try:
        act()
    except RuntimeError as error:
        return str(error).splitlines()[0][:200]
    return None


@dataclass(frozen=True)
class Act:
    """What was done to a stored tensor, and what backward made of it."""

    name: str
    message: str | None
    gradient_error: float | None

    @property
    def outcome(self) -> str:
        if self.message is not None:
            return "raises"
        return "wrong" if self.gradient_error else "unharmed"


def try_acts(run: Run) -> list[Act]:
    """Each act on the stored result of a ReLU, on a net of its own; the first does nothing."""
    acts: dict[str, Callable[[Tensor, Tensor], object]] = {
        "nothing": lambda h, loss: None,
        "changed-in-place": lambda h, loss: h.add_(1),
        "used-twice": lambda h, loss: loss.backward(),
        "freed": lambda h, loss: h.untyped_storage().resize_(0),
        "overwritten-behind-autograd": lambda h, loss: h.data.zero_(),
    }
    return [_try_act(run, name, act) for name, act in acts.items()]


def _try_act(run: Run, name: str, act: Callable[[Tensor, Tensor], object]) -> Act:
    torch.manual_seed(run.seed)
    first, second = nn.Linear(16, 16), nn.Linear(16, 1)
    x = torch.randn(8, 16)
    second(first(x).relu()).sum().backward()
    right = {"weight": _copy_gradient(second.weight)}
    first.zero_grad()
    second.zero_grad()
    h = first(x).relu()
    loss = second(h).sum()
    with torch.no_grad():
        act(h, loss)
    if name == "used-twice":
        return Act(name, find_message(loss.backward), None)
    message = find_message(loss.backward)
    if message is not None:
        return Act(name, message, None)
    error = compute_largest_difference(right, {"weight": _copy_gradient(second.weight)})
    return Act(name, None, error)


def _copy_gradient(parameter: Tensor) -> Tensor:
    assert parameter.grad is not None
    return parameter.grad.clone()


# --- Claims --------------------------------------------------------------------------


def decide_reads(ledger: Ledger) -> ClaimResult:
    early = ledger.count_reads("forward") + ledger.count_reads("shown")
    late = ledger.count_reads("backward")
    found = decide(
        "read-only-by-backward",
        early,
        "equal",
        0,
        unit="count",
        facts={"reads_in_backward": late, "activations": len(ledger.list_activations())},
    )
    # A ledger that saw no read at all has seen nothing: it decides nothing.
    assert late > 0
    return found


def decide_stored(run: Run, plain: Arm) -> ClaimResult:
    return decide(
        "stored-bytes",
        plain.stored - LOSS_BYTES,
        "equal",
        compute_stored(run),
        unit="byte",
        facts={"layers": run.get_int("layers"), "activation": run.get_text("activation")},
    )


def compute_stored(run: Run) -> int:
    """Bytes stored beside input and parameters: NA with ReLU, (2N - 1)A with GELU.

    ReLU keeps its result, which is the next layer's input: one storage for both. GELU keeps
    its input and the next layer keeps its output; the last output is kept by nobody.
    """
    activation = 4 * run.get_int("rows") * run.get_int("width")
    layers = run.get_int("layers")
    return (layers if run.get_text("activation") == "relu" else 2 * layers - 1) * activation


def decide_inference(model: Chain, x: Tensor, stored: int, *, is_equal: bool) -> list[ClaimResult]:
    for one in model.parameters():
        one.grad = None
    with torch.inference_mode():
        loss = model(x, run_plain).sum()
    message = find_message(loss.backward)
    with_gradient = sum(one.grad is not None for one in model.parameters())
    return [
        decide(
            "output-without-storage",
            stored if is_equal else float(count_bytes([x])),
            "equal",
            0,
            unit="byte",
            facts={"output_equal": is_equal},
        ),
        decide(
            "inference-has-no-gradient",
            with_gradient if message else len(list(model.parameters())),
            "equal",
            0,
            unit="count",
            facts={"raised": message is not None, "message": message},
        ),
    ]


def decide_parameters(model: Chain, plain: Arm, *, before: int) -> ClaimResult:
    """After every step, what the parameters took before the first: activations came beside."""
    return decide(
        "parameters-unchanged",
        count_bytes(model.parameters()) / before,
        "equal",
        1,
        unit="1",
        facts={"parameters": before, "stored": plain.stored},
    )


def decide_acts(acts: Sequence[Act]) -> ClaimResult:
    """The control, where nothing was done, must come out unharmed."""
    control, *others = acts
    raised = sum(one.outcome == "raises" for one in others)
    wrong = sum(one.outcome == "wrong" for one in others)
    assert control.outcome == "unharmed"
    return decide(
        "freeing-breaks-backward",
        raised + wrong,
        "equal",
        len(others),
        unit="count",
        facts={"raised": raised, "silently_wrong": wrong},
    )


def decide_no_backward(run: Run) -> ClaimResult:
    model, x = make_model(run), make_input(run)
    before = copy_weights(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(x, run_plain).sum()
    optimizer.step()
    change = compute_largest_difference(before, copy_weights(model))
    missing = sum(one.grad is None for one in model.parameters())
    return decide(
        "no-backward-no-update",
        change,
        "equal",
        0.0,
        unit="1",
        facts={"without_gradient": missing, "parameters": len(before)},
    )


# --- What is shown -------------------------------------------------------------------


def _collect_facts(
    run: Run, arms: Mapping[str, Arm], ledger: Ledger, x: Tensor
) -> dict[str, Scalar]:
    plain, checkpointed = arms["plain"], arms["checkpointed"]
    return {
        "layers": run.get_int("layers"),
        "activation": run.get_text("activation"),
        "stored_plain": plain.stored,
        "stored_checkpointed": checkpointed.stored,
        "peak_plain": plain.trace.peak,
        "peak_checkpointed": checkpointed.trace.peak,
        "stored_expected": compute_stored(run) + LOSS_BYTES,
        "listed_bytes": count_bytes(ledger.list_activations()),
        "reads_before_backward": len(ledger.reads) - ledger.count_reads("backward"),
        "reads_in_backward": ledger.count_reads("backward"),
        "parameter_bytes": plain.memory.parameters,
        "input_bytes": count_bytes([x]),
    }


def _tabulate_saved(ledger: Ledger) -> Table:
    """Every saved tensor: by which module, what it is, and which storage it shares."""
    numbers: dict[int, int] = {}
    rows: list[tuple[Scalar, ...]] = []
    for module, one in ledger.saved[:MAX_LISTED]:
        storage = numbers.setdefault(one.untyped_storage()._cdata, len(numbers))
        size = one.untyped_storage().nbytes()
        shape = "x".join(map(str, one.shape))
        dtype = str(one.dtype).removeprefix("torch.")
        rows.append((module, ledger.find_owner(one), shape, dtype, size, storage))
    return Table("saved", ("module", "what", "shape", "type", "bytes", "storage"), tuple(rows))


def _tabulate_acts(acts: Sequence[Act]) -> Table:
    rows = tuple((one.name, one.outcome, one.gradient_error, one.message) for one in acts)
    return Table("acts", ("act", "outcome", "gradient_error", "message"), rows)
