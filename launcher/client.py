"""A small client of the public API: urllib, a token, retries where HTTP says so."""

import base64
import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from email.message import Message
from typing import Any

from launcher.layout import LauncherError
from launcher.loopback import open_url

TIMEOUT_S = 30.0
PATIENCE_S = 90.0
# A service that says "not yet" (a figure being drawn) is asked again for this long.
MAX_PAUSE_S = 5.0
# A larger Retry-After would keep a person waiting before an idle screen.


class ApiError(LauncherError):
    """A reply that is no success; the text carries method, path, status and the problem."""

    def __init__(self, method: str, path: str, status: int, body: str) -> None:
        self.status = status
        super().__init__(f"{method} {path} answered {status}: {body[:2000]}")


class Client:
    def __init__(self, base_url: str) -> None:
        self.base_url = base_url.rstrip("/")
        self.token: str | None = None
        self.languages: tuple[str, ...] = ()

    def log_in(self, *, client_id: str, client_secret: str, scope: str) -> None:
        """OAuth 2 client credentials (RFC 6749, section 4.4)."""
        basic = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()
        form = urllib.parse.urlencode({"grant_type": "client_credentials", "scope": scope})
        body, _ = self._send(
            "POST",
            "/api/v1/oauth/token",
            form.encode(),
            {
                "Authorization": f"Basic {basic}",
                "Content-Type": "application/x-www-form-urlencoded",
            },
        )
        self.token = json.loads(body)["access_token"]

    def get(self, path: str, **query: str) -> Any:
        tail = f"?{urllib.parse.urlencode(query)}" if query else ""
        body, _ = self._send("GET", path + tail, None, self._headers())
        return json.loads(body)

    def download(self, path: str) -> bytes:
        """A file by its link (a path or an address); links carry their own right."""
        body, _ = self._send("GET", path, None, {})
        return body

    def post(self, path: str, body: Mapping[str, object], *, key: str | None = None) -> Any:
        """A POST under a key, so that sending it again does nothing twice."""
        headers = self._headers() | {
            "Content-Type": "application/json",
            "Idempotency-Key": key or str(uuid.uuid4()),
        }
        reply, _ = self._send("POST", path, json.dumps(body).encode(), headers)
        return json.loads(reply)

    def poll(self, path: str, *, is_done: Callable[[Any], bool], timeout_s: float) -> Any:
        """GET until `is_done(body)`, as often as Retry-After says, with the ETag of before."""
        deadline = time.monotonic() + timeout_s
        etag, body = "", None
        while True:
            headers = self._headers() | ({"If-None-Match": etag} if etag else {})
            try:
                raw, received = self._send("GET", path, None, headers)
                etag, body = received.get("ETag", ""), json.loads(raw)
            except ApiError as error:
                if error.status != 304:
                    raise
                received = Message()
            if body is not None and is_done(body):
                return body
            if time.monotonic() > deadline:
                raise LauncherError(f"{path} is still waiting after {timeout_s:.0f} s")
            time.sleep(read_pause(received))

    def _headers(self) -> dict[str, str]:
        headers = {"Accept": "application/json"}
        if self.languages:
            headers["Accept-Language"] = ", ".join(self.languages)
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return headers

    def _send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[bytes, Message]:
        """One exchange; a 429 or 503 that names a pause is tried again for PATIENCE_S."""
        url = path if path.startswith("http") else self.base_url + path
        deadline = time.monotonic() + PATIENCE_S
        while True:
            request = urllib.request.Request(url, body, dict(headers), method=method)  # noqa: S310 - http(s) addresses of the service
            try:
                with open_url(request, timeout_s=TIMEOUT_S) as reply:
                    return reply.read(), reply.headers
            except urllib.error.HTTPError as error:
                text = error.read().decode("utf-8", "replace")
                is_early = time.monotonic() < deadline
                if is_early and error.code in (429, 503) and "Retry-After" in error.headers:
                    time.sleep(read_pause(error.headers))
                    continue
                raise ApiError(method, path, error.code, text) from None
            except (OSError, http.client.HTTPException) as error:
                raise LauncherError(f"{url} cannot be reached: {error}") from None


def read_pause(headers: Mapping[str, str] | Message) -> float:
    given = str(headers.get("Retry-After", "1"))
    return min(float(given), MAX_PAUSE_S) if given.isdigit() else 1.0
