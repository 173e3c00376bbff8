"""The order of a bank's items under a policy, by served lists or by a scan of the bank."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assessment.psychometrics.banks import Bank
from assessment.psychometrics.content import compute_penalties
from assessment.psychometrics.criteria import (
    compute_distance_to_b,
    compute_distance_to_peak,
    compute_expected_variance,
    compute_fisher_information,
    compute_global_discrimination,
    compute_kullback_leibler,
    compute_weighted_information,
)
from assessment.psychometrics.exposure import Exposure, find_allowed, find_preferred
from assessment.psychometrics.items import Floats, Indexes, ItemParameters, Mask
from assessment.psychometrics.lists import ItemLists, find_floor
from assessment.psychometrics.policy import Criterion, Policy
from assessment.psychometrics.posterior import Posterior


@dataclass(frozen=True, eq=False)
class Question:
    """Everything that one choice depends on.

    Attributes
    ----------
    administered : indexes given already, in order
    blocked : indexes that may not be given
    retests : indexes that re-test a misconception whose evidence was seen
    """

    bank: Bank
    posterior: Posterior
    theta: float
    administered: Sequence[int]
    blocked: frozenset[int]
    policy: Policy
    retests: frozenset[int]
    exposure: Exposure | None


@dataclass(frozen=True)
class Ranking:
    """The items to draw from, by index; `tier` is the exposure rule they satisfy."""

    indexes: list[int]
    tier: str
    path: str


def rank_items(question: Question, *, lists: ItemLists | None) -> Ranking:
    """Return the best items, as many as the policy draws among, and all equal to the last."""
    policy = question.policy
    if policy.exposure_cap is not None and question.exposure is None:
        raise ValueError("a policy with an exposure cap needs the frozen counts")
    if lists is not None and policy.criterion == "MFI" and _fits(lists, question):
        served = _rank_served(question, lists)
        if served:
            return Ranking(served, "preferred", "lists")
    return _rank_scanned(question)


def compute_worth(
    items: ItemParameters, posterior: Posterior, theta: float, *, criterion: Criterion
) -> Floats:
    """Return what each item (I,) is worth, at least 0 and larger for better."""
    nodes, weights = posterior.nodes, posterior.weights
    if criterion == "MFI":
        return compute_fisher_information(items, theta)
    if criterion == "MPWI":
        return compute_weighted_information(items, nodes, weights)
    if criterion == "KLP":
        return compute_kullback_leibler(items, nodes, weights, theta=theta)
    if criterion == "MEPV":
        expected = compute_expected_variance(items, nodes, weights, theta=theta)
        return np.maximum(0.0, posterior.sd**2 - expected)
    if criterion == "GDIP":
        return compute_global_discrimination(items, nodes, weights)
    if criterion == "bOpt":
        return np.asarray(1.0 / (1.0 + compute_distance_to_b(items, theta)))
    if criterion == "thOpt":
        return np.asarray(1.0 / (1.0 + compute_distance_to_peak(items, theta)))
    raise ValueError(f"no such criterion: {criterion}")


def _fits(lists: ItemLists, question: Question) -> bool:
    """Tell whether the lists were built under the counts that the policy's cap looks at."""
    capped = question.policy.exposure_cap is not None and question.exposure is not None
    return lists.exposure == (question.exposure.digest if capped and question.exposure else None)


def _rank_served(question: Question, lists: ItemLists) -> list[int] | None:
    policy, penalties = question.policy, _find_served_penalties(question, lists)
    retests = _list_near_retests(question, lists, penalties)
    if retests is None or retests:
        return retests
    theta, blocked, count = question.theta, question.blocked, policy.randomesque
    if policy.content:
        ranked = lists.rank_balanced(theta, blocked=blocked, count=count, penalties=penalties)
    else:
        ranked = lists.rank(theta, blocked=blocked, count=count)
    return sorted(index for _, index in ranked) if ranked else None


def _find_served_penalties(question: Question, lists: ItemLists) -> list[float]:
    """Return the penalty of each concept; [] where nothing is balanced."""
    if not question.policy.content:
        return []
    available, concepts = list(lists.num_usable), question.bank.concept_list
    for index in question.blocked:
        available[concepts[index]] -= lists.usable[index]
    return _find_penalties(question, available)


def _list_near_retests(
    question: Question, lists: ItemLists, penalties: Sequence[float]
) -> list[int] | None:
    """Return the best retests that are worth nearly what the best item is.

    [] where no retest is; None where only a scan can tell.
    """
    free = sorted(one for one in question.retests - question.blocked if lists.usable[one])
    if not free:
        return []
    best = lists.rank(question.theta, blocked=question.blocked, count=1)
    if not best:
        return None
    at, largest = np.array(free, dtype=np.intp), max(best)[0]
    worth = compute_fisher_information(question.bank.items.take(at), question.theta)
    is_near = worth >= (1.0 - question.policy.retest_share) * largest
    if not is_near.any():
        return []
    return _take_best(question, at[is_near], worth[is_near], largest=largest, penalties=penalties)


def _find_free(question: Question) -> Mask:
    """Return which items (I,) are scored, not blocked and not over the cap."""
    free = ~question.bank.unscored
    free[list(question.blocked)] = False
    cap = question.policy.exposure_cap
    if cap is not None and question.exposure is not None:
        free &= find_preferred(question.exposure, cap)
    return free


def _rank_scanned(question: Question) -> Ranking:
    bank, policy = question.bank, question.policy
    free, tier = _find_free(question), "preferred"
    if policy.exposure_cap is not None and question.exposure and not free.any():
        free, tier = _relax_cap(question, question.exposure, policy.exposure_cap), "allowed"
    at = np.flatnonzero(free)
    if len(at) == 0:
        return Ranking([], tier, "scan")
    items = bank.items.take(at)
    worth = compute_worth(items, question.posterior, question.theta, criterion=policy.criterion)
    largest = float(worth.max())
    penalties: list[float] = []
    if policy.content:
        available = np.bincount(bank.concepts[at], minlength=bank.num_concepts)
        penalties = _find_penalties(question, available.tolist())
    if question.retests:
        is_near = worth >= (1.0 - policy.retest_share) * largest
        is_retest = is_near & np.isin(at, sorted(question.retests))
        if is_retest.any():
            at, worth = at[is_retest], worth[is_retest]
    best = _take_best(question, at, worth, largest=largest, penalties=penalties)
    return Ranking(best, tier, "scan")


def _relax_cap(question: Question, exposure: Exposure, cap: float) -> Mask:
    """Return the least shown of the items that one more administration leaves within the cap."""
    free = ~question.bank.unscored & find_allowed(exposure, cap)
    free[list(question.blocked)] = False
    fewest = exposure.counts[free].min(initial=np.iinfo(np.int64).max)
    return np.asarray(free & (exposure.counts == fewest))


def _take_best(
    question: Question,
    at: Indexes,
    worth: Floats,
    *,
    largest: float,
    penalties: Sequence[float],
) -> list[int]:
    """Return the best of the items `at`; where content is balanced, of the best of each concept."""
    count = question.policy.randomesque
    if penalties:
        concepts = question.bank.concepts[at]
        members = [np.flatnonzero(concepts == k) for k in range(len(penalties))]
        best = np.concatenate(
            [those[_find_best(worth[those], count)] for those in members if len(those)]
        )
        at = at[best]
        worth = worth[best] / max(largest, 1e-300) - np.array(penalties)[concepts[best]]
    return sorted(at[_find_best(worth, count)].tolist())


def _find_best(score: Floats, count: int) -> Indexes:
    """Return the places of the `count` largest, and of all equal to the last."""
    last = score.max() if count == 1 else np.sort(score)[-min(count, len(score))]
    return np.flatnonzero(score >= find_floor(float(last)))


def _find_penalties(question: Question, available: Sequence[int]) -> list[float]:
    given, concepts = [0] * question.bank.num_concepts, question.bank.concept_list
    for index in question.administered:
        given[concepts[index]] += 1
    return compute_penalties(
        question.policy.content,
        given=given,
        available=available,
        length=question.policy.length,
    )
