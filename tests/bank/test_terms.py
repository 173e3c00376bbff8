"""One term, one rendering: what the glossary says is what the texts use."""

import re
from pathlib import Path

import pytest

from assessment.bank.families.drawing import read_bank
from assessment.bank.parsing import parse_bank
from assessment.bank.specs import walk_bank_texts

FIXTURES = Path(__file__).parents[2] / "fixtures" / "bank"
BANK = parse_bank(read_bank(FIXTURES))

# The English term, and the stems of which a translation uses one.
TERMS = {
    "bg": {
        r"recomput\w+": "преизчисл|изчисл|повтар|повтор",
        r"forward pass": "прав",
        r"backward pass": "обратн",
        r"segments?": "сегмент",
        r"offload\w*": "изна[сш]",
        r"loss(es)?": "загуб",
        r"batch(es)?": "партид",
        r"hooks?": "кук|hook",
        r"optimizer state": "състояни",
        r"weights?": "тегл",
        r"parameters?": "парамет",
        r"masks?": "маск",
        r"memory": "памет",
        r"peak": "пик",
        r"sharding|sharded|shards?": "раздел|дел[яи]",
    },
    "fr": {
        r"activations?": "activation",
        r"recomput\w+": "recalcul",
        r"replay\w*": "rej",
        r"layers?": "couche",
        r"blocks?": "bloc",
        r"offload\w*": "décharg",
        r"loss": "perte",
        r"batch(es)?": "lot",
        r"overhead": "surcoût",
        r"optimizer state": "état",
        r"weights?": "poids",
        r"memory": "mémoire",
        r"peak": "pic",
    },
    "wo": {
        r"activations?": "aktiwasioŋ",
        r"recomput\w+|replay\w*": "xaymawaat|defaat|doxaat|doxalaat",
        r"layers?": "couche",
        r"blocks?": "blok",
        r"offload\w*": "yebb",
        r"batch(es)?": "lot",
        r"optimizer state": "état",
        r"weights?": "poids",
        r"parameters?": "paramètre",
        r"memory": "mémoire",
        r"peak": "peak|kawe",
        r"sharding|sharded": "séddal",
    },
}


@pytest.mark.parametrize(
    ("language", "term"), [(language, term) for language in TERMS for term in TERMS[language]]
)
def test_a_term_has_one_rendering(language: str, term: str) -> None:
    stems = re.compile(TERMS[language][term], re.IGNORECASE)
    english = re.compile(rf"\b({term})\b", re.IGNORECASE)
    others = [
        (owner, place, text.best[language].text)
        for owner, place, text in walk_bank_texts(BANK)
        if language in text.best
        and english.search(re.sub("`[^`]*`", "", text.source))
        and stems.search(text.best[language].text) is None
    ]
    assert others == []
