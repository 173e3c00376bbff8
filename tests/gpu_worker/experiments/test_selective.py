"""selective: Korthikanti's bytes and our FLOP shares over the range, and failing claims."""

import dataclasses

import pytest
import torch
from torch.utils.checkpoint import set_checkpoint_early_stop

from gpu_worker.catalog import DEFAULT_SEED
from gpu_worker.contracts import ClaimResult, Measurement
from gpu_worker.experiments import selective
from gpu_worker.experiments.selective import Policy
from gpu_worker.measure.flops import Flops
from gpu_worker.measure.setup import Run, open_tensors
from gpu_worker.models import run_plain
from gpu_worker.registry import run_experiment
from tests.gpu_worker.chains import make_run

SMALL = {"layers": 2, "batch": 1, "length": 32, "hidden": 32, "heads": 4}


def index_claims(found: Measurement) -> dict[str, ClaimResult]:
    return {one.id: one for one in found.claims}


@pytest.fixture(scope="module")
def small() -> Measurement:
    return run_experiment("selective", SMALL, DEFAULT_SEED, "cpu", False)


def test_every_claim_holds(small: Measurement) -> None:
    claims = index_claims(small)
    assert {one.verdict for one in claims.values()} == {"holds"}
    assert claims["replayed-share"].observed == pytest.approx(1 + 32 / (36 * 32 + 6 * 32))
    assert claims["loss-equal"].observed == claims["outputs-equal"].observed == 0.0


def test_no_seconds_are_shown_in_bfloat16(small: Measurement) -> None:
    assert small.timing is None


def test_every_policy_has_the_gradients_of_plain(small: Measurement) -> None:
    policies = next(one for one in small.tables if one.name == "policies")
    assert len(policies.rows) == 11
    assert {row[-1] for row in policies.rows} == {0.0}
    ratios = {str(row[0]): row[4] for row in policies.rows}
    assert ratios["save-products"] == 1.0
    assert ratios["full"] == pytest.approx(4 / 3)
    assert ratios["alternate"] == pytest.approx(1 + 1 / 6)


def test_fused_attention_stands_beside_the_written_out(small: Measurement) -> None:
    """Fused stores no matrix of s x s: no more than written out with its core replayed,
    but for the logarithms of the softmax sums."""
    stored = {one.name: one.stored for one in small.memory}
    assert stored["plain"] is not None
    assert stored["core"] is not None
    assert stored["fused-plain"] is not None
    assert stored["core"] < stored["fused-plain"] < stored["plain"]


@pytest.mark.parametrize(
    ("length", "batch", "hidden", "heads", "layers"),
    [
        (8, 1, 16, 1, 2),
        (16, 3, 48, 3, 3),
        (64, 2, 256, 8, 2),
        (100, 1, 32, 32, 2),
        (128, 4, 128, 4, 2),
        (256, 1, 128, 8, 2),
        (512, 2, 64, 2, 2),
        (2048, 1, 4096, 32, 2),
    ],
)
def test_bytes_and_flops_are_the_formula_for_any_shape(
    length: int, batch: int, hidden: int, heads: int, layers: int
) -> None:
    """Simulated: to the byte what is measured (below), and free of a CPU's bfloat16."""
    given = {
        "length": length,
        "batch": batch,
        "hidden": hidden,
        "heads": heads,
        "layers": layers,
    }
    check_formulas(make_run("selective", simulate=True, **given))


@pytest.mark.parametrize("dropout", [0.05, 0.5])
def test_formulas_do_not_depend_on_dropout(dropout: float) -> None:
    check_formulas(make_run("selective", simulate=True, **SMALL, dropout=dropout))


def check_formulas(run: Run) -> None:
    s, b, h, a, layers = map(run.get_int, ("length", "batch", "hidden", "heads", "layers"))
    with open_tensors(run, dtype=torch.bfloat16):
        model, x = selective.make_model(run), selective.make_input(run)
        plain = selective.measure_policy(run, model, x, Policy("plain", run_plain))
        core = selective.measure_policy(run, model, x, Policy("core", run_plain, True))
        with set_checkpoint_early_stop(False):
            late = selective.measure_policy(run, model, x, Policy("late", run_plain, True))
        stored, freed = selective.decide_bytes(run, plain, core, x)
    assert (stored.verdict, freed.verdict) == ("holds", "holds")
    assert stored.observed == pytest.approx(
        layers * s * b * h * (34 + 5 * a * s / h + 8 / h), abs=64
    )
    assert freed.observed == 5 * a * b * s**2
    ratios = [one.total_flops / plain.total_flops for one in (core, late)]
    assert ratios == pytest.approx([1 + s / (36 * h + 6 * s), 1 + s / (18 * h + 3 * s)], abs=1e-6)


def test_simulated_equals_measured_to_the_byte_and_flop(small: Measurement) -> None:
    fake = run_experiment("selective", SMALL, DEFAULT_SEED, "cpu", True)
    assert fake.memory == small.memory
    assert fake.flops == small.flops


# --- Counter-examples ----------------------------------------------------------------


def test_the_published_formula_without_the_norms_fails() -> None:
    run = make_run("selective", simulate=True, **SMALL)
    model, x = selective.make_model(run), selective.make_input(run)
    plain = selective.measure_policy(run, model, x, selective.list_policies()[0])
    right, _ = selective.decide_bytes(run, plain, plain, x)
    # In float32 the same blocks store twice as much: the formula must not hold for them.
    assert right.verdict == "fails"


def test_a_free_replay_would_fail_the_share_and_fewer_flops_theirs(small: Measurement) -> None:
    run = make_run("selective", simulate=True, **SMALL)
    model, x = selective.make_model(run), selective.make_input(run)
    plain, core = (
        selective.measure_policy(run, model, x, one)
        for one in selective.list_policies()
        if one.name in ("plain", "core")
    )
    full = dataclasses.replace(plain, name="full")
    free = selective.decide_flops(run, {"plain": plain, "core": plain, "full": full}, core)
    assert {one.id: one.verdict for one in free} == {
        "replayed-share": "fails",
        "flops-not-fewer": "holds",
    }
    less = dataclasses.replace(core, flops=Flops(1, 1, ()))
    fewer = selective.decide_flops(run, {"plain": plain, "core": less, "full": full}, core)
    assert fewer[1].verdict == "fails"


def test_an_input_layer_that_saved_something_would_fail() -> None:
    run = make_run("selective", simulate=True, **SMALL)
    model, x = selective.make_model(run), selective.make_input(run)
    plain, full = (
        selective.measure_policy(run, model, x, one)
        for one in selective.list_policies()
        if one.name in ("plain", "full")
    )
    assert selective.decide_input_layer([plain, full]).verdict == "fails"
    assert selective.decide_input_layer([plain, plain]).verdict == "holds"
