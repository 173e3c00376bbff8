"""The experiments that a worker can run: parameters with ranges, limits, and claim ids.

Plain Python, read by both sides of the queue: the web side refuses a bad parameter before
it is sent, the worker refuses it again before it is run.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from gpu_worker import combinations
from gpu_worker.parameters import (
    Experiment,
    Parameter,
    Value,
    Values,
    digest_run,
    list_large_parameters,
    resolve_parameters,
)

__all__ = [
    "DEFAULT_SEED",
    "EXPERIMENTS",
    "Experiment",
    "Parameter",
    "Value",
    "Values",
    "digest_run",
    "get_experiment",
    "list_large_parameters",
    "resolve_parameters",
]

DEFAULT_SEED = 20261130
# The day on which the reference values were measured; any fixed number would do.


def get_experiment(name: str) -> Experiment:
    """Raises ValueError for an unknown name."""
    if name not in EXPERIMENTS:
        raise ValueError(f"experiment: {name!r} is unknown")
    return EXPERIMENTS[name]


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
        check=combinations.check_tradeoff,
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
            Parameter("rows", "int", 512, minimum=1, maximum=2048, large=4096, large_maximum=65536),
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
        check=combinations.check_sqrt_n,
    ),
    Experiment(
        "dropout-rng",
        1,
        (
            Parameter("layers", "int", 6, minimum=2, maximum=24),
            Parameter("width", "int", 64, minimum=8, maximum=512, large=1024, large_maximum=4096),
            Parameter(
                "batches",
                "ints",
                [1, 8, 128],
                minimum=1,
                maximum=1024,
                large=[1, 64, 4096],
                large_maximum=16384,
            ),
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
        check=combinations.check_dropout_rng,
    ),
    Experiment(
        "selective",
        1,
        (
            # Sixteen policies, each twice: more blocks outlast a simulation's limit of time.
            replace(_LAYERS, maximum=8, large_maximum=24),
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
        check=combinations.check_selective,
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
            "stored-bytes",
            "output-without-storage",
            "inference-has-no-gradient",
            "parameters-unchanged",
            "nothing-left-after-step",
            "freeing-breaks-backward",
            "no-backward-no-update",
        ),
        cpu_s=2.0,
        check=combinations.check_chain,
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
        check=combinations.check_replay,
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
        check=combinations.check_chain,
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
        check=combinations.check_batchnorm_twice,
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
            "momentum-bytes",
            "state-linear-in-depth",
            "state-equal-in-both-arms",
            "state-types-equal",
            "steps-run-and-weights-equal",
        ),
        cpu_s=3.0,
        check=combinations.check_optimizer_state,
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
        check=combinations.check_offload,
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
        check=combinations.check_overhead,
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
        check=combinations.check_placement,
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
        check=combinations.check_combine,
    ),
)

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType({one.name: one for one in _ALL})
