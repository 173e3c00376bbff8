"""Every setting of the Django side, read from the environment once, checked at start.

A wrong value raises ImproperlyConfigured naming the variable. Nothing else in
`assessment` reads the environment.
"""

import logging
import re
from pathlib import Path
from tempfile import gettempdir
from urllib.parse import parse_qsl, unquote, urlsplit

import environ
from django.conf.locale import LANG_INFO
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()

MIN_SECRET = 16
# Characters; `./remat` and the README make longer ones.


_PLACE = re.compile(r"(\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[^\[\]:]*))(:(?P<port>\d{1,5}))?")
# Host and port: a name, a percent-encoded socket folder, or an IPv6 address in brackets.


def read_count(name: str, *, default: int, minimum: int = 1) -> int:
    """A whole number, not below the minimum."""
    given = env.str(name, default=str(default))
    if not re.fullmatch("[0-9]{1,9}", given) or int(given) < minimum:
        raise ImproperlyConfigured(f"{name} must be a whole number from {minimum}, not {given!r}")
    return int(given)


def read_flag(name: str) -> bool:
    """Whether a switch is on; off without a value."""
    given = env.str(name, default="").lower()
    if given not in ("", "0", "1", "false", "true", "no", "yes", "off", "on"):
        raise ImproperlyConfigured(f"{name} must be true or false, not {given!r}")
    return given in ("1", "true", "yes", "on")


def read_secret(name: str) -> str:
    """A text that nobody guesses."""
    given = env.str(name)
    if len(given) < MIN_SECRET:
        raise ImproperlyConfigured(f"{name} must have at least {MIN_SECRET} characters")
    return str(given)


def read_valkey(name: str, *, default: str | None = None) -> str:
    """The address of a Valkey or Redis server."""
    given = str(env.str(name) if default is None else env.str(name, default="") or default)
    if not given.startswith(("redis://", "rediss://", "unix://", "redis+socket://")):
        raise ImproperlyConfigured(f"{name} must begin with redis://, rediss:// or unix://")
    return given


def read_database(url: str) -> dict[str, object]:
    """Django's database dict of a postgres:// URL; a percent-encoded host is a socket folder."""
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql"):
        raise ImproperlyConfigured("DATABASE_URL must begin with postgres://")
    if not parts.path.strip("/"):
        raise ImproperlyConfigured("DATABASE_URL names no database")
    place = _PLACE.fullmatch(parts.netloc.rpartition("@")[2])
    if place is None:
        raise ImproperlyConfigured("DATABASE_URL has no readable host and port")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(place["address"] or place["name"]),
        "PORT": place["port"] or "",
        # No limit: a connection lives as long as its thread, so that prepared statements stay.
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        # Django switches prepared statements off; 1 prepares at the first use.
        "OPTIONS": {
            "server_side_binding": True,
            "prepare_threshold": 1,
            "connect_timeout": 5,
            **dict(parse_qsl(parts.query)),
        },
        "TEST": {"NAME": env.str("REMAT_TEST_DATABASE", default="") or None},
    }


def read_broker(url: str) -> str:
    """A redis-py URL as Celery reads it: a socket has another scheme and database name there."""
    scheme, _, rest = url.partition("://")
    if scheme != "unix":
        return url
    path, _, query = rest.partition("?")
    return f"redis+socket://{path}?{query.replace('db=', 'virtual_host=') or 'virtual_host=0'}"


# -- What must be given --------------------------------------------------------------------------

SECRET_KEY = read_secret("DJANGO_SECRET_KEY")
DATABASES = {"default": read_database(env.str("DATABASE_URL"))}
REDIS_URL = read_valkey("REDIS_URL")

# -- What may be given ---------------------------------------------------------------------------

DEBUG = read_flag("REMAT_DEBUG")
ALLOWED_HOSTS = env.list("REMAT_ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
SECRET_KEY_FALLBACKS = env.list("DJANGO_SECRET_KEY_FALLBACKS", default=[])
CSRF_TRUSTED_ORIGINS = env.list("REMAT_TRUSTED_ORIGINS", default=[])
LOG_LEVEL = env.str("REMAT_LOG_LEVEL", default="INFO").upper()
if LOG_LEVEL not in logging.getLevelNamesMapping():
    raise ImproperlyConfigured(f"REMAT_LOG_LEVEL must be a level such as INFO, not {LOG_LEVEL!r}")
PULSE_DIR = Path(env.str("REMAT_PULSE_DIR", default=gettempdir()))
# Where the conductor leaves its pulse for the health check beside it.
BEHIND_TLS = read_flag("REMAT_BEHIND_TLS")

TASK_BROKER_URL = read_broker(read_valkey("REMAT_TASK_BROKER_URL", default=REDIS_URL))
# The Django side's own Celery queues.
RUN_BROKER_URL = read_broker(read_valkey("REMAT_BROKER_URL", default=TASK_BROKER_URL))
# Where runs go out and reports come back; workers hold another, narrow account of it.
RUN_KEY_PREFIX = "gpu:"
# The broker account of the GPU workers reaches only keys below this prefix.
TASK_KEY_PREFIX = "app:"

# -- Applications --------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "oauth2_provider",
    "rest_framework",
    "drf_spectacular",
    "assessment.core",
    "assessment.accounts",
    "assessment.bank",
    "assessment.delivery",
    "assessment.scoring",
    "assessment.experiments",
    "assessment.feedback",
    "assessment.analytics",
    "assessment.api",
    "assessment.web",
    "assessment.ops",
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "assessment.api.middleware.RequestBoundsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

ROOT_URLCONF = "assessment.urls"
WSGI_APPLICATION = "assessment.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": TASK_KEY_PREFIX + "cache",
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
}

# -- Requests ------------------------------------------------------------------------------------

DATA_UPLOAD_MAX_MEMORY_SIZE = 65_536
# An answer is under 1 KB; 64 KiB leaves room for an ordering item with long ids.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100
FILE_UPLOAD_HANDLERS: list[str] = []
APPEND_SLASH = False
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "assessment.api.errors.csrf_failure"
if BEHIND_TLS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "font-src": ["'self'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
    }
}

# -- Languages, time, files ----------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("bg", "Български"), ("fr", "Français"), ("wo", "Wolof")]
# Django knows no Wolof: without this its get_language_info("wo") raises KeyError.
LANG_INFO.setdefault("wo", {"bidi": False, "code": "wo", "name": "Wolof", "name_local": "Wolof"})
LOCALE_PATHS = [BASE_DIR / "assessment" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("REMAT_STATIC_ROOT", default=str(BASE_DIR / ".remat" / "static")))
WHITENOISE_USE_FINDERS = True
BANK_DIR = BASE_DIR / "fixtures" / "bank"

# -- The API -------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["assessment.api.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["assessment.api.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "assessment.api.errors.handle_exception",
    "DEFAULT_METADATA_CLASS": None,
    "UNAUTHENTICATED_USER": None,
}

OAUTH2_PROVIDER = {
    "SCOPES": {
        "learn": "Mint tokens for learners",
        "instruct": "Mint tokens for instructors",
        "author": "Draft and publish items",
    },
    "DEFAULT_SCOPES": ["learn"],
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "ALLOWED_GRANT_TYPES": ["client-credentials"],
}

OAUTH2_PROVIDER_APPLICATION_MODEL = "oauth2_provider.Application"
OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL = "oauth2_provider.AccessToken"
OAUTH2_PROVIDER_REFRESH_TOKEN_MODEL = "oauth2_provider.RefreshToken"
OAUTH2_PROVIDER_ID_TOKEN_MODEL = "oauth2_provider.IDToken"
OAUTH2_PROVIDER_GRANT_MODEL = "oauth2_provider.Grant"

OPS_TOKEN = env.str("REMAT_OPS_TOKEN", default="")
# /metrics answers only to it: its counts would tell a learner what became of an answer.
METRICS_FOLDER = env.str("PROMETHEUS_MULTIPROC_DIR", default="")
# Where web processes share their counts: without it each would tell its own, in turn.
TOKEN_LIFETIME_S = 3600
# A revocation waits at most this long: a minted token is checked without the database.
IDEMPOTENCY_LIFETIME_DAYS = 7

# -- Runs ----------------------------------------------------------------------------------------

QUEUE_DEADLINE_S = read_count("REMAT_QUEUE_DEADLINE_S", default=6 * 3600)
# An unstarted run is sent again until then, and fails afterwards.
LEASE_GRACE_S = read_count("REMAT_LEASE_GRACE_S", default=20, minimum=0)
# Added to the wall limit of an experiment: process start, import, the way of the report.
RESEND_AFTER_S = read_count("REMAT_RESEND_AFTER_S", default=30)
# A run sent and not started is published again under the same attempt.
CUDA_PATIENCE_S = read_count("REMAT_CUDA_PATIENCE_S", default=60)
# After this an unstarted CUDA run hands its demonstrations to the CPU run.
WORKER_LOST_AFTER_S = read_count("REMAT_WORKER_LOST_AFTER_S", default=30)
# A worker whose last hello is older does not count as present.
FAILURE_BLOCKS_S = read_count("REMAT_FAILURE_BLOCKS_S", default=600, minimum=0)
MAX_ATTEMPTS = 3
GUESTS_PER_HOUR = read_count("REMAT_GUESTS_PER_HOUR", default=1000)
# From one address: a school behind it may start a class of 200 five times an hour.
TOKENS_PER_HOUR = read_count("REMAT_TOKENS_PER_HOUR", default=20_000)
# Of one API client: 5,000 learners renew each token within its hour, four times over.
WHAT_IF_PER_DAY = read_count("REMAT_WHAT_IF_PER_DAY", default=20, minimum=0)

# -- Logs ----------------------------------------------------------------------------------------


def is_news(record: logging.LogRecord) -> bool:
    """Not a 503: it says "not yet" (a figure is being drawn), or a lost server told of itself."""
    return getattr(record, "status_code", None) != 503


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"news": {"()": "django.utils.log.CallbackFilter", "callback": is_news}},
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {"django.request": {"level": "ERROR", "filters": ["news"]}},
}
