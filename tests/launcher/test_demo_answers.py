"""The demo's planned answers against the bank: each names one option, wrong where it should be."""

import json

import pytest
import yaml

from launcher.layout import ROOT

ANSWERS = json.loads((ROOT / "fixtures/demo/answers.json").read_text(encoding="utf-8"))
CASES = [(slug, answer) for slug, plan in ANSWERS.items() for answer in plan["answers"]]


def read_yaml(name: str) -> dict:
    return yaml.safe_load((ROOT / "fixtures" / "bank" / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(("slug", "answer"), CASES)
def test_an_answer_names_one_option(slug: str, answer: dict) -> None:
    handle = read_yaml(f"quizzes/{slug}.yaml")["items"][answer["position"] - 1]
    options = read_yaml(f"items/{handle}.yaml")["options"]
    named = [one for one in options if one["text"]["seed"]["text"] == answer["choose"]]
    assert len(named) == 1
    assert named[0].get("key", False) is not answer["wrong"]
    if answer["wrong"]:
        assert named[0]["evidence"]["grade"] == "direct"


def test_the_wrong_answers_are_those_of_the_readme() -> None:
    wrong = {
        slug: [answer["position"] for answer in plan["answers"] if answer["wrong"]]
        for slug, plan in ANSWERS.items()
    }
    assert wrong == {"gradient-checkpointing": [1, 3], "activation-recomputation": [7]}


def test_every_language_has_every_word() -> None:
    words = json.loads((ROOT / "fixtures/demo/words.json").read_text(encoding="utf-8"))
    assert set(words) == {"bg", "wo", "fr", "en"}
    assert len({frozenset(one) for one in words.values()}) == 1
