"""`./remat simulate`: what a policy does to a bank, before anybody is tested with it."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from assessment.ops.bank_files import METRICS, NamedBank, read_bank
from assessment.ops.simulation_figure import make_simulation_figure, write_figure
from assessment.psychometrics.content import ContentTarget
from assessment.psychometrics.items import ItemParameters, make_items
from assessment.psychometrics.lists import build_lists
from assessment.psychometrics.policy import CRITERIA, Policy
from assessment.psychometrics.sessions import Setting
from assessment.psychometrics.simulation import (
    Simulation,
    compare_estimators,
    simulate,
    summarize,
)
from assessment.psychometrics.stopping import StopRule

AUTHORED_BANK = Path(__file__).parents[2] / "fixtures" / "bank"
TEST_WISE_C = 0.5
# What a learner who picks the longest option scores on badly written items.
LABEL = 28


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--bank",
        default=str(AUTHORED_BANK),
        help="a CSV file (a, b, and c, d, item, concept as they come), a folder of YAML items,"
        " 'published', or 'random:500'; the authored bank when not given",
    )
    parser.add_argument("--metric", choices=sorted(METRICS), help="of a in a CSV file")
    parser.add_argument("--simulees", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--theta-mean", type=float, default=0.0)
    parser.add_argument("--theta-sd", type=float, default=1.0)
    parser.add_argument(
        "--policy",
        type=Path,
        help='JSON of an activity\'s policy, {"selection": {...}, "stop": {...}, "content": [...]},'
        " in place of the options below",
    )
    parser.add_argument("--criterion", choices=CRITERIA, default="MFI")
    parser.add_argument("--randomesque", type=int, default=1, metavar="K")
    parser.add_argument("--exposure-cap", type=float, metavar="SHARE")
    parser.add_argument("--min-items", type=int, default=1)
    parser.add_argument("--max-items", type=int, default=20)
    parser.add_argument("--standard-error", type=float, help="stop at this standard error")
    parser.add_argument("--min-information", type=float, help="stop when items tell less")
    parser.add_argument(
        "--true-c", type=float, help="draw answers under this lower asymptote instead of the bank's"
    )
    parser.add_argument(
        "--estimators",
        action="store_true",
        help="tell what EAP, MAP, MLE and both WLE make of the same answers",
    )
    parser.add_argument("--json", type=Path, help="write all figures here")
    parser.add_argument("--figure", type=Path, help="write a picture here: .svg, .png or .json")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command on these arguments, without Django unless the bank is `published`."""
    parser = argparse.ArgumentParser(prog="remat simulate", description=__doc__)
    add_arguments(parser)
    return run(parser.parse_args(argv))


def run(arguments: argparse.Namespace) -> int:
    """Return 0, or 2 with one line on standard error where the arguments do not fit."""
    try:
        named = read_bank(arguments.bank, metric=arguments.metric, seed=arguments.seed)
        truth = make_truth(named.bank.items, arguments.true_c)
        simulation = run_simulation(named, arguments, truth=truth)
        summary = summarize(simulation)
        if named.bank.provisional.any() and arguments.true_c is None:
            summary["wrong_c"] = simulate_wrong_c(named, arguments)
        if arguments.estimators:
            summary["estimators"] = compare_estimators(simulation, named.bank.items)
    except (ValueError, TypeError, OSError) as error:
        print(f"remat simulate: {error}", file=sys.stderr)
        return 2
    summary["bank"] = arguments.bank
    summary["is_provisional"] = bool(named.bank.provisional.any())
    summary["policy"] = make_policy(named, arguments).as_json()
    summary["rule"] = make_rule(arguments).as_json()
    summary["seed"], summary["true_c"] = arguments.seed, arguments.true_c
    print(format_summary(summary, named))
    if arguments.json:
        content = json.dumps(summary, indent=1, allow_nan=False, sort_keys=True)
        arguments.json.write_text(content + "\n", encoding="utf-8")
    if arguments.figure:
        write_figure(make_simulation_figure(simulation, summary), arguments.figure)
    return 0


def simulate_wrong_c(named: NamedBank, arguments: argparse.Namespace) -> dict[str, object]:
    """Return what happens when a provisional bank is easier to guess than its author thought.

    Items that cannot be guessed at all, as those that ask for a number, stay so.
    """
    items = named.bank.items
    c = np.where(items.c > 0.0, np.maximum(items.c, TEST_WISE_C), 0.0)
    truth = make_items(items.a, items.b, c=c, d=items.d)
    summary = summarize(run_simulation(named, arguments, truth=truth))
    kept = ("rmse", "bias", "coverage_95", "mean_length")
    return {"true_c": TEST_WISE_C} | {key: summary[key] for key in kept}


def run_simulation(
    named: NamedBank, arguments: argparse.Namespace, *, truth: ItemParameters | None
) -> Simulation:
    """Simulate as the arguments say; `truth` is what answers are drawn from, None the bank."""
    if arguments.simulees < 1:
        raise ValueError("--simulees must be at least 1")
    bank, policy = named.bank, make_policy(named, arguments)
    rng = np.random.default_rng([arguments.seed, 2])
    thetas = arguments.theta_mean + arguments.theta_sd * rng.standard_normal(arguments.simulees)
    setting = Setting(
        bank,
        policy,
        make_rule(arguments),
        seed=arguments.seed * 1_000_003,
        lists=build_lists(bank) if policy.exposure_cap is None else None,
    )
    return simulate(
        setting,
        thetas,
        truth=truth,
        report_progress=None if arguments.quiet else show_progress,
    )


def make_policy(named: NamedBank, arguments: argparse.Namespace) -> Policy:
    """Return the policy that the arguments name."""
    if arguments.policy is not None:
        document = _read_policy(arguments.policy)
        length = make_rule(arguments).max_items
        policy = Policy.from_json({"length": length} | _take_section(document, "selection"))
        return replace(policy, content=_read_content(document, named))
    return Policy(
        criterion=arguments.criterion,
        randomesque=arguments.randomesque,
        exposure_cap=arguments.exposure_cap,
        length=arguments.max_items,
    )


def make_rule(arguments: argparse.Namespace) -> StopRule:
    """Return the stopping rule that the arguments name."""
    if arguments.policy is not None:
        return StopRule.from_json(_take_section(_read_policy(arguments.policy), "stop"))
    return StopRule(
        min_items=arguments.min_items,
        max_items=arguments.max_items,
        standard_error=arguments.standard_error,
        min_information=arguments.min_information,
    )


def _read_policy(path: Path) -> dict[str, object]:
    document = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(document, dict):
        raise ValueError(f"{path} is no JSON object")
    unknown = set(document) - {"selection", "stop", "content"}
    if unknown:
        raise ValueError(f"{path}: there is no {', '.join(sorted(unknown))} in a policy")
    return document


def _take_section(document: dict[str, object], name: str) -> dict[str, object]:
    section = document.get(name, {})
    if not isinstance(section, dict):
        raise ValueError(f"{name} is no JSON object")
    return section


def _read_content(document: dict[str, object], named: NamedBank) -> tuple[ContentTarget, ...]:
    """Return the shares that concepts, by name, should have."""
    entries = document.get("content", [])
    if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
        raise ValueError("content is no list of JSON objects")
    targets = []
    for one in entries:
        if one.get("concept") not in named.concepts:
            raise ValueError(f"the bank has no concept {one.get('concept')!r}")
        targets.append(ContentTarget(**one | {"concept": named.concepts.index(one["concept"])}))
    return tuple(targets)


def make_truth(items: ItemParameters, true_c: float | None) -> ItemParameters | None:
    """Return the items that answers are drawn from, when not those of the bank."""
    return None if true_c is None else make_items(items.a, items.b, c=true_c, d=items.d)


def show_progress(done: int, total: int) -> None:
    """Draw the progress bar on standard error, where that is a terminal."""
    if sys.stderr.isatty():
        width = 40 * done // total
        bar = "#" * width + "." * (40 - width)
        end = "\n" if done == total else ""
        print(f"\r[{bar}] {done}/{total} simulees", end=end, file=sys.stderr, flush=True)


def format_summary(summary: dict[str, object], named: NamedBank) -> str:
    """Return the table that the command prints."""
    note = " (provisional parameters)" if summary["is_provisional"] else ""
    lines = [
        f"{'bank':<{LABEL}}{summary['bank']}: {len(named.bank)} items,"
        f" {len(named.concepts)} concepts{note}",
        f"{'simulees':<{LABEL}}{summary['num_simulees']}",
    ]
    labels = {
        "rmse": "RMSE of theta",
        "bias": "bias of theta",
        "coverage_95": "coverage of 95 % intervals",
        "mean_standard_error": "mean standard error",
        "mean_length": "mean test length",
        "max_exposure": "largest exposure",
        "share_unused": "share of items unused",
        "overlap": "overlap of two tests",
    }
    for key, label in labels.items():
        value = summary[key]
        lines.append(f"{label:<{LABEL}}" + (f"{value:.4f}" if isinstance(value, float) else "-"))
    reasons = summary["reasons"]
    assert isinstance(reasons, dict)
    told = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
    lines.append(f"{'ended by':<{LABEL}}{told}")
    wrong = summary.get("wrong_c")
    if isinstance(wrong, dict):
        told = f"bias {wrong['bias']:.4f}, coverage {wrong['coverage_95']:.4f}"
        label = f"if c were {wrong['true_c']}"
        lines.append(f"{label:<{LABEL}}{told}")
    estimators = summary.get("estimators")
    if isinstance(estimators, dict):
        lines += ["", f"{'estimator':<{LABEL}}    bias    RMSE   without"]
        lines += [_format_estimator(name, row) for name, row in estimators.items()]
    lines += ["", "   theta from      to  simulees    bias    RMSE  coverage"]
    rows = summary["by_theta"]
    assert isinstance(rows, list)
    return "\n".join(lines + [_format_row(row) for row in rows])


def _format_estimator(name: str, row: dict[str, float | int | None]) -> str:
    bias, rmse = ("-" if row[key] is None else f"{row[key]:.3f}" for key in ("bias", "rmse"))
    return f"{name:<{LABEL}}{bias:>8}{rmse:>8}{row['num_without']:>10}"


def _format_row(row: dict[str, float | int | None]) -> str:
    low, high, bias, rmse, coverage = (
        "-" if row[key] is None else f"{row[key]:.{digits}f}"
        for key, digits in (("low", 1), ("high", 1), ("bias", 3), ("rmse", 3), ("coverage_95", 3))
    )
    return f"{low:>13}{high:>8}{row['num_simulees']:>10}{bias:>8}{rmse:>8}{coverage:>10}"


if __name__ == "__main__":
    sys.exit(main())
