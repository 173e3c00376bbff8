"""Rows that are frozen once written. TRUNCATE stays possible: it is no edit of a row."""

from django.db import migrations

TABLES = (
    "bank_itemversion",
    "bank_textrevision",
    "bank_calibration",
    "bank_bankversion",
    "bank_bankitem",
    "bank_publication",
)

REFUSE = """
CREATE OR REPLACE FUNCTION bank_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are frozen', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""

FREEZE = """
CREATE TRIGGER {table}_frozen BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION bank_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("bank", "0001_initial")]

    operations = [
        migrations.RunSQL(REFUSE, "DROP FUNCTION bank_refuse_change();"),
        *(
            migrations.RunSQL(
                FREEZE.format(table=table), f"DROP TRIGGER {table}_frozen ON {table};"
            )
            for table in TABLES
        ),
    ]
