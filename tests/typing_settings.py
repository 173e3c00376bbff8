"""The settings as the type checker's plugin imports them: nothing connects to these addresses."""

import os

os.environ.setdefault("DJANGO_SECRET_KEY", "for the type checker only")
os.environ.setdefault("DATABASE_URL", "postgres:///unused")
os.environ.setdefault("REDIS_URL", "redis://unused")

from assessment.settings import *  # noqa: F403
