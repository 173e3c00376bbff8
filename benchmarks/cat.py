"""`./remat bench cat`: how long the next item takes, beside catsim, and how good the tests are.

Every round times each contender at each size on the same thetas, one after the other, in processor
time. Told is each one's fastest round, as a slower one tells of the machine's other work.
"""

import argparse
import contextlib
import io
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from catsim.item_bank import ItemBank
from catsim.selection import MaxInfoSelector

from assessment.psychometrics.banks import Bank, make_bank
from assessment.psychometrics.choices import choose_next_item, make_rng
from assessment.psychometrics.content import ContentTarget
from assessment.psychometrics.items import make_items
from assessment.psychometrics.lists import ItemLists, build_lists
from assessment.psychometrics.policy import Policy
from assessment.psychometrics.posterior import Posterior, start_posterior
from assessment.psychometrics.sessions import Setting
from assessment.psychometrics.simulation import simulate, summarize
from assessment.psychometrics.stopping import StopRule

SIZES = (1_000, 10_000, 100_000)
NUM_GIVEN = 15
# Items given already: the middle of a test.
NUM_CONCEPTS = 13
CONTENDERS = ("catsim", "scan", "lists", "served path", "balanced scan", "balanced")
RIVALS = CONTENDERS[:4], CONTENDERS[4:]
# Those that must name the same items: without and with content balance.
TARGET_SPEEDUP, TARGET_SERVED_US, FLAT = 100.0, 50.0, 1.5
# What the project asks: against catsim at 100,000 items; of the served path; largest over smallest.
SIMULATION_SEEDS = (1, 2, 3)


def draw_bank(num_items: int, *, seed: int) -> Bank:
    """Return 3PL items with 13 concepts."""
    rng = np.random.default_rng(seed)
    items = make_items(
        rng.lognormal(0.1, 0.3, num_items),
        rng.normal(0.0, 1.1, num_items),
        c=rng.uniform(0.0, 0.3, num_items),
    )
    return make_bank(items, concepts=rng.integers(0, NUM_CONCEPTS, num_items))


def draw_posteriors(count: int, *, seed: int) -> list[Posterior]:
    """Return posteriors as narrow as after some answers, at thetas of a class."""
    rng = np.random.default_rng(seed)
    prior = start_posterior()
    posteriors = []
    for theta in np.clip(rng.standard_normal(count), -2.5, 2.5):
        weights = np.exp(-0.5 * ((prior.nodes - theta) / 0.4) ** 2)
        posteriors.append(Posterior(prior.nodes, weights / weights.sum()))
    return posteriors


def make_contenders(bank: Bank, given: list[int]) -> dict[str, Callable[[Posterior], int]]:
    """Return, by name, what maps a posterior to an index; "balanced" is the served path too."""
    items = bank.items
    with contextlib.redirect_stdout(io.StringIO()):
        # catsim prints an empty line here.
        rival_bank = ItemBank(np.column_stack([items.a, items.b, items.c, items.d]))
    selector, policy, lists = MaxInfoSelector(), Policy(), build_lists(bank)
    blocked = set(given)
    share = 1.0 / NUM_CONCEPTS
    targets = [ContentTarget(k, 0.5 * share, 1.5 * share) for k in range(NUM_CONCEPTS)]
    balanced = Policy(content=tuple(targets))

    def select_by_catsim(posterior: Posterior) -> int:
        return int(
            selector.select(
                item_bank=rival_bank, administered_items=given, est_theta=posterior.mean
            )
        )

    def choose(posterior: Posterior, with_lists: ItemLists | None, by: Policy = policy) -> int:
        choice = choose_next_item(
            bank,
            posterior,
            administered=given,
            policy=by,
            rng=rng,
            lists=with_lists,
        )
        assert choice is not None
        return choice.index

    def look_up(posterior: Posterior) -> int:
        ranked = lists.rank(posterior.mean, blocked=blocked, count=1)
        assert ranked
        return max(ranked)[1]

    rng = make_rng(1, position=0)
    return {
        "catsim": select_by_catsim,
        "scan": lambda posterior: choose(posterior, None),
        "lists": look_up,
        "served path": lambda posterior: choose(posterior, lists),
        "balanced scan": lambda posterior: choose(posterior, None, balanced),
        "balanced": lambda posterior: choose(posterior, lists, balanced),
    }


def time_selection(*, rounds: int) -> dict[int, dict[str, float]]:
    """Return, by size, the microseconds of each contender's fastest round.

    All contenders of a size must name the same items.
    """
    calls = {"catsim": 3, "scan": 10, "balanced scan": 10}
    fields = {}
    for size in SIZES:
        given = np.random.default_rng(5).choice(size, NUM_GIVEN, replace=False).tolist()
        fields[size] = make_contenders(draw_bank(size, seed=size), given)
    best = {size: dict.fromkeys(CONTENDERS, float("inf")) for size in SIZES}
    for turn in range(rounds):
        for size, contenders in fields.items():
            chosen = {}
            for name in CONTENDERS:
                posteriors = draw_posteriors(calls.get(name, 100), seed=turn)
                begin = time.process_time()
                found = [contenders[name](posterior) for posterior in posteriors]
                spent = (time.process_time() - begin) / len(posteriors) * 1e6
                best[size][name] = min(best[size][name], spent)
                chosen[name] = found[: calls["catsim"]]
            for names in RIVALS:
                assert all(chosen[name] == chosen[names[0]] for name in names), "they disagree"
    return best


def report_selection(rounds: int) -> tuple[dict[str, dict[str, float]], list[tuple[str, bool]]]:
    """Time all sizes, print the table, return it with the verdicts."""
    table = {}
    print(f"{'items':>9}" + "".join(f"{name + ', us':>18}" for name in CONTENDERS))
    for size, row in time_selection(rounds=rounds).items():
        table[str(size)] = row
        print(f"{size:>9}" + "".join(f"{row[name]:>18.1f}" for name in CONTENDERS), flush=True)
    small, large = table[str(SIZES[0])], table[str(SIZES[-1])]
    served = [row["served path"] for row in table.values()]
    lists = [row["lists"] for row in table.values()]
    balanced = [row["balanced"] for row in table.values()]
    speedup = large["catsim"] / large["served path"]
    growth = large["scan"] / small["scan"]
    verdicts = [
        (f"served path at 100,000 items: {speedup:.0f} times faster than catsim (asked: 100)",
         speedup >= TARGET_SPEEDUP),
        (f"a scan grows {growth:.0f}-fold over a 100-fold bank (asked: at most 100)",
         growth <= SIZES[-1] / SIZES[0]),
        (f"lists {max(lists):.1f} us, served path with its record {max(served):.1f} us"
         f" at most (asked: under 50)", max(served) < TARGET_SERVED_US),
        (f"served path flat: {max(served) / min(served):.2f} from largest to smallest",
         max(served) / min(served) <= FLAT),
        (f"with 13 concepts in balance {max(balanced):.1f} us at most (asked: under 50)",
         max(balanced) < TARGET_SERVED_US),
        (f"balanced path flat: {max(balanced) / min(balanced):.2f} from largest to smallest",
         max(balanced) / min(balanced) <= FLAT),
    ]  # fmt: skip
    return table, verdicts


def run_simulations() -> tuple[dict[str, list[dict[str, object]]], list[tuple[str, bool]]]:
    """Simulate 1,000 persons with 20 of 500 items, with and without a cap, for three seeds."""
    results: dict[str, list[dict[str, object]]] = {"no cap": [], "cap .2": []}
    print(f"\n{'seed':>6}{'cap':>8}{'RMSE':>8}{'bias':>9}{'coverage':>10}{'max exp.':>10}")
    for seed in SIMULATION_SEEDS:
        rng = np.random.default_rng(seed)
        items = make_items(rng.lognormal(0.1, 0.3, 500), rng.normal(0.0, 1.1, 500))
        thetas = rng.standard_normal(1000)
        for name, cap in (("no cap", None), ("cap .2", 0.2)):
            bank = make_bank(items)
            setting = Setting(
                bank,
                Policy(exposure_cap=cap, length=20),
                StopRule(max_items=20),
                seed=seed * 10_000,
                lists=build_lists(bank) if cap is None else None,
            )
            summary = summarize(simulate(setting, thetas))
            results[name].append(summary)
            print(
                f"{seed:>6}{name:>8}{summary['rmse']:>8.4f}{summary['bias']:>9.4f}"
                f"{summary['coverage_95']:>10.3f}{summary['max_exposure']:>10.3f}",
                flush=True,
            )
    return results, judge_simulations(results)


def judge_simulations(results: dict[str, list[dict[str, object]]]) -> list[tuple[str, bool]]:
    """Return the verdicts on medians over seeds."""

    def middle(name: str, key: str) -> float:
        return statistics.median(float(str(summary[key])) for summary in results[name])

    most = max(int(str(summary["max_count"])) for summary in results["cap .2"])
    plain, capped = middle("no cap", "rmse"), middle("cap .2", "rmse")
    covered = [middle(name, "coverage_95") for name in results]
    return [
        (f"RMSE {plain:.4f} by maximum information (asked: .28)", plain <= 0.28),
        (f"RMSE {capped:.4f} under a cap of .2 (asked: .32)", capped <= 0.32),
        (f"most shown item under the cap: {most} of 1,000 tests (asked: 201)", most <= 201),
        (f"coverage of 95 % intervals {covered[0]:.3f} and {covered[1]:.3f} (asked: .93 to .97)",
         all(0.93 <= share <= 0.97 for share in covered)),
    ]  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Print tables and verdicts; 1 when a verdict is no."""
    parser = argparse.ArgumentParser(prog="remat bench cat", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--no-simulation", action="store_true")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args(argv)
    table, verdicts = report_selection(arguments.rounds)
    report: dict[str, object] = {"selection_us": table}
    if not arguments.no_simulation:
        results, more = run_simulations()
        verdicts += more
        report["simulation"] = results
    print()
    for text, is_met in verdicts:
        print(("yes  " if is_met else "NO   ") + text)
    report["verdicts"] = [{"text": text, "is_met": is_met} for text, is_met in verdicts]
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0 if all(is_met for _, is_met in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
