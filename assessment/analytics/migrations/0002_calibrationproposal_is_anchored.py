from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("analytics", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="calibrationproposal",
            name="is_anchored",
            field=models.BooleanField(default=False),
        ),
    ]
