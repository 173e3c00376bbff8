import json

import numpy as np
import pytest

from assessment.psychometrics.banks import make_bank
from assessment.psychometrics.items import make_items
from assessment.psychometrics.policy import Policy
from assessment.psychometrics.sessions import (
    Answered,
    Setting,
    Step,
    plan_step,
    replay_session,
)
from assessment.psychometrics.stopping import Sprt, StopRule, classify, decide_stop


def make_setting(
    num_items: int, *, rule: StopRule, policy: Policy | None = None, provisional: bool = False
) -> Setting:
    rng = np.random.default_rng(5)
    items = make_items(rng.uniform(0.8, 2.0, max(num_items, 1)), rng.normal(size=max(num_items, 1)))
    bank = make_bank(items.take(range(num_items)), provisional=[provisional] * num_items)
    return Setting(bank, policy or Policy(), rule, seed=11)


def run_session(setting: Setting, *, theta: float = 0.0) -> tuple[list[Answered], Step]:
    log: list[Answered] = []
    rng = np.random.default_rng(99)
    while (step := plan_step(setting, log)).choice is not None:
        item = setting.bank.items.take([step.choice.index])
        p = 1 / (1 + np.exp(-item.a[0] * (theta - item.b[0])))
        log.append(Answered(step.choice.index, bool(rng.random() < p), step.choice.is_scored))
    return log, step


@pytest.mark.parametrize(
    ("size", "rule", "length", "reason"),
    [
        (0, StopRule(), 0, "bank_empty"),
        (1, StopRule(min_items=5), 1, "bank_exhausted"),
        (8, StopRule(min_items=10, max_items=30), 8, "bank_exhausted"),
        (8, StopRule(standard_error=0.01), 8, "bank_exhausted"),
        (8, StopRule(max_items=5), 5, "max_items"),
        (200, StopRule(max_items=12), 12, "max_items"),
        (200, StopRule(min_items=9, standard_error=2.0), 9, "standard_error"),
        (200, StopRule(min_items=6, min_information=50.0), 6, "no_useful_item"),
    ],
)
def test_a_session_ends_by_its_rule(size: int, rule: StopRule, length: int, reason: str) -> None:
    log, step = run_session(make_setting(size, rule=rule))
    assert (len(log), step.reason) == (length, reason)
    assert np.isfinite([step.theta, step.standard_error]).all()


def test_the_standard_error_ends_a_session_once_it_is_small() -> None:
    setting = make_setting(200, rule=StopRule(max_items=100, standard_error=0.35))
    log, step = run_session(setting)
    assert step.reason == "standard_error"
    assert step.standard_error <= 0.35
    assert plan_step(setting, log[:-1]).standard_error > 0.35


def test_pass_or_fail_is_decided_when_it_is_clear() -> None:
    rule = StopRule(min_items=3, max_items=60, sprt=Sprt(cut=0.0, delta=0.4))
    setting = make_setting(200, rule=rule)
    for theta, side in ((2.5, "above"), (-2.5, "below")):
        log, step = run_session(setting, theta=theta)
        assert (step.reason, step.classification) == ("classified", side)
        assert len(log) >= 3


def test_provisional_items_decide_nothing() -> None:
    rule = StopRule(max_items=30, sprt=Sprt(cut=0.0, delta=0.4))
    _, step = run_session(make_setting(200, rule=rule, provisional=True), theta=3.0)
    assert (step.reason, step.classification) == ("max_items", "continue")


def test_the_ratio_test_keeps_its_error_rates() -> None:
    rng = np.random.default_rng(21)
    sprt = Sprt(cut=0.0, delta=0.5)
    items = make_items(1.5, np.zeros(200))
    p = 1 / (1 + np.exp(-1.5 * 0.5))
    wrong = 0
    for _ in range(400):
        answers = (rng.random(200) < p).astype(int)
        for n in range(1, 201):
            decision = classify(items.take(range(n)), answers[:n], sprt)
            if decision != "continue":
                wrong += decision == "below"
                break
    assert wrong / 400 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)


def test_time_ends_a_session_at_once() -> None:
    rule = StopRule(min_items=5, time_s=60.0)
    setting = make_setting(20, rule=rule)
    assert plan_step(setting, [], elapsed_s=59.9).reason is None
    assert plan_step(setting, [], elapsed_s=60.0).reason == "time"


def test_the_minimum_holds_against_everything_else() -> None:
    rule = StopRule(min_items=5, standard_error=9.0, min_information=9.0, sprt=Sprt(0.0))
    reason = decide_stop(
        rule,
        num_items=4,
        num_available=3,
        standard_error=0.1,
        best_information=0.0,
        classification="above",
    )
    assert reason is None


def test_a_session_replays_to_the_same_items() -> None:
    policy = Policy(randomesque=4, num_unscored=2, length=15)
    setting = make_setting(60, rule=StopRule(max_items=13), policy=policy)
    unscored = np.arange(60) >= 50
    bank = make_bank(setting.bank.items, unscored=unscored, enemies=[{0, 1}, {4, 9, 20}])
    setting = Setting(bank, policy, setting.rule, seed=77)
    log, step = run_session(setting, theta=0.4)
    assert replay_session(setting, log) == [answer.index for answer in log]
    assert sum(not answer.is_scored for answer in log) == 2
    assert (len(log), step.reason) == (15, "max_items")
    other = Setting(bank, policy, setting.rule, seed=78)
    assert replay_session(other, log) != [answer.index for answer in log]


def test_unscored_answers_leave_theta_alone() -> None:
    setting = make_setting(10, rule=StopRule())
    with_new = [Answered(0, True), Answered(5, False, is_scored=False)]
    assert plan_step(setting, with_new).theta == plan_step(setting, with_new[:1]).theta


def test_a_rule_is_plain_json() -> None:
    rule = StopRule(min_items=2, standard_error=0.3, sprt=Sprt(0.5))
    assert StopRule.from_json(json.loads(json.dumps(rule.as_json()))) == rule
    assert StopRule.from_json(StopRule().as_json()) == StopRule()


@pytest.mark.parametrize(("low", "high"), [(-1, 5), (6, 5), (0, 0)])
def test_a_rule_that_means_nothing_is_refused(low: int, high: int) -> None:
    with pytest.raises(ValueError, match="min_items"):
        StopRule(min_items=low, max_items=high)
    with pytest.raises(ValueError, match="not a test"):
        Sprt(0.0, delta=0.0)


@pytest.mark.parametrize("name", ["standard_error", "min_information", "time_s"])
def test_a_limit_that_no_number_reaches_is_refused(name: str) -> None:
    for limit in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="a limit"):
            StopRule(**{name: limit})
    with pytest.raises(ValueError, match="not a test"):
        Sprt(float("nan"))
