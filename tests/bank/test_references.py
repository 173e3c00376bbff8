from pathlib import Path

import pytest

from assessment.bank.families.drawing import read_bank
from assessment.bank.parsing import parse_bank
from assessment.bank.references import find_url

FIXTURES = Path(__file__).parents[2] / "fixtures" / "bank"


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("arXiv:1604.06174", "https://arxiv.org/abs/1604.06174"),
        ("doi:10.1145/347837.347846", "https://doi.org/10.1145/347837.347846"),
        (
            "docs.pytorch.org/docs/stable/optim.html",
            "https://docs.pytorch.org/docs/stable/optim.html",
        ),
        ("https://docs.pytorch.org/", None),
        ("javascript:alert(1)", None),
        ("doi:10.1145/3478 37", None),
        ("arXiv:1604", None),
        ("Chen 2016", None),
        ("", None),
    ],
)
def test_an_identifier_says_where_its_work_stands(reference: str, url: str | None) -> None:
    assert find_url(reference) == url


def test_items_name_works_of_the_field() -> None:
    """Chen 2016, Korthikanti 2022, Rajbhandari 2020, Griewank 2000, and the documentation."""
    bank = parse_bank(read_bank(FIXTURES))
    named = {one for item in bank.items.values() for one in item.references}
    assert named >= {
        "arXiv:1604.06174",
        "arXiv:2205.05198",
        "arXiv:1910.02054",
        "doi:10.1145/347837.347846",
        "docs.pytorch.org/docs/stable/checkpoint.html",
    }
