"""What was measured so far, told on the way: a run that dies later still shows it."""

from collections.abc import Callable

from gpu_worker.contracts import FlopArm, MemoryArm

Listener = Callable[[MemoryArm, FlopArm], None]

_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """Hear of every arm from now on. A process serves one run, so nobody stops listening."""
    _listeners.append(listener)


def tell(memory: MemoryArm, flops: FlopArm) -> None:
    """An arm is done. Free where nobody listens."""
    for listener in _listeners:
        listener(memory, flops)
