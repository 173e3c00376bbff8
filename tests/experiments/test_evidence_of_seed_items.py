"""Each distractor of the seed items is answered by the claim that names its own belief."""

import pytest

from assessment.bank.snapshot import get_snapshot
from assessment.experiments.plans import RunPlan, list_default_plans, plan_evidence
from gpu_worker import catalog

BELIEFS = {
    "wo-1": ("accuracy-is-the-price", "network-is-the-price", "precision-is-the-price"),
    "wo-4": (
        "parameters-grow-quadratically",
        "memory-becomes-constant",
        "optimizer-state-grows-quadratically",
    ),
    "wo-7": ("dropout-quantizes-weights", "optimizer-needs-no-gradients", "replay-needs-batch-one"),
    "bg-1": ("accuracy-is-the-price", "disk-and-network-are-traded", "precision-is-the-price"),
    "bg-3": (
        "savings-are-free",
        "memory-becomes-constant",
        "checkpointing-shrinks-optimizer-state",
    ),
}
# Item -> the belief of each distractor in the order of the page.


@pytest.fixture
def snapshot(bank):
    return get_snapshot(bank)


@pytest.mark.parametrize("slug", BELIEFS)
def test_the_first_claim_carries_what_the_option_predicts(snapshot, slug):
    item = snapshot.find_item(slug)
    wrong = [option for option in item.options if not option.is_key]
    assert tuple(option.misconception for option in wrong) == BELIEFS[slug]
    for option in wrong:
        first = option.evidence.claims[0]
        assert first.claim in catalog.get_experiment(option.evidence.experiment).claims
        assert first.predicts_text.best["en"].text
        assert first.predicts_text.best["bg"].text
        assert isinstance(plan_evidence(option.evidence), RunPlan)


def test_every_claim_of_the_bank_is_one_that_its_experiment_decides(snapshot):
    for item in snapshot.items.values():
        links = [one.evidence for one in item.options if one.evidence]
        for evidence in [*links, *([item.key_evidence] if item.key_evidence else [])]:
            if evidence.experiment in catalog.EXPERIMENTS:
                known = catalog.EXPERIMENTS[evidence.experiment].claims
                assert {one.claim for one in evidence.claims} <= set(known), item.slug


def test_a_version_asks_for_each_of_its_runs_once(snapshot):
    plans = list_default_plans(snapshot)
    digests = [plan.digest("cpu") for plan in plans]
    assert len(digests) == len(set(digests))
    assert {"tradeoff", "sqrt-n", "dropout-rng"} <= {plan.experiment for plan in plans}
