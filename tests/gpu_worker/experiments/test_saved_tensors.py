import pytest
import torch

from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import Measurement
from gpu_worker.experiments import saved_tensors
from gpu_worker.experiments.saved_tensors import Act, Ledger
from gpu_worker.measure.passes import measure_arm
from gpu_worker.models import run_every, run_plain
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run


@pytest.fixture(scope="module")
def default() -> Measurement:
    return run_experiment("saved-tensors", {}, DEFAULT_SEED, "cpu", False)


def test_every_claim_holds_with_the_reference_numbers(default: Measurement) -> None:
    claims = {one.id: one for one in default.claims}
    assert {one.verdict for one in claims.values()} == {"holds"}
    assert claims["stored-bytes"].observed == claims["stored-bytes"].expected == 7_864_320
    assert claims["read-only-by-backward"].facts["reads_in_backward"] == 15
    assert claims["freeing-breaks-backward"].facts == {"raised": 3, "silently_wrong": 1}
    assert default.facts["stored_plain"] == 7_864_324


def test_listed_bytes_are_the_tracer_s(default: Measurement) -> None:
    assert default.facts["listed_bytes"] == default.facts["stored_plain"] - 4


def test_each_act_ends_as_it_does_in_torch(default: Measurement) -> None:
    acts = next(one for one in default.tables if one.name == "acts")
    assert {str(row[0]): row[1] for row in acts.rows} == {
        "nothing": "unharmed",
        "changed-in-place": "raises",
        "used-twice": "raises",
        "freed": "raises",
        "overwritten-behind-autograd": "wrong",
    }


@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize(("layers", "rows", "width"), [(2, 4, 8), (4, 32, 16), (16, 8, 64)])
def test_stored_bytes_are_the_formula(activation: str, layers: int, rows: int, width: int) -> None:
    """NA with ReLU, (2N - 1)A with GELU, and 4 bytes of loss."""
    given = {"activation": activation, "layers": layers, "rows": rows, "width": width}
    found = run_experiment("saved-tensors", given, DEFAULT_SEED, "cpu", False)
    a = 4 * rows * width
    expected = layers * a if activation == "relu" else (2 * layers - 1) * a
    assert found.facts["stored_plain"] == expected + 4
    assert found.facts["listed_bytes"] == expected
    assert {one.verdict for one in found.claims} == {"holds"}


# --- Counter-examples ----------------------------------------------------------------


def test_a_checkpointed_chain_and_another_activation_fail_the_bytes() -> None:
    run = make_run("saved-tensors", layers=3, rows=4, width=8)
    model, x = saved_tensors.make_model(run), saved_tensors.make_input(run)
    plain, checkpointed = (
        measure_arm(saved_tensors.make_step("", model, x, runner), run, with_allocator=False)
        for runner in (run_plain, run_every)
    )
    assert saved_tensors.decide_stored(run, plain).verdict == "holds"
    assert saved_tensors.decide_stored(run, checkpointed).verdict == "fails"
    other = make_run("saved-tensors", layers=3, rows=4, width=8, activation="relu")
    assert saved_tensors.decide_stored(other, plain).verdict == "fails"


def test_parameters_that_shrink_fail_their_claim() -> None:
    run = make_run("saved-tensors", layers=3, rows=4, width=8)
    model, x = saved_tensors.make_model(run), saved_tensors.make_input(run)
    plain = measure_arm(saved_tensors.make_step("", model, x, run_plain), run, with_allocator=False)
    before = 4 * 3 * (8 * 8 + 8)
    assert saved_tensors.decide_parameters(model, plain, before=before).verdict == "holds"
    model.half()
    assert saved_tensors.decide_parameters(model, plain, before=before).observed == 0.5


def test_a_read_before_backward_fails_the_reading_claim() -> None:
    run = make_run("saved-tensors", layers=2, rows=4, width=8)
    ledger = saved_tensors.keep_ledger(saved_tensors.make_model(run), saved_tensors.make_input(run))
    assert saved_tensors.decide_reads(ledger).verdict == "holds"
    ledger.reads.append(("shown", "somebody"))
    assert saved_tensors.decide_reads(ledger).verdict == "fails"


def test_a_ledger_that_saw_nothing_decides_nothing() -> None:
    with pytest.raises(AssertionError):
        saved_tensors.decide_reads(Ledger({}))


def test_training_mode_would_fail_the_inference_claims() -> None:
    run = make_run("saved-tensors", layers=2, rows=4, width=8)
    model, x = saved_tensors.make_model(run), saved_tensors.make_input(run)
    stored, is_equal = saved_tensors.find_inference_bytes(model, x)
    assert (stored, is_equal) == (0, True)
    kept, _ = saved_tensors.decide_inference(model, x, 128, is_equal=True)
    changed, _ = saved_tensors.decide_inference(model, x, 0, is_equal=False)
    assert (kept.verdict, changed.verdict) == ("fails", "fails")


def test_an_act_that_backward_does_not_notice_fails_the_claim() -> None:
    unharmed = Act("nothing", None, 0.0)
    raising = Act("freed", "no data", None)
    assert saved_tensors.decide_acts([unharmed, raising]).verdict == "holds"
    assert saved_tensors.decide_acts([unharmed, raising, unharmed]).verdict == "fails"


def test_a_step_with_gradients_moves_the_weights_that_one_without_leaves() -> None:
    run = make_run("saved-tensors", layers=2, rows=4, width=8)
    model, x = saved_tensors.make_model(run), saved_tensors.make_input(run)
    before = [one.detach().clone() for one in model.parameters()]
    saved_tensors.make_step("", model, x, lambda blocks, y: blocks[1](blocks[0](y))).run()
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    after = list(model.parameters())
    assert any(not torch.equal(a, b) for a, b in zip(before, after, strict=True))
