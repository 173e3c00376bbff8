"""The embedded Valkey: a unix socket, an account for us and a narrow one for workers."""

import hashlib
import signal
import socket
from pathlib import Path

from launcher.binaries import find_valkey
from launcher.credentials import Credentials
from launcher.layout import Layout, write_private_file
from launcher.services import Service

WORKER_RIGHTS = (
    "resetchannels ~gpu:* &gpu:* -@all +@read +@write +@list +@hash +@sortedset +@set +@transaction"
    " +@connection +@scripting +@pubsub -@dangerous -keys +info"
)
# What Celery and kombu need for the run and report queues, and nothing of the other keys.


class Valkey:
    """`user` names in URLs: "app" reaches everything, "worker" only keys that begin with gpu:."""

    def __init__(self, layout: Layout, credentials: Credentials) -> None:
        self.layout = layout
        self.passwords = {"app": credentials.valkey_app, "worker": credentials.valkey_worker}
        self.program = find_valkey(layout)
        self.socket = layout.sockets / "valkey.sock"
        self.data = layout.state / "valkey"

    def broker_url(self, user: str) -> str:
        """The URL as kombu reads it."""
        return f"redis+socket://{user}:{self.passwords[user]}@{self.socket}?virtual_host=0"

    @property
    def cache_url(self) -> str:
        """The URL as redis-py reads it; another database than the queues'."""
        return f"unix://app:{self.passwords['app']}@{self.socket}?db=2"

    @property
    def access_file(self) -> Path:
        return self.layout.state / "valkey.acl"

    def prepare(self) -> None:
        self.data.mkdir(mode=0o700, exist_ok=True)
        self.socket.unlink(missing_ok=True)
        lines = [
            "user default off",
            f"user app on #{sha256(self.passwords['app'])} ~* &* +@all",
            f"user worker on #{sha256(self.passwords['worker'])} {WORKER_RIGHTS}",
        ]
        write_private_file(self.access_file, "\n".join(lines) + "\n")

    def build_service(self) -> Service:
        settings = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "aclfile": str(self.access_file),
            "dir": str(self.data),
            "save": "",
            # What is in the queues outlives a crash, less the last second.
            "appendonly": "yes",
            "appendfsync": "everysec",
            "daemonize": "no",
        }
        options = [part for name, value in settings.items() for part in (f"--{name}", value)]
        return Service(
            name="valkey",
            command=(str(self.program), *options),
            stop_signal=signal.SIGTERM,
            is_ready=self.is_ready,
            is_server=True,
        )

    def is_ready(self) -> bool:
        """A PING that comes back: the socket is there before the data is loaded."""
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(1)
                connection.connect(str(self.socket))
                connection.sendall(f"AUTH app {self.passwords['app']}\r\nPING\r\n".encode())
                reply = b""
                while b"PONG" not in reply:
                    part = connection.recv(256)
                    if not part or b"-" in part:
                        return False
                    reply += part
        except OSError:
            return False
        return True


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
