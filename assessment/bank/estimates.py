"""Calibrated parameters on their way into the next bank version."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from assessment.bank.models import BankVersion, Calibration
from assessment.bank.selectors import get_current_version, read_stored_source
from assessment.bank.services import lock_bank, make_version, release_version

METHOD = "mml-em"
# Marginal maximum a posteriori by EM; the model stands behind the colon.


@dataclass(frozen=True)
class Estimate:
    """Parameters of one item version (D = 1) with their standard errors."""

    item_version_id: UUID
    model: str
    a: float
    b: float
    c: float
    d: float
    se_a: float | None
    se_b: float | None
    se_c: float | None
    num_answers: int


def publish_estimates(estimates: Sequence[Estimate], *, by: str, note: str) -> BankVersion:
    """A published version of the same items with these parameters. Takes the bank's lock."""
    with transaction.atomic():
        lock_bank()
        Calibration.objects.bulk_create(_make_row(one) for one in estimates)
        version = make_version(read_stored_source(get_current_version()), note=note)
        release_version(version, by=by)
    return version


def _make_row(one: Estimate) -> Calibration:
    return Calibration(
        item_version_id=one.item_version_id,
        method=f"{METHOD}:{one.model}",
        a=one.a,
        b=one.b,
        c=one.c,
        d=one.d,
        se_a=one.se_a,
        se_b=one.se_b,
        se_c=one.se_c,
        num_responses=one.num_answers,
        provisional=False,
    )
