from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction

from assessment.bank.models import (
    BankItem,
    BankVersion,
    Calibration,
    ItemVersion,
    Publication,
    TextRevision,
)
from assessment.bank.services import load_bank, publish_version

FROZEN = [ItemVersion, TextRevision, Calibration, BankVersion, BankItem, Publication]


@pytest.mark.django_db
@pytest.mark.parametrize("model", FROZEN)
def test_the_database_refuses_to_change_or_delete_a_frozen_row(model, small_bank: Path) -> None:
    publish_version(load_bank(small_bank))
    table = model._meta.db_table
    for statement in (f"UPDATE {table} SET created_at = now()", f"DELETE FROM {table}"):
        with (
            pytest.raises(IntegrityError, match="frozen"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)
    assert model.objects.exists()


@pytest.mark.django_db
def test_a_whole_table_may_be_emptied(small_bank: Path) -> None:
    load_bank(small_bank)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("TRUNCATE bank_bankversion CASCADE")
    assert not BankVersion.objects.exists()
