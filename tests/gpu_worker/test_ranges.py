"""Every claim at the corners of the catalogue, where formulas break that hold at the defaults."""

import random

import pytest

from gpu_worker.catalog import EXPERIMENTS, resolve_parameters
from gpu_worker.contracts import MAX_SEED
from gpu_worker.registry import run_experiment

SEEDS = (0, MAX_SEED)

CORNERS: dict[str, tuple[dict[str, object], ...]] = {
    "tradeoff": (
        # One head as wide as the block, and as many heads as it has numbers; the last block kept.
        {"layers": 2, "plain_blocks": 1, "hidden": 16, "heads": 1, "length": 8, "batch": 1},
        {"layers": 2, "hidden": 16, "heads": 16, "length": 33, "batch": 1, "dropout": 0.0},
        {"model": "mlp", "layers": 2, "plain_blocks": 1, "hidden": 16, "length": 8, "batch": 1},
        {
            "dtype": "bfloat16",
            "layers": 3,
            "plain_blocks": 2,
            "hidden": 24,
            "heads": 3,
            "length": 9,
        },
    ),
    "sqrt-n": (
        # Weights far larger than activations, one row; a prime depth; the last segment of one.
        {"rows": 1, "width": 64, "depths": [4, 9], "layers": 4},
        {"rows": 3, "width": 4, "depths": [25, 4], "layers": 13},
        {"rows": 7, "width": 5, "depths": [4, 16], "layers": 12, "segments": [12, 2]},
    ),
    "dropout-rng": (
        {"layers": 2, "width": 8, "batches": [1, 128], "dropout": 0.05},
        {"layers": 24, "width": 8, "batches": [3, 1], "dropout": 0.6},
    ),
    "selective": (
        {"layers": 2, "hidden": 16, "heads": 16, "length": 8, "batch": 1, "dropout": 0.05},
        {"layers": 2, "hidden": 21, "heads": 7, "length": 13, "batch": 2, "dropout": 0.5},
    ),
    "saved-tensors": (
        {"layers": 2, "width": 8, "rows": 4, "activation": "relu"},
        {"layers": 7, "width": 9, "rows": 5, "activation": "gelu"},
    ),
    "replay": (
        {"layers": 2, "segments": 2, "width": 8, "rows": 4},
        {"layers": 15, "segments": 15, "width": 9, "rows": 5},
    ),
    "which-api": (
        {"layers": 2, "width": 8, "rows": 4, "dropout": 0.05},
        {"layers": 3, "width": 9, "rows": 5, "dropout": 0.5},
    ),
    "batchnorm-twice": (
        {"layers": 1, "channels": 2, "side": 4, "batch": 2, "momentum": 0.01},
        {"layers": 4, "channels": 3, "side": 5, "batch": 3, "momentum": 0.9},
    ),
    "offload": ({"layers": 2, "width": 64, "batches": [64], "pairs": 3},),
    "placement": (
        {"layers": 4, "depths": [2], "exhaustive": [2], "width": 256, "rows": 8},
        {"layers": 5, "depths": [64, 2], "exhaustive": [5], "width": 8, "rows": 9},
    ),
    "optimizer-state": (
        {"layers": 2, "hidden": 20, "heads": 5, "length": 8, "batch": 1, "depths": [2, 3]}
        | {"width": 8, "steps": 1, "dropout": 0.0},
    ),
}
# combine starts processes and overhead takes long: both have their corners in their own tests.


def test_every_experiment_has_its_corners() -> None:
    assert set(CORNERS) == set(EXPERIMENTS) - {"combine", "overhead"}


@pytest.mark.parametrize(
    ("name", "given"),
    [(name, given) for name, corners in CORNERS.items() for given in corners],
    ids=lambda value: value if isinstance(value, str) else "-",
)
def test_no_claim_fails_at_a_corner(name: str, given: dict[str, object]) -> None:
    experiment = EXPERIMENTS[name]
    short = {one: 3 for one in ("pairs", "steps") if one in {p.name for p in experiment.parameters}}
    values = resolve_parameters(experiment, {**short, **given})
    seed = random.Random(str(given)).choice(SEEDS)
    found = run_experiment(name, values, seed, "cpu", False)
    assert {one.id: one for one in found.claims if one.verdict == "fails"} == {}
    assert {one.id for one in found.claims} == set(experiment.claims) - set(experiment.cuda_claims)
