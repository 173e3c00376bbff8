"""Simulated test-wise guessers: how much a bank gives away to someone who knows nothing.

Besides the guessers of `assessment.bank.guessers` one is fitted on half of the items and
tested on the other half. Pure numpy over plain strings.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assessment.bank.guessers import (
    GUESSERS,
    Choice,
    FloatArray,
    count_absolute,
    find_words,
    guess_by_rank,
    judge,
    measure_grammar,
    measure_likeness,
    measure_overlap,
    standardize,
)
from assessment.bank.specs import BankSpec, ItemSpec

AUDIT_SEED = 20261130
# The fitted guesser halves the bank with it, so that an audit can be repeated.

AUDITED_LANGUAGES = ("en", "bg")
# Those whose words of certainty and grammar the guessers know.

LIMIT = 0.35
# No guesser may reach this share on the new choice items; blind chance of four is 0.25.

LONGEST_MARGIN = 1.3
# A key at least this much longer than the next option is flagged.

MIN_LIKENESS = 0.1
# Share of words that options must have in common before one can be the odd one out.

RIDGE = 1.0
# Penalty of the fitted guesser; with a few dozen items less only fits noise.

STEPS = 400
# Gradient steps of the fit; its loss is convex and flat by then.

SPLITS = 10
# Halvings of the bank over which the fitted guesser is averaged.

MIN_FITTED = 8
# Fewer items teach the fitted guesser nothing.

Z95 = 1.959963984540054
# The 97.5 % point of the normal distribution.


@dataclass(frozen=True)
class Score:
    """What one guesser earns. low, high: Wilson 95 % interval; None without items."""

    guesser: str
    language: str
    num_items: int
    score: float | None
    low: float | None
    high: float | None
    limit: float = LIMIT

    @property
    def is_passed(self) -> bool:
        return self.score is None or self.score < self.limit

    def as_json(self) -> dict[str, object]:
        return dict(vars(self)) | {"passed": self.is_passed}


@dataclass(frozen=True)
class Flag:
    """A form that gives one item away. `waiver` is the author's recorded reason to keep it."""

    slug: str
    code: str
    language: str
    message: str
    waiver: str | None = None


@dataclass(frozen=True)
class Audit:
    new: tuple[Score, ...]
    seed: tuple[Score, ...]
    flags: tuple[Flag, ...] = field(default=())

    @property
    def is_passed(self) -> bool:
        return all(one.is_passed for one in self.new)

    def as_json(self) -> dict[str, object]:
        return {
            "passed": self.is_passed,
            "new": [one.as_json() for one in self.new],
            "seed": [one.as_json() for one in self.seed],
            "flags": [dict(vars(one)) for one in self.flags],
        }


def audit_bank(
    bank: BankSpec, *, rng: np.random.Generator, languages: Sequence[str] = AUDITED_LANGUAGES
) -> Audit:
    """Every guesser on the new and on the seed items, and the flags of single items."""
    new, seed, flags = [], [], []
    for language in languages:
        choices = {True: [], False: []}  # type: dict[bool, list[Choice]]
        for item in bank.items.values():
            choice = make_choice(item, language)
            if choice is not None:
                choices[item.stem.seed is not None].append(choice)
                flags += flag_choice(choice, waivers=item.waivers)
        new += score_guessers(choices[False], language, rng=rng)
        seed += score_guessers(choices[True], language, rng=rng)
    return Audit(tuple(new), tuple(seed), tuple(flags))


def make_choice(item: ItemSpec, language: str) -> Choice | None:
    """The item as single choice in one language; None where it is of another kind."""
    texts = [one.text.best.get(language) for one in item.options]
    if item.kind != "single" or language not in item.stem.best:
        return None
    shown = tuple(one.text for one in texts if one is not None)
    if len(shown) != len(texts):
        return None
    key = [one.is_key for one in item.options].index(True)
    return Choice(item.slug, item.stem.best[language].text, shown, key, language)


def score_guessers(
    choices: Sequence[Choice], language: str, *, rng: np.random.Generator
) -> list[Score]:
    found = [
        summarize(name, language, [judge(one, guesser(one)) for one in choices])
        for name, guesser in GUESSERS.items()
    ]
    for rank in range(4):
        scores = [judge(one, guess_by_rank(one, rank)) for one in choices]
        found.append(summarize(f"numeric-rank-{rank + 1}", language, scores))
    fitted = score_fitted(choices, rng=rng) if len(choices) >= MIN_FITTED else np.empty(0)
    return [*found, summarize("fitted", language, fitted)]


def summarize(guesser: str, language: str, scores: Sequence[float] | FloatArray) -> Score:
    """The mean with its Wilson (1927) interval, as if each score were 0 or 1."""
    n = len(scores)
    if n == 0:
        return Score(guesser, language, 0, None, None, None)
    p = float(np.mean(scores))
    middle = (p + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 * math.sqrt(p * (1 - p) / n + Z95**2 / (4 * n * n)) / (1 + Z95**2 / n)
    return Score(guesser, language, n, p, middle - half, middle + half)


def measure_options(choice: Choice) -> FloatArray:
    """Features of each option, centred within the item.

    returns : (O, F) float; length in characters and words, place in the list and its
    distance from the middle, absolute words, commas, shared words with the stem, likeness
    to the other options, digits, brackets, first letter in capitals.
    """
    options, n = choice.options, len(choice.options)
    place = np.arange(n, dtype=float)
    columns = [
        standardize([len(one) for one in options]),
        standardize([len(find_words(one)) for one in options]),
        place - place.mean(),
        -np.abs(place - place.mean()),
        [count_absolute(one, choice.language) for one in options],
        [one.count(",") for one in options],
        measure_overlap(choice),
        measure_likeness(choice),
        [float(any(letter.isdigit() for letter in one)) for one in options],
        [float("(" in one) for one in options],
        [float(one[:1].isupper()) for one in options],
    ]
    features: FloatArray = np.array(columns, dtype=float).T
    centred: FloatArray = features - features.mean(axis=0)
    return centred


@dataclass(frozen=True)
class Design:
    """All options of some items below one another, ready for fitting.

    x : (T, F) float, scaled to unit spread; starts : (I,) int, first row of each item
    keys : (I,) int, the row of each key; scale : (F,) float
    """

    x: FloatArray
    starts: NDArray[np.int64]
    keys: NDArray[np.int64]
    scale: FloatArray


def make_design(features: Sequence[FloatArray], choices: Sequence[Choice]) -> Design:
    x = np.concatenate(features)
    scale = np.maximum(np.sqrt(np.mean(x**2, axis=0)), 1e-9)
    sizes = np.array([len(one) for one in features])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
    keys = starts + np.array([one.key for one in choices])
    return Design(x / scale, starts, keys, scale)


def fit_weights(design: Design) -> FloatArray:
    """Weights of a conditional logit (McFadden 1974) of the key, with a ridge penalty.

    returns : (F,) float, for features that are not scaled
    """
    num_items = design.starts.size
    sizes = np.diff(np.append(design.starts, len(design.x)))
    weights = np.zeros(design.x.shape[1])
    target = design.x[design.keys].sum(axis=0)
    for _ in range(STEPS):
        powers = np.exp(np.clip(design.x @ weights, -30, 30))
        chance = powers / np.repeat(np.add.reduceat(powers, design.starts), sizes)
        gradient = target - chance @ design.x - RIDGE * weights
        weights = weights + gradient * (2.0 / num_items)
    return weights / design.scale


def score_fitted(choices: Sequence[Choice], *, rng: np.random.Generator) -> FloatArray:
    """Each item judged by guessers that were fitted on the half without it, over SPLITS.

    returns : (I,) float in [0, 1], in the order of `choices`
    """
    features = [measure_options(one) for one in choices]
    scores = np.zeros(len(choices))
    for _ in range(SPLITS):
        order = rng.permutation(len(choices))
        halves = order[: len(order) // 2], order[len(order) // 2 :]
        for train, test in (halves, halves[::-1]):
            design = make_design([features[row] for row in train], [choices[row] for row in train])
            weights = fit_weights(design)
            for row in test:
                scores[row] += judge(choices[row], features[row] @ weights) / SPLITS
    return scores


def flag_choice(choice: Choice, *, waivers: Mapping[str, str]) -> list[Flag]:
    """Forms that point to the key of this item."""
    found = []
    for code, message in _list_faults(choice):
        found.append(Flag(choice.slug, code, choice.language, message, waivers.get(code)))
    return found


def _list_faults(choice: Choice) -> Iterable[tuple[str, str]]:
    lengths = np.array([len(one) for one in choice.options], dtype=float)
    others = np.delete(lengths, choice.key)
    if lengths[choice.key] > LONGEST_MARGIN * others.max():
        yield "longest-option", "the key is by far the longest option"
    absolute = [count_absolute(one, choice.language) > 0 for one in choice.options]
    if not absolute[choice.key] and sum(absolute) == len(absolute) - 1:
        yield "absolute-words", "every distractor has a word of certainty, the key has none"
    likeness = measure_likeness(choice)
    others = np.delete(likeness, choice.key)
    if others.min() > MIN_LIKENESS and likeness[choice.key] < 0.5 * others.min():
        yield "odd-one-out", "the key is the one option that shares no words with the others"
    overlap = measure_overlap(choice)
    if overlap[choice.key] > 0.3 + np.delete(overlap, choice.key).max():
        yield "stem-words", "only the key repeats the words of the question"
    fit = measure_grammar(choice)
    if fit[choice.key] > np.delete(fit, choice.key).max():
        yield "grammar", "only the key fits the grammar of the question"
