"""What a person's answers show of each misconception. Pure.

One choice of one option is not a held misconception: the words are `chosen_once`,
`chosen_again`, `later_right` and `not_tested`; one that was tested and never chosen is
`not_chosen`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

BeliefState = Literal["chosen_once", "chosen_again", "later_right", "not_tested", "not_chosen"]


@dataclass(frozen=True)
class AnsweredItem:
    """One answered item: the beliefs it can show, those it showed, whether it was right."""

    beliefs: frozenset[str]
    shown: frozenset[str]
    is_right: bool


@dataclass(frozen=True)
class BeliefRecord:
    """One misconception over all answers, in the order they were given."""

    slug: str
    state: BeliefState
    num_tested: int
    num_chosen: int


def classify_belief(slug: str, answers: Sequence[AnsweredItem]) -> BeliefRecord:
    """The record of one misconception.

    `later_right`: after its last choice, an item that tests it was answered right.
    """
    tested = [one for one in answers if slug in one.beliefs]
    places = [place for place, one in enumerate(tested) if slug in one.shown]
    return BeliefRecord(slug, _name_state(tested, places), len(tested), len(places))


def _name_state(tested: Sequence[AnsweredItem], places: Sequence[int]) -> BeliefState:
    if not tested:
        return "not_tested"
    if not places:
        return "not_chosen"
    if any(one.is_right for one in tested[places[-1] + 1 :]):
        return "later_right"
    return "chosen_once" if len(places) == 1 else "chosen_again"


def classify_beliefs(slugs: Iterable[str], answers: Sequence[AnsweredItem]) -> list[BeliefRecord]:
    """A record of each misconception, those that ask for attention first."""
    order = ("chosen_again", "chosen_once", "later_right", "not_chosen", "not_tested")
    records = [classify_belief(slug, answers) for slug in slugs]
    return sorted(records, key=lambda one: (order.index(one.state), one.slug))
