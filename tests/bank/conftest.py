from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection

from assessment.bank.snapshot import forget_snapshots
from tests.bank.documents import write_bank


@pytest.fixture(autouse=True)
def _empty_bank(request: pytest.FixtureRequest) -> Iterator[None]:
    """No bank at the start, whatever the session loaded; the test's rollback brings it back."""
    forget_snapshots()
    if request.node.get_closest_marker("django_db") is not None:
        request.getfixturevalue("db")
        tables = ", ".join(
            model._meta.db_table for model in apps.get_app_config("bank").get_models()
        )
        with connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {tables}")
    yield
    forget_snapshots()


@pytest.fixture
def small_bank(tmp_path: Path) -> Path:
    """A directory with one item of each kind."""
    return write_bank(tmp_path)
