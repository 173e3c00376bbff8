"""The Celery application of the Django side: CPU chores such as drawing figures.

GPU runs do not pass here: the conductor publishes them to the workers' own queues.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assessment.settings")

app = Celery("assessment")
app.config_from_object("assessment.celery_config")
app.autodiscover_tasks(["assessment"])
