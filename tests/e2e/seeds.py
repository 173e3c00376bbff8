"""Which option of the bank is right, and which wrong one is answered by an experiment."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

BANK = Path(__file__).resolve().parents[2] / "fixtures" / "bank"
SEEDS = {"gradient-checkpointing": "bg", "activation-recomputation": "wo"}
# The seed quizzes and the first part of the names of their items.


@dataclass(frozen=True)
class SeedItem:
    slug: str
    document: dict[str, Any]

    def stem(self, lang: str) -> str:
        return read_text(self.document["stem"], lang)

    def right(self, lang: str) -> str:
        return next(
            read_text(one["text"], lang) for one in self.document["options"] if "key" in one
        )

    def wrong(self, lang: str) -> str:
        """The first distractor that an experiment answers, else the first one."""
        found = [one for one in self.document["options"] if "key" not in one]
        measured = [one for one in found if "experiment" in (one.get("evidence") or {})]
        return read_text((measured or found)[0]["text"], lang)

    @property
    def has_evidence(self) -> bool:
        return any("experiment" in (one.get("evidence") or {}) for one in self.document["options"])

    def list_secrets(self) -> list[str]:
        """Every text that must not reach a browser before the answer."""
        found = []
        for option in self.document["options"]:
            found += list_texts(option.get("explanation"))
            for claim in (option.get("evidence") or {}).get("claims", ()):
                found += list_texts(claim["predicts"]["text"])
        slugs = [one["misconception"] for one in self.document["options"] if "misconception" in one]
        return [*found, *list_texts(self.document.get("key_explanation")), *slugs]


def list_texts(texts: dict[str, Any] | None) -> list[str]:
    return [one if isinstance(one, str) else one["text"] for one in (texts or {}).values()]


def read_text(texts: dict[str, Any], lang: str) -> str:
    """The wording in a language as the page shows it: without the marks of code."""
    found = texts.get(lang)
    if found is None and texts.get("seed", {}).get("lang") == lang:
        found = texts["seed"]
    if found is None:
        found = texts["en"]
    text: str = found if isinstance(found, str) else found["text"]
    return squeeze(text)


def squeeze(text: str) -> str:
    return " ".join(text.replace("`", "").split())


@lru_cache(maxsize=4)
def read_quiz(quiz: str) -> tuple[SeedItem, ...]:
    document = yaml.safe_load((BANK / "quizzes" / f"{quiz}.yaml").read_text())
    return tuple(
        SeedItem(slug, yaml.safe_load((BANK / "items" / f"{slug}.yaml").read_text()))
        for slug in document["items"]
    )
