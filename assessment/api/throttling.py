"""Limits on what a stranger can make us do. Answers are never throttled.

A fixed window in the shared cache. When the cache is away nothing is throttled: an
answer and a login matter more than a limit.
"""

import hashlib
import logging
import time

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

logger = logging.getLogger(__name__)


class WindowThrottle(BaseThrottle):
    """At most so many requests of one caller in an hour."""

    scope = ""
    window_s = 3600

    def get_limit(self) -> int:
        raise NotImplementedError

    def allow_request(self, request: Request, view: APIView) -> bool:
        window = int(time.time()) // self.window_s
        who = hashlib.sha256(find_caller(request).encode()).hexdigest()[:32]
        key = f"throttle:{self.scope}:{who}:{window}"
        try:
            cache.add(key, 0, timeout=self.window_s)
            return bool(cache.incr(key) <= self.get_limit())
        except (RedisError, ValueError):
            logger.warning("the cache cannot count %s; the request passes", self.scope)
            return True

    def wait(self) -> float:
        return self.window_s - time.time() % self.window_s


class GuestThrottle(WindowThrottle):
    scope = "guests"

    def get_limit(self) -> int:
        return int(settings.GUESTS_PER_HOUR)


class TokenThrottle(WindowThrottle):
    scope = "tokens"

    def get_limit(self) -> int:
        return int(settings.TOKENS_PER_HOUR)


def find_caller(request: Request) -> str:
    """The idempotency scope of the caller, or the address of a stranger."""
    scope = getattr(request.auth, "scope", None)
    return str(scope or request.META.get("REMOTE_ADDR") or "unknown")
