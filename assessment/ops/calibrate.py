"""`./remat calibrate responses.csv`: item parameters from a file of answers, without the service.

The file has one row a person and one column an item: 1, 0, or nothing (also NA) where there is
no answer. The first row names the items.
"""

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assessment.ops.bank_files import METRICS, parse_number, read_csv_bank
from assessment.psychometrics.calibration import ONE_PL, THREE_PL, TWO_PL, ItemPriors, make_priors
from assessment.psychometrics.items import Floats, Indexes, ItemParameters, Mask, make_items
from assessment.psychometrics.proposal import Proposal, propose_calibration
from assessment.psychometrics.responses import Responses, make_responses
from assessment.psychometrics.statistics import compute_alpha, describe_items

MODELS = {"1PL": ONE_PL, "2PL": TWO_PL, "3PL": THREE_PL}
MISSING = {"", "na", "nan", ".", "-"}
PRIOR_LOG_A_SD, PRIOR_B_SD, PRIOR_LOGIT_C_SD = 0.5, 2.0, 0.5
# Wide enough that 200 answers outweigh them, as nothing is known of a stranger's items.
COLUMNS = (
    "item", "model", "num_answers", "a", "se_a", "b", "se_b", "c", "se_c", "s_x2_p", "infit",
    "outfit", "right", "item_rest",
)  # fmt: skip


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    parser = argparse.ArgumentParser(prog="remat calibrate", description=__doc__)
    parser.add_argument("responses", type=Path)
    parser.add_argument(
        "--model",
        choices=["auto", *MODELS],
        default="auto",
        help="auto lets the number of answers decide: under 30 none, then 1PL, from 200 2PL",
    )
    parser.add_argument("--no-priors", action="store_true", help="marginal maximum likelihood")
    parser.add_argument("--floor", type=float, default=0.0, help="c of every item (3PL: its start)")
    parser.add_argument("--anchors", type=Path, help="CSV of item, a, b, c, d that hold the scale")
    parser.add_argument("--metric", choices=sorted(METRICS), help="of a in the anchors' file")
    parser.add_argument("--id-column", help="a column that names persons, and is left out")
    parser.add_argument("--weights-column", help="a column that says how many gave each row")
    parser.add_argument("--json", type=Path, help="write everything here")
    parser.add_argument("--csv", type=Path, help="write a bank here that `remat simulate` reads")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; 2 and one line on standard error where the file does not fit."""
    arguments = make_parser().parse_args(argv)
    try:
        names, responses = read_responses(
            arguments.responses,
            id_column=arguments.id_column,
            weights_column=arguments.weights_column,
        )
        proposal = run_calibration(names, responses, arguments)
    except (ValueError, OSError) as error:
        print(f"remat calibrate: {error}", file=sys.stderr)
        return 2
    rows = list_rows(names, responses, proposal)
    alpha = compute_alpha(responses)
    print(format_table(rows, proposal, alpha=alpha))
    if arguments.json:
        content = json.dumps(describe(rows, proposal, alpha=alpha), indent=1, allow_nan=False)
        arguments.json.write_text(content + "\n", encoding="utf-8")
    if arguments.csv:
        write_bank(rows, arguments.csv)
    return 0 if proposal.calibration.is_converged else 1


def read_responses(
    path: Path, *, id_column: str | None, weights_column: str | None
) -> tuple[list[str], Responses]:
    """Return the items' names and the answers. Raises ValueError naming row and column."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        names = list(reader.fieldnames or ())
        rows = list(reader)
    for column in (id_column, weights_column):
        if column is not None and column not in names:
            raise ValueError(f"{path} has no column {column}")
    items = [name for name in names if name not in (id_column, weights_column)]
    if not items or len(set(items)) != len(items):
        raise ValueError(f"{path}: the first row must name each item once")
    for at, row in enumerate(rows, start=2):
        # DictReader keeps what is too much under None, and fills up with None.
        if None in row or None in row.values():
            raise ValueError(f"{path}, row {at}: {len(names)} cells are due")
    matrix = np.array(
        [
            [_parse_answer(row.get(name), where=f"{path}, row {at}, {name}") for name in items]
            for at, row in enumerate(rows, start=2)
        ]
    ).reshape(len(rows), len(items))
    weights = None
    if weights_column is not None:
        weights = [
            parse_number(row[weights_column], None, where=f"{path}, row {at}, {weights_column}")
            for at, row in enumerate(rows, start=2)
        ]
    return items, make_responses(matrix, weights=weights)


def run_calibration(
    names: list[str], responses: Responses, arguments: argparse.Namespace
) -> Proposal:
    """Calibrate as the arguments say."""
    num_items = len(names)
    start, is_anchor = _place_anchors(
        names, make_items(np.ones(num_items), 0.0, c=arguments.floor), arguments
    )
    models: Indexes | None = None
    if arguments.model != "auto":
        models = np.full(num_items, MODELS[arguments.model], dtype=np.intp)
    return propose_calibration(
        responses,
        start,
        is_anchor=is_anchor,
        models=models,
        priors=_choose_priors(start, arguments),
    )


def list_rows(
    names: list[str], responses: Responses, proposal: Proposal
) -> list[dict[str, object]]:
    """Return parameters, fit and classical statistics of each item."""
    classical = describe_items(responses)
    return [
        {"item": name} | row | {"right": told.share_right, "item_rest": told.item_rest}
        for name, row, told in zip(names, proposal.list_rows(), classical, strict=True)
    ]


def format_table(rows: list[dict[str, object]], proposal: Proposal, *, alpha: float | None) -> str:
    """Return the table that the command prints."""
    result = proposal.calibration
    width = max(len("item"), *(len(str(row["item"])) for row in rows))
    head = [f"{name:>{width if name == 'item' else 11}}" for name in COLUMNS]
    lines = [" ".join(head)]
    for row in rows:
        cells = [f"{row['item']:>{width}}", *(f"{_show(row[name]):>11}" for name in COLUMNS[1:])]
        lines.append(" ".join(cells))
    ending = "converged" if result.is_converged else "NOT converged"
    lines.append("")
    lines.append(f"log-likelihood {result.log_likelihood:.4f}, {ending} in {result.num_iterations}")
    lines.append(f"theta: mean {result.population.mean:.4f}, sd {result.population.sd:.4f}")
    lines.append(f"alpha: {_show(alpha)}")
    lines.append("metric: logistic (D = 1)")
    return "\n".join(lines)


def describe(
    rows: list[dict[str, object]], proposal: Proposal, *, alpha: float | None
) -> dict[str, object]:
    """Return everything as plain JSON."""
    result = proposal.calibration
    return {
        "metric": "logistic",
        "alpha": alpha,
        "log_likelihood": result.log_likelihood,
        "is_converged": result.is_converged,
        "num_iterations": result.num_iterations,
        "population": {"mean": result.population.mean, "sd": result.population.sd},
        "items": rows,
    }


def write_bank(rows: list[dict[str, object]], path: Path) -> None:
    """Write item, a, b, c, d in the logistic metric."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "a", "b", "c", "d"])
        writer.writerows([row[name] for name in ("item", "a", "b", "c", "d")] for row in rows)


def _place_anchors(
    names: list[str], start: ItemParameters, arguments: argparse.Namespace
) -> tuple[ItemParameters, Mask]:
    is_anchor = np.zeros(len(names), dtype=np.bool_)
    if arguments.anchors is None:
        return start, is_anchor
    anchors = read_csv_bank(arguments.anchors, metric=arguments.metric)
    columns: dict[str, Floats] = {name: getattr(start, name).copy() for name in "abcd"}
    for index, name in enumerate(anchors.items):
        if name not in names:
            raise ValueError(f"{arguments.anchors}: there is no item {name} in the answers")
        at = names.index(name)
        is_anchor[at] = True
        for letter, values in columns.items():
            values[at] = getattr(anchors.bank.items, letter)[index]
    return ItemParameters(**columns), is_anchor


def _choose_priors(start: ItemParameters, arguments: argparse.Namespace) -> ItemPriors:
    floor = np.clip(start.c, 1e-3, 0.9)
    if arguments.no_priors:
        return make_priors(len(start), c=floor)
    return make_priors(
        len(start),
        log_a_sd=PRIOR_LOG_A_SD,
        b_sd=PRIOR_B_SD,
        c=floor,
        logit_c_sd=PRIOR_LOGIT_C_SD,
    )


def _parse_answer(text: str | None, *, where: str) -> float:
    cell = (text or "").strip().lower()
    if cell in MISSING:
        return float("nan")
    if cell in ("0", "1", "0.0", "1.0"):
        return float(cell)
    raise ValueError(f"{where}: {text!r} is not 0, 1 or empty")


def _show(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main())
