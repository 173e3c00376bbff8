"""Each wrong option of the two original quizzes is answered by a claim about that very option."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assessment.bank.services import load_bank
from assessment.bank.snapshot import (
    ClaimLink,
    Item,
    Option,
    Snapshot,
    forget_snapshots,
    get_snapshot,
)
from assessment.feedback.assemble import assemble_demonstration, assemble_feedback
from assessment.feedback.claim_words import find_unit
from assessment.feedback.claims import show_claim_numbers
from assessment.feedback.messages import get_catalogue
from assessment.feedback.views import DemonstrationView
from assessment.scoring.answers import Answer
from gpu_worker.catalog import EXPERIMENTS

BANK = Path(__file__).parents[2] / "fixtures" / "bank"
SEEDS = [f"{quiz}-{number}" for quiz in ("wo", "bg") for number in range(1, 9)]

pytestmark = pytest.mark.django_db


@pytest.fixture
def snapshot() -> Iterator[Snapshot]:
    forget_snapshots()
    yield get_snapshot(load_bank(BANK).id)
    forget_snapshots()


def list_distractors(snapshot: Snapshot) -> list[tuple[Item, Option]]:
    items = [snapshot.find_item(slug) for slug in SEEDS]
    found = [(item, option) for item in items if item for option in item.options]
    return [(item, option) for item, option in found if not option.is_key]


def tell(
    item: Item, option: Option, snapshot: Snapshot, stored: dict[str, Any] | None
) -> dict[str, Any]:
    assert option.evidence is not None
    view = DemonstrationView(
        id="d",
        state="measured" if stored else "not_run",
        item_version_id=item.version_id,
        chosen_options=(option.id,),
        experiment=option.evidence.experiment if stored else None,
        reason=None if stored else option.evidence.reason,
        measurement=stored,
    )
    told: dict[str, Any] = assemble_demonstration(view, snapshot, [item.slug[:2], "en"])
    return told


def test_there_are_forty_eight_of_them(snapshot: Snapshot) -> None:
    assert len(list_distractors(snapshot)) == 48


def test_the_first_claim_is_about_the_choice_and_was_measured(
    snapshot: Snapshot, real_reports: dict[str, dict[str, Any]]
) -> None:
    num_measured = 0
    for item, option in list_distractors(snapshot):
        evidence = option.evidence
        assert evidence is not None, f"{item.slug}.{option.handle}"
        if evidence.experiment not in real_reports or evidence.needs:
            continue
        told = tell(item, option, snapshot, real_reports[str(evidence.experiment)])
        first = told["claims"][0]
        place = f"{item.slug}.{option.handle}: {first['id']}"
        assert first["about_choice"] is True, place
        assert first["grade"] == evidence.grade, place
        assert first["predicts"]["text"]["text"], place
        assert first["text"]["text"], place
        assert first["observed"] is not None, place
        assert first["verdict"] in ("holds", "undecided"), place
        others = [claim["about_choice"] for claim in told["claims"]]
        assert others == sorted(others, reverse=True), place
        if evidence.grade == "direct" and first["verdict"] == "holds":
            assert told["refutes_choice"] is True, place
        num_measured += 1
    assert num_measured >= 40


def list_predictions(snapshot: Snapshot) -> list[tuple[str, ClaimLink]]:
    """Each number that a wrong answer of the whole bank predicts, with its experiment."""
    found = []
    for item in snapshot.items.values():
        near = item.numeric.near if item.numeric is not None else ()
        for evidence in (*(one.evidence for one in item.options), *(one.evidence for one in near)):
            if evidence is not None and evidence.experiment is not None:
                found += [(evidence.experiment, link) for link in evidence.claims]
    return [(name, link) for name, link in found if link.predicts_value is not None]


def test_a_prediction_reads_the_same_before_and_after_the_measurement(
    snapshot: Snapshot, real_reports: dict[str, dict[str, Any]]
) -> None:
    catalogue, num_seen = get_catalogue("bg"), 0
    for experiment, link in list_predictions(snapshot):
        claims = real_reports.get(experiment, {}).get("claims", [])
        claim = next((one for one in claims if one["id"] == link.claim), None)
        if claim is None:
            continue
        before, after = (
            show_claim_numbers(
                one,
                link.predicts_value,
                unit=find_unit(experiment, link.claim, one),
                catalogue=catalogue,
            )
            for one in (None, claim)
        )
        assert before["predicts"] == after["predicts"], f"{experiment}: {link.claim}"
        num_seen += 1
    assert num_seen > 100


def test_what_cannot_be_measured_says_so(snapshot: Snapshot) -> None:
    texts = [
        (item, option)
        for item, option in list_distractors(snapshot)
        if option.evidence is not None and option.evidence.grade == "text"
    ]
    assert len(texts) <= 3
    for item, option in texts:
        told = tell(item, option, snapshot, None)
        assert told["claims"] == []
        assert told["message"]["text"]


def test_every_wrong_option_is_explained_and_named_in_the_language_of_its_quiz(
    snapshot: Snapshot,
) -> None:
    for item, option in list_distractors(snapshot):
        lang = item.slug[:2]
        told = assemble_feedback(
            item,
            Answer(options=(option.id,)),
            score=0.0,
            is_correct=False,
            languages=[lang],
            snapshot=snapshot,
        )
        for text in (told["explanation"], told["key_explanation"]):
            assert isinstance(text, dict)
            assert text["lang"] == lang, f"{item.slug}.{option.handle}"
        belief = told["misconception"]
        assert isinstance(belief, dict), f"{item.slug}.{option.handle}"
        assert belief["slug"] == option.misconception


def test_every_named_claim_belongs_to_its_experiment(snapshot: Snapshot) -> None:
    for item, option in list_distractors(snapshot):
        evidence = option.evidence
        if evidence is None or evidence.experiment not in EXPERIMENTS:
            continue
        known = EXPERIMENTS[str(evidence.experiment)].claims
        for link in evidence.claims:
            assert link.claim in known, f"{item.slug}.{option.handle}: {link.claim}"
