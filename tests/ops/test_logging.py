"""What the log is told of replies."""

import logging

import pytest
from django.http import HttpResponse
from django.utils.log import log_response


@pytest.mark.parametrize(("status", "is_told"), [(500, True), (503, False)])
def test_a_fault_is_an_error_and_not_yet_is_none(
    caplog: pytest.LogCaptureFixture, status: int, is_told: bool
) -> None:
    logger = logging.getLogger("django.request")
    log_response("%s", "/figure.svg", response=HttpResponse(status=status), logger=logger)
    assert bool(caplog.records) is is_told
