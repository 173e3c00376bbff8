"""People who know nothing but how questions are written: each guesser looks at form alone.

A guesser gives each option of a single-choice item a score and picks the highest; among k
equal ones it is right with probability 1/k. Pure numpy over plain strings.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assessment.language.tokens import find_numbers

FloatArray = NDArray[np.float64]
Guesser = Callable[["Choice"], FloatArray]

ABSOLUTE: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        {"always", "never", "all", "every", "only", "none", "no", "any", "exactly", "entirely"}
        | {"guarantees", "guarantee", "must", "cannot", "permanently", "completely", "regardless"}
    ),
    "bg": frozenset(
        {"\u0432\u0438\u043d\u0430\u0433\u0438", "\u043d\u0438\u043a\u043e\u0433\u0430"}
        | {"\u0432\u0441\u0438\u0447\u043a\u0438", "\u0432\u0441\u0435\u043a\u0438"}
        | {"\u0441\u0430\u043c\u043e", "\u043d\u0438\u043a\u0430\u043a\u044a\u0432"}
        | {"\u0442\u043e\u0447\u043d\u043e", "\u0438\u0437\u0446\u044f\u043b\u043e"}
        | {"\u0432\u0441\u044f\u043a\u0430", "\u0432\u0441\u044f\u043a\u043e"}
    ),
}
# Words of certainty: test-wise people know that such options are mostly wrong.

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Choice:
    """One single-choice item as a guesser sees it. `key` is for the judge alone."""

    slug: str
    stem: str
    options: tuple[str, ...]
    key: int
    language: str


def judge(choice: Choice, scores: FloatArray) -> float:
    """The chance that the guesser is right: 1/k when the key is among its k best."""
    best = np.flatnonzero(scores >= scores.max() - 1e-12)
    return 1.0 / best.size if choice.key in best else 0.0


def guess_longest(choice: Choice) -> FloatArray:
    return np.array([len(one) for one in choice.options], dtype=float)


def _guess_shortest(choice: Choice) -> FloatArray:
    return np.array([-len(one) for one in choice.options], dtype=float)


def guess_second_longest(choice: Choice) -> FloatArray:
    """What an author writes who knows that the longest option gives a key away."""
    lengths = np.array([len(one) for one in choice.options])
    num_longer = (lengths[None, :] > lengths[:, None]).sum(axis=1)
    scores: FloatArray = -np.abs(num_longer - 1.0)
    return scores


def _guess_middle(choice: Choice) -> FloatArray:
    """One of the middle places in the authored order."""
    middle = (len(choice.options) - 1) / 2
    distance = [-int(abs(place - middle)) for place in range(len(choice.options))]
    return np.array(distance, dtype=float)


def _guess_not_absolute(choice: Choice) -> FloatArray:
    counts = [count_absolute(one, choice.language) for one in choice.options]
    return -np.array(counts, dtype=float)


def measure_grammar(choice: Choice) -> FloatArray:
    """Whether the option goes on where the stem stops: article, number, verb form."""
    scores = np.zeros(len(choice.options))
    last = (find_words(choice.stem) or [""])[-1]
    asks_plural = bool(re.search(r"\b(which|what) \w+s (are|can|do)\b", choice.stem.lower()))
    asks_why = bool(re.match(r"(why|\u0437\u0430\u0449\u043e)\b", choice.stem.lower()))
    because = ("because", "to ", "since", "so that")
    because_bg = ("\u0437\u0430\u0449\u043e\u0442\u043e", "\u0437\u0430 \u0434\u0430")
    for row, option in enumerate(choice.options):
        text = option.lower()
        if last in ("a", "an"):
            scores[row] += (text[:1] in "aeiou") == (last == "an")
        if asks_plural:
            first = (find_words(text) or [""])[0]
            scores[row] += first.endswith("s") or " and " in text
        if asks_why:
            scores[row] += text.startswith(because + because_bg)
    return scores


def _guess_odd_one_out(choice: Choice) -> FloatArray:
    return -measure_likeness(choice)


def _guess_most_alike(choice: Choice) -> FloatArray:
    """Convergence: the key is often the option that the distractors were varied from."""
    return measure_likeness(choice)


def _guess_stem_words(choice: Choice) -> FloatArray:
    return measure_overlap(choice)


GUESSERS: Mapping[str, Guesser] = {
    "longest": guess_longest,
    "second-longest": guess_second_longest,
    "shortest": _guess_shortest,
    "middle": _guess_middle,
    "no-absolute-words": _guess_not_absolute,
    "grammatical-fit": measure_grammar,
    "odd-one-out": _guess_odd_one_out,
    "most-alike": _guess_most_alike,
    "stem-words": _guess_stem_words,
}


def guess_by_rank(choice: Choice, rank: int) -> FloatArray:
    """1 for the option of this rank by size; no opinion where the options are no numbers."""
    values = _read_values(choice)
    if not values:
        return np.zeros(len(choice.options))
    order = np.argsort(values, kind="stable")
    scores = np.zeros(len(values))
    scores[order[min(rank, len(values) - 1)]] = 1.0
    return scores


def _read_values(choice: Choice) -> list[float]:
    """The number of each option, where every option has exactly one; else []."""
    numbers = [find_numbers(one) for one in choice.options]
    return [one[0] for one in numbers] if all(len(one) == 1 for one in numbers) else []


def count_absolute(option: str, language: str) -> float:
    words = ABSOLUTE.get(language, frozenset())
    return float(sum(word in words for word in find_words(option)))


def measure_overlap(choice: Choice) -> FloatArray:
    """Share of the option's longer words that stand in the stem."""
    stem = {word[:6] for word in find_words(choice.stem) if len(word) > 3}
    shares = []
    for option in choice.options:
        words = [word[:6] for word in find_words(option) if len(word) > 3]
        shares.append(sum(word in stem for word in words) / max(1, len(words)))
    return np.array(shares)


def measure_likeness(choice: Choice) -> FloatArray:
    """Mean share of words (Jaccard) with each other option."""
    sets = [{word[:6] for word in find_words(one)} for one in choice.options]
    found = []
    for row, ours in enumerate(sets):
        others = [theirs for other, theirs in enumerate(sets) if other != row]
        found.append(np.mean([len(ours & one) / max(1, len(ours | one)) for one in others]))
    return np.array(found)


def standardize(values: Sequence[float]) -> FloatArray:
    array = np.array(values, dtype=float)
    spread = array.std()
    return (array - array.mean()) / spread if spread > 0 else np.zeros(array.size)


def find_words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
