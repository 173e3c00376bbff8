"""offload: what leaves memory, what comes back, and claims that fail."""

import pytest
import torch
from torch.autograd.graph import saved_tensors_hooks

from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import ClaimResult, Measurement
from gpu_worker.experiments import offload as experiment
from gpu_worker.measure.passes import measure_arm
from gpu_worker.models import run_plain
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run

SMALL = {"layers": 3, "width": 64, "batches": [64, 128], "pairs": 3}


def index_claims(found: Measurement) -> dict[str, ClaimResult]:
    return {one.id: one for one in found.claims}


@pytest.fixture(scope="module")
def default() -> Measurement:
    return run_experiment("offload", {"pairs": 3}, DEFAULT_SEED, "cpu", False)


def test_every_claim_holds_with_the_reference_numbers(default: Measurement) -> None:
    claims = index_claims(default)
    assert {one.verdict for one in claims.values()} == {"holds"}
    assert claims["resident-falls"].observed == 1.0
    assert claims["resident-falls"].facts == {"stored": 7_864_320, "resident": 0}
    assert claims["flops-equal"].observed == claims["flops-equal"].expected == 1_543_503_872
    assert claims["gradients-equal"].observed == claims["gradients-equal"].noise_floor == 0.0
    stored = [point.observed for point in claims["stored-proportional-to-batch"].points]
    assert stored == [1_966_080, 3_932_160, 7_864_320]
    assert claims["norm-share-is-small"].expected == pytest.approx(4 / 54)


def test_each_storage_is_written_once(default: Measurement) -> None:
    # 15 activations: a Linear keeps its input, a GELU its own, and most inputs are results.
    assert (default.facts["num_writes"], default.facts["bytes_written"]) == (15, 7_864_320)


def test_peaks_of_all_arms(default: Measurement) -> None:
    peaks = {arm.name: arm.peak for arm in default.memory}
    assert peaks == {
        "plain": 8_651_784,
        "offloaded": 1_835_016,
        "checkpointed": 4_981_768,
        "offloaded-checkpointed": 2_097_160,
        # On a CPU the tensors are on the CPU already: a no-op.
        "save-on-cpu": 8_651_784,
        "plain-again": 8_651_784,
    }


def test_seconds_are_wall_time_and_say_what_they_are_not(default: Measurement) -> None:
    assert default.timing is not None
    assert default.timing.clock == "wall"
    assert default.timing.unknown == "page_cache_not_disk"


def test_a_packed_tensor_comes_back_in_its_own_view() -> None:
    store = experiment.DiskStore(frozenset())
    base = torch.randn(300, 100)
    view = base.t()[3:, 5:200]
    packed = store.pack(view)
    assert isinstance(packed, experiment.Slot)
    again = store.unpack(packed)
    assert torch.equal(again, view)
    assert again.stride() == view.stride()
    assert again.untyped_storage()._cdata != base.untyped_storage()._cdata


def test_a_storage_changed_in_place_is_written_again() -> None:
    store = experiment.DiskStore(frozenset())
    base = torch.randn(300, 100)
    first = store.pack(base)
    before = base.clone()
    base.add_(1)
    second = store.pack(base)
    assert store.num_writes == 2
    assert torch.equal(store.unpack(first), before)
    assert torch.equal(store.unpack(second), base)


def test_a_new_storage_at_an_old_address_is_not_taken_for_it() -> None:
    store = experiment.DiskStore(frozenset())
    slots, values = [], []
    for number in range(20):
        base = torch.full((100, 100), float(number))
        slots.append(store.pack(base))
        values.append(number)
        del base
    for slot, number in zip(slots, values, strict=True):
        assert bool((store.unpack(slot) == number).all())


def test_claims_fail_when_half_the_tensors_stay_and_when_bytes_come_back_wrong() -> None:
    run = make_run("offload", **SMALL)
    model, x = experiment.make_model(run), experiment.make_input(run, 128)
    steps = experiment.make_steps(model, x, experiment.Offloader(model, x))
    arms = {name: measure_arm(step, run, with_allocator=False) for name, step in steps.items()}
    count = iter(range(10_000))

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        return tensor if next(count) % 2 else tensor.clone().mul_(1.001)

    def forward() -> torch.Tensor:
        with saved_tensors_hooks(pack, lambda tensor: tensor):
            return model(x, run_plain).sum()  # type: ignore[no-any-return]  # a module's call is untyped

    steps["offloaded"].forward = forward
    arms["offloaded"] = measure_arm(steps["offloaded"], run, with_allocator=False)
    verdicts = {one.id: one.verdict for one in experiment.decide_offload(arms)}
    assert verdicts == {
        "resident-falls": "fails",
        "flops-equal": "holds",
        "gradients-equal": "fails",
    }


@pytest.mark.parametrize(
    "parameters",
    [SMALL, {"layers": 2, "width": 64, "batches": [64], "pairs": 3}],
)
def test_the_claims_hold_over_the_range(parameters: dict[str, object]) -> None:
    found = run_experiment("offload", parameters, 7, "cpu", False)
    assert {one.verdict for one in found.claims} == {"holds"}
