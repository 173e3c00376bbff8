"""What a finished session shows: an interval in words, concepts, misconceptions.

Learners never see a bare theta. Parameters that rest on an author's level are called
provisional, and no claim is made that evidence helped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from assessment.bank.snapshot import Item, Snapshot, get_snapshot
from assessment.delivery.adaptive import list_beliefs
from assessment.feedback.beliefs import AnsweredItem, BeliefRecord, classify_beliefs
from assessment.feedback.messages import get_local_text
from assessment.psychometrics.cold_start import LEVEL_SD
from assessment.psychometrics.interpretation import (
    Mastery,
    PlainInterval,
    describe_interval,
    estimate_mastery,
)
from assessment.psychometrics.items import ItemParameters, make_items
from assessment.psychometrics.posterior import make_posterior
from gpu_worker.contracts import Json

SURE = 0.8
# A probability whose whole interval is above it (or below 1 - it) is told as such.


@dataclass(frozen=True)
class Outcome:
    """One answered item of the session: which version, fully right or not, beliefs shown."""

    item_id: str
    is_right: bool
    beliefs: tuple[str, ...]


@dataclass(frozen=True)
class Estimate:
    """Numbers of one set of answers; concepts by name."""

    interval: PlainInterval
    concepts: Mapping[str, Mastery]
    is_provisional: bool


def assemble_outcome(
    snapshot: Snapshot,
    quiz_slug: str,
    outcomes: Sequence[Outcome],
    languages: Sequence[str],
    *,
    with_untested: bool,
) -> dict[str, Json]:
    """The outcome of a session in the learner's language.

    with_untested : False while an unanswered item of the quiz must still tell nothing
    """
    answers = tuple((one.item_id, one.is_right) for one in outcomes)
    estimate = estimate_outcome(snapshot.bank_version_id, quiz_slug, answers)
    interval = estimate.interval
    facts = {"low": interval.low, "high": interval.high, "num_items": interval.num_items}
    place = interval.place.replace("_", "-")
    provisional = get_local_text("outcome-provisional", {}, languages)
    return {
        "interval": {
            **facts,
            "place": interval.place,
            "text": dict(get_local_text(f"outcome-{place}", facts, languages).as_json()),
        },
        "provisional": dict(provisional.as_json()) if estimate.is_provisional else None,
        "concepts": [
            _describe_concept(name, found, languages)
            for name, found in estimate.concepts.items()
            if found.num_answers or with_untested
        ],
        "misconceptions": [
            one
            for one in _describe_beliefs(snapshot, quiz_slug, outcomes, languages)
            if with_untested or one["state"] != "not_tested"
        ],
    }


@lru_cache(maxsize=512)
def estimate_outcome(
    bank_version_id: str, quiz_slug: str, answers: tuple[tuple[str, bool], ...]
) -> Estimate:
    """Interval of the expected score and mastery of each concept of the quiz."""
    snapshot = get_snapshot(bank_version_id)
    quiz_ids = snapshot.quizzes[quiz_slug].item_ids
    reference, given = _take(snapshot, quiz_ids), _take(snapshot, [one for one, _ in answers])
    right = [int(is_right) for _, is_right in answers]
    names = sorted({snapshot.items[one].concept for one in quiz_ids})
    places = np.array([names.index(snapshot.items[one].concept) for one in quiz_ids])
    provisional = np.array([snapshot.items[one].provisional for one in quiz_ids])
    mastery = estimate_mastery(
        given,
        right,
        np.array([names.index(snapshot.items[one].concept) for one, _ in answers], dtype=np.intp),
        reference=reference,
        reference_concepts=places,
        b_sd=np.where(provisional, LEVEL_SD, 0.0),
    )
    return Estimate(
        describe_interval(reference, make_posterior(given, right)),
        {names[place]: found for place, found in mastery.items()},
        bool(provisional.any()),
    )


def _take(snapshot: Snapshot, item_ids: Sequence[str]) -> ItemParameters:
    at = np.array([snapshot.item_index[one] for one in item_ids], dtype=np.intp)
    return make_items(snapshot.a[at], snapshot.b[at], c=snapshot.c[at], d=snapshot.d[at])


def _describe_concept(name: str, found: Mastery, languages: Sequence[str]) -> dict[str, Json]:
    state = _name_mastery(found)
    facts = {"num_answers": found.num_answers}
    return {
        "concept": name,
        "name": dict(get_local_text(f"concept-{name}", {}, languages).as_json()),
        "num_answers": found.num_answers,
        "state": state,
        "text": dict(
            get_local_text(f"mastery-{state.replace('_', '-')}", facts, languages).as_json()
        ),
        "probability": round(found.probability, 4),
        "probability_interval": [
            round(found.probability_low, 4),
            round(found.probability_high, 4),
        ],
    }


def _name_mastery(found: Mastery) -> str:
    if found.num_answers == 0:
        return "not_tested"
    if found.probability_low >= SURE:
        return "likely"
    return "unlikely" if found.probability_high <= 1.0 - SURE else "open"


def _describe_beliefs(
    snapshot: Snapshot, quiz_slug: str, outcomes: Sequence[Outcome], languages: Sequence[str]
) -> list[dict[str, Json]]:
    """Those that were chosen or not tested; fillers that nobody believes stay out."""
    items = [snapshot.items[one] for one in snapshot.quizzes[quiz_slug].item_ids]
    slugs = dict.fromkeys(
        slug for item in items for slug in list_beliefs(item) if _is_plausible(snapshot, slug)
    )
    answered = [_read_answered(snapshot.items[one.item_id], one) for one in outcomes]
    records = classify_beliefs(slugs, answered)
    return [
        _describe_belief(snapshot, one, languages) for one in records if one.state != "not_chosen"
    ]


def _is_plausible(snapshot: Snapshot, slug: str) -> bool:
    known = snapshot.misconceptions.get(slug)
    return known is not None and known.plausible


def _read_answered(item: Item, outcome: Outcome) -> AnsweredItem:
    return AnsweredItem(frozenset(list_beliefs(item)), frozenset(outcome.beliefs), outcome.is_right)


def _describe_belief(
    snapshot: Snapshot, record: BeliefRecord, languages: Sequence[str]
) -> dict[str, Json]:
    words = get_local_text(f"belief-{record.state.replace('_', '-')}", {}, languages)
    known = snapshot.misconceptions[record.slug]
    return {
        "slug": record.slug,
        "text": dict(known.text.choose(languages).as_json()),
        "state": record.state,
        "state_text": dict(words.as_json()),
        "num_tested": record.num_tested,
        "num_chosen": record.num_chosen,
    }
