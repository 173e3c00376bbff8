import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assessment.bank.documents import BankError, read_bank_directory
from assessment.bank.families.catalog import FAMILIES
from assessment.bank.families.drawing import (
    MAX_INSTANCES,
    draw_instances,
    expand_families,
    read_bank,
    render,
)
from assessment.bank.families.family import Family, Numbers
from assessment.bank.families.verifying import verify_items
from assessment.bank.lint import lint_bank
from assessment.bank.parsing import parse_bank
from assessment.bank.specs import BankSpec
from assessment.ops.laboratory import run_experiment
from gpu_worker.catalog import get_experiment, resolve_parameters

FIXTURES = Path(__file__).parents[2] / "fixtures" / "bank"
SEED = 20261130

# Keys and wrong values worked out by hand from MISCONCEPTIONS' formulas.
BY_HAND: list[tuple[str, Numbers, float, dict[str, float]]] = [
    (
        "segment-peak",
        {"N": 49, "S": 7, "m": 7},
        14,
        {"boundaries-are-free": 8, "only-checkpoints-count": 7, "segments-free-nothing": 50},
    ),
    (
        "depth-scaling",
        {"k": 4, "r": 3, "first": 16, "last": 144, "root": 12},
        3,
        {"saving-is-a-constant-factor": 9, "memory-becomes-constant": 1},
    ),
    ("replay-calls", {"N": 20, "S": 4, "m": 5}, 35, {"only-checkpoints-run-again": 23}),
    ("replay-flops", {"L": 6, "c": 6}, 4 / 3, {"backward-is-free": 2, "savings-are-free": 1}),
    (
        "saved-per-layer",
        {"N": 5, "d": 64, "b": 128, "A": 32768, "activation": "ReLU"},
        163840,
        {"one-storage-counted-twice": 294912, "activations-are-weights": 83200},
    ),
    (
        "transformer-bytes",
        {"s": 128, "b": 1, "h": 128, "a": 4},
        884736,
        {"attention-matrix-is-free": 557056, "activations-are-weights": 396544},
    ),
    (
        "core-attention-share",
        {"s": 128, "b": 1, "h": 128, "a": 4},
        100 * 2560 / 6912,
        {"memory-share-is-flop-share": 100 / 7},
    ),
    (
        "optimizer-bytes",
        {"L": 4, "h": 32, "P": 50816, "optimizer": "AdamW"},
        406528,
        {"checkpointing-promotes-to-fp64": 813056, "state-includes-gradients": 609792},
    ),
    ("batchnorm-momentum", {"m": 0.5}, 1.5, {"updates-add-up": 2, "replay-decays-the-mean": 0.25}),
]


@pytest.fixture(scope="module")
def bank() -> BankSpec:
    return parse_bank(read_bank(FIXTURES))


def test_there_are_at_least_eight_families_with_texts(bank: BankSpec) -> None:
    assert {item.family for item in bank.items.values()} - {None} == set(FAMILIES)
    assert len(FAMILIES) >= 8


@pytest.mark.parametrize(("slug", "numbers", "key", "wrong"), BY_HAND)
def test_the_formulas_give_the_values_worked_out_by_hand(
    slug: str, numbers: Numbers, key: float, wrong: dict[str, float]
) -> None:
    family = FAMILIES[slug]
    assert family.key(numbers) == pytest.approx(key)
    values = {one.misconception: one.formula(numbers) for one in family.wrong}
    for belief, value in wrong.items():
        assert values[belief] == pytest.approx(value)


@pytest.mark.parametrize("slug", FAMILIES)
def test_the_same_seed_draws_the_same_instances(slug: str) -> None:
    first, second = (draw_instances(FAMILIES[slug], num_instances=6, seed=SEED) for _ in range(2))
    assert first == second
    assert len({json.dumps(one, sort_keys=True) for one in first}) == 6


def test_a_family_too_narrow_for_its_instances_says_so() -> None:
    with pytest.raises(ValueError, match="only 7 instances"):
        draw_instances(FAMILIES["batchnorm-momentum"], num_instances=8, seed=SEED)


def test_every_instance_can_be_told_from_its_distractors(bank: BankSpec) -> None:
    for item in bank.items.values():
        if item.family is None:
            continue
        assert item.numeric is not None
        assert len(item.numeric.near) >= 2
        family = FAMILIES[item.family]
        values = [item.numeric.value, *(near.value for near in item.numeric.near)]
        for place, value in enumerate(values):
            for other in values[place + 1 :]:
                assert family.is_apart(value, other)


def test_no_family_has_more_than_twenty_instances_and_all_are_enemies(bank: BankSpec) -> None:
    sizes: dict[str, int] = {}
    for item in bank.items.values():
        if item.family is not None:
            sizes[item.family] = sizes.get(item.family, 0) + 1
    assert max(sizes.values()) <= MAX_INSTANCES


def test_every_run_is_within_the_ranges_of_a_cpu(bank: BankSpec) -> None:
    for item in bank.items.values():
        if item.family is not None:
            family = FAMILIES[item.family]
            parameters = family.parameters(item.instance)  # type: ignore[arg-type]
            resolve_parameters(get_experiment(family.experiment), parameters)


def test_instances_pass_the_text_guard(bank: BankSpec) -> None:
    slugs = {f"item:{item.slug}" for item in bank.items.values() if item.family is not None}
    found = [one for one in lint_bank(bank) if one.owner in slugs and one.level == "error"]
    assert found == []


def test_numbers_are_written_as_the_language_writes_them() -> None:
    text = {"en": "{n} of {share}", "bg": {"text": "{n} от {share}", "status": "reviewed"}}
    shown = render(text, {"n": 1234567, "share": 0.5})
    assert shown == {
        "en": "1,234,567 of 0.5",
        "bg": {"text": "1\u00a0234\u00a0567 от 0,5", "status": "reviewed"},
    }


def test_an_unknown_placeholder_is_reported(tmp_path: Path) -> None:
    source = read_bank_directory(FIXTURES)
    document = source.families["replay-calls"] | {"stem": {"en": "How many {apples}?"}}
    broken = replace(source, families={"replay-calls": document})
    with pytest.raises(BankError, match=r"there is no number \{apples\}"):
        expand_families(broken)


def _measure(experiment: str, parameters: Mapping[str, object]) -> Mapping[str, Any]:
    return run_experiment(experiment, parameters)


@pytest.mark.slow
def test_a_run_confirms_the_key_and_catches_a_planted_wrong_formula(bank: BankSpec) -> None:
    items = [bank.items[slug] for slug in ("replay-calls-01", "segment-peak-01")]
    found = list(verify_items(items, _measure))
    assert [one.is_confirmed for one in found] == [True, True]
    assert {one.state for one in found} == {"measured"}
    for item in items:
        assert item.numeric is not None
        wrong = FAMILIES[str(item.family)].wrong[0].formula(item.instance)  # type: ignore[arg-type]
        planted = replace(item, numeric=replace(item.numeric, value=wrong))
        (caught,) = verify_items([planted], _measure)
        assert not caught.is_confirmed
        assert "the run shows" in caught.reason


def test_a_failed_run_confirms_nothing(bank: BankSpec) -> None:
    (found,) = verify_items(
        [bank.items["replay-calls-01"]],
        lambda experiment, parameters: {"state": "failed", "reason": "timeout"},
    )
    assert (found.is_confirmed, found.observed, found.reason) == (False, None, "timeout")


def test_a_run_without_the_claim_confirms_nothing(bank: BankSpec) -> None:
    empty = {"state": "measured", "measurement": {"claims": [], "memory": [], "tables": []}}
    items = [item for item in bank.items.values() if item.slug.endswith("-01") and item.family]
    for one in verify_items(items, lambda experiment, parameters: empty):
        assert not one.is_confirmed
        assert one.reason


def test_one_run_serves_all_instances_that_share_it(bank: BankSpec) -> None:
    asked: list[str] = []

    def run(experiment: str, parameters: Mapping[str, object]) -> Mapping[str, Any]:
        asked.append(f"{experiment}{sorted(parameters.items())}")
        return {"state": "failed"}

    items = [item for item in bank.items.values() if item.family is not None]
    found = list(verify_items(items, run))
    assert len(found) == len(items)
    assert len(set(asked)) == len(asked) < len(items)


def test_a_family_never_reads_its_key_from_its_own_formula() -> None:
    """Another key formula must not change what is read from a report."""

    def poison(numbers: Numbers) -> float:
        raise AssertionError("the key formula was asked")

    report = {
        "state": "measured",
        "measurement": {
            "claims": [{"id": "forward-runs-again", "observed": 35.0, "points": []}],
        },
    }
    family: Family = replace(FAMILIES["replay-calls"], key=poison)
    assert family.read_key(report, {"N": 20, "S": 4, "m": 5}) == 35.0
    assert math.isfinite(family.read_key(report, {"N": 20, "S": 4, "m": 5}))
