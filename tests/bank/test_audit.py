from pathlib import Path

import numpy as np
import pytest

from assessment.bank.audit import (
    audit_bank,
    fit_weights,
    flag_choice,
    make_choice,
    make_design,
    score_guessers,
    summarize,
)
from assessment.bank.documents import read_bank_directory
from assessment.bank.guessers import (
    GUESSERS,
    Choice,
    guess_by_rank,
    guess_longest,
    guess_second_longest,
    judge,
)
from assessment.bank.parsing import parse_bank
from assessment.bank.specs import BankSpec

FIXTURES = Path(__file__).parents[2] / "fixtures" / "bank"


@pytest.fixture(scope="module")
def bank() -> BankSpec:
    return parse_bank(read_bank_directory(FIXTURES))


def make_choices(num_items: int, *, longest_is_key: bool) -> list[Choice]:
    """Items of random words; the key is the longest option, or any."""
    rng = np.random.default_rng(7)
    choices = []
    for number in range(num_items):
        options = tuple(
            " ".join(f"w{word}" for word in rng.integers(0, 1000, 4 + place))
            for place in rng.permutation(4)
        )
        longest = max(range(4), key=lambda row: len(options[row]))
        key = longest if longest_is_key else int(rng.integers(4))
        choices.append(Choice(f"item-{number}", "Which?", options, key, "en"))
    return choices


def test_the_longest_option_earns_84_percent_on_the_seed_pages(bank: BankSpec) -> None:
    earned = []
    for item in bank.items.values():
        if item.stem.seed is None:
            continue
        options = tuple(one.text.seed[1] for one in item.options if one.text.seed is not None)
        key = [one.is_key for one in item.options].index(True)
        choice = Choice(item.slug, item.stem.seed[1], options, key, item.stem.seed[0])
        earned.append(judge(choice, guess_longest(choice)))
    assert len(earned) == 16
    assert np.mean(earned) == pytest.approx(0.84375)


def test_every_guesser_stays_under_35_percent_on_the_new_items(bank: BankSpec) -> None:
    found = audit_bank(bank, rng=np.random.default_rng(20261130))
    assert {one.num_items for one in found.new} != {0}
    assert [one for one in found.new if not one.is_passed] == []
    for one in found.new:
        assert one.score is not None
        assert one.low is not None
        assert one.high is not None
        assert 0 <= one.low <= one.score <= one.high <= 1


def test_the_same_seed_gives_the_same_scores() -> None:
    choices = make_choices(12, longest_is_key=False)
    first, second = (score_guessers(choices, "en", rng=np.random.default_rng(1)) for _ in range(2))
    assert first == second


def test_a_tie_earns_its_share() -> None:
    choice = Choice("x", "Which?", ("aa", "bb", "c"), 0, "en")
    assert judge(choice, guess_longest(choice)) == 0.5
    assert judge(Choice("x", "Which?", ("aa", "bb", "c"), 2, "en"), guess_longest(choice)) == 0.0


def test_the_second_longest_option_is_found() -> None:
    choice = Choice("x", "Which?", ("a", "aaaa", "aaa", "aa"), 2, "en")
    assert judge(choice, guess_second_longest(choice)) == 1.0
    tied = Choice("x", "Which?", ("aaa", "bbb", "c"), 0, "en")
    assert judge(tied, guess_second_longest(tied)) == pytest.approx(1 / 3)


def test_numeric_ranks_pick_by_size() -> None:
    choice = Choice("x", "How many?", ("1,024", "12", "3.5 MiB", "200"), 3, "en")
    assert [judge(choice, guess_by_rank(choice, rank)) for rank in range(4)] == [0, 0, 1, 0]
    words = Choice("x", "Which?", ("one", "two"), 0, "en")
    assert judge(words, guess_by_rank(words, 0)) == 0.5


def test_wilson_interval_of_a_textbook_example() -> None:
    # Newcombe (1998), table I: 15 of 148 gives 0.0624 to 0.1605 by the score method.
    found = summarize("any", "en", [1.0] * 15 + [0.0] * 133)
    assert found.low == pytest.approx(0.0624, abs=5e-5)
    assert found.high == pytest.approx(0.1605, abs=5e-5)
    assert summarize("any", "en", []).score is None


def test_the_fitted_guesser_finds_what_gives_the_key_away() -> None:
    rng = np.random.default_rng(3)
    easy = score_guessers(make_choices(60, longest_is_key=True), "en", rng=rng)
    scores = {one.guesser: one.score for one in easy}
    assert scores["longest"] == pytest.approx(1.0, abs=0.05)
    assert scores["fitted"] is not None
    assert scores["fitted"] > 0.85


def test_the_fitted_guesser_finds_nothing_where_nothing_is() -> None:
    rng = np.random.default_rng(3)
    fair = score_guessers(make_choices(200, longest_is_key=False), "en", rng=rng)
    fitted = next(one for one in fair if one.guesser == "fitted")
    assert fitted.score == pytest.approx(0.25, abs=0.08)


def test_the_fit_agrees_with_the_closed_form_of_one_binary_feature() -> None:
    # Two options, one feature that is 1 on the first: log odds of the key's place, ridge apart.
    choices = [Choice("x", "?", ("a", "b"), int(row >= 300), "en") for row in range(400)]
    features = [np.array([[0.5], [-0.5]]) for _ in choices]
    weights = fit_weights(make_design(features, choices))
    assert weights[0] == pytest.approx(np.log(3), abs=0.03)


def test_flags_name_the_form_and_carry_the_waiver() -> None:
    options = (
        "It always fails",
        "It never fails",
        "It fails only here",
        "depends on the model, the data and the step",
    )
    choice = Choice("x", "What happens?", options, 3, "en")
    found = flag_choice(choice, waivers={"longest-option": "kept"})
    waivers = {one.code: one.waiver for one in found}
    assert waivers.items() >= {("longest-option", "kept"), ("absolute-words", None)}


def test_every_guesser_answers_every_item(bank: BankSpec) -> None:
    for item in bank.items.values():
        choice = make_choice(item, "bg")
        for guesser in GUESSERS.values():
            if choice is not None:
                assert guesser(choice).shape == (len(choice.options),)
