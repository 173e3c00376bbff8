import json
from dataclasses import replace
from typing import Any

import pytest

from assessment.bank.snapshot import Item
from assessment.feedback.assemble import assemble_feedback, assemble_unanswered
from assessment.scoring.answers import Answer
from assessment.scoring.rules import score_answer
from tests.feedback.items import (
    ACCURACY,
    DISK,
    FILE,
    KEY,
    make_item,
    make_numeric,
    make_option,
    make_options,
    make_ordering,
    make_snapshot,
)


def tell(item: Item, answer: Answer, *languages: str, **changes: Any) -> dict[str, Any]:
    verdict = score_answer(item, answer)
    made = assemble_feedback(
        item,
        answer,
        score=verdict.score,
        is_correct=verdict.is_correct,
        languages=languages or ("en",),
        snapshot=make_snapshot(item),
        **changes,
    )
    plain: dict[str, Any] = json.loads(json.dumps(made, allow_nan=False))
    return plain


# --- Single --------------------------------------------------------------------------


def test_a_wrong_choice_is_explained_by_itself_and_by_the_key() -> None:
    told = tell(make_item(), Answer(options=(ACCURACY,)), "bg", "en")
    assert told["correct"] is False
    assert told["score"] == 0
    assert told["correct_options"] == [KEY]
    assert told["chosen_options"] == [ACCURACY]
    assert told["explanation"] == {
        "text": "защото accuracy-is-the-price",
        "lang": "bg",
        "dir": "ltr",
        "fallback": False,
        "status": "machine",
    }
    assert told["key_explanation"]["text"] == "защото key"
    assert told["misconception"]["slug"] == "accuracy-is-the-price"
    assert told["misconception"]["text"]["text"] == "убеждение accuracy-is-the-price"


def test_a_right_choice_gets_its_explanation_and_no_belief() -> None:
    told = tell(make_item(), Answer(options=(KEY,)))
    assert told["correct"] is True
    assert told["score"] == 1
    assert told["explanation"]["text"] == "because key"
    assert told["key_explanation"] is None
    assert told["misconception"] is None
    assert told["demonstration"] is None


def test_a_missing_language_is_marked_as_a_fallback() -> None:
    told = tell(make_item(), Answer(options=(DISK,)), "wo", "fr")
    assert told["explanation"]["lang"] == "en"
    assert told["explanation"]["fallback"] is True


def test_the_demonstration_travels_inside() -> None:
    told = tell(make_item(), Answer(options=(FILE,)), demonstration={"id": "d", "claims": []})
    assert told["demonstration"] == {"id": "d", "claims": []}


# --- Multiple ------------------------------------------------------------------------

SECOND_KEY = "00000000-0000-4000-8000-000000000009"


def make_multiple() -> Item:
    return make_item("multiple", options=(*make_options(), make_option(SECOND_KEY)))


def test_each_option_that_was_or_should_be_chosen_is_explained() -> None:
    told = tell(make_multiple(), Answer(options=(DISK, KEY, FILE)))
    assert told["correct_options"] == [KEY, SECOND_KEY]
    seen = [(one["option"], one["chosen"], one["correct"]) for one in told["details"]]
    assert seen == [
        (KEY, True, True),
        (DISK, True, False),
        (FILE, True, False),
        (SECOND_KEY, False, True),
    ]
    assert told["details"][2]["misconception"]["slug"] == "file-name-decides-cost"
    assert told["details"][0]["misconception"] is None
    assert told["explanation"]["text"] == "because disk-and-network-are-traded"
    assert told["misconception"]["slug"] == "disk-and-network-are-traded"


def test_a_missed_key_is_explained_where_nothing_wrong_was_chosen() -> None:
    told = tell(make_multiple(), Answer(options=(KEY,)))
    assert told["correct"] is False
    assert told["explanation"]["text"] == "because key"
    assert told["misconception"] is None
    assert [one["chosen"] for one in told["details"]] == [True, False]


# --- Numeric -------------------------------------------------------------------------


def test_a_number_of_a_wrong_formula_shows_its_belief() -> None:
    told = tell(make_numeric(), Answer(raw="37", value=37.0), "bg")
    assert told["explanation"]["text"] == "that is the plain peak"
    assert told["misconception"]["slug"] == "segments-free-nothing"
    assert told["key_explanation"]["text"] == "6 + 36 / 6 е 12"
    assert told["numeric"] == {
        "raw": "37",
        "understood": {"value": 37.0, "unit": "activations", "display": "37 activations"},
        "correct": {"value": 12.0, "unit": "activations", "display": "12 activations"},
    }


def test_any_other_number_is_told_that_it_is_no_known_formula() -> None:
    told = tell(make_numeric(), Answer(raw="99,5", value=99.5), "bg")
    assert told["explanation"]["text"] == "neither count"
    assert told["misconception"] is None
    assert told["numeric"]["understood"]["display"] == "99,5 activations"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1234.5678, "1,234.5678"), (99.96, "99.96"), (0.1 + 0.2, "0.3"), (12_058_624, "12,058,624")],
)
def test_a_typed_number_is_shown_as_it_was_understood(value: float, expected: str) -> None:
    told = tell_number(value)
    assert told["understood"]["display"] == f"{expected} activations"


@pytest.mark.parametrize(
    ("value", "lang", "expected"),
    [(33.3333333, "bg", "33,3333333%"), (25.0, "fr", "25\u00a0%"), (99.999, "en", "99.999%")],
)
def test_per_cent_stands_as_the_language_writes_it(value: float, lang: str, expected: str) -> None:
    assert tell_number(value, lang=lang, unit="%")["understood"]["display"] == expected


def tell_number(value: float, *, lang: str = "en", unit: str = "activations") -> dict[str, Any]:
    item = make_numeric()
    assert item.numeric is not None
    item = replace(item, numeric=replace(item.numeric, unit=unit))
    told: dict[str, Any] = tell(item, Answer(value=value, raw=str(value)), lang)["numeric"]
    return told


def test_a_right_number_gets_the_explanation_of_the_key() -> None:
    told = tell(make_numeric(), Answer(raw="12.05", value=12.05))
    assert told["correct"] is True
    assert told["explanation"]["text"] == "6 + 36 / 6"
    assert told["misconception"] is None


# --- Ordering ------------------------------------------------------------------------


def test_a_wrong_order_is_explained_and_the_right_one_shown() -> None:
    told = tell(make_ordering(), Answer(order=(DISK, KEY, ACCURACY)))
    assert told["correct"] is False
    assert told["score"] == pytest.approx(0.5)
    assert told["explanation"]["text"] == "a gradient needs its activation"
    assert told["key_explanation"]["text"] == "replay comes first"
    assert told["correct_options"] == [KEY, ACCURACY, DISK]
    assert told["chosen_options"] == [DISK, KEY, ACCURACY]


def test_a_right_order_gets_the_explanation_of_the_key() -> None:
    told = tell(make_ordering(), Answer(order=(KEY, ACCURACY, DISK)))
    assert told["correct"] is True
    assert told["explanation"]["text"] == "replay comes first"


# --- Unanswered ----------------------------------------------------------------------


def test_an_unanswered_item_tells_its_key_and_no_verdict() -> None:
    item = make_item()
    told = assemble_unanswered(item, languages=["bg"], snapshot=make_snapshot(item))
    assert told["correct"] is None
    assert told["correct_options"] == [KEY]
    assert told["chosen_options"] == []
    assert told["misconception"] is None
    explanation = told["key_explanation"]
    assert isinstance(explanation, dict)
    assert explanation["text"] == "защото key"
