from typing import Any

import pytest

from assessment.feedback.measurements import read_measurement
from assessment.feedback.messages import LANGUAGES, get_catalogue
from assessment.feedback.tables import assemble_table, show_cell
from gpu_worker.catalog import EXPERIMENTS
from gpu_worker.contracts import Scalar
from tests.feedback.measurements import as_stored, make_tradeoff


@pytest.mark.parametrize(
    ("cell", "column", "expected"),
    [
        (None, "time_ratio", None),
        (True, "restored", "да"),
        (False, "restored", "не"),
        (7_864_324, "stored", "7 864 324 B"),
        (1.3333333, "flop_ratio", "×1,333"),
        (0.30365, "relative_error", "30,4%"),
        (2_818_572_288, "flops", "2,82 GFLOPs"),
        (12, "layers", "12"),
        ("every", "placement", "всеки блок"),
        ("sqrt", "placement", "разположение през корен квадратен"),
        ("sgd", "optimizer", "SGD"),
        ("core", "policy", "повтаря се ядрото на вниманието"),
        ("aten.bmm.default", "operator", "aten.bmm.default"),
    ],
)
def test_a_cell_is_written_in_the_unit_of_its_column(
    cell: Scalar, column: str, expected: str | None
) -> None:
    shown = show_cell(cell, column, get_catalogue("bg"))
    assert (shown.replace("\u00a0", " ") if shown else shown) == expected


def test_identifiers_and_numbers_stay_beside_their_words() -> None:
    stored = as_stored(make_tradeoff())
    table = {"name": "depths", "columns": ["layers", "plain"], "rows": [[4, 331_912]]}
    stored["tables"] = [table]
    made = assemble_table(read_measurement(stored)["tables"][0], get_catalogue("fr"))
    assert {name: made[name] for name in table} == table
    assert made["title"] == "Pic selon la profondeur"
    assert made["headings"] == ["couches", "sans points de reprise"]


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_every_table_of_the_laboratory_has_its_words(
    lang: str, real_reports: dict[str, dict[str, Any]]
) -> None:
    catalogue = get_catalogue(lang)
    missing = []
    for name in EXPERIMENTS:
        for table in real_reports.get(name, {}).get("tables", []):
            names = [f"table-{table['name']}"]
            names += [f"column-{one.replace('_', '-')}" for one in table["columns"]]
            missing += [f"{name}: {one}" for one in names if not catalogue.has_message(one)]
    assert missing == []
