"""The experiments that a worker can run: parameters with ranges, limits, and claim ids.

Plain Python, read by both sides of the queue: the web side refuses a bad parameter before
it is sent, the worker refuses it again before it is run.
"""

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

Value = bool | int | float | str | list[int]
Values = dict[str, Value]

DEFAULT_SEED = 20261130
# The day on which the reference values were measured; any fixed number would do.

MAX_LIST_LENGTH = 24
# A sweep of more places than this makes a report that nobody reads.


MAX_CPU_WORK = 2_000_000_000
# Multiplications of one forward pass; twice over the default, a step takes about a second.


MAX_CPU_PARAMETERS = 8_000_000
# Parameters of all chains of a sweep together: 128 MB with gradients and moments.


@dataclass(frozen=True)
class Parameter:
    """One parameter of an experiment.

    `minimum` and `maximum` bind a run on a CPU; `large_maximum`, where given, replaces
    `maximum` on CUDA and in a simulation. `large` is the value of the larger configuration
    for a GPU. For kind "ints" the bounds bind each entry. `unit` is "count", "1", "byte"...
    """

    name: str
    kind: str  # int | float | choice | bool | ints
    default: Value
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    unit: str = "count"
    large: Value | None = None
    large_maximum: float | None = None


@dataclass(frozen=True)
class Experiment:
    """One experiment. `cpu_s` is its usual CPU time at the defaults, without imports.

    `check(values, is_large)` refuses combinations that no single range can (ValueError
    naming a parameter). `cuda_claims` mean nothing on a CPU and are left out of its reports.
    """

    name: str
    version: int
    parameters: tuple[Parameter, ...]
    claims: tuple[str, ...]
    wall_limit_s: float = 120.0
    memory_mib: int = 2048
    cpu_s: float = 3.0
    devices: tuple[str, ...] = ("cpu", "cuda")
    slow: bool = False
    simulates: bool = False
    check: Callable[[Values, bool], None] | None = None
    cuda_claims: tuple[str, ...] = ()

    def get_parameter(self, name: str) -> Parameter:
        for one in self.parameters:
            if one.name == name:
                return one
        raise ValueError(f"{name}: {self.name} has no such parameter")


def get_experiment(name: str) -> Experiment:
    """Raises ValueError for an unknown name."""
    if name not in EXPERIMENTS:
        raise ValueError(f"experiment: {name!r} is unknown")
    return EXPERIMENTS[name]


def list_large_parameters(experiment: Experiment) -> Values:
    """The larger configuration: what departs from the defaults."""
    return {one.name: one.large for one in experiment.parameters if one.large is not None}


def resolve_parameters(
    experiment: Experiment,
    given: Mapping[str, object],
    *,
    device: str = "cpu",
    simulate: bool = False,
) -> Values:
    """All parameters, defaults filled in. Raises ValueError naming the bad parameter."""
    for name in given:
        experiment.get_parameter(name)
    is_large = simulate or device == "cuda"
    values = {
        one.name: _check_value(one, given[one.name], is_large=is_large)
        if one.name in given
        else one.default
        for one in experiment.parameters
    }
    if experiment.check is not None:
        experiment.check(values, is_large)
    return values


def digest_run(
    experiment: str,
    version: int,
    parameters: Mapping[str, object],
    seed: int,
    device: str,
    simulate: bool,
) -> str:
    """Content address of a run: sha256 of its canonical JSON, in hex."""
    plain = {
        "experiment": experiment,
        "version": version,
        "parameters": dict(parameters),
        "seed": seed,
        "device": device,
        "simulate": simulate,
    }
    body = json.dumps(plain, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(body.encode()).hexdigest()


def _check_value(parameter: Parameter, value: object, *, is_large: bool) -> Value:
    """The value in its own type: 4.0 becomes 4, 0 becomes 0.0, so that digests agree."""
    name = parameter.name
    if parameter.kind == "choice":
        if value not in parameter.choices:
            raise ValueError(f"{name}: must be one of {', '.join(parameter.choices)}")
        return str(value)
    if parameter.kind == "bool":
        if not isinstance(value, bool):
            raise ValueError(f"{name}: must be true or false")
        return value
    if parameter.kind == "ints":
        if not isinstance(value, list | tuple) or len(value) > MAX_LIST_LENGTH:
            raise ValueError(f"{name}: must be a list of at most {MAX_LIST_LENGTH} integers")
        return [int(_check_number(parameter, one, is_large=is_large)) for one in value]
    number = _check_number(parameter, value, is_large=is_large)
    return int(number) if parameter.kind == "int" else float(number)


def _check_number(parameter: Parameter, value: object, *, is_large: bool) -> float:
    name = parameter.name
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name}: must be a number")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name}: must be finite")
    if parameter.kind != "float" and value != int(value):
        raise ValueError(f"{name}: must be an integer")
    maximum = parameter.maximum
    if is_large and parameter.large_maximum is not None:
        maximum = parameter.large_maximum
    if parameter.minimum is not None and value < parameter.minimum:
        raise ValueError(f"{name}: must be at least {parameter.minimum:g}")
    if maximum is not None and value > maximum:
        raise ValueError(f"{name}: must be at most {maximum:g}")
    return value


# --- Rules over several parameters ---------------------------------------------------


def _number(values: Values, name: str) -> int:
    value = values[name]
    assert isinstance(value, int)
    return value


def _numbers(values: Values, name: str) -> list[int]:
    value = values[name]
    assert isinstance(value, list)
    return value


def _check_heads(values: Values, is_large: bool) -> None:
    if _number(values, "hidden") % _number(values, "heads"):
        raise ValueError("heads: must divide hidden")


def _check_tradeoff(values: Values, is_large: bool) -> None:
    _check_blocks(values, is_large)
    if _number(values, "plain_blocks") >= _number(values, "layers"):
        raise ValueError("plain_blocks: must be less than layers")


def _check_sqrt_n(values: Values, is_large: bool) -> None:
    depths = _numbers(values, "depths")
    if len(set(depths)) < 2:
        raise ValueError("depths: needs at least two different depths")
    for depth in depths:
        if math.isqrt(depth) ** 2 != depth:
            raise ValueError(f"depths: {depth} is not a square number")
    if sum(depths) > 2000:
        raise ValueError("depths: must sum to at most 2000 layers")
    layers = _number(values, "layers")
    for segments in _numbers(values, "segments"):
        if layers % segments:
            raise ValueError(f"segments: {segments} does not divide layers ({layers})")


def _check_blocks(values: Values, is_large: bool) -> None:
    """GPT blocks that a CPU runs in its time."""
    _check_heads(values, is_large)
    _check_work(values, MAX_CPU_WORK, is_large)


def _check_work(values: Values, limit: int, is_large: bool) -> None:
    tokens = _number(values, "batch") * _number(values, "length")
    hidden, length = _number(values, "hidden"), _number(values, "length")
    work = _number(values, "layers") * tokens * hidden * (12 * hidden + 2 * length)
    if not is_large and work > limit:
        raise ValueError("layers: with this batch, length and hidden it is too much for a CPU")


def _check_batches(values: Values, is_large: bool) -> None:
    if not _numbers(values, "batches"):
        raise ValueError("batches: needs at least one batch size")


def _check_selective(values: Values, is_large: bool) -> None:
    """As for any blocks, with a fifth of the work: bfloat16 is slow on a CPU."""
    _check_heads(values, is_large)
    _check_work(values, MAX_CPU_WORK // 5, is_large)


def _check_replay(values: Values, is_large: bool) -> None:
    if _number(values, "layers") % _number(values, "segments"):
        raise ValueError("segments: must divide layers")


def _check_optimizer_state(values: Values, is_large: bool) -> None:
    _check_blocks(values, is_large)
    depths = _numbers(values, "depths")
    if len(set(depths)) < 2:
        raise ValueError("depths: needs at least two different depths")
    if not is_large and sum(depths) * _number(values, "width") ** 2 > MAX_CPU_PARAMETERS:
        raise ValueError("width: with these depths it is too much for a CPU")


def _check_overhead(values: Values, _: bool) -> None:
    if _number(values, "hidden") % 4:
        raise ValueError("hidden: must be a multiple of the 4 heads")


def _check_placement(values: Values, _: bool) -> None:
    depths = _numbers(values, "depths")
    if not depths or not _numbers(values, "exhaustive"):
        raise ValueError("depths, exhaustive: each needs at least one number of layers")
    for depth in depths:
        if depth & (depth - 1):
            raise ValueError(f"depths: {depth} is not a power of two")
    if _number(values, "width") % 8:
        raise ValueError("width: must be a multiple of 8")


def _check_combine(values: Values, is_large: bool) -> None:
    """As for any blocks in bfloat16; every tensor must divide over the ranks."""
    _check_selective(values, is_large)
    if _number(values, "hidden") % _number(values, "ranks"):
        raise ValueError("hidden: must be a multiple of ranks")


# --- The experiments -----------------------------------------------------------------

_LAYERS = Parameter("layers", "int", 4, minimum=2, maximum=16, large=12, large_maximum=96)
_HIDDEN = Parameter("hidden", "int", 128, minimum=16, maximum=512, large=1024, large_maximum=8192)
_HEADS = Parameter("heads", "int", 4, minimum=1, maximum=32, large=16, large_maximum=64)
_LENGTH = Parameter("length", "int", 128, minimum=8, maximum=512, large=1024, large_maximum=8192)
_BATCH = Parameter("batch", "int", 4, minimum=1, maximum=32, large=8, large_maximum=256)
_DROPOUT = Parameter("dropout", "float", 0.1, minimum=0.0, maximum=0.5, unit="1")
_TYPE = Parameter("dtype", "choice", "float32", choices=("float32", "bfloat16"), unit="")
_PAIRS = Parameter("pairs", "int", 15, minimum=3, maximum=25)

_MLP_LAYERS = Parameter("layers", "int", 8, minimum=2, maximum=32, large=32, large_maximum=128)
_WIDTH = Parameter("width", "int", 256, minimum=8, maximum=512, large=2048, large_maximum=8192)
_ROWS = Parameter("rows", "int", 512, minimum=4, maximum=2048, large=8192, large_maximum=65536)

_ALL: tuple[Experiment, ...] = (
    Experiment(
        "tradeoff",
        1,
        (
            Parameter("model", "choice", "gpt", choices=("gpt", "mlp"), unit=""),
            _LAYERS,
            Parameter("plain_blocks", "int", 0, minimum=0, maximum=15, large_maximum=95),
            _HIDDEN,
            _HEADS,
            _LENGTH,
            _BATCH,
            _DROPOUT,
            _TYPE,
            Parameter("steps", "int", 20, minimum=1, maximum=50),
            _PAIRS,
        ),
        (
            "gradients-equal",
            "weights-equal-after-20-steps",
            "peak-lower",
            "peak-is-in-backward",
            "flops-higher",
            "dtypes-unchanged",
            "batch-unchanged",
            "no-bytes-leave",
        ),
        cpu_s=6.0,
        simulates=True,
        check=_check_tradeoff,
    ),
    Experiment(
        "sqrt-n",
        1,
        (
            Parameter("depths", "ints", [4, 9, 16, 25, 36, 49, 64, 100], minimum=4, maximum=400),
            Parameter("layers", "int", 36, minimum=4, maximum=400),
            # Empty: every divisor of `layers` from 2 on.
            Parameter("segments", "ints", [], minimum=2, maximum=400),
            Parameter("width", "int", 32, minimum=4, maximum=512, large=1024, large_maximum=8192),
            Parameter("rows", "int", 512, minimum=4, maximum=2048, large=4096, large_maximum=65536),
        ),
        (
            "plain-peak",
            "sqrt-peak",
            "segment-peak",
            "both-are-positive",
            "peak-grows",
            "parameter-bytes-linear",
        ),
        cpu_s=3.0,
        simulates=True,
        check=_check_sqrt_n,
    ),
    Experiment(
        "dropout-rng",
        1,
        (
            Parameter("layers", "int", 6, minimum=2, maximum=24),
            Parameter("width", "int", 64, minimum=8, maximum=512, large=1024, large_maximum=4096),
            Parameter("batches", "ints", [1, 8, 128], minimum=1, maximum=1024, large_maximum=16384),
            Parameter("dropout", "float", 0.3, minimum=0.05, maximum=0.6, unit="1"),
        ),
        (
            "restored-equal",
            "wrong-mask-wrong-gradient",
            "any-batch-equal",
            "weights-untouched",
            "no-gradient-no-step",
        ),
        cpu_s=1.0,
        check=_check_batches,
    ),
    Experiment(
        "selective",
        1,
        (
            replace(_LAYERS, maximum=8),
            replace(_HIDDEN, maximum=256),
            _HEADS,
            replace(_LENGTH, maximum=256),
            replace(_BATCH, default=1, maximum=8),
            replace(_DROPOUT, minimum=0.05),
        ),
        (
            "stored-formula",
            "core-frees",
            "replayed-share",
            "flops-not-fewer",
            "loss-equal",
            "outputs-equal",
            "input-layer-saves-nothing",
        ),
        cpu_s=5.0,
        simulates=True,
        check=_check_selective,
    ),
    Experiment(
        "saved-tensors",
        1,
        (
            _MLP_LAYERS,
            _WIDTH,
            _ROWS,
            Parameter("activation", "choice", "gelu", choices=("gelu", "relu"), unit=""),
        ),
        (
            "read-only-by-backward",
            "output-without-storage",
            "inference-has-no-gradient",
            "parameters-unchanged",
            "nothing-left-after-step",
            "freeing-breaks-backward",
            "no-backward-no-update",
        ),
        cpu_s=2.0,
    ),
    Experiment(
        "replay",
        1,
        (
            Parameter("layers", "int", 12, minimum=2, maximum=144),
            Parameter("segments", "int", 4, minimum=2, maximum=144),
            replace(_WIDTH, default=64),
            replace(_ROWS, default=128),
        ),
        (
            "forward-runs-again",
            "every-parameter-has-a-gradient",
            "weights-intact",
            "replay-needs-training",
        ),
        cpu_s=1.5,
        check=_check_replay,
    ),
    Experiment(
        "which-api",
        1,
        (
            _MLP_LAYERS,
            _WIDTH,
            _ROWS,
            replace(_DROPOUT, minimum=0.05),
        ),
        (
            "checkpoint-lowers",
            "optimizer-leaves-activations",
            "dropout-adds-bytes",
            "allocated-unchanged",
        ),
        cpu_s=4.0,
        cuda_claims=("allocated-unchanged",),
    ),
    Experiment(
        "batchnorm-twice",
        1,
        (
            Parameter("layers", "int", 3, minimum=1, maximum=12),
            Parameter("channels", "int", 16, minimum=2, maximum=128, large=64, large_maximum=512),
            Parameter("side", "int", 16, minimum=4, maximum=64, large=64, large_maximum=224),
            Parameter("batch", "int", 8, minimum=2, maximum=64, large=32, large_maximum=256),
            Parameter("momentum", "float", 0.1, minimum=0.01, maximum=0.9, unit="1"),
        ),
        ("statistics-move-twice",),
        cpu_s=1.0,
    ),
    Experiment(
        "optimizer-state",
        1,
        (
            _LAYERS,
            _HIDDEN,
            _HEADS,
            replace(_LENGTH, default=64),
            replace(_BATCH, default=2),
            _DROPOUT,
            Parameter("depths", "ints", [4, 16, 64], minimum=2, maximum=144),
            Parameter("width", "int", 64, minimum=8, maximum=512, large=512, large_maximum=2048),
            Parameter("steps", "int", 20, minimum=1, maximum=50),
        ),
        (
            "moment-bytes",
            "state-linear-in-depth",
            "state-equal-in-both-arms",
            "state-types-equal",
            "steps-run-and-weights-equal",
        ),
        cpu_s=3.0,
        check=_check_optimizer_state,
    ),
    Experiment(
        "offload",
        1,
        (
            Parameter("layers", "int", 8, minimum=2, maximum=48, large=24, large_maximum=96),
            Parameter(
                "width", "int", 256, minimum=64, maximum=1024, large=2048, large_maximum=8192
            ),
            Parameter(
                "batches",
                "ints",
                [128, 256, 512],
                minimum=64,
                maximum=2048,
                large=[1024, 2048, 4096],
                large_maximum=16384,
            ),
            Parameter("pairs", "int", 7, minimum=3, maximum=25),
        ),
        (
            "resident-falls",
            "flops-equal",
            "gradients-equal",
            "stored-proportional-to-batch",
            "norm-share-is-small",
        ),
        check=_check_batches,
    ),
    Experiment(
        "overhead",
        1,
        (
            Parameter("layers", "int", 4, minimum=3, maximum=12, large=12, large_maximum=48),
            Parameter("hidden", "int", 128, minimum=32, maximum=256, large=512, large_maximum=2048),
            Parameter("batch", "int", 2, minimum=1, maximum=16, large=8, large_maximum=64),
            _DROPOUT,
            Parameter("pairs", "int", 7, minimum=3, maximum=25),
        ),
        (
            "flop-ratio-varies",
            "time-ratios-differ",
            "dataset-length-irrelevant",
            "classes-add-bytes",
        ),
        cpu_s=4.0,
        check=_check_overhead,
    ),
    Experiment(
        "placement",
        1,
        (
            Parameter("layers", "int", 36, minimum=4, maximum=144),
            Parameter("depths", "ints", [2, 4, 8, 16, 32, 64, 128], minimum=2, maximum=128),
            Parameter("exhaustive", "ints", [4, 6, 8], minimum=2, maximum=10),
            Parameter("width", "int", 16, minimum=8, maximum=256, large=1024, large_maximum=8192),
            Parameter("rows", "int", 128, minimum=8, maximum=1024, large=4096, large_maximum=65536),
        ),
        ("bisection-peak", "never-better-than-exhaustive"),
        simulates=True,
        check=_check_placement,
    ),
    Experiment(
        "combine",
        1,
        (
            Parameter("layers", "int", 3, minimum=2, maximum=8, large=12, large_maximum=48),
            Parameter("hidden", "int", 96, minimum=32, maximum=256, large=1024, large_maximum=4096),
            _HEADS,
            Parameter("length", "int", 64, minimum=8, maximum=256, large=1024, large_maximum=4096),
            Parameter("batch", "int", 2, minimum=1, maximum=8, large=8, large_maximum=64),
            _DROPOUT,
            Parameter("ranks", "int", 2, minimum=2, maximum=4),
        ),
        ("sharded-half", "collective-bytes-equal", "stored-lower"),
        wall_limit_s=240.0,
        cpu_s=20.0,
        slow=True,
        check=_check_combine,
    ),
)

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType({one.name: one for one in _ALL})
