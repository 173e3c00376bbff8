"""One adaptive session as a pure function of its log: theta, then stop or the next item.

The service calls `plan_step` after each answer with the whole log; the same log, seed and
bank give the same step on every device and in every process, which is how a session resumes
and how `replay_session` proves what it did.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from assessment.psychometrics.banks import Bank
from assessment.psychometrics.choices import (
    Choice,
    choose_next_item,
    choose_unscored_item,
    draw_unscored_positions,
    make_rng,
)
from assessment.psychometrics.exposure import Exposure
from assessment.psychometrics.items import Indexes
from assessment.psychometrics.lists import ItemLists
from assessment.psychometrics.policy import Policy
from assessment.psychometrics.posterior import STANDARD_PRIOR, Posterior, Prior, make_posterior
from assessment.psychometrics.stopping import (
    Classification,
    Reason,
    StopRule,
    classify,
    decide_stop,
)


@dataclass(frozen=True)
class Answered:
    """One administered item; `retests` are those that held when it was chosen."""

    index: int
    is_right: bool
    is_scored: bool = True
    retests: frozenset[int] = frozenset()


@dataclass(frozen=True, eq=False)
class Setting:
    """What stays the same through a session."""

    bank: Bank
    policy: Policy
    rule: StopRule
    seed: int
    prior: Prior = STANDARD_PRIOR
    exposure: Exposure | None = None
    lists: ItemLists | None = None
    num_answers: Indexes | None = None


@dataclass(frozen=True)
class Step:
    """Where a session stands; exactly one of `reason` and `choice` is set.

    Attributes
    ----------
    theta, standard_error : float, logits
        EAP and posterior SD from the scored answers.
    classification : "above", "below" or "continue"
        Of the rule's ratio test, calibrated items only.
    """

    theta: float
    standard_error: float
    classification: Classification
    reason: Reason | None
    choice: Choice | None


def plan_step(
    setting: Setting,
    log: Sequence[Answered],
    *,
    retests: Collection[int] = (),
    excluded: Collection[int] = (),
    elapsed_s: float = 0.0,
    posterior: Posterior | None = None,
) -> Step:
    """Return theta after the log, and why the session ends or which item comes next.

    Parameters
    ----------
    posterior : Posterior or None
        The posterior after this log, where the caller has kept it; else it is computed.
    """
    bank, rule = setting.bank, setting.rule
    scored = [answer for answer in log if answer.is_scored]
    if posterior is None:
        posterior = compute_session_posterior(setting, scored)
    classification: Classification = "continue"
    if rule.sprt is not None and scored:
        at = np.array([answer.index for answer in scored])
        answers = [int(answer.is_right) for answer in scored]
        provisional = bank.provisional[at]
        classification = classify(bank.items.take(at), answers, rule.sprt, provisional=provisional)
    choice = None
    if len(scored) < rule.max_items:
        choice = _choose(setting, log, posterior, retests=retests, excluded=excluded)
    reason = decide_stop(
        rule,
        num_items=len(scored),
        num_available=int(choice is not None),
        standard_error=posterior.sd,
        best_information=choice.information if choice and choice.is_scored else None,
        classification=classification,
        elapsed_s=elapsed_s,
    )
    if reason is not None:
        choice = None
    return Step(posterior.mean, posterior.sd, classification, reason, choice)


def compute_session_posterior(setting: Setting, scored: Sequence[Answered]) -> Posterior:
    """Return the exact posterior of theta after the scored answers."""
    items = setting.bank.items.take([answer.index for answer in scored])
    answers = [int(answer.is_right) for answer in scored]
    return make_posterior(items, answers, prior=setting.prior)


def replay_session(setting: Setting, log: Sequence[Answered]) -> list[int | None]:
    """Return the item that each position of the log is given when the session is run again."""
    replayed: list[int | None] = []
    for position, answer in enumerate(log):
        step = plan_step(setting, log[:position], retests=answer.retests)
        replayed.append(step.choice.index if step.choice is not None else None)
    return replayed


def _choose(
    setting: Setting,
    log: Sequence[Answered],
    posterior: Posterior,
    *,
    retests: Collection[int],
    excluded: Collection[int],
) -> Choice | None:
    administered = [answer.index for answer in log]
    rng = make_rng(setting.seed, position=len(log))
    num_answers = setting.num_answers
    if len(log) in draw_unscored_positions(setting.policy, seed=setting.seed):
        if num_answers is None:
            num_answers = np.zeros(len(setting.bank), dtype=np.intp)
        new = choose_unscored_item(
            setting.bank,
            posterior,
            administered=administered,
            num_answers=num_answers,
            rng=rng,
            excluded=excluded,
        )
        if new is not None:
            return new
    return choose_next_item(
        setting.bank,
        posterior,
        administered=administered,
        policy=setting.policy,
        rng=rng,
        excluded=excluded,
        retests=retests,
        exposure=setting.exposure,
        lists=setting.lists,
    )
