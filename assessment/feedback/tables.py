"""The tables of a report with headings and cells in the reader's language."""

from collections.abc import Mapping

from assessment.feedback.measurements import TableJson, copy_object
from assessment.feedback.messages import Catalogue
from assessment.language import numbers
from gpu_worker.contracts import Json, Scalar

BYTES, FLOPS, RATIO, SHARE, NUMBER = "byte", "flop", "ratio", "share", "1"

UNITS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "best",
            "budget",
            "bytes",
            "checkpointed",
            "counters",
            "formula",
            "gathered",
            "gradients",
            "moments",
            "optimizer_state",
            "parameters",
            "peak",
            "plain",
            "plain_formula",
            "planned",
            "scattered",
            "stored",
        ),
        BYTES,
    ),
    **dict.fromkeys(
        ("flop_ratio", "mean_ratio", "peak_ratio", "ratio", "time_high", "time_low", "time_ratio"),
        RATIO,
    ),
    "flops": FLOPS,
    "relative_error": SHARE,
    "gradient_error": SHARE,
}
# Columns of the laboratory's tables that are no plain numbers or words.

ARM_COLUMNS = frozenset({"arm", "call", "placement", "policy"})
# Their words are names of arms, where the column has none of its own.


def assemble_table(table: TableJson, catalogue: Catalogue) -> dict[str, Json]:
    """The table as it is (`columns`, `rows`), and as a page shows it.

    title, headings : words for the stable identifiers; display : the rows as texts, None
    where a cell is empty.
    """
    headings: list[Json] = [catalogue.name("column", _fold(one)) for one in table["columns"]]
    display: list[Json] = [
        [
            show_cell(cell, column, catalogue)
            for cell, column in zip(row, table["columns"], strict=True)
        ]
        for row in table["rows"]
    ]
    return {
        **copy_object(table),
        "title": catalogue.name("table", table["name"]),
        "headings": headings,
        "display": display,
    }


def show_cell(cell: Scalar, column: str, catalogue: Catalogue) -> str | None:
    """One cell as a text; None stays None, for unknown is not zero, and so does nothing."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, bool):
        return catalogue.text("truth-yes" if cell else "truth-no")
    if isinstance(cell, str):
        return _name_cell(cell, column, catalogue)
    return _write_number(cell, UNITS.get(column, NUMBER), catalogue)


def _name_cell(cell: str, column: str, catalogue: Catalogue) -> str:
    own = catalogue.name(_fold(column), cell)
    return catalogue.name("arm", cell) if own == cell and column in ARM_COLUMNS else own


def _write_number(value: float, unit: str, catalogue: Catalogue) -> str:
    if unit == BYTES:
        return catalogue.exact_bytes(value)
    if unit == RATIO:
        return catalogue.ratio(value)
    if unit == SHARE:
        return numbers.format_percent(value, catalogue.lang)
    return catalogue.quantity(value, unit)


def _fold(identifier: str) -> str:
    return identifier.replace("_", "-")
