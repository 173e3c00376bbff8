"""The text guard on the bank's own texts, each damaged in every way that fits it."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assessment.bank.families.drawing import read_bank
from assessment.bank.lint import list_names
from assessment.bank.parsing import parse_bank
from assessment.bank.specs import walk_bank_texts
from assessment.language.guard import check_alone, check_pair
from assessment.language.tokens import Tokens, find_tokens

FIXTURES = Path(__file__).parents[2] / "fixtures" / "bank"
BANK = parse_bank(read_bank(FIXTURES))
NAMES = list_names(BANK.glossary)

LOOK_ALIKES = dict(zip("aeopcxABCEHKMOPTS", "аеорсхАВСЕНКМОРТЅ", strict=True))
OTHER_UNITS = {"MiB": "MB", "GiB": "GB", "MB": "MiB", "GB": "GiB"}
NUMBER = re.compile(r"(?<![\w.,*^/(])\d+(?:[.,]\d+)?(?![\w.,*^/)])")

Damage = Callable[[Tokens, str], str | None]


def put_look_alike(source: Tokens, text: str) -> str | None:
    for token in source.identifiers:
        letter = next((one for one in token if one in LOOK_ALIKES), None)
        if token in text and letter is not None:
            return text.replace(token, token.replace(letter, LOOK_ALIKES[letter], 1), 1)
    return None


def translate_identifier(source: Tokens, text: str) -> str | None:
    once = [one for one in source.identifiers if text.count(one) == 1]
    return text.replace(once[0], "това") if once else None


def change_number(source: Tokens, text: str) -> str | None:
    match = NUMBER.search(text)
    return None if match is None else f"{text[: match.start()]}7{text[match.start() :]}"


def change_formula(source: Tokens, text: str) -> str | None:
    once = [one for one in source.formulas if text.count(one) == 1 and one[-1].isalnum()]
    return text.replace(once[0], once[0][:-1] + "9") if once and once[0][-1] != "9" else None


def change_unit(source: Tokens, text: str) -> str | None:
    found = [one for one in source.units if one in OTHER_UNITS and text.count(one) == 1]
    return text.replace(found[0], OTHER_UNITS[found[0]]) if found else None


def mix_scripts(source: Tokens, text: str) -> str | None:
    match = re.search(r"[а-я]*о[а-я]{2,}", text)
    return None if match is None else text.replace(match[0], match[0].replace("о", "o", 1), 1)


def hide_character(source: Tokens, text: str) -> str | None:
    return f"{text[:3]}\u200b{text[3:]}"


def turn_direction(source: Tokens, text: str) -> str | None:
    return f"{text[:2]}\u202e{text[2:]}"


DAMAGES: dict[str, tuple[Damage, int]] = {
    "look-alike": (put_look_alike, 200),
    "translated identifier": (translate_identifier, 200),
    "number": (change_number, 60),
    "formula": (change_formula, 5),
    "unit": (change_unit, 5),
    "mixed scripts": (mix_scripts, 300),
    "hidden character": (hide_character, 400),
    "direction mark": (turn_direction, 400),
}
# Each with the least number of texts that it must fit, so that the test cannot run dry.


def list_translations() -> Iterator[tuple[str, str, str]]:
    """(source, translation, language) of the whole bank."""
    for _, _, text in walk_bank_texts(BANK):
        for language, wording in text.best.items():
            if language != "en":
                yield text.source, wording.text, language


TRANSLATIONS = list(list_translations())


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damage_to_any_text_of_the_bank_is_found(name: str) -> None:
    damage, least = DAMAGES[name]
    step = 4 if least == 400 else 1
    tried, missed = 0, []
    for source, text, language in TRANSLATIONS[::step]:
        damaged = damage(find_tokens(source, names=NAMES), text)
        if damaged is None or damaged == text:
            continue
        tried += 1
        found = check_alone(damaged, language) + check_pair(source, damaged, language, names=NAMES)
        if not found:
            missed.append(damaged)
    assert missed == []
    assert tried >= least


def test_a_text_left_in_english_is_found() -> None:
    long = [one for one in TRANSLATIONS if len(one[0].split()) > 6][::8]
    codes = Counter(
        "untranslated" in {one.code for one in check_pair(source, source, language, names=NAMES)}
        for source, _, language in long
    )
    assert codes == {True: len(long)}
