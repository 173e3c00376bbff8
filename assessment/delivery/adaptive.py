"""Adaptive sessions: the pinned bank and the log of a session, handed to the mathematics.

Nothing here is kept: theta, the next item and the end follow from the pinned bank, the
session's seed and its answers, so that a session resumes and replays to the same path.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assessment.bank.snapshot import Item, Snapshot, get_snapshot
from assessment.core.errors import Invalid
from assessment.delivery.exposure import FrozenCounts, find_exposure
from assessment.psychometrics.banks import Bank, make_bank
from assessment.psychometrics.content import ContentTarget
from assessment.psychometrics.exposure import Exposure, check_cap, make_exposure
from assessment.psychometrics.items import make_items
from assessment.psychometrics.lists import ItemLists, build_lists
from assessment.psychometrics.policy import Policy
from assessment.psychometrics.sessions import Answered, Setting, Step, plan_step, replay_session
from assessment.psychometrics.stopping import StopRule

MIN_ITEMS, MAX_ITEMS, ENOUGH = 5, 20, 0.4
# An activity's defaults: a standard error of .4 is a reliability of .84 for N(0, 1).

RANDOMESQUE = 3
# Draws among the three best: classmates do not all begin with one item (Kingsbury, Zara 1989).


@dataclass(frozen=True, eq=False)
class Pool:
    """The items that a session may draw from; row i of the bank is `version_ids[i]`.

    lists: of a policy without an exposure cap.
    """

    version_ids: tuple[str, ...]
    rows: Mapping[str, int]
    concepts: tuple[str, ...]
    bank: Bank
    lists: ItemLists
    retests: Mapping[str, frozenset[int]]


@dataclass(frozen=True)
class Taken:
    """One administration as the log needs it.

    beliefs: misconceptions that the answer showed and whose evidence was seen; retests: rows
    that were preferred when this item was chosen.
    """

    item_id: str
    is_answered: bool
    is_right: bool
    is_scored: bool
    beliefs: tuple[str, ...]
    retests: tuple[int, ...]


@dataclass(frozen=True)
class Chosen:
    """An item to put before the learner, and the state it was chosen from."""

    item: Item
    selection: Mapping[str, object] | None


@dataclass(frozen=True)
class Progress:
    """Where a session stands: theta after the answers so far, and what comes next."""

    theta: float
    standard_error: float
    reason: str | None
    chosen: Chosen | None


def read_policy(plain: Mapping[str, object]) -> tuple[Policy, StopRule]:
    """Selection and stop rule of an activity. Raises Invalid naming the field."""
    selection = {"criterion": "MFI", "randomesque": RANDOMESQUE, **_section(plain, "selection")}
    stop = {
        "min_items": MIN_ITEMS,
        "max_items": MAX_ITEMS,
        "standard_error": ENOUGH,
        **_section(plain, "stop"),
    }
    try:
        rule = StopRule.from_json(stop)
        selection.setdefault("length", rule.max_items)
        return Policy.from_json(selection), rule
    except (TypeError, ValueError, AssertionError) as error:
        raise Invalid.field("policy", "invalid", str(error)[:200]) from error


def check_policy(plain: Mapping[str, object], snapshot: Snapshot, *, quiz_slug: str) -> None:
    """Refuse a policy that this bank cannot serve. Raises Invalid naming the field."""
    policy, rule = read_policy(plain)
    pool = _choose_pool(snapshot, quiz_slug, plain)
    if not pool.version_ids:
        raise Invalid.field("policy.concepts", "empty", "No item of the quiz has these concepts.")
    read_content(plain, pool)
    if policy.exposure_cap is not None:
        num_scored = int(np.count_nonzero(~pool.bank.unscored))
        length = min(rule.max_items, num_scored)
        try:
            check_cap(policy.exposure_cap, length=length, num_items=num_scored)
        except ValueError as error:
            raise Invalid.field("policy.selection.exposure_cap", "too_low", str(error)) from error


def read_concepts(plain: Mapping[str, object]) -> tuple[str, ...]:
    """The tag set of an activity; () for all of its quiz."""
    concepts = plain.get("concepts", ())
    if not isinstance(concepts, list | tuple) or not all(isinstance(one, str) for one in concepts):
        raise Invalid.field("policy.concepts", "invalid", "A list of concepts is due here.")
    return tuple(sorted(concepts))


def read_content(plain: Mapping[str, object], pool: Pool) -> tuple[ContentTarget, ...]:
    """The shares that concepts of the pool should have. Raises Invalid naming the entry."""
    entries = plain.get("content", ())
    assert isinstance(entries, list | tuple)
    found: list[ContentTarget] = []
    for place, one in enumerate(entries):
        if one["concept"] not in pool.concepts:
            raise Invalid.field(
                f"policy.content[{place}].concept", "unknown_concept", "No item of it is here."
            )
        try:
            found.append(
                ContentTarget(pool.concepts.index(one["concept"]), one["lower"], one["upper"])
            )
        except ValueError as error:
            raise Invalid.field(f"policy.content[{place}]", "invalid", str(error)) from error
    return tuple(found)


def _section(plain: Mapping[str, object], name: str) -> dict[str, object]:
    section = plain.get(name, {})
    if not isinstance(section, Mapping):
        raise Invalid.field(f"policy.{name}", "invalid", "An object is due here.")
    return dict(section)


@lru_cache(maxsize=64)
def get_pool(
    bank_version_id: str,
    quiz_slug: str,
    concepts: tuple[str, ...],
    *,
    seeds_new_items: bool = False,
) -> Pool:
    """The pool of a quiz, or of some of its concepts, in a pinned bank; built once a process.

    seeds_new_items: where some items are calibrated, the others are given for their answers
    only and do not count for theta.
    """
    snapshot = get_snapshot(bank_version_id)
    ids = tuple(
        one
        for one in snapshot.quizzes[quiz_slug].item_ids
        if not concepts or snapshot.items[one].concept in concepts
    )
    rows = {one: place for place, one in enumerate(ids)}
    at = np.array([snapshot.item_index[one] for one in ids], dtype=np.intp)
    names = sorted({snapshot.concepts[row] for row in at})
    bank = make_bank(
        make_items(snapshot.a[at], snapshot.b[at], c=snapshot.c[at], d=snapshot.d[at]),
        concepts=[names.index(snapshot.concepts[row]) for row in at],
        enemies=list(_list_enemy_sets(snapshot, rows)),
        provisional=snapshot.is_provisional[at],
        unscored=_find_new_items(snapshot.is_provisional[at]) if seeds_new_items else None,
    )
    return Pool(ids, rows, tuple(names), bank, build_lists(bank), _find_retests(snapshot, rows))


def _find_new_items(is_provisional: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Items without a calibration, in a pool that has calibrated ones; else none are new."""
    return is_provisional if not is_provisional.all() else np.zeros_like(is_provisional)


def _list_enemy_sets(snapshot: Snapshot, rows: Mapping[str, int]) -> Iterable[list[int]]:
    """Pairs that give each other away, and the instances of each family."""
    for item_id, row in rows.items():
        for slug in snapshot.items[item_id].enemies:
            place = snapshot.slug_index.get(slug)
            other = rows.get(snapshot.version_ids[place]) if place is not None else None
            if other is not None:
                yield [row, other]
    for instances in snapshot.families.values():
        members = [rows[one] for one in instances if one in rows]
        if len(members) > 1:
            yield members


def _find_retests(snapshot: Snapshot, rows: Mapping[str, int]) -> Mapping[str, frozenset[int]]:
    """Misconception -> the rows that test it. Fillers that nobody believes are left out."""
    found: dict[str, set[int]] = {}
    for item_id, row in rows.items():
        for slug in list_beliefs(snapshot.items[item_id]):
            known = snapshot.misconceptions.get(slug)
            if known is not None and known.plausible:
                found.setdefault(slug, set()).add(row)
    return {slug: frozenset(members) for slug, members in found.items()}


def list_beliefs(item: Item) -> list[str]:
    """The misconceptions that a wrong answer to this item can show."""
    slugs = [one.misconception for one in item.options if one.misconception]
    if item.numeric is not None:
        slugs += [one.misconception for one in item.numeric.near if one.misconception]
    return list(dict.fromkeys(slugs))


def plan_next(
    snapshot: Snapshot,
    *,
    quiz_slug: str,
    policy: Mapping[str, object],
    seed: int,
    log: Sequence[Taken],
    elapsed_s: float = 0.0,
) -> Progress:
    """Theta after the log, and the next item or the reason to end."""
    pool = _choose_pool(snapshot, quiz_slug, policy)
    setting = _make_setting(snapshot, pool, policy, seed=seed)
    retests = _list_open_retests(pool, log)
    step = plan_step(
        setting,
        [_read_answered(pool, one) for one in log],
        retests=retests,
        elapsed_s=elapsed_s,
    )
    chosen = _describe_choice(snapshot, pool, step, retests)
    return Progress(step.theta, step.standard_error, _name_end(step), chosen)


def replay(
    snapshot: Snapshot,
    *,
    quiz_slug: str,
    policy: Mapping[str, object],
    seed: int,
    log: Sequence[Taken],
) -> list[str | None]:
    """The items that the log's positions are given when the session is run again."""
    pool = _choose_pool(snapshot, quiz_slug, policy)
    setting = _make_setting(snapshot, pool, policy, seed=seed)
    rows = replay_session(setting, [_read_answered(pool, one) for one in log])
    return [pool.version_ids[row] if row is not None else None for row in rows]


def _make_setting(
    snapshot: Snapshot, pool: Pool, plain: Mapping[str, object], *, seed: int
) -> Setting:
    policy, rule = read_policy(plain)
    policy = replace(policy, content=read_content(plain, pool))
    if policy.exposure_cap is None and not policy.num_unscored:
        return Setting(pool.bank, policy, rule, seed, lists=pool.lists)
    shown = _count_shown(pool, find_exposure(snapshot.bank_version_id))
    counts = shown.counts.astype(np.intp, copy=False)
    if policy.exposure_cap is None:
        return Setting(pool.bank, policy, rule, seed, lists=pool.lists, num_answers=counts)
    lists = _build_capped_lists(pool, shown, policy.exposure_cap)
    return Setting(pool.bank, policy, rule, seed, exposure=shown, lists=lists, num_answers=counts)


@lru_cache(maxsize=64)
def _count_shown(pool: Pool, frozen: FrozenCounts) -> Exposure:
    """The frozen counts in the order of the pool; laid out once a process."""
    counts = [frozen.counts.get(one, 0) for one in pool.version_ids]
    return make_exposure(frozen.num_sessions, counts)


@lru_cache(maxsize=64)
def _build_capped_lists(pool: Pool, shown: Exposure, cap: float) -> ItemLists:
    return build_lists(pool.bank, exposure=shown, cap=cap)


def _choose_pool(snapshot: Snapshot, quiz_slug: str, plain: Mapping[str, object]) -> Pool:
    policy, _ = read_policy(plain)
    return get_pool(
        snapshot.bank_version_id,
        quiz_slug,
        read_concepts(plain),
        seeds_new_items=policy.num_unscored > 0,
    )


def _read_answered(pool: Pool, one: Taken) -> Answered:
    return Answered(
        index=pool.rows[one.item_id],
        is_right=one.is_right,
        is_scored=one.is_scored,
        retests=frozenset(one.retests),
    )


def _list_open_retests(pool: Pool, log: Sequence[Taken]) -> tuple[int, ...]:
    """Rows that test again what the learner held, once the evidence on it was seen.

    A belief is open until a later item that tests it is answered right.
    """
    held: set[str] = set()
    for one in log:
        if one.is_right:
            row = pool.rows[one.item_id]
            held -= {slug for slug in held if row in pool.retests.get(slug, frozenset())}
        held |= set(one.beliefs)
    rows = [pool.retests.get(slug, frozenset()) for slug in held]
    return tuple(sorted(frozenset().union(*rows)))


def _name_end(step: Step) -> str | None:
    """Why the session ends; a decision is told as what was decided."""
    if step.reason != "classified":
        return step.reason
    return "passed" if step.classification == "above" else "not_passed"


def _describe_choice(
    snapshot: Snapshot, pool: Pool, step: Step, retests: Sequence[int]
) -> Chosen | None:
    if step.choice is None:
        return None
    item = snapshot.items[pool.version_ids[step.choice.index]]
    selection = {
        **step.choice.state,
        "is_scored": step.choice.is_scored,
        "retests": list(retests),
    }
    return Chosen(item, selection)


def measure_elapsed_s(started_at: datetime, *, now: datetime) -> float:
    """Seconds since the session began, by the server's clock."""
    return max(0.0, (now - started_at).total_seconds())
