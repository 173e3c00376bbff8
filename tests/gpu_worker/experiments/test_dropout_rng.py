import pytest
import torch

from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import Measurement
from gpu_worker.experiments import dropout_rng
from gpu_worker.measure.compare import compute_largest_difference
from gpu_worker.measure.setup import prepare_process
from gpu_worker.models import run_plain
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run


@pytest.fixture(scope="module")
def default() -> Measurement:
    return run_experiment("dropout-rng", {}, DEFAULT_SEED, "cpu", False)


def test_every_claim_holds(default: Measurement) -> None:
    claims = {one.id: one for one in default.claims}
    assert {one.verdict for one in claims.values()} == {"holds"}
    assert claims["restored-equal"].observed == 0.0
    wrong = claims["wrong-mask-wrong-gradient"]
    assert wrong.observed is not None
    assert 0.2 < wrong.observed < 0.6
    assert wrong.facts["losses_equal"] is True
    assert [one.x for one in claims["any-batch-equal"].points] == [1, 8, 128]


def test_both_variants_are_right_with_the_generator_and_wrong_without(
    default: Measurement,
) -> None:
    (table,) = default.tables
    rows = {row[:2]: row[2:] for row in table.rows}
    for reentrant in (False, True):
        loss, difference, _, generator = rows[reentrant, True]
        assert (loss, difference, generator) == (0.0, 0.0, True)
        loss, difference, _, generator = rows[reentrant, False]
        assert loss == 0.0
        assert isinstance(difference, float)
        assert difference > 1e-4
        assert generator is False


def test_keeping_the_generator_costs_its_state_for_each_block(default: Measurement) -> None:
    arms = {one.name: one for one in default.memory}
    kept, lost = arms["checkpointed"].allocator_peak, arms["not-restored"].allocator_peak
    assert kept is not None
    assert lost is not None
    assert kept - lost == 6 * default.facts["generator_bytes"] == 6 * 5056


@pytest.mark.parametrize("dropout", [0.05, 0.6])
def test_claims_hold_over_the_range_of_dropout(dropout: float) -> None:
    given = {"dropout": dropout, "layers": 2, "width": 16, "batches": [3, 16]}
    found = run_experiment("dropout-rng", given, DEFAULT_SEED, "cpu", False)
    assert {one.verdict for one in found.claims} == {"holds"}


def test_without_dropout_the_generator_does_not_matter() -> None:
    """The counter-example of wrong-mask-wrong-gradient: no mask, no wrong gradient."""
    run = make_run("dropout-rng")
    prepare_process(seed=0, device="cpu")
    model = dropout_rng.make_model(run)
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    found = dropout_rng.decide_wrong_mask(run, model, dropout_rng.make_input(run, 8))
    assert (found.verdict, found.observed) == ("fails", 0.0)


def test_an_unrestored_generator_would_fail_the_equality_claim() -> None:
    run = make_run("dropout-rng")
    prepare_process(seed=0, device="cpu")
    model, x = dropout_rng.make_model(run), dropout_rng.make_input(run, 8)
    plain = dropout_rng.run_arm(run, model, x, run_plain)
    wrong = dropout_rng.run_arm(run, model, x, dropout_rng.make_runner(restores=False))
    assert compute_largest_difference(plain.gradients, wrong.gradients) > 0
