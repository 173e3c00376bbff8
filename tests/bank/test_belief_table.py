"""Every wrong answer stands for a belief, and docs/misconceptions.md tells them all."""

from collections import Counter
from pathlib import Path

import pytest

from assessment.bank.belief_table import is_seed, list_wrong_answers, write_table
from assessment.bank.families.drawing import read_bank
from assessment.bank.parsing import parse_bank
from assessment.bank.specs import BankSpec
from gpu_worker.catalog import EXPERIMENTS

ROOT = Path(__file__).parents[2]

WHOLE_ORDERS = ("ordering",)
# An ordering is wrong as a whole: it has no option that could stand for a belief.

LEAST_DIRECT, MOST_TEXT = 37, 3
# Of the 48 distractors of the two original quizzes.


@pytest.fixture(scope="module")
def bank() -> BankSpec:
    return parse_bank(read_bank(ROOT / "fixtures" / "bank"))


def test_the_page_is_what_the_bank_says(bank: BankSpec) -> None:
    """Else: ./remat bank table fixtures/bank > docs/misconceptions.md"""
    page = (ROOT / "docs" / "misconceptions.md").read_text(encoding="utf-8")
    assert page == write_table(bank)


def test_the_48_distractors_have_their_beliefs_claims_and_grades(bank: BankSpec) -> None:
    seeds = [one for one in list_wrong_answers(bank) if is_seed(one)]
    assert len(seeds) == 48
    assert all(one.misconception in bank.misconceptions for one in seeds)
    grades = Counter(one.evidence.grade for one in seeds if one.evidence)
    assert sum(grades.values()) == 48
    assert grades["direct"] >= LEAST_DIRECT
    assert grades["text"] <= MOST_TEXT


def test_every_wrong_option_stands_for_a_known_belief(bank: BankSpec) -> None:
    answers = list_wrong_answers(bank)
    options = sum(
        not option.is_key
        for item in bank.items.values()
        if item.kind not in WHOLE_ORDERS
        for option in item.options
    )
    numbers = sum(len(item.numeric.near) for item in bank.items.values() if item.numeric)
    assert len(answers) == options + numbers
    for one in answers:
        assert one.misconception in bank.misconceptions, one.place


def test_what_is_measurable_names_claims_and_what_is_not_says_so(bank: BankSpec) -> None:
    for one in list_wrong_answers(bank):
        if one.evidence is None:
            continue
        if one.evidence.grade == "text":
            assert not one.evidence.claims, one.place
            assert one.evidence.reason, one.place
        else:
            experiment = EXPERIMENTS[str(one.evidence.experiment)]
            assert one.evidence.claims, one.place
            for claim in one.evidence.claims:
                assert claim.claim in experiment.claims, one.place
                assert claim.text is not None, one.place


def test_no_belief_and_no_claim_is_left_over(bank: BankSpec) -> None:
    answers = list_wrong_answers(bank)
    assert set(bank.misconceptions) == {str(one.misconception) for one in answers}
    known = {(one.name, claim) for one in EXPERIMENTS.values() for claim in one.claims}
    assert set(bank.claims) == known
