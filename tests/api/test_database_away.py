"""A database that is away is no fault of the request: 503, and when to try again."""

import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError

from assessment.api.errors import describe


@pytest.mark.parametrize("error", [OperationalError("gone"), InterfaceError("closed")])
def test_it_asks_to_try_again(error: Exception) -> None:
    problem = describe(error)
    assert problem is not None
    assert (problem.status, problem.code) == (503, "unavailable")
    assert problem.headers == {"Retry-After": "1"}


def test_a_wrong_statement_stays_our_fault() -> None:
    assert describe(ProgrammingError("syntax error")) is None
