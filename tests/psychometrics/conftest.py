import json
from pathlib import Path
from typing import Any

import pytest

from assessment.psychometrics.items import ItemParameters, make_items

REFERENCE = Path(__file__).parents[2] / "fixtures" / "reference" / "psychometrics.json"


@pytest.fixture(scope="session")
def reference() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(REFERENCE.read_text())
    return data


@pytest.fixture(scope="session")
def bank(reference: dict[str, Any]) -> ItemParameters:
    columns = {name: [item[name] for item in reference["items"]] for name in "abcd"}
    return make_items(columns["a"], columns["b"], c=columns["c"], d=columns["d"])


@pytest.fixture(scope="session")
def patterns(reference: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {pattern["name"]: pattern for pattern in reference["patterns"]}
