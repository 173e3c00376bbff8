"""A server of one request, to see what reaches it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer


@contextmanager
def answer_one(status: int) -> Iterator[tuple[int, list[str]]]:
    """Its port, and the host and path that were asked for; ends when it has been asked."""
    seen: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(f"{self.headers['Host']}{self.path}")
            self.send_response(status)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Nothing on stderr."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        yield server.server_port, seen
        thread.join()
