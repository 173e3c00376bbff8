import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from assessment.psychometrics.items import ItemParameters, make_items

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

REFERENCE = Path(__file__).parents[2] / "fixtures" / "reference" / "psychometrics.json"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long simulations to `./remat bench cat` and `pytest -m bench`."""
    if "bench" not in config.getoption("markexpr"):
        skip = pytest.mark.skip(reason="long: run by -m bench, and by ./remat bench")
        for item in items:
            if item.path.is_relative_to(Path(__file__).parent) and item.get_closest_marker("bench"):
                item.add_marker(skip)


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
