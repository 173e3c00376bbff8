"""Families about a chain of N equal layers: [Linear d,d + ReLU], rows b.

A = 4bd bytes an activation, W = 4d^2, B = 4d; the laboratory's peak law for segments is
(S + N/S) A + W + B + 8 bytes (reference: Chen et al. 2016, section 4.1).
"""

import math

import numpy as np

from assessment.bank.families.family import (
    Family,
    Numbers,
    Report,
    Wrong,
    find_arm,
    find_claim,
    find_point,
    number,
)

WIDTH, ROWS = 32, 512
# The laboratory's own defaults for sqrt-n: weights are a sixteenth of an activation.

A = 4 * ROWS * WIDTH
REST = 4 * WIDTH * WIDTH + 4 * WIDTH + 8
# Bytes at the peak that are no activation: one weight, one bias, the loss and its gradient.

CHEN = "arXiv:1604.06174"


def _read_activations(peak_bytes: float) -> float:
    return (peak_bytes - REST) / A


def _draw_segments(rng: np.random.Generator, *, most: int = 144) -> Numbers:
    """N layers in S equal segments, 3 <= S <= N/3."""
    pairs = [(n, s) for n in range(12, most + 1) for s in range(3, n // 3 + 1) if n % s == 0]
    n, s = pairs[int(rng.integers(len(pairs)))]
    return {"N": n, "S": s, "m": n // s}


def _draw_small_segments(rng: np.random.Generator) -> Numbers:
    return _draw_segments(rng, most=48)


def _per_segment(numbers: Numbers) -> float:
    return number(numbers, "N") / number(numbers, "S")


SEGMENT_PEAK = Family(
    slug="segment-peak",
    concept="placement",
    level=2,
    experiment="sqrt-n",
    claims=lambda v: ("segment-peak",),
    draw=_draw_segments,
    key=lambda v: number(v, "S") + _per_segment(v),
    wrong=(
        Wrong("boundaries-are-free", lambda v: _per_segment(v) + 1),
        Wrong("only-checkpoints-count", lambda v: number(v, "S")),
        Wrong("segments-free-nothing", lambda v: number(v, "N") + 1),
        Wrong(
            "rebuilt-comes-on-top",
            lambda v: number(v, "S") + 2 * _per_segment(v),
            required=False,
        ),
    ),
    parameters=lambda v: {
        "layers": v["N"],
        "segments": [v["S"]],
        "depths": [4, 16],
    },
    read_key=lambda report, v: _read_activations(
        find_point(report, "segment-peak", number(v, "S"))
    ),
    predict=lambda answer, v: answer * A + REST,
    references=(CHEN,),
)


def _draw_depths(rng: np.random.Generator) -> Numbers:
    pairs = [(k, r) for k in range(3, 9) for r in range(2, 6) if k * r <= 20]
    k, r = pairs[int(rng.integers(len(pairs)))]
    return {"k": k, "r": r, "first": k * k, "last": (k * r) ** 2, "root": k * r}


def _read_growth(report: Report, numbers: Numbers) -> float:
    first = find_point(report, "sqrt-peak", number(numbers, "first"))
    last = find_point(report, "sqrt-peak", number(numbers, "last"))
    return _read_activations(last) / _read_activations(first)


DEPTH_SCALING = Family(
    slug="depth-scaling",
    concept="placement",
    level=2,
    experiment="sqrt-n",
    claims=lambda v: ("sqrt-peak",),
    draw=_draw_depths,
    key=lambda v: number(v, "r"),
    wrong=(
        Wrong("saving-is-a-constant-factor", lambda v: number(v, "r") ** 2),
        Wrong("memory-becomes-constant", lambda v: 1.0),
        Wrong(
            "memory-grows-as-log",
            lambda v: 1 + math.log(number(v, "r")) / math.log(number(v, "k")),
        ),
        Wrong("constant-multiplies-growth", lambda v: 2 * number(v, "r"), required=False),
    ),
    parameters=lambda v: {"depths": [v["first"], v["last"]], "layers": 4, "segments": [2]},
    read_key=_read_growth,
    predict=lambda answer, v: answer * 2 * number(v, "k") * A + REST,
    tolerance=0.05,
    references=(CHEN,),
)


REPLAY_CALLS = Family(
    slug="replay-calls",
    concept="replay",
    level=3,
    experiment="replay",
    claims=lambda v: ("forward-runs-again",),
    draw=_draw_small_segments,
    key=lambda v: 2 * number(v, "N") - _per_segment(v),
    wrong=(
        Wrong("replay-runs-no-forward", lambda v: number(v, "N")),
        Wrong("everything-runs-twice", lambda v: 2 * number(v, "N")),
        Wrong("only-checkpoints-run-again", lambda v: number(v, "N") + number(v, "S") - 1),
        Wrong(
            "backward-is-a-forward-call",
            lambda v: 3 * number(v, "N") - _per_segment(v),
            required=False,
        ),
    ),
    parameters=lambda v: {"layers": v["N"], "segments": v["S"], "width": 16, "rows": 16},
    read_key=lambda report, v: float(find_claim(report, "forward-runs-again")["observed"]),
    predict=lambda answer, v: answer,
    references=(CHEN,),
)


def _draw_stored(rng: np.random.Generator) -> Numbers:
    """b >= 2d, so that an activation is larger than the weights that are not asked for."""
    n = int(rng.integers(4, 17))
    d = int(rng.choice([32, 64, 128]))
    b = d * int(rng.choice([2, 3, 4]))
    name = str(rng.choice(["ReLU", "GELU"]))
    return {"N": n, "d": d, "b": b, "activation": name, "A": 4 * b * d}


def _bytes_of(numbers: Numbers) -> float:
    return 4 * number(numbers, "b") * number(numbers, "d")


def _is_relu(numbers: Numbers) -> bool:
    return numbers["activation"] == "ReLU"


def _stored_key(numbers: Numbers) -> float:
    """ReLU keeps its output, which the next Linear keeps anyway; GELU keeps its input too."""
    n = number(numbers, "N")
    return (n if _is_relu(numbers) else 2 * n - 1) * _bytes_of(numbers)


SAVED_PER_LAYER = Family(
    slug="saved-per-layer",
    concept="saved-tensors",
    level=3,
    experiment="saved-tensors",
    claims=lambda v: ("stored-bytes",),
    draw=_draw_stored,
    key=_stored_key,
    wrong=(
        Wrong(
            "one-storage-counted-twice",
            lambda v: (2 * number(v, "N") - 1) * _bytes_of(v),
            applies=_is_relu,
        ),
        Wrong(
            "one-tensor-per-layer",
            lambda v: number(v, "N") * _bytes_of(v),
            applies=lambda v: not _is_relu(v),
        ),
        Wrong("only-the-last-output", _bytes_of),
        Wrong(
            "activations-are-weights",
            lambda v: number(v, "N") * (4 * number(v, "d") ** 2 + 4 * number(v, "d")),
        ),
        Wrong(
            "in-and-out-both-kept",
            lambda v: 2 * number(v, "N") * _bytes_of(v),
            required=False,
            applies=lambda v: _is_relu(v) or number(v, "N") <= 5,
        ),
    ),
    parameters=lambda v: {
        "layers": v["N"],
        "width": v["d"],
        "rows": v["b"],
        "activation": str(v["activation"]).lower(),
    },
    # The scalar loss is alive too: 4 bytes that nobody asks for.
    read_key=lambda report, v: float(find_arm(report, "plain")["stored"]) - 4,
    predict=lambda answer, v: answer,
    unit="B",
    units={"KiB": 1024, "MiB": 1024**2, "kB": 1000, "MB": 1e6},
    tolerance=0.01,
    relative=True,
    gap=0.1,
    references=("docs.pytorch.org/docs/stable/notes/autograd.html",),
)
