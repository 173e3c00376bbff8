"""The laboratory without any server: list, run and rerun experiments from a terminal.

    python -m gpu_worker.lab                           what there is
    python -m gpu_worker.lab sqrt-n --layers 144       one, with changed parameters
    python -m gpu_worker.lab --all                     every default, and a table of claims
    python -m gpu_worker.lab --again REPORT.json       measure a report again and compare

Each run takes the way of the worker: a process of its own with its limits. The exit status
is 1 when a claim fails to hold, a run fails, or a rerun differs; 2 for a wrong call.
"""

import argparse
import json
import os
import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gpu_worker import catalog, reruns
from gpu_worker.contracts import (
    MAX_SEED,
    ClaimResult,
    ContractError,
    Json,
    RunReport,
    RunRequest,
    decode_worker_message,
    to_plain,
)
from gpu_worker.listing import list_experiments, print_usage
from gpu_worker.runner import Runner

BAR_WIDTH = 26
# Characters of the progress bar; with its text a line stays below 80.

NEVER = "9999-12-31T23:59:59+00:00"
# Nobody waits in a queue here.


@dataclass(frozen=True)
class Order:
    """One run that was asked for, parameters resolved."""

    experiment: catalog.Experiment
    parameters: catalog.Values
    seed: int
    device: str
    simulate: bool


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser()
    options, rest = parser.parse_known_args(arguments)
    name = options.experiment or options.name
    try:
        if options.help:
            if name:
                print_usage(catalog.get_experiment(name))
            else:
                parser.print_help()
            return 0
        if options.again:
            return rerun(options.again, prints_json=options.json)
        if options.all:
            orders = make_all_orders(options, rest)
        elif name:
            orders = [make_order(name, options, rest)]
        else:
            list_experiments(prints_json=options.json)
            return 0
    except (ValueError, OSError) as error:
        parser.exit(2, f"lab: {error}\n")
    reports = run_orders(orders, shows_bar=options.all)
    write_reports(reports, options, is_one=not options.all)
    return 0 if all(is_good(one) for one in reports) else 1


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lab",
        description="Measure the demonstration experiments without any server.",
        epilog="Any parameter of an experiment is an option: lab sqrt-n --layers 144. "
        "lab sqrt-n --help lists them.",
        allow_abbrev=False,
        add_help=False,
    )
    parser.add_argument("-h", "--help", action="store_true", help="show this, or an experiment's")
    parser.add_argument("name", nargs="?", help="experiment to run; none lists them")
    parser.add_argument("--experiment", help="the same as the first argument")
    parser.add_argument("--all", action="store_true", help="run every experiment's default")
    parser.add_argument("--again", type=Path, metavar="REPORT", help="rerun and compare")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seed", type=read_seed, default=catalog.DEFAULT_SEED)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--simulate", action="store_true", help="shape-exact, nothing allocated")
    parser.add_argument("--large", action="store_true", help="the configuration for a GPU")
    parser.add_argument("--json", action="store_true", help="print the reports as JSON")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the reports there")
    return parser


def read_seed(text: str) -> int:
    try:
        seed = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
    if not 0 <= seed <= MAX_SEED:
        raise argparse.ArgumentTypeError(f"must be from 0 to {MAX_SEED}")
    return seed


# --- What to run ---------------------------------------------------------------------


def make_order(name: str, options: argparse.Namespace, rest: Sequence[str]) -> Order:
    """Raises ValueError for a name, option or value that the catalog does not know."""
    experiment = catalog.get_experiment(name)
    given: dict[str, object] = {}
    if options.large:
        given |= catalog.list_large_parameters(experiment)
    given |= read_parameters(experiment, options.set, rest)
    check_mode(experiment, options.device, simulate=options.simulate)
    values = catalog.resolve_parameters(
        experiment, given, device=options.device, simulate=options.simulate
    )
    return Order(experiment, values, options.seed, options.device, options.simulate)


def check_mode(experiment: catalog.Experiment, device: str, *, simulate: bool) -> None:
    if device not in experiment.devices:
        raise ValueError(f"{experiment.name} does not run on {device}")
    if simulate and not experiment.simulates:
        raise ValueError(f"{experiment.name} cannot be simulated")


def make_all_orders(options: argparse.Namespace, rest: Sequence[str]) -> list[Order]:
    if rest or options.set:
        raise ValueError("--all runs the defaults: it takes no parameters")
    fitting = [
        one.name
        for one in catalog.EXPERIMENTS.values()
        if options.device in one.devices and (one.simulates or not options.simulate)
    ]
    return [make_order(name, options, []) for name in fitting]


def read_parameters(
    experiment: catalog.Experiment, assignments: Sequence[str], rest: Sequence[str]
) -> dict[str, object]:
    """From "--plain-blocks 2", "--plain-blocks=2" and "plain_blocks=2" to typed values."""
    pairs: list[tuple[str, str]] = []
    words = list(rest)
    while words:
        word = words.pop(0)
        if not word.startswith("--"):
            raise ValueError(f"{word!r} is not understood")
        name, equals, value = word[2:].partition("=")
        if not equals:
            if not words:
                raise ValueError(f"{word} needs a value")
            value = words.pop(0)
        pairs.append((name, value))
    for one in assignments:
        name, equals, value = one.partition("=")
        if not equals:
            raise ValueError(f"{one!r} is not NAME=VALUE")
        pairs.append((name, value))
    return {
        name.replace("-", "_"): read_value(experiment.get_parameter(name.replace("-", "_")), value)
        for name, value in pairs
    }


def read_value(parameter: catalog.Parameter, text: str) -> object:
    """Typed as the parameter says; its range is the catalog's business."""
    if parameter.kind == "choice":
        return text
    if parameter.kind == "bool":
        if text.lower() not in ("true", "false"):
            raise ValueError(f"{parameter.name}: must be true or false")
        return text.lower() == "true"
    try:
        if parameter.kind == "ints":
            return [int(part) for part in text.split(",") if part]
        return int(text) if parameter.kind == "int" else float(text)
    except ValueError:
        raise ValueError(f"{parameter.name}: {text!r} is not a number") from None


# --- Running -------------------------------------------------------------------------


def run_orders(orders: Sequence[Order], *, shows_bar: bool) -> list[RunReport]:
    """One after the other, each in a process of its own.

    Two runners take turns: while one measures, the process of the other imports torch.
    """
    runners = [Runner(device=orders[0].device, worker="lab") for _ in orders[:2]]
    reports = []
    try:
        for runner in runners:
            runner.start()
        for done, order in enumerate(orders):
            if shows_bar:
                draw_bar(done, len(orders), order.experiment.name)
            reports.append(runners[done % len(runners)].run(make_request(order)))
        if shows_bar:
            draw_bar(len(orders), len(orders), "done")
            sys.stderr.write("\n")
    finally:
        for runner in runners:
            runner.close()
    return reports


def make_request(order: Order) -> RunRequest:
    parameters: dict[str, Json] = {
        name: [*value] if isinstance(value, list) else value
        for name, value in order.parameters.items()
    }
    return RunRequest(
        run_id=str(uuid.uuid4()),
        attempt=1,
        experiment=order.experiment.name,
        experiment_version=order.experiment.version,
        parameters=parameters,
        seed=order.seed,
        device=order.device,
        simulate=order.simulate,
        not_after=NEVER,
        wall_limit_s=order.experiment.wall_limit_s,
        memory_mib=order.experiment.memory_mib,
    )


def draw_bar(done: int, total: int, text: str) -> None:
    """On a terminal the line is drawn over; elsewhere each step is a line of its own."""
    full = BAR_WIDTH * done // total
    line = f"[{'#' * full}{'.' * (BAR_WIDTH - full)}] {done}/{total} {text:<18}"
    sys.stderr.write(f"\r{line}" if sys.stderr.isatty() else f"{line.rstrip()}\n")
    sys.stderr.flush()


def is_good(report: RunReport) -> bool:
    """Measured or simulated, and no claim fails. Undecided fails nothing."""
    if report.measurement is None or report.state == "failed":
        return False
    return all(claim.verdict != "fails" for claim in report.measurement.claims)


def rerun(path: Path, *, prints_json: bool) -> int:
    """Measure again what a report says, and compare what must be identical."""
    found: list[reruns.Comparison] = []
    for report in read_reports(path):
        assert report.measurement is not None
        words = reruns.split_command(report.measurement.provenance.command)
        options, rest = make_parser().parse_known_args(words)
        order = make_order(options.name, options, rest)
        (again,) = run_orders([order], shows_bar=False)
        found.append(reruns.compare_reports(order.experiment.name, report, again))
    if prints_json:
        print(json.dumps([one.to_plain() for one in found], indent=1))
    else:
        for one in found:
            print(one.to_text())
    return 0 if all(one.is_equal for one in found) else 1


def read_reports(path: Path) -> list[RunReport]:
    """One report, a list of them, or what `--all --json` wrote. Raises ValueError."""
    try:
        plain = json.loads(path.read_text())
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if isinstance(plain, dict) and "reports" in plain:
        plain = plain["reports"]
    reports = []
    for one in plain if isinstance(plain, list) else [plain]:
        try:
            report = decode_worker_message(one)
        except (ContractError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} holds something else than reports: {error}") from error
        if not isinstance(report, RunReport) or report.measurement is None:
            raise ValueError(f"{path} holds a report without a measurement")
        reports.append(report)
    if not reports:
        raise ValueError(f"{path} holds no report")
    return reports


# --- Printing ------------------------------------------------------------------------


def write_reports(
    reports: Sequence[RunReport], options: argparse.Namespace, *, is_one: bool
) -> None:
    plain: dict[str, Json] = to_plain(reports[0]) if is_one else summarize(reports)
    if options.out:
        options.out.write_text(json.dumps(plain, indent=1) + "\n")
    if options.json:
        print(json.dumps(plain, indent=1))
    else:
        print_claims(reports)


def summarize(reports: Sequence[RunReport]) -> dict[str, Json]:
    """All reports, and how many claims ended how."""
    claims = [claim for one in reports if one.measurement for claim in one.measurement.claims]
    counts: dict[str, Json] = {
        verdict: sum(claim.verdict == verdict for claim in claims)
        for verdict in ("holds", "fails", "undecided")
    }
    counts["failed_runs"] = sum(one.state == "failed" for one in reports)
    return {"summary": counts, "reports": [to_plain(one) for one in reports]}


def print_claims(reports: Sequence[RunReport]) -> None:
    for report in reports:
        if report.measurement is None:
            print(f"failed: {report.reason}: {report.detail}")
            continue
        command = reruns.split_command(report.measurement.provenance.command)
        print(f"{command[0]} ({report.state}, {report.wall_s or 0:.1f} s)")
        if report.state == "failed":
            print(f"  failed: {report.reason}: {report.detail}")
        for claim in report.measurement.claims:
            print(f"  {claim.verdict:<10}{claim.id:<32}{describe_claim(claim)}")


def describe_claim(claim: ClaimResult) -> str:
    if claim.observed is None:
        return str(claim.facts.get("reason", ""))
    unit = "" if claim.unit == "1" else f" {claim.unit}"
    places = f", {len(claim.points)} places" if claim.points else ""
    observed = f"{claim.observed:.10g}"
    relation = claim.relation.replace("_", " ")
    if claim.expected is None:
        return f"{observed}{unit}{places}"
    return f"{observed} {relation} {claim.expected:.10g}{unit}{places}"


def run_command() -> int:
    """`main` for a terminal: a reader that left and an interrupt end it quietly."""
    try:
        return main()
    except BrokenPipeError:
        # What is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(run_command())
