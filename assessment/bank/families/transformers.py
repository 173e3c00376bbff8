"""Families about transformer blocks: h hidden, a heads, s length, b batch, L blocks.

Bytes of one block in 16-bit with 1-byte masks and attention written out are
sbh(34 + 5as/h) (Korthikanti et al. 2022, equation 2); P(h, L) = L(12h^2 + 13h) parameters.
"""

import math

import numpy as np

from assessment.bank.families.family import (
    Family,
    Numbers,
    Report,
    Wrong,
    find_claim,
    number,
)

KORTHIKANTI = "arXiv:2205.05198"
RAJBHANDARI = "arXiv:1910.02054"
BLOCKS = 2
# The smallest stack that the laboratory runs; its blocks are equal.


def _draw_blocks(rng: np.random.Generator) -> Numbers:
    total = int(rng.integers(4, 13))
    return {"L": total, "c": int(rng.integers(1, total + 1))}


REPLAY_FLOPS = Family(
    slug="replay-flops",
    concept="overhead",
    level=2,
    experiment="tradeoff",
    claims=lambda v: ("flops-higher",),
    draw=_draw_blocks,
    key=lambda v: 1 + number(v, "c") / (3 * number(v, "L")),
    wrong=(
        Wrong("backward-is-free", lambda v: 1 + number(v, "c") / number(v, "L")),
        Wrong("backward-costs-one-forward", lambda v: 1 + number(v, "c") / (2 * number(v, "L"))),
        Wrong("savings-are-free", lambda v: 1.0),
        Wrong(
            "one-block-is-replayed",
            lambda v: 1 + 1 / (3 * number(v, "L")),
            required=False,
            applies=lambda v: number(v, "c") >= 2,
        ),
    ),
    parameters=lambda v: {
        "layers": v["L"],
        "plain_blocks": number(v, "L") - number(v, "c"),
        "hidden": 32,
        "heads": 4,
        "length": 16,
        "batch": 1,
        "steps": 1,
        "pairs": 3,
    },
    read_key=lambda report, v: float(find_claim(report, "flops-higher")["observed"]),
    predict=lambda answer, v: answer,
    tolerance=0.006,
    agreement=1e-6,
    gap=0.03,
    absolute_gap=True,
    references=("arXiv:1604.06174", KORTHIKANTI),
)


def _draw_shape(rng: np.random.Generator) -> Numbers:
    """Shapes where leaving out 8/h costs less than the tolerance: 34h + 5as >= 800."""
    while True:
        numbers = {
            "s": int(rng.choice([32, 64, 128, 256])),
            "b": int(rng.choice([1, 2])),
            "h": int(rng.choice([64, 128])),
            "a": int(rng.choice([2, 4, 8])),
        }
        if 34 * numbers["h"] + 5 * numbers["a"] * numbers["s"] >= 800:
            return numbers


def _sbh(numbers: Numbers) -> float:
    return number(numbers, "s") * number(numbers, "b") * number(numbers, "h")


def _score_share(numbers: Numbers) -> float:
    """5as/h: the attention matrix beside the 34 of everything else."""
    return 5 * number(numbers, "a") * number(numbers, "s") / number(numbers, "h")


def _weights(numbers: Numbers) -> float:
    h = number(numbers, "h")
    return 12 * h * h + 13 * h


def _make_selective(numbers: Numbers) -> dict[str, object]:
    return {
        "layers": BLOCKS,
        "hidden": numbers["h"],
        "heads": numbers["a"],
        "length": numbers["s"],
        "batch": numbers["b"],
    }


def _read_block_bytes(report: Report) -> float:
    return float(find_claim(report, "stored-formula")["observed"]) / BLOCKS


BYTES = {"KiB": 1024.0, "MiB": 1024.0**2, "kB": 1000.0, "MB": 1e6}

TRANSFORMER_BYTES = Family(
    slug="transformer-bytes",
    concept="selective",
    level=3,
    experiment="selective",
    claims=lambda v: ("stored-formula",),
    draw=_draw_shape,
    key=lambda v: _sbh(v) * (34 + _score_share(v)),
    wrong=(
        Wrong("attention-matrix-is-free", lambda v: 34 * _sbh(v)),
        Wrong("only-the-last-output", lambda v: 2 * _sbh(v)),
        Wrong("activations-are-weights", lambda v: 2 * _weights(v)),
        Wrong(
            "everything-is-float32",
            lambda v: _sbh(v) * (68 + 2 * _score_share(v)),
            required=False,
        ),
    ),
    parameters=_make_selective,
    read_key=lambda report, v: _read_block_bytes(report),
    predict=lambda answer, v: answer * BLOCKS,
    unit="B",
    units=BYTES,
    tolerance=0.01,
    relative=True,
    agreement=0.01,
    gap=0.1,
    references=(KORTHIKANTI,),
)


def _share(numbers: Numbers, freed: float) -> float:
    """Per cent of 34h + 5as."""
    whole = 34 * number(numbers, "h") + 5 * number(numbers, "a") * number(numbers, "s")
    return 100 * freed / whole


def _core(numbers: Numbers) -> float:
    return 5 * number(numbers, "a") * number(numbers, "s")


CORE_ATTENTION_SHARE = Family(
    slug="core-attention-share",
    concept="selective",
    level=3,
    experiment="selective",
    claims=lambda v: ("core-frees", "replayed-share"),
    draw=_draw_shape,
    key=lambda v: _share(v, _core(v)),
    wrong=(
        Wrong(
            "core-is-the-whole-attention",
            lambda v: _share(v, 11 * number(v, "h") + _core(v)),
        ),
        Wrong(
            "memory-share-is-flop-share",
            lambda v: 100 * number(v, "s") / (6 * number(v, "h") + number(v, "s")),
        ),
        Wrong("selective-is-full", lambda v: 100 - _share(v, 2 * number(v, "h"))),
        Wrong(
            "only-the-softmax-output",
            lambda v: _share(v, 2 * number(v, "a") * number(v, "s")),
            required=False,
        ),
    ),
    parameters=_make_selective,
    read_key=lambda report, v: (
        100 * float(find_claim(report, "core-frees")["observed"]) / _read_block_bytes(report)
    ),
    predict=lambda answer, v: answer / 100 * _sbh(v) * (34 + _score_share(v)),
    unit="%",
    tolerance=1.0,
    agreement=0.02,
    gap=3.0,
    absolute_gap=True,
    references=(KORTHIKANTI,),
)


def _draw_optimizer(rng: np.random.Generator) -> Numbers:
    name = str(rng.choice(["AdamW", "SGD (momentum)"]))
    numbers = {"L": int(rng.integers(4, 13)), "h": int(rng.choice([32, 48, 64, 96]))}
    return {**numbers, "optimizer": name, "P": int(_num_parameters(numbers))}


def _is_adamw(numbers: Numbers) -> bool:
    return numbers["optimizer"] == "AdamW"


def _num_parameters(numbers: Numbers) -> float:
    return number(numbers, "L") * _weights(numbers)


def _moment_bytes(numbers: Numbers) -> float:
    """Two float32 moments a parameter for AdamW, one for SGD with momentum."""
    return (8 if _is_adamw(numbers) else 4) * _num_parameters(numbers)


def _read_moments(report: Report, numbers: Numbers) -> float:
    """From the table of states: the checkpointed arm of the optimizer that was asked for."""
    wanted = "adamw" if _is_adamw(numbers) else "momentum"
    for table in report["measurement"]["tables"]:
        if table["name"] == "states":
            places = {name: place for place, name in enumerate(table["columns"])}
            for row in table["rows"]:
                if (row[places["optimizer"]], row[places["arm"]]) == (wanted, "checkpointed"):
                    return float(row[places["moments"]])
    raise ValueError(f"the run says nothing of the moments of {wanted}")


def _list_moment_claims(numbers: Numbers) -> tuple[str, ...]:
    telling = "moment-bytes" if _is_adamw(numbers) else "momentum-bytes"
    return telling, "state-equal-in-both-arms"


OPTIMIZER_BYTES = Family(
    slug="optimizer-bytes",
    concept="optimizer-state",
    level=2,
    experiment="optimizer-state",
    claims=_list_moment_claims,
    draw=_draw_optimizer,
    key=_moment_bytes,
    wrong=(
        Wrong(
            "checkpointing-shrinks-optimizer-state",
            lambda v: _moment_bytes(v) / math.sqrt(number(v, "L")),
        ),
        Wrong("checkpointing-promotes-to-fp64", lambda v: 2 * _moment_bytes(v)),
        Wrong(
            "state-includes-gradients",
            lambda v: _moment_bytes(v) + 4 * _num_parameters(v),
            required=False,
        ),
        Wrong(
            "adam-keeps-one-moment",
            lambda v: 4 * _num_parameters(v),
            required=False,
            applies=_is_adamw,
        ),
    ),
    parameters=lambda v: {
        "layers": v["L"],
        "hidden": v["h"],
        "heads": 4,
        "length": 16,
        "batch": 1,
        "depths": [4, 16],
        "width": 16,
        "steps": 1,
    },
    read_key=_read_moments,
    predict=lambda answer, v: answer / _num_parameters(v),
    unit="B",
    units=BYTES,
    tolerance=0.01,
    relative=True,
    references=(RAJBHANDARI,),
)


BATCHNORM_MOMENTUM = Family(
    slug="batchnorm-momentum",
    concept="normalisation",
    level=2,
    experiment="batchnorm-twice",
    claims=lambda v: ("statistics-move-twice",),
    draw=lambda rng: {"m": float(rng.choice([0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]))},
    key=lambda v: 2 - number(v, "m"),
    wrong=(
        Wrong("replay-has-no-side-effects", lambda v: 1.0),
        Wrong("updates-add-up", lambda v: 2.0),
        Wrong("replay-decays-the-mean", lambda v: (1 - number(v, "m")) ** 2),
    ),
    parameters=lambda v: {"momentum": v["m"]},
    read_key=lambda report, v: float(find_claim(report, "statistics-move-twice")["observed"]),
    predict=lambda answer, v: answer,
    tolerance=0.01,
    agreement=1e-5,
    gap=0.09,
    references=("docs.pytorch.org/docs/stable/checkpoint.html",),
)
