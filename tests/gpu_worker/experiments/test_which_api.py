import pytest

from gpu_worker.catalog import DEFAULT_SEED, get_experiment
from gpu_worker.contracts import Measurement
from gpu_worker.experiments import which_api
from gpu_worker.measure.passes import Arm, measure_arm
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run


@pytest.fixture(scope="module")
def default() -> Measurement:
    return run_experiment("which-api", {}, DEFAULT_SEED, "cpu", False)


def test_every_claim_holds_with_the_reference_numbers(default: Measurement) -> None:
    claims = {one.id: one for one in default.claims}
    assert {one.verdict for one in claims.values()} == {"holds"}
    lowered = claims["checkpoint-lowers"]
    assert (lowered.observed, lowered.expected) == (3_670_020, 7_864_324)
    assert claims["dropout-adds-bytes"].observed == 12_058_628
    facts = claims["optimizer-leaves-activations"].facts
    assert (facts["state_sgd"], facts["peak_difference"]) == (0, 0)


def test_the_claim_about_the_cache_is_left_to_cuda(default: Measurement) -> None:
    experiment = get_experiment("which-api")
    assert experiment.cuda_claims == ("allocated-unchanged",)
    assert {one.id for one in default.claims} == set(experiment.claims) - {"allocated-unchanged"}


def test_claims_fail_where_the_calls_do_nothing() -> None:
    run = make_run("which-api", layers=2, width=16, rows=8)
    steps = which_api.make_steps(run)
    plain = measure_arm(steps["plain"], run, with_allocator=False)
    arms: dict[str, Arm] = dict.fromkeys(steps, plain)
    verdicts = {one.id: one.verdict for one in which_api.decide_stored(arms)}
    assert verdicts == {
        "checkpoint-lowers": "fails",
        "optimizer-leaves-activations": "holds",
        "dropout-adds-bytes": "fails",
    }
    arms["sgd"] = measure_arm(steps["checkpointed"], run, with_allocator=False)
    assert which_api.decide_stored(arms)[1].verdict == "fails"
