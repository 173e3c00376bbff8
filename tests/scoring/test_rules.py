"""Each rule against values worked out by hand."""

import pytest

from assessment.bank.snapshot import Item, Near, NumericKey, Option, TextSet
from assessment.core.errors import Invalid
from assessment.scoring.answers import Answer, load_answer, read_answer
from assessment.scoring.rules import score_answer

NO_TEXT = TextSet()
IDS = [f"00000000-0000-4000-8000-00000000000{n}" for n in range(6)]
A, B, C, D, E, STRANGER = IDS


def make_option(option_id: str, *, is_key: bool = False, belief: str | None = None) -> Option:
    return Option(option_id, option_id[-1], is_key, False, belief, NO_TEXT, NO_TEXT, None)


def make_item(kind: str, options=(), numeric=None) -> Item:
    return Item(
        version_id=IDS[0],
        slug="x",
        kind=kind,
        concept="replay",
        level=2,
        enemies=frozenset(),
        shuffle=True,
        stem=NO_TEXT,
        options=tuple(options),
        numeric=numeric,
        key_evidence=None,
        a=1.0,
        b=0.0,
        c=0.25,
        d=1.0,
        provisional=True,
    )


SINGLE = make_item(
    "single", [make_option(A, is_key=True), make_option(B, belief="b"), make_option(C, belief="c")]
)
MULTIPLE = make_item(
    "multiple",
    [
        make_option(A, is_key=True),
        make_option(B, belief="b"),
        make_option(C, is_key=True),
        make_option(D, belief="d"),
    ],
)
ORDERING = make_item("ordering", [make_option(one) for one in (A, B, C, D, E)])
NUMERIC = make_item(
    "numeric",
    numeric=NumericKey(
        value=12.0,
        unit="MiB",
        tolerance=0.01,
        relative=True,
        units={"KiB": 1 / 1024},
        near=(Near(37.0, "segments-free-nothing", NO_TEXT, None),),
        key_explanation=NO_TEXT,
        other_explanation=NO_TEXT,
    ),
)


@pytest.mark.parametrize(
    ("item", "answer", "score", "is_correct", "beliefs"),
    [
        (SINGLE, Answer(options=(A,)), 1.0, True, ()),
        (SINGLE, Answer(options=(C,)), 0.0, False, ("c",)),
        (MULTIPLE, Answer(options=(C, A)), 1.0, True, ()),
        (MULTIPLE, Answer(options=(A,)), 0.5, False, ()),
        (MULTIPLE, Answer(options=(A, B)), 0.0, False, ("b",)),
        (MULTIPLE, Answer(options=(A, B, C)), 0.5, False, ("b",)),
        (MULTIPLE, Answer(options=(A, B, C, D)), 0.0, False, ("b", "d")),
        (MULTIPLE, Answer(options=(D, B)), 0.0, False, ("b", "d")),
        (ORDERING, Answer(order=(A, B, C, D, E)), 1.0, True, ()),
        (ORDERING, Answer(order=(B, C, D, E, A)), 0.75, False, ()),
        (ORDERING, Answer(order=(E, D, C, B, A)), 0.0, False, ()),
        (ORDERING, Answer(order=(A, C, B, D, E)), 0.25, False, ()),
        (NUMERIC, Answer(raw="12", value=12.0), 1.0, True, ()),
        (NUMERIC, Answer(raw="12.12", value=12.12), 1.0, True, ()),
        (NUMERIC, Answer(raw="12.13", value=12.13), 0.0, False, ()),
        (NUMERIC, Answer(raw="37.1", value=37.1), 0.0, False, ("segments-free-nothing",)),
    ],
)
def test_an_answer_is_worth_what_the_rule_says(item, answer, score, is_correct, beliefs):
    verdict = score_answer(item, answer)
    assert verdict.score == pytest.approx(score)
    assert verdict.is_correct is is_correct
    assert verdict.misconceptions == beliefs


@pytest.mark.parametrize(
    ("item", "response", "field", "code"),
    [
        (SINGLE, {}, "response.options", "required"),
        (SINGLE, {"options": []}, "response.options", "not_one"),
        (SINGLE, {"options": [A, B]}, "response.options", "not_one"),
        (SINGLE, {"options": [A, A]}, "response.options", "duplicate"),
        (SINGLE, {"options": [STRANGER]}, "response.options[0]", "unknown_option"),
        (SINGLE, {"options": ["1"]}, "response.options[0]", "invalid"),
        (SINGLE, {"options": [1]}, "response.options[0]", "invalid"),
        (SINGLE, {"options": A}, "response.options", "invalid"),
        (SINGLE, {"options": [A], "order": [A]}, "response.order", "not_for_this_kind"),
        (SINGLE, {"value": 1}, "response.value", "not_for_this_kind"),
        (MULTIPLE, {"options": []}, "response.options", "empty"),
        (ORDERING, {"order": [A, B]}, "response.order", "incomplete"),
        (ORDERING, {"options": [A]}, "response.options", "not_for_this_kind"),
        (NUMERIC, {"value": "nan"}, "response.value", "not_finite"),
        (NUMERIC, {"value": "1_0"}, "response.value", "underscore"),
        (NUMERIC, {"value": True}, "response.value", "invalid"),
        (NUMERIC, {"value": "12 parsecs"}, "response.unit", "unknown_unit"),
        (NUMERIC, {"value": "12", "unit": 3}, "response.unit", "invalid"),
    ],
)
def test_a_bad_answer_is_refused_by_field(item, response, field, code):
    with pytest.raises(Invalid) as caught:
        read_answer(item, response, language="en")
    assert [(one["field"], one["code"]) for one in caught.value.errors] == [(field, code)]


@pytest.mark.parametrize(
    ("typed", "language", "value"),
    [
        ("12.5 MiB", "en", 12.5),
        ("12,5", "bg", 12.5),
        ("12,5 MiB", "wo", 12.5),
        ("12288 KiB", "en", 12.0),
        (12, "bg", 12.0),
    ],
)
def test_a_number_is_read_in_the_language_of_the_session(typed, language, value):
    answer = read_answer(NUMERIC, {"value": typed}, language=language)
    assert answer.value == pytest.approx(value)
    assert load_answer(answer.as_json()) == answer


def test_the_canonical_form_does_not_depend_on_the_order_of_choosing():
    first = read_answer(MULTIPLE, {"options": [A, C]}, language="en")
    second = read_answer(MULTIPLE, {"options": [C, A]}, language="en")
    assert first.as_json() == second.as_json()
