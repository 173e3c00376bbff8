"""What stands beside a picture: a table with the report's own numbers, and nothing secret."""

import json
import re
from collections.abc import Iterable
from typing import Any

import pytest

from assessment.feedback.figures.listing import list_figures, make_figure
from assessment.feedback.messages import LANGUAGES
from gpu_worker.catalog import EXPERIMENTS
from tests.feedback.measurements import QUICK_NAMES


def read_digits(cell: str) -> int | None:
    """The number of a cell to the byte, whatever its groups; None where it is a word."""
    digits = re.sub(r"\D", "", cell)
    return int(digits) if digits else None


def read_columns(rows: Iterable[tuple[str, ...]], columns: slice) -> list[list[int | None]]:
    return [[read_digits(cell) for cell in row[columns]] for row in rows]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", QUICK_NAMES)
def test_the_table_of_each_figure_has_the_numbers_of_the_report(
    name: str, lang: str, real_reports: dict[str, dict[str, Any]]
) -> None:
    report = real_reports[name]
    peaks = {arm["peak"] for arm in report["memory"]}
    for figure in list_figures(report):
        rows = make_figure(figure, report, [lang]).rows
        if figure == "memory":
            names = ("stored", "peak", "total_peak", "allocator_peak")
            wanted = [[arm[one] for one in names] for arm in report["memory"]]
            assert read_columns(rows, slice(1, None)) == wanted
        elif figure == "scaling":
            series = report["scaling"]["series"]
            seen = [[int(y)] for one in series for y in one["y"]]
            assert read_columns(rows, slice(2, 3)) == seen
        elif figure == "pareto":
            assert {row[0] for row in read_columns(rows, slice(2, 3))} <= peaks
        else:
            for *parts, total in read_columns(rows, slice(1, None)):
                assert total == sum(part or 0 for part in parts)
                assert parts[-1] in peaks


@pytest.mark.parametrize("name", QUICK_NAMES)
def test_a_specification_travels_whole_and_tells_no_claim(
    name: str, real_reports: dict[str, dict[str, Any]]
) -> None:
    """A page may fetch it and draw it: its data are inside, its table too, no verdict is."""
    for figure in list_figures(real_reports[name]):
        made = make_figure(figure, real_reports[name], ["wo"])
        text = json.dumps(made.spec, allow_nan=False)
        assert '"url"' not in text
        assert json.loads(text)["usermeta"]["table"]["rows"] == [list(row) for row in made.rows]
        for claim in EXPERIMENTS[name].claims:
            assert claim not in text
        assert "verdict" not in text
