"""What an activity may ask before the feedback: a quantity that the experiment measures.

The question depends on the item's experiment alone: it comes with right answers too, is the
same for each option, and so tells no key.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from assessment.bank.snapshot import Item, Text, TextSet
from gpu_worker import catalog

DOCUMENT = Path(__file__).with_name("predictions.yaml")


@dataclass(frozen=True)
class Choice:
    """One range of the quantity: low <= value < high, None for no bound."""

    id: str
    low: float | None
    high: float | None
    text: TextSet

    def contains(self, value: float) -> bool:
        is_above = self.low is None or value >= self.low
        return is_above and (self.high is None or value < self.high)


@dataclass(frozen=True)
class Question:
    """quantity: a name of `assessment.feedback.quantities`."""

    experiment: str
    quantity: str
    text: TextSet
    choices: tuple[Choice, ...]

    def find_choice(self, choice_id: str) -> Choice | None:
        return next((one for one in self.choices if one.id == choice_id), None)


def find_question(item: Item) -> Question | None:
    """The question of the experiment that supports the item's key, or None."""
    evidence = item.key_evidence
    if evidence is None or evidence.experiment not in catalog.EXPERIMENTS:
        return None
    return _load_questions().get(str(evidence.experiment))


@lru_cache(maxsize=1)
def _load_questions() -> Mapping[str, Question]:
    plain = yaml.safe_load(DOCUMENT.read_text(encoding="utf-8"))
    return {
        name: Question(
            experiment=name,
            quantity=one["quantity"],
            text=_load_texts(one["text"]),
            choices=tuple(
                Choice(each["id"], each.get("low"), each.get("high"), _load_texts(each["text"]))
                for each in one["choices"]
            ),
        )
        for name, one in plain.items()
    }


def _load_texts(plain: Mapping[str, str]) -> TextSet:
    return TextSet(
        {
            lang: Text(text, lang, "source" if lang == "en" else "machine")
            for lang, text in plain.items()
        }
    )
