"""Calibrated parameters on their way into the next bank version."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from assessment.bank.models import BankItem, BankVersion, Calibration
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


def read_errors(bank_version_id: str) -> dict[str, float]:
    """The standard error of b of each calibrated item version of a bank version."""
    rows = BankItem.objects.filter(
        bank_version_id=UUID(bank_version_id), calibration__provisional=False
    ).values_list("item_version_id", "calibration__se_b")
    return {str(version_id): se_b for version_id, se_b in rows if se_b is not None}


def read_concepts() -> dict[str, str]:
    """The concept of every item version there ever was, as its newest bank version has it."""
    rows = BankItem.objects.order_by("bank_version__number")
    return {
        str(version_id): str(concept)
        for version_id, concept in rows.values_list("item_version_id", "document__concept")
    }


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
