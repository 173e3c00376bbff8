"""The WSGI application that the web processes serve."""

import os
from pathlib import Path

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assessment.settings")
if settings.METRICS_FOLDER:
    # The metrics library writes into it and does not make it.
    Path(settings.METRICS_FOLDER).mkdir(parents=True, exist_ok=True)
application = get_wsgi_application()
