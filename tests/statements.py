"""The SQL of one piece of work, as it went to PostgreSQL."""

import re
from collections.abc import Callable
from typing import TypeVar

from django.db import connection
from django.test.utils import CaptureQueriesContext

T = TypeVar("T")


def capture(work: Callable[[], T]) -> tuple[T, list[str]]:
    """The result, and every statement; BEGIN and COMMIT are among them."""
    with CaptureQueriesContext(connection) as captured:
        result = work()
    return result, [one["sql"] for one in captured.captured_queries]


def name_statement(sql: str) -> str:
    """What it does to which table; of a savepoint only that it is one."""
    found = re.match(r'(INSERT INTO|UPDATE|SELECT .*? FROM) "?(\w+)', sql.strip(), re.DOTALL)
    return f"{found[1].split()[0]} {found[2]}" if found else sql.split()[0]
