"""Passwords and keys of one state folder: random, made once, readable by its user alone."""

import json
import secrets
from dataclasses import asdict, dataclass

from launcher.layout import Layout, write_private_file


@dataclass(frozen=True)
class Credentials:
    secret_key: str
    valkey_app: str
    valkey_worker: str


def ensure_credentials(layout: Layout) -> Credentials:
    """The credentials of the state folder, made at the first call. Caller holds the stack lock."""
    path = layout.state / "credentials.json"
    try:
        return Credentials(**json.loads(path.read_text()))
    except (FileNotFoundError, ValueError, TypeError):
        made = Credentials(
            secret_key=secrets.token_urlsafe(48),
            valkey_app=secrets.token_hex(24),
            valkey_worker=secrets.token_hex(24),
        )
        write_private_file(path, json.dumps(asdict(made)))
        return made
