"""What holds of the bank that is served, and what a finding says."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assessment.bank.audit import AUDIT_SEED, audit_bank
from assessment.bank.coverage import cover_bank
from assessment.bank.families.drawing import read_bank
from assessment.bank.lint import SEED_REQUIRED, lint_bank, lint_item, report_audit
from assessment.bank.parsing import list_evidence, parse_bank
from assessment.bank.specs import BankSpec, ItemSpec

FIXTURES = Path(__file__).parents[2] / "fixtures" / "bank"


@pytest.fixture(scope="module")
def bank() -> BankSpec:
    return parse_bank(read_bank(FIXTURES))


def list_seed_items(bank: BankSpec) -> list[ItemSpec]:
    return [one for one in bank.items.values() if one.stem.seed is not None]


def test_the_bank_leaves_nothing_to_act_on(bank: BankSpec) -> None:
    audit = audit_bank(bank, rng=np.random.default_rng(AUDIT_SEED))
    assert [*lint_bank(bank), *report_audit(audit)] == []


def test_english_and_bulgarian_are_complete_and_the_seed_items_in_four(bank: BankSpec) -> None:
    rows = {one.language: one for one in cover_bank(bank)}
    assert rows["en"].num_complete == rows["bg"].num_complete == len(bank.items)
    assert all(rows[one].num_seed_complete == 16 for one in SEED_REQUIRED)


def test_what_a_seed_answer_may_be_told_is_there_in_four_languages(bank: BankSpec) -> None:
    """Beliefs and claims are told beside the item's own texts."""
    missing = []
    for item in list_seed_items(bank):
        beliefs = [one.misconception for one in item.options if one.misconception]
        claims = [
            (one.experiment, link.claim) for _, one in list_evidence(item) for link in one.claims
        ]
        texts = {slug: bank.misconceptions[slug].text for slug in beliefs}
        texts |= {f"{name}: {claim}": bank.claims[str(name), claim] for name, claim in claims}
        missing += [
            (item.slug, place, language)
            for place, text in texts.items()
            for language in SEED_REQUIRED
            if language not in text.best
        ]
    assert missing == []


def test_no_translation_calls_itself_better_than_it_is(bank: BankSpec) -> None:
    """No speaker has read these texts yet; the pages' own wording is kept as what it is."""
    statuses = {
        (language == "en", wording.status)
        for item in bank.items.values()
        for text in (item.stem, *(one.text for one in item.options))
        for language, wording in text.best.items()
    }
    assert statuses == {(True, "source"), (True, "seed"), (False, "machine"), (False, "seed")}


def test_every_measured_prediction_says_what_it_predicts(bank: BankSpec) -> None:
    for item in bank.items.values():
        for place, evidence in list_evidence(item):
            if place != "evidence":
                assert all(one.text is not None for one in evidence.claims), (item.slug, place)


@pytest.mark.parametrize(
    "text",
    [
        "All of the above",
        "None of these.",
        "All the above",
        "A and C",
        "Both (a) and (b)",
        "Neither A nor B",
        "Options B and D",
        "The first two answers",
        "Any of these options",
        "Only 1 and 3",
    ],
)
def test_an_option_that_points_to_others_must_be_pinned(small_bank: Path, text: str) -> None:
    item = parse_bank(read_bank(small_bank)).items["one"]
    assert find_codes(name_option(item, text)) == ["refers_to_options"]
    assert find_codes(name_option(item, text, pinned=True)) == []


@pytest.mark.parametrize(
    "text",
    [
        "None: loss and shapes agree",
        "16 and 8: each of the parts takes half the bytes",
        "They lack the terms of what was discarded",
        "All of the layers above the first",
        "A and the optimizer state",
        "The answer of the first pass",
    ],
)
def test_an_option_that_speaks_of_other_things_is_left_alone(small_bank: Path, text: str) -> None:
    item = parse_bank(read_bank(small_bank)).items["one"]
    assert find_codes(name_option(item, text)) == []


def test_two_options_that_say_the_same_are_named(small_bank: Path) -> None:
    item = parse_bank(read_bank(small_bank)).items["one"]
    same = item.options[1].text.best["bg"].text.upper() + "."
    assert find_codes(name_option(item, same, language="bg")) == ["same_options"]


def name_option(
    item: ItemSpec, text: str, *, language: str = "en", pinned: bool = False
) -> ItemSpec:
    """The item with its last option saying something else."""
    *others, last = item.options
    best = {**last.text.best, language: replace(last.text.best[language], text=text)}
    changed = replace(last, text=replace(last.text, best=best), pinned=pinned)
    return replace(item, options=(*others, changed))


def find_codes(item: ItemSpec) -> list[str]:
    return [one.code for one in lint_item(item)]
