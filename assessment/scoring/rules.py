"""One pure rule per item kind: what an answer to a frozen item is worth.

Nothing here reads a clock, a database or settings. An answer arrives checked
(`assessment.scoring.answers`), so a rule never meets an unknown option.
"""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assessment.bank.snapshot import Item
from assessment.scoring.answers import Answer


@dataclass(frozen=True)
class Verdict:
    """What the answer was worth and which beliefs it shows.

    score : float in [0, max_score]; partial scores count for the grade only.
    is_correct : fully right; the one fact that counts for theta.
    wrong_options : chosen options that are not keys, in the authored order.
    misconceptions : slugs of the beliefs that the answer shows, the first one first.
    """

    rule: str
    score: float
    is_correct: bool
    wrong_options: tuple[str, ...] = ()
    misconceptions: tuple[str, ...] = ()
    max_score: float = 1.0


def score_answer(item: Item, answer: Answer) -> Verdict:
    """The verdict of the rule of this item's kind."""
    return _RULES[item.kind](item, answer)


def _score_single(item: Item, answer: Answer) -> Verdict:
    """1 for the key, 0 for a distractor."""
    is_correct = set(answer.options) == set(item.key_ids)
    return _judge_options(item, answer, rule="single.1", score=float(is_correct))


def _score_multiple(item: Item, answer: Answer) -> Verdict:
    """(keys chosen - distractors chosen) / keys, never below 0; so guessing all earns nothing."""
    chosen, keys = set(answer.options), set(item.key_ids)
    earned = len(chosen & keys) - len(chosen - keys)
    return _judge_options(item, answer, rule="multiple.1", score=max(0.0, earned / len(keys)))


def _judge_options(item: Item, answer: Answer, *, rule: str, score: float) -> Verdict:
    chosen = set(answer.options)
    wrong = [one for one in item.options if one.id in chosen and not one.is_key]
    return Verdict(
        rule=rule,
        score=score,
        is_correct=chosen == set(item.key_ids),
        wrong_options=tuple(one.id for one in wrong),
        misconceptions=tuple(one.misconception for one in wrong if one.misconception),
    )


def _score_ordering(item: Item, answer: Answer) -> Verdict:
    """Share of the neighbouring pairs of the right order that stand in that order.

    Counting neighbours, a single misplaced event costs at most three of its n - 1 pairs.
    """
    right = [one.id for one in item.options]
    place = {option: index for index, option in enumerate(answer.order)}
    kept = sum(place[a] + 1 == place[b] for a, b in itertools.pairwise(right))
    return Verdict(
        rule="ordering.1", score=kept / (len(right) - 1), is_correct=list(answer.order) == right
    )


def _score_numeric(item: Item, answer: Answer) -> Verdict:
    """1 within the tolerance of the key; a value near a distractor's formula shows its belief."""
    key = item.numeric
    assert key is not None
    assert answer.value is not None
    if key.accepts(answer.value):
        return Verdict(rule="numeric.1", score=1.0, is_correct=True)
    near = key.find_near(answer.value)
    beliefs = (near.misconception,) if near is not None and near.misconception else ()
    return Verdict(rule="numeric.1", score=0.0, is_correct=False, misconceptions=beliefs)


_RULES: Mapping[str, Callable[[Item, Answer], Verdict]] = {
    "single": _score_single,
    "multiple": _score_multiple,
    "ordering": _score_ordering,
    "numeric": _score_numeric,
}
