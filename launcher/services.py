"""What a supervised process is."""

import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Service:
    """One long-lived child. `environment` None means the launcher's own, with our mark.

    `is_ready` None means that running is being ready. `before_start` is called before each
    start, restarts included.
    """

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] | None = None
    stop_signal: int = signal.SIGTERM
    grace_s: float = 10.0
    is_ready: Callable[[], bool] | None = None
    before_start: Callable[[], None] = field(default=lambda: None)
    is_server: bool = False
    # Others need it until they have ended.
