"""Choosing the next item: one pure function, whose state replays the choice."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from assessment.psychometrics.banks import Bank, list_enemies
from assessment.psychometrics.curves import compute_item_information
from assessment.psychometrics.exposure import Exposure
from assessment.psychometrics.items import Indexes
from assessment.psychometrics.lists import ItemLists
from assessment.psychometrics.policy import Policy
from assessment.psychometrics.posterior import Posterior
from assessment.psychometrics.ranking import Question, rank_items

State = dict[str, float | int | str | bool | None]


@dataclass(frozen=True)
class Choice:
    """The next item and why.

    Attributes
    ----------
    index : int
    information : float
        Fisher information of the item at theta, per logit squared.
    is_scored : bool
        False for a new item given for its answers only.
    state : dict
        What the choice was made from, plain JSON; equal inputs give an equal state.
    """

    index: int
    information: float
    is_scored: bool
    state: State = field(compare=False)


def make_rng(seed: int, *, position: int) -> np.random.Generator:
    """Return the generator of one position of one session, the same wherever it is made."""
    return np.random.default_rng([seed, position])


def draw_unscored_positions(policy: Policy, *, seed: int) -> frozenset[int]:
    """Return the positions of a session's unscored items; never the first."""
    if policy.num_unscored == 0:
        return frozenset()
    rng = np.random.default_rng([seed, 0x5EED])
    places = 1 + rng.choice(policy.length - 1, size=policy.num_unscored, replace=False)
    return frozenset(int(place) for place in places)


def choose_next_item(
    bank: Bank,
    posterior: Posterior,
    *,
    administered: Sequence[int],
    policy: Policy,
    rng: np.random.Generator,
    excluded: Collection[int] = (),
    retests: Collection[int] = (),
    exposure: Exposure | None = None,
    lists: ItemLists | None = None,
) -> Choice | None:
    """Return the next scored item, or None when none may be asked.

    Parameters
    ----------
    administered : sequence of int
        Items already given in this session; never given again, nor their enemies.
    excluded : collection of int
        Items that may not be given for another reason.
    retests : collection of int
        Items that re-test a misconception whose evidence the learner has seen.
    exposure : Exposure or None
        Frozen counts; asked for by a policy with a cap.
    lists : ItemLists or None
        Lists of the bank, built from `find_preferred` of the same counts under a cap. The
        choice is the same with and without them.
    """
    question = Question(
        bank,
        posterior,
        posterior.mean,
        administered,
        frozenset({*administered, *excluded} | list_enemies(bank, administered)),
        policy,
        frozenset(retests),
        exposure,
    )
    ranking = rank_items(question, lists=lists)
    if not ranking.indexes:
        return None
    best = ranking.indexes
    draw = int(rng.integers(len(best))) if len(best) > 1 else 0
    state = _describe(posterior, position=len(administered), draw=draw, num_candidates=len(best))
    state |= {
        "criterion": policy.criterion,
        "tier": ranking.tier,
        "path": ranking.path,
        "is_retest": best[draw] in question.retests,
        "exposure": exposure.digest if exposure is not None else None,
    }
    information = compute_item_information(bank.items, best[draw], posterior.mean)
    return Choice(best[draw], information, is_scored=True, state=state)


def choose_unscored_item(
    bank: Bank,
    posterior: Posterior,
    *,
    administered: Sequence[int],
    num_answers: Indexes,
    rng: np.random.Generator,
    excluded: Collection[int] = (),
) -> Choice | None:
    """Return the new item with the fewest answers so far (ties drawn), or None.

    Parameters
    ----------
    num_answers : (I,) int
        Answers that each item has had, in the rolled-up counts.
    """
    blocked = {*administered, *excluded} | list_enemies(bank, administered)
    new = [i for i in np.flatnonzero(bank.unscored).tolist() if i not in blocked]
    if not new:
        return None
    fewest = min(int(num_answers[i]) for i in new)
    ties = [i for i in new if num_answers[i] == fewest]
    draw = int(rng.integers(len(ties)))
    state = _describe(posterior, position=len(administered), draw=draw, num_candidates=len(ties))
    information = compute_item_information(bank.items, ties[draw], posterior.mean)
    return Choice(ties[draw], information, is_scored=False, state=state)


def _describe(posterior: Posterior, *, position: int, draw: int, num_candidates: int) -> State:
    return {
        "theta": posterior.mean,
        "standard_error": posterior.sd,
        "position": position,
        "draw": draw,
        "num_candidates": num_candidates,
    }
