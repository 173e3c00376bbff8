"""Combinations of parameters that no single range can refuse, by experiment.

Each check raises ValueError that begins with the name of a parameter. `is_large` is true on
CUDA and in a simulation, where a CPU's time is no limit.
"""

import math

from gpu_worker.parameters import Values

MAX_CPU_WORK = 2_000_000_000
# Multiplications of one forward pass; twice over the default, a step takes about a second.

MAX_CPU_TABLE = 2_400_000_000
MAX_CPU_CONVOLUTION = 90_000_000
MAX_CPU_LAYER = 4_000_000
# Of experiments with many passes (overhead, batchnorm-twice, placement): ten times and more
# the work of their defaults, which is a minute of a CPU.

MAX_CPU_SCORES = 16_000_000
# Attention scores of one forward pass in bfloat16: sixty times the default of `selective`.

MAX_CPU_BYTES = 1_500_000_000
# Of the 2 GiB that a run has (Experiment.memory_mib): the rest is what the estimates leave out.

MAX_OFFLOADED = 4 << 30
# Bytes of one step in a file: the limit that a run has (gpu_worker/limits.py).

MAX_MASK_CHANCE = 1e-9
# That a mask drawn again drops nothing which the first one kept.

MAX_CPU_PARAMETERS = 8_000_000
# Parameters of all chains of a sweep together: 128 MB with gradients and moments.


def _number(values: Values, name: str) -> int:
    value = values[name]
    assert isinstance(value, int)
    return value


def _numbers(values: Values, name: str) -> list[int]:
    value = values[name]
    assert isinstance(value, list)
    return value


def check_heads(values: Values, is_large: bool) -> None:
    if _number(values, "hidden") % _number(values, "heads"):
        raise ValueError("heads: must divide hidden")


def check_tradeoff(values: Values, is_large: bool) -> None:
    """Twenty times the weights: two models and their AdamW, a trained copy, what is compared."""
    check_blocks(values, is_large)
    _check_bytes(values, is_large, copies=20)
    if _number(values, "plain_blocks") >= _number(values, "layers"):
        raise ValueError("plain_blocks: must be less than layers")


def check_sqrt_n(values: Values, is_large: bool) -> None:
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
    width, rows = _number(values, "width"), _number(values, "rows")
    work = rows * width**2 * (sum(depths) + layers)
    if not is_large and work > MAX_CPU_WORK:
        raise ValueError("rows: with these depths and this width it is too much for a CPU")
    # Three arms with weights, gradients and a copy of these; of the sweep one chain at a time.
    num_bytes = 4 * (width**2 + width) * (9 * layers + 2 * max(depths))
    if not is_large and num_bytes > MAX_CPU_BYTES:
        raise ValueError("width: with these depths and layers it is too much memory for a CPU")


def check_blocks(values: Values, is_large: bool) -> None:
    """GPT blocks that a CPU runs in its time."""
    check_heads(values, is_large)
    _check_work(values, MAX_CPU_WORK, is_large)


def _check_work(values: Values, limit: int, is_large: bool) -> None:
    tokens = _number(values, "batch") * _number(values, "length")
    hidden, length = _number(values, "hidden"), _number(values, "length")
    work = _number(values, "layers") * tokens * hidden * (12 * hidden + 2 * length)
    if not is_large and work > limit:
        raise ValueError("layers: with this batch, length and hidden it is too much for a CPU")


def _check_bytes(values: Values, is_large: bool, *, copies: int) -> None:
    """`copies` of the weights, and a quarter more than what written-out attention stores."""
    layers, hidden, heads, length, batch = (
        _number(values, name) for name in ("layers", "hidden", "heads", "length", "batch")
    )
    weights = 4 * layers * (12 * hidden**2 + 13 * hidden)
    stored = layers * batch * length * (72 * hidden + 12 * heads * length)
    if not is_large and copies * weights + 5 * stored // 4 > MAX_CPU_BYTES:
        raise ValueError("layers: with these sizes and heads it is too much memory for a CPU")


def check_chain(values: Values, is_large: bool) -> None:
    """A chain of square layers that a CPU runs in its time."""
    work = _number(values, "layers") * _number(values, "rows") * _number(values, "width") ** 2
    if not is_large and work > MAX_CPU_WORK:
        raise ValueError("rows: with this width and number of layers it is too much for a CPU")


def check_batches(values: Values, is_large: bool) -> None:
    if not _numbers(values, "batches"):
        raise ValueError("batches: needs at least one batch size")


def check_dropout_rng(values: Values, is_large: bool) -> None:
    """Another mask must show in the gradients: by chance it could be the same where it counts."""
    check_batches(values, is_large)
    layers, width = _number(values, "layers"), _number(values, "width")
    batches = _numbers(values, "batches")
    dropout = values["dropout"]
    assert isinstance(dropout, float)
    # An element that was kept and is dropped in the replay, p(1 - p), loses its gradient.
    unharmed = layers * width * batches[-1] * math.log(1 - dropout * (1 - dropout))
    if unharmed > math.log(MAX_MASK_CHANCE):
        raise ValueError("batches: the last one is too small for a mask that surely differs")
    work = layers * width**2 * max(batches)
    if not is_large and work > MAX_CPU_WORK // 4:
        raise ValueError("batches: with these layers and this width it is too much for a CPU")


def check_selective(values: Values, is_large: bool) -> None:
    """As for any blocks, with a fifth of the work: bfloat16 is slow on a CPU, pointwise too."""
    check_heads(values, is_large)
    _check_work(values, MAX_CPU_WORK // 5, is_large)
    scores = math.prod(_number(values, name) for name in ("layers", "batch", "heads", "length"))
    if not is_large and scores * _number(values, "length") > MAX_CPU_SCORES:
        raise ValueError("length: with these layers, heads and batch it is too much for a CPU")


def check_replay(values: Values, is_large: bool) -> None:
    check_chain(values, is_large)
    if _number(values, "layers") % _number(values, "segments"):
        raise ValueError("segments: must divide layers")


def check_optimizer_state(values: Values, is_large: bool) -> None:
    """Fourteen times the weights: two models, one AdamW, a trained copy, what is compared."""
    check_blocks(values, is_large)
    _check_bytes(values, is_large, copies=14)
    depths = _numbers(values, "depths")
    if len(set(depths)) < 2:
        raise ValueError("depths: needs at least two different depths")
    if not is_large and sum(depths) * _number(values, "width") ** 2 > MAX_CPU_PARAMETERS:
        raise ValueError("width: with these depths it is too much for a CPU")


def check_batchnorm_twice(values: Values, is_large: bool) -> None:
    work = math.prod(_number(values, name) for name in ("layers", "batch"))
    work *= (_number(values, "channels") * _number(values, "side")) ** 2
    if not is_large and work > MAX_CPU_CONVOLUTION:
        raise ValueError("side: with these layers, channels and batch it is too much for a CPU")


def check_offload(values: Values, is_large: bool) -> None:
    check_batches(values, is_large)
    layers, width = _number(values, "layers"), _number(values, "width")
    largest = max(_numbers(values, "batches"))
    if not is_large and layers * width**2 * largest > MAX_CPU_WORK:
        raise ValueError("batches: with these layers and this width it is too much for a CPU")
    if 4 * (2 * layers - 1) * width * largest > MAX_OFFLOADED:
        raise ValueError("batches: with these layers and this width it is too much for a file")


def check_overhead(values: Values, is_large: bool) -> None:
    """The sequence is as long as a block is wide, so that attention keeps its share."""
    hidden = _number(values, "hidden")
    if hidden % 4:
        raise ValueError("hidden: must be a multiple of the 4 heads")
    work = 14 * hidden**3 * _number(values, "layers") * _number(values, "batch")
    if not is_large and work > MAX_CPU_TABLE:
        raise ValueError("hidden: with these layers and this batch it is too much for a CPU")


def check_placement(values: Values, is_large: bool) -> None:
    if not is_large and _number(values, "rows") * _number(values, "width") ** 2 > MAX_CPU_LAYER:
        raise ValueError("rows: with this width it is too much for a CPU")
    depths = _numbers(values, "depths")
    if not depths or not _numbers(values, "exhaustive"):
        raise ValueError("depths, exhaustive: each needs at least one number of layers")
    for depth in depths:
        if depth & (depth - 1):
            raise ValueError(f"depths: {depth} is not a power of two")
    if _number(values, "width") % 8:
        raise ValueError("width: must be a multiple of 8")


def check_combine(values: Values, is_large: bool) -> None:
    """As for any blocks in bfloat16; every tensor must divide over the ranks."""
    check_selective(values, is_large)
    if _number(values, "hidden") % _number(values, "ranks"):
        raise ValueError("hidden: must be a multiple of ranks")
