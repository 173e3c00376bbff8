from collections.abc import Iterator
from pathlib import Path

import pytest

from assessment.bank.snapshot import forget_snapshots
from tests.bank.documents import write_bank


@pytest.fixture(autouse=True)
def _no_snapshots_of_other_tests() -> Iterator[None]:
    forget_snapshots()
    yield
    forget_snapshots()


@pytest.fixture
def small_bank(tmp_path: Path) -> Path:
    """A directory with one item of each kind."""
    return write_bank(tmp_path)
