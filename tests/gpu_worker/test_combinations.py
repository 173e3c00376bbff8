"""What no single range can refuse, of the experiments with many passes."""

import pytest

from gpu_worker.catalog import get_experiment, resolve_parameters


@pytest.mark.parametrize(
    ("experiment", "given", "message"),
    [
        ("batchnorm-twice", {"channels": 128, "side": 64}, "side: .* too much for a CPU"),
        ("offload", {"layers": 48, "width": 1024}, "batches: .* too much for a CPU"),
        # Both ran out of memory before they were refused.
        (
            "tradeoff",
            {"layers": 16, "hidden": 512, "length": 8, "batch": 1},
            "layers: .* too much memory",
        ),
        (
            "tradeoff",
            {"layers": 6, "hidden": 16, "heads": 16, "length": 512, "batch": 32},
            "layers: .* too much memory",
        ),
        (
            "optimizer-state",
            {"layers": 16, "hidden": 512, "length": 8, "batch": 1},
            "layers: .* too much memory",
        ),
        ("sqrt-n", {"width": 512, "rows": 1, "layers": 400}, "width: .* too much memory"),
        (
            "combine",
            {"hidden": 32, "heads": 32, "length": 256, "batch": 8, "layers": 6},
            "length: .* too much for a CPU",
        ),
        (
            "selective",
            {"hidden": 32, "heads": 32, "length": 256, "batch": 8, "layers": 6},
            "length: .* too much for a CPU",
        ),
        ("dropout-rng", {"batches": []}, "batches: needs at least one"),
        (
            "dropout-rng",
            {"layers": 2, "width": 8, "batches": [64, 1], "dropout": 0.05},
            "batches: the last one is too small",
        ),
        (
            "dropout-rng",
            {"layers": 24, "width": 512, "batches": [1024]},
            "batches: .* too much for a CPU",
        ),
        ("offload", {"batches": []}, "batches: needs at least one"),
        ("overhead", {"hidden": 256, "batch": 16}, "hidden: .* too much for a CPU"),
        ("overhead", {"hidden": 66}, "hidden: must be a multiple of the 4 heads"),
        ("placement", {"width": 256, "rows": 1024}, "rows: .* too much for a CPU"),
        ("placement", {"depths": [2, 12]}, "depths: 12 is not a power of two"),
        ("placement", {"depths": []}, "depths, exhaustive: each needs"),
        ("placement", {"width": 12}, "width: must be a multiple of 8"),
        ("combine", {"ranks": 3, "hidden": 128}, "hidden: must be a multiple of ranks"),
        ("combine", {"heads": 5}, "heads: must divide hidden"),
        ("combine", {"hidden": 256, "batch": 8, "length": 256}, "layers: .* too much for a CPU"),
    ],
)
def test_it_refuses_a_combination(experiment: str, given: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        resolve_parameters(get_experiment(experiment), given)


def test_a_card_writes_no_larger_file_than_a_run_may() -> None:
    given = {"layers": 96, "width": 8192, "batches": [16384]}
    with pytest.raises(ValueError, match=r"^batches: .* too much for a file"):
        resolve_parameters(get_experiment("offload"), given, device="cuda")


@pytest.mark.parametrize(
    ("experiment", "given"),
    [
        ("batchnorm-twice", {"channels": 128, "side": 64}),
        ("offload", {"layers": 48, "width": 1024}),
        ("overhead", {"hidden": 256, "batch": 16}),
        ("placement", {"width": 256, "rows": 1024}),
    ],
)
def test_a_card_is_not_bound_by_the_time_of_a_cpu(
    experiment: str, given: dict[str, object]
) -> None:
    resolve_parameters(get_experiment(experiment), given, device="cuda")
