from django.db import migrations

FORWARD = """
CREATE FUNCTION core_outbox_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('outbox', '');
    RETURN NULL;
END $$;
CREATE TRIGGER core_outbox_notify AFTER INSERT ON core_outboxmessage
    FOR EACH STATEMENT EXECUTE FUNCTION core_outbox_notify();
"""
BACKWARD = """
DROP TRIGGER core_outbox_notify ON core_outboxmessage;
DROP FUNCTION core_outbox_notify();
"""


class Migration(migrations.Migration):
    """The conductor listens on the channel `outbox`; PostgreSQL tells it at commit."""

    dependencies = [("core", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
