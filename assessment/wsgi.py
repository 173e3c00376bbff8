"""The WSGI application that the web processes serve."""

import os
from pathlib import Path

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assessment.settings")
if folder := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
    # The metrics library writes into it and does not make it.
    Path(folder).mkdir(parents=True, exist_ok=True)
application = get_wsgi_application()
