"""Every kind of item over REST, right, wrong and partly, in three languages."""

from dataclasses import dataclass
from typing import Any

import pytest

from assessment.bank.snapshot import Item, Snapshot, TextSet, get_snapshot
from assessment.delivery.models import Administration
from tests.people import Person, read_json, start

LANGUAGES = ("en", "bg", "wo")
NUMBER = "saved-tensors-09"
# 11.5 MiB within 0.1; it takes KiB, GiB, B and MB too.


@dataclass
class Taker:
    """One who answers items of a session by their slug."""

    person: Person
    session: dict[str, Any]
    snapshot: Snapshot

    def find(self, slug: str) -> Item:
        item = self.snapshot.find_item(slug)
        assert item is not None
        return item

    def give(self, slug: str, response: dict[str, Any], status: int = 201) -> Any:
        row = Administration.objects.get(
            session_id=self.session["id"], item_version_id=self.find(slug).version_id
        )
        body = {"administration": str(row.id), "response": response}
        path = f"sessions/{self.session['id']}/responses"
        return read_json(self.person.post(path, body), status)

    def is_shown(self, told: Any, text: TextSet) -> bool:
        """Whether this very text came, in the session's language as far as it has it."""
        return bool(told == text.choose(self.session["languages"]).as_json())


@pytest.fixture(params=LANGUAGES)
def taker(request, ada, bank, make_activity) -> Taker:
    return take_quiz(ada, bank, make_activity, request.param)


def take_quiz(ada, bank, make_activity, lang: str) -> Taker:
    session = start(ada, make_activity("training-memory"), lang)
    return Taker(ada, session, get_snapshot(bank))


def split(item: Item) -> tuple[list, list]:
    """Keys and distractors."""
    return [one for one in item.options if one.is_key], [
        one for one in item.options if not one.is_key
    ]


def test_a_single_choice(taker):
    item = taker.find("trade-off-01")
    (key,), wrong = split(item)
    told = taker.give("trade-off-01", {"options": [wrong[1].id]})
    feedback = told["feedback"]
    assert (told["score"], feedback["correct"]) == (0.0, False)
    assert feedback["correct_options"] == [key.id]
    assert taker.is_shown(feedback["explanation"], wrong[1].explanation)
    assert feedback["misconception"]["slug"] == wrong[1].misconception
    paper = {"id": "arXiv:1604.06174", "url": "https://arxiv.org/abs/1604.06174"}
    assert feedback["references"][0] == paper
    (key,), _ = split(taker.find("trade-off-02"))
    told = taker.give("trade-off-02", {"options": [key.id]})
    assert (told["score"], told["feedback"]["misconception"]) == (1.0, None)
    assert taker.is_shown(told["feedback"]["explanation"], key.explanation)


def test_a_multiple_response(taker):
    keys, _ = split(taker.find("api-08"))
    told = taker.give("api-08", {"options": [one.id for one in keys]})
    assert (told["score"], told["feedback"]["correct"]) == (1.0, True)

    keys, wrong = split(taker.find("offload-04"))
    told = taker.give("offload-04", {"options": [keys[0].id]})
    feedback = told["feedback"]
    assert told["score"] == pytest.approx(1 / len(keys))
    assert feedback["correct"] is False
    assert taker.is_shown(feedback["explanation"], keys[1].explanation)
    assert feedback["misconception"] is None

    keys, wrong = split(taker.find("saved-tensors-08"))
    told = taker.give("saved-tensors-08", {"options": [*(one.id for one in keys), wrong[0].id]})
    feedback = told["feedback"]
    assert told["score"] == pytest.approx((len(keys) - 1) / len(keys))
    assert taker.is_shown(feedback["explanation"], wrong[0].explanation)
    assert feedback["misconception"]["slug"] == wrong[0].misconception
    details = {one["option"]: one for one in feedback["details"]}
    assert set(details) == {one.id for one in (*keys, wrong[0])}
    assert taker.is_shown(details[wrong[0].id]["explanation"], wrong[0].explanation)

    keys, wrong = split(taker.find("selective-04"))
    told = taker.give("selective-04", {"options": [one.id for one in (*keys, *wrong)]})
    assert told["score"] == max(0.0, (len(keys) - len(wrong)) / len(keys))
    assert told["feedback"]["correct"] is False


def test_an_ordering(taker):
    item = taker.find("measuring-05")
    right = [one.id for one in item.options]
    told = taker.give("measuring-05", {"order": right})
    assert (told["score"], told["feedback"]["correct"]) == (1.0, True)
    assert taker.is_shown(told["feedback"]["explanation"], item.key_explanation)

    item = taker.find("replay-05")
    right = [one.id for one in item.options]
    told = taker.give("replay-05", {"order": [*right[1:], right[0]]})
    feedback = told["feedback"]
    assert told["score"] == pytest.approx((len(right) - 2) / (len(right) - 1))
    assert (feedback["correct"], feedback["correct_options"]) == (False, right)
    assert feedback["chosen_options"] == [*right[1:], right[0]]
    assert taker.is_shown(feedback["explanation"], item.wrong_explanation)
    assert taker.is_shown(feedback["key_explanation"], item.key_explanation)

    backwards = [one.id for one in taker.find("replay-01").options][::-1]
    assert taker.give("replay-01", {"order": backwards})["score"] == 0.0


def test_a_number_near_a_belief_is_told_that_belief(taker):
    item = taker.find("optimizer-state-08")
    near = item.numeric.near[0]
    feedback = taker.give("optimizer-state-08", {"value": near.value})["feedback"]
    assert (feedback["correct"], feedback["misconception"]["slug"]) == (False, near.misconception)
    assert taker.is_shown(feedback["explanation"], near.explanation)
    assert taker.is_shown(feedback["key_explanation"], item.numeric.key_explanation)


def test_another_number_is_answered_by_the_evidence_for_the_key(taker):
    item = taker.find("budget-07")
    feedback = taker.give("budget-07", {"value": 7})["feedback"]
    assert (feedback["correct"], feedback["misconception"]) == (False, None)
    assert taker.is_shown(feedback["explanation"], item.numeric.other_explanation)
    assert feedback["demonstration"]["experiment"] == item.key_evidence.experiment


@pytest.mark.parametrize(
    ("lang", "response", "display"),
    [
        ("en", {"value": 11.5}, "11.5 MiB"),
        ("en", {"value": "11.5"}, "11.5 MiB"),
        ("en", {"value": "11776", "unit": "KiB"}, "11.5 MiB"),
        ("en", {"value": "11.5 MiB"}, "11.5 MiB"),
        ("bg", {"value": "11,5"}, "11,5 MiB"),
        ("bg", {"value": "11,5 MiB"}, "11,5 MiB"),
        ("bg", {"value": "11 776 KiB"}, "11,5 MiB"),
        ("bg", {"value": "11,5 МиБ"}, "11,5 MiB"),
        ("bg", {"value": "12 058 624 байта"}, "11,5 MiB"),
        ("bg", {"value": "11\u00a0776", "unit": "kib"}, "11,5 MiB"),
        ("wo", {"value": "11,5"}, "11,5 MiB"),
        ("wo", {"value": "11,5", "unit": "Mio"}, "11,5 MiB"),
        ("wo", {"value": "12\u202f058\u202f624 B"}, "11,5 MiB"),
    ],
)
def test_a_number_is_read_as_it_is_written_there(ada, bank, make_activity, lang, response, display):
    taker = take_quiz(ada, bank, make_activity, lang)
    told = taker.give(NUMBER, response)
    assert (told["score"], told["feedback"]["correct"]) == (1.0, True)
    numeric = told["feedback"]["numeric"]
    assert numeric["understood"] == {"value": 11.5, "unit": "MiB", "display": display}
    assert numeric["raw"] == str(response["value"])


@pytest.mark.parametrize(
    ("lang", "response", "field", "code"),
    [
        ("en", {"value": "11,500"}, "value", "ambiguous"),
        ("bg", {"value": "11.500"}, "value", "ambiguous"),
        ("en", {"value": "11_5"}, "value", "underscore"),
        ("en", {"value": "nan"}, "value", "not_finite"),
        ("en", {"value": "1e308", "unit": "GiB"}, "value", "not_finite"),
        ("en", {"value": 1e308, "unit": "GiB"}, "value", "not_finite"),
        ("en", {"value": "\u0661\u0661"}, "value", "other_digits"),
        ("en", {"value": "11\u00bd"}, "value", "fraction"),
        ("en", {"value": "many"}, "value", "not_a_number"),
        ("en", {"value": "1" * 5000}, "value", "too_long"),
        ("en", {"value": True}, "value", "invalid"),
        ("en", {"value": ["11.5"]}, "value", "invalid"),
        ("en", {"value": "11.5", "unit": "apples"}, "unit", "unknown_unit"),
        ("bg", {"value": "11,5 пъти"}, "unit", "unknown_unit"),
        ("en", {"value": "11.5", "unit": 1}, "unit", "invalid"),
        ("en", {"options": []}, "options", "not_for_this_kind"),
    ],
)
def test_a_number_that_nobody_can_read_is_refused_by_field(
    ada, bank, make_activity, lang, response, field, code
):
    taker = take_quiz(ada, bank, make_activity, lang)
    problem = taker.give(NUMBER, response, 400)
    assert [(one["field"], one["code"]) for one in problem["errors"]] == [
        (f"response.{field}", code)
    ]
    row = Administration.objects.get(
        session_id=taker.session["id"], item_version_id=taker.find(NUMBER).version_id
    )
    assert not hasattr(row, "response")


@pytest.mark.parametrize(
    ("lang", "typed"), [("en", "64 examples"), ("bg", "64 примера"), ("wo", "64 misaal")]
)
def test_a_word_that_only_counts_is_no_unit(ada, bank, make_activity, lang, typed):
    taker = take_quiz(ada, bank, make_activity, lang)
    told = taker.give("budget-07", {"value": typed})
    assert told["score"] == 1.0
    assert told["feedback"]["numeric"]["understood"]["display"] == "64"


def test_a_unit_where_none_is_due_is_explained(ada, bank, make_activity):
    taker = take_quiz(ada, bank, make_activity, "en")
    (problem,) = taker.give("budget-07", {"value": "64 GB"}, 400)["errors"]
    assert (problem["code"], problem["message"]) == ("unknown_unit", "Write the number alone.")


@pytest.mark.parametrize(
    ("lang", "response", "message"),
    [
        (
            "bg",
            {"value": "11.500"},
            "Това може да се чете по два начина. Напишете едно от тези: 11,5; 11500.",
        ),
        ("bg", {"value": "много"}, "Това не е едно просто число."),
        ("wo", {"value": ""}, "Bindal benn lim."),
        ("fr", {"value": "11,5 pommes"}, "Utilisez l'une de ces unités : MiB, "),
        ("en", {"value": "11.5", "unit": "apples"}, "Use one of: MiB, "),
    ],
)
def test_a_refused_number_is_explained_in_the_readers_language(
    ada, bank, make_activity, lang, response, message
):
    taker = take_quiz(ada, bank, make_activity, lang)
    row = Administration.objects.get(
        session_id=taker.session["id"], item_version_id=taker.find(NUMBER).version_id
    )
    body = {"administration": str(row.id), "response": response}
    reply = ada.post(f"sessions/{taker.session['id']}/responses", body, Accept_Language=lang)
    (error,) = read_json(reply, 400)["errors"]
    assert error["message"].startswith(message)


def test_the_same_number_written_otherwise_is_the_same_answer(ada, bank, make_activity):
    taker = take_quiz(ada, bank, make_activity, "en")
    first = taker.give(NUMBER, {"value": "11.5"})
    assert taker.give(NUMBER, {"value": 11.5, "unit": "MiB"})["score"] == first["score"]
    assert taker.give(NUMBER, {"value": "11.4"}, 409)["code"] == "already_answered"


@pytest.mark.parametrize("value", ["5e-324", "-1e308", "0", "-0", "1e-999", "00011", "+3"])
def test_any_finite_number_is_taken_and_told(ada, bank, make_activity, value):
    taker = take_quiz(ada, bank, make_activity, "bg")
    feedback = taker.give(NUMBER, {"value": value})["feedback"]
    assert feedback["correct"] is False
    assert feedback["numeric"]["understood"]["display"]
