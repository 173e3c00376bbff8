import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessment.psychometrics.banks import Bank, make_bank
from assessment.psychometrics.choices import (
    Choice,
    choose_next_item,
    choose_unscored_item,
    draw_unscored_positions,
    make_rng,
)
from assessment.psychometrics.content import ContentTarget, compute_penalties
from assessment.psychometrics.exposure import check_cap, make_exposure
from assessment.psychometrics.items import ItemParameters, make_items
from assessment.psychometrics.lists import ItemLists, build_lists
from assessment.psychometrics.policy import Policy
from assessment.psychometrics.posterior import Posterior, start_posterior
from assessment.psychometrics.ranking import compute_worth
from tests.psychometrics.strategies import legal_items


def draw_bank(num_items: int, *, seed: int = 3, **settings: Any) -> Bank:
    rng = np.random.default_rng(seed)
    a = np.clip(rng.lognormal(0.1, 0.3, num_items), 0.2, 4)
    items = make_items(a, rng.normal(0, 1.1, num_items), c=rng.uniform(0, 0.3, num_items))
    return make_bank(items, concepts=rng.integers(0, 5, num_items), **settings)


def choose(bank: Bank, *, policy: Policy | None = None, **settings: Any) -> Choice | None:
    posterior = settings.pop("posterior", None) or start_posterior()
    rng = settings.pop("rng", None) or make_rng(7, position=0)
    return choose_next_item(
        bank,
        posterior,
        administered=settings.pop("administered", []),
        policy=policy or Policy(),
        rng=rng,
        **settings,
    )


def peak_at(theta: float) -> Posterior:
    return Posterior(np.array([theta - 0.3, theta, theta + 0.3]), np.array([0.25, 0.5, 0.25]))


def test_the_most_informative_item_is_chosen() -> None:
    bank = draw_bank(200)
    worth = compute_worth(bank.items, start_posterior(), 0.0, criterion="MFI")
    choice = choose(bank)
    assert choice is not None
    assert choice.index == worth.argmax()
    assert choice.information == pytest.approx(worth.max(), rel=1e-12)


@pytest.mark.parametrize("criterion", ["MFI", "MPWI", "KLP", "MEPV", "GDIP", "bOpt", "thOpt"])
def test_no_item_comes_twice_until_the_bank_is_empty(criterion: Any) -> None:
    bank = draw_bank(8)
    given: list[int] = []
    for _ in range(8):
        choice = choose(bank, policy=Policy(criterion=criterion), administered=given)
        assert choice is not None
        given.append(choice.index)
    assert sorted(given) == list(range(8))
    assert choose(bank, administered=given) is None


@settings(max_examples=60, deadline=None)
@given(legal_items(max_size=12), st.integers(0, 2**32), st.integers(1, 4), st.floats(-5, 5))
def test_any_bank_gives_each_item_once_and_the_same_test_again(
    items: ItemParameters, seed: int, randomesque: int, theta: float
) -> None:
    bank = make_bank(items)
    policy = Policy(randomesque=randomesque)
    tests = []
    for _ in range(2):
        given: list[int] = []
        while (
            choice := choose(
                bank,
                policy=policy,
                posterior=peak_at(theta),
                administered=given,
                rng=make_rng(seed, position=len(given)),
            )
        ) is not None:
            given.append(choice.index)
        tests.append(given)
    assert tests[0] == tests[1]
    assert sorted(tests[0]) == list(range(len(items)))


def test_randomesque_draws_among_the_best() -> None:
    bank = draw_bank(100)
    worth = compute_worth(bank.items, start_posterior(), 0.0, criterion="MFI")
    best = set(np.argsort(-worth)[:5].tolist())
    policy = Policy(randomesque=5)
    drawn = set()
    for position in range(100):
        choice = choose(bank, policy=policy, rng=make_rng(1, position=position))
        assert choice is not None
        drawn.add(choice.index)
    assert drawn == best


def test_enemies_never_meet_in_a_session() -> None:
    bank = draw_bank(40, enemies=[{0, 1, 2}, {2, 3}, {10, 11}])
    given: list[int] = []
    while (choice := choose(bank, administered=given)) is not None:
        given.append(choice.index)
    assert len(set(given) & {0, 1, 2}) == 1
    assert len(set(given) & {10, 11}) == 1
    assert not {2, 3} <= set(given)
    assert bank.enemies[2] == {0, 1, 3}


def test_excluded_items_are_not_given() -> None:
    bank = draw_bank(5)
    choice = choose(bank, excluded=[0, 1, 2, 4])
    assert choice is not None
    assert choice.index == 3


def test_a_held_misconception_is_tested_again_when_little_is_lost() -> None:
    items = make_items([1.5, 1.45, 0.5], [0.0, 0.0, 0.0])
    bank = make_bank(items)
    plain, retest, dear = (choose(bank, retests=r) for r in ([], [1], [2]))
    assert plain is not None
    assert retest is not None
    assert dear is not None
    assert (plain.index, retest.index, dear.index) == (0, 1, 0)
    assert retest.state["is_retest"] is True
    assert dear.state["is_retest"] is False


def assert_served_as_scanned(bank: Bank, lists: ItemLists, **settings: Any) -> None:
    served, scanned = (choose(bank, lists=one, **settings) for one in (lists, None))
    assert served == scanned


@pytest.mark.parametrize("size", [1, 8, 300, 3000])
@pytest.mark.parametrize("theta", [-7.0, -2.3, 0.0, 0.51, 4.4, 9.0])
def test_the_served_path_makes_the_choice_of_a_scan(size: int, theta: float) -> None:
    bank = draw_bank(size, enemies=[{0, size - 1}])
    lists = build_lists(bank)
    targets = tuple(ContentTarget(k, 0.15, 0.25) for k in range(5))
    policies = [Policy(), Policy(randomesque=4), Policy(content=targets)]
    for begun in ([], list(range(size // 2))):
        for retests in ([], [size // 3, size // 2]):
            for policy in policies:
                chosen = {"policy": policy, "administered": begun, "retests": retests}
                assert_served_as_scanned(bank, lists, posterior=peak_at(theta), **chosen)


@settings(max_examples=80, deadline=None)
@given(legal_items(max_size=40), st.floats(-6, 6), st.integers(1, 3), st.floats(0, 1))
def test_the_served_path_is_that_of_a_scan_for_any_bank(
    items: ItemParameters, theta: float, randomesque: int, share: float
) -> None:
    bank = make_bank(items, concepts=np.arange(len(items)) % 3)
    short = build_lists(bank, length=8)
    targets = (ContentTarget(0, share, 1.0), ContentTarget(2, 0.0, 0.5 * share, 0.3))
    begun = list(range(0, len(items), 3))
    for content in ((), targets):
        policy = Policy(randomesque=randomesque, content=content)
        for retests in ([], [one for one in (1, 2) if one < len(items)]):
            chosen = {"policy": policy, "administered": begun, "retests": retests}
            assert_served_as_scanned(bank, short, posterior=peak_at(theta), **chosen)


def test_penalties_are_the_deviation_of_the_projected_test() -> None:
    targets = [
        ContentTarget(0, 0.2, 0.4),
        ContentTarget(2, 0.5, 0.6, 3.0),
        ContentTarget(2, 0, 0.1),
    ]
    given, available = [3, 0, 1, 2], [10, 5, 0, 25]
    by_hand = []
    for concept in range(4):
        counts = [given[k] + (k == concept) + (20 - 6 - 1) * available[k] / 40 for k in range(4)]
        by_hand.append(
            sum(
                one.weight
                * (
                    max(0.0, one.lower * 20 - counts[one.concept])
                    + max(0.0, counts[one.concept] - one.upper * 20)
                )
                for one in targets
            )
        )
    found = compute_penalties(targets, given=given, available=available, length=20)
    assert found == pytest.approx(by_hand)


def test_the_served_path_is_taken_on_the_scale() -> None:
    bank = draw_bank(2000)
    choice = choose(bank, lists=build_lists(bank), administered=list(range(20)))
    assert choice is not None
    assert choice.state["path"] == "lists"


def test_lists_of_other_counts_are_not_served() -> None:
    bank = draw_bank(300)
    policy = Policy(exposure_cap=0.2)
    free_choice = choose(bank)
    assert free_choice is not None
    counts = np.zeros(300, dtype=int)
    counts[free_choice.index] = 50
    exposure = make_exposure(100, counts)
    for lists in (build_lists(bank), build_lists(bank, exposure=exposure, cap=0.2)):
        choice = choose(bank, policy=policy, exposure=exposure, lists=lists)
        assert choice is not None
        assert choice.index != free_choice.index
        assert (choice.state["path"] == "lists") == (lists.exposure == exposure.digest)
    # A retest does not lift the cap either.
    choice = choose(
        bank, policy=policy, exposure=exposure, lists=lists, retests=[free_choice.index]
    )
    assert choice is not None
    assert choice.index != free_choice.index


def run_sessions(bank: Bank, *, cap: float, length: int, num_sessions: int) -> np.ndarray:
    counts = np.zeros(len(bank), dtype=int)
    policy = Policy(exposure_cap=cap, length=length)
    for session in range(num_sessions):
        exposure = make_exposure(session, counts)
        given: list[int] = []
        for _ in range(length):
            choice = choose(bank, policy=policy, exposure=exposure, administered=given)
            assert choice is not None
            given.append(choice.index)
        counts[given] += 1
        assert counts.max() <= cap * (session + 1) + 1
    return counts


@pytest.mark.parametrize(("size", "cap"), [(50, 0.2), (50, 0.4), (30, 0.5), (30, 1 / 3)])
def test_the_exposure_cap_is_hard(size: int, cap: float) -> None:
    run_sessions(draw_bank(size), cap=cap, length=10, num_sessions=60)


def test_a_cap_that_no_test_can_keep_is_refused() -> None:
    with pytest.raises(ValueError, match="exposure cap"):
        check_cap(0.19, length=10, num_items=50)
    with pytest.raises(ValueError, match="exposure cap"):
        check_cap(0.5, length=1, num_items=0)
    check_cap(0.2, length=10, num_items=50)
    with pytest.raises(ValueError, match="frozen counts"):
        choose(draw_bank(5), policy=Policy(exposure_cap=0.5))


def test_content_is_balanced() -> None:
    bank = draw_bank(300)
    shares = [0.4, 0.3, 0.1, 0.1, 0.1]
    targets = tuple(ContentTarget(k, share, share, 5.0) for k, share in enumerate(shares))
    given: list[int] = []
    for _ in range(20):
        choice = choose(bank, policy=Policy(content=targets, length=20), administered=given)
        assert choice is not None
        given.append(choice.index)
    assert np.bincount(bank.concepts[given], minlength=5).tolist() == [8, 6, 2, 2, 2]


def test_a_content_target_that_cannot_be_met_ends_no_test() -> None:
    bank = make_bank(make_items(1.0, [0.0, 1.0]), concepts=[0, 0])
    policy = Policy(content=(ContentTarget(3, 1.0, 1.0), ContentTarget(0, 0.0, 0.0)))
    assert choose(bank, policy=policy) is not None


def test_new_items_are_given_unscored_and_the_least_answered_first() -> None:
    bank = draw_bank(10, unscored=[True] * 3 + [False] * 7)
    scored = choose(bank)
    assert scored is not None
    assert scored.index >= 3
    new = choose_unscored_item(
        bank,
        start_posterior(),
        administered=[1],
        num_answers=np.array([9, 0, 4] + [0] * 7),
        rng=make_rng(1, position=2),
    )
    assert new is not None
    assert (new.index, new.is_scored) == (2, False)
    positions = [draw_unscored_positions(Policy(num_unscored=2), seed=s) for s in range(300)]
    assert {len(p) for p in positions} == {2}
    assert set().union(*positions) == set(range(1, 20))
    assert positions[5] == draw_unscored_positions(Policy(num_unscored=2), seed=5)


def test_a_policy_and_a_choice_are_plain_json() -> None:
    policy = Policy(
        criterion="MPWI", exposure_cap=0.3, content=(ContentTarget(1, 0.2, 0.4, 2.0),), length=12
    )
    assert Policy.from_json(json.loads(json.dumps(policy.as_json()))) == policy
    choice = choose(draw_bank(30), policy=Policy(randomesque=3))
    assert choice is not None
    assert json.loads(json.dumps(choice.state, allow_nan=False)) == choice.state


@pytest.mark.parametrize(
    "fields",
    [
        {"randomesque": 0},
        {"length": 0},
        {"retest_share": 1.5},
        {"num_unscored": 20},
        {"criterion": "luck"},
        {"exposure_cap": 0.0},
        {"exposure_cap": float("nan")},
    ],
)
def test_a_policy_that_means_nothing_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"polic|unscored|criterion|cap"):
        Policy(**fields)


def test_lists_survive_a_bank_without_items() -> None:
    bank = make_bank(make_items([1.0], [0.0]).take([]))
    lists: ItemLists = build_lists(bank)
    assert choose(bank, lists=lists) is None
