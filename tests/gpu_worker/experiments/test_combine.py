"""combine: two real ranks, their bytes, and claims that fail."""

import dataclasses
from collections.abc import Mapping

import pytest

from gpu_worker.catalog import DEFAULT_SEED, get_experiment, list_large_parameters
from gpu_worker.contracts import ClaimResult, Measurement
from gpu_worker.experiments import combine as experiment
from gpu_worker.experiments.combine import Found
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def default() -> Measurement:
    return run_experiment("combine", {}, DEFAULT_SEED, "cpu", False)


def index_claims(found: Measurement) -> dict[str, ClaimResult]:
    return {one.id: one for one in found.claims}


def test_every_claim_holds_with_the_reference_numbers(default: Measurement) -> None:
    claims = index_claims(default)
    assert {one.verdict for one in claims.values()} == {"holds"}
    assert [point.observed for point in claims["sharded-half"].points] == [0.5, 0.5]
    facts = claims["collective-bytes-equal"].facts
    assert (facts["gathered"], facts["scattered"]) == (4_026_240, 2_013_120)
    assert (facts["gathered_checkpointed"], facts["scattered_checkpointed"]) == (
        4_026_240,
        2_013_120,
    )


def test_sharding_divides_states_and_leaves_activations(default: Measurement) -> None:
    arms = {arm.name: arm for arm in default.memory}
    whole, sharded = arms["plain"], arms["sharded"]
    num_parameters = 3 * (12 * 96**2 + 13 * 96)
    assert whole.parameters == whole.gradients == 4 * num_parameters
    assert whole.optimizer_state == 8 * num_parameters
    assert sharded.parameters == sharded.gradients == 2 * num_parameters
    assert sharded.optimizer_state == 4 * num_parameters
    assert sharded.stored == whole.stored
    assert arms["plain-again"].peak == whole.peak
    for arm in arms.values():
        assert arm.stored is not None
        assert arm.peak is not None
        assert 0 < arm.stored <= arm.peak
        assert arm.total_peak is not None
        assert arm.parameters is not None
        assert arm.total_peak > arm.peak + 4 * arm.parameters


def test_fused_attention_stands_beside_the_written_out(default: Measurement) -> None:
    arms = {arm.name: arm for arm in default.memory}
    assert arms["fused-plain"].parameters == arms["plain"].parameters
    assert (arms["fused-checkpointed"].stored or 0) < (arms["fused-plain"].stored or 0)
    assert (arms["fused-plain"].stored or 0) < (arms["plain"].stored or 0)
    assert default.trace is not None


def test_gradients_are_equal_and_no_seconds_are_shown(default: Measurement) -> None:
    assert default.facts["gradient_difference"] == default.facts["noise_floor"] == 0.0
    assert default.facts["gradient_difference_bf16"] == 0.0
    assert default.timing is not None
    assert default.timing.ratio is None
    assert default.timing.unknown == "processes_share_cores"
    assert default.environment.device == "cpu"


def test_other_ranks_find_the_same_again(default: Measurement) -> None:
    again = run_experiment("combine", {}, DEFAULT_SEED, "cpu", False)
    assert again.provenance.gradient_digest == default.provenance.gradient_digest
    assert [(arm.name, arm.stored, arm.peak, arm.total_peak) for arm in again.memory] == [
        (arm.name, arm.stored, arm.peak, arm.total_peak) for arm in default.memory
    ]
    assert again.tables == default.tables


def make_found(**changes: int) -> Mapping[str, Found]:
    base = Found("", 100, 100, 200, 50, 90, 500, 40, 20, 0.0, "")
    cells = {cell.name: dataclasses.replace(base, name=cell.name) for cell in experiment.CELLS}
    for name in ("sharded", "sharded-checkpointed", "sharded-bf16", "sharded-bf16-checkpointed"):
        cells[name] = dataclasses.replace(cells[name], parameters=50, gradients=50, moments=100)
    both = cells["sharded-bf16-checkpointed"]
    cells["sharded-bf16-checkpointed"] = dataclasses.replace(both, stored=10)
    for name, value in changes.items():
        cells["sharded-checkpointed"] = dataclasses.replace(
            cells["sharded-checkpointed"], **{name: value}
        )
    return cells


def test_claims_can_fail() -> None:
    good = make_found()
    assert experiment.decide_sharding([dict(good), dict(good)]).verdict == "holds"
    assert experiment.decide_sharding([dict(good)] * 3).verdict == "fails"
    assert experiment.decide_collectives(good).verdict == "holds"
    assert experiment.decide_collectives(make_found(gathered=80)).verdict == "fails"
    assert experiment.decide_stored(good).verdict == "holds"
    swapped = {**good, "sharded-bf16": good["sharded-bf16-checkpointed"]}
    assert experiment.decide_stored(swapped).verdict == "fails"


def test_where_cards_are_missing_only_what_a_cpu_can_is_run() -> None:
    experiment.check_fallback(make_run("combine", device="cuda"))
    large = list_large_parameters(get_experiment("combine"))
    with pytest.raises(ValueError, match=r"^device: too few cards for the ranks"):
        experiment.check_fallback(make_run("combine", device="cuda", **large))


def test_one_card_is_too_few_for_two_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment.torch.cuda, "device_count", lambda: 1)
    assert experiment.choose_backend("cuda", 2) == ("cpu", "gloo")
    monkeypatch.setattr(experiment.torch.cuda, "device_count", lambda: 2)
    assert experiment.choose_backend("cuda", 2) == ("cuda", "nccl")
    assert experiment.choose_backend("cpu", 2) == ("cpu", "gloo")
