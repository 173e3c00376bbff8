"""Memory of a training step, to the byte: the trace and the tensor tracer.

A backend is started, told of each phase, and stopped; it answers with a Trace. Bytes are
counted above a baseline, which is what `known` held at the start. The tensor tracer sees
every tensor storage and its life; memory that an operator takes and returns inside itself
it cannot see (allocator.py can).
"""

import contextlib
import gc
import itertools
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from gpu_worker.measure.step import TrainingStep

Known = Mapping[str, Iterable[Tensor]]


@dataclass(frozen=True)
class Event:
    """One change of live memory. `live`: bytes above the baseline after it."""

    delta: int
    live: int
    operator: str
    category: str
    phase: str


@dataclass(frozen=True)
class Trace:
    """What a backend found.

    baseline : bytes of `known` by category
    stored : live bytes when backward began (None if it never did)
    peak : highest live bytes
    peak_phase : the phase that reached it first
    made : number of tensors that operators returned, by type; empty if unknown
    operators : number of calls by name; empty if unknown
    """

    backend: str
    events: tuple[Event, ...]
    baseline: dict[str, int]
    stored: int | None
    peak: int
    peak_phase: str
    left: int
    backward_op: int | None
    made: dict[str, int] = field(default_factory=dict)
    operators: dict[str, int] = field(default_factory=dict)

    def get_peak_of(self, phase: str) -> int:
        """Highest live bytes in one phase, its beginning included."""
        before, highest = 0, None
        for event in self.events:
            if event.phase == phase:
                highest = max(event.live, before if highest is None else highest)
            before = event.live
        return 0 if highest is None else highest


class MemoryBackend(Protocol):
    """What every way of measuring memory offers."""

    name: str

    def start(self, known: Known) -> None: ...

    def mark(self, phase: str) -> None: ...

    def stop(self, owners: Known) -> Trace:
        """`owners`: what the storages still alive are now; they are labelled after it."""
        ...


class TraceBuilder:
    """Events in their order, with the running sum and the marks."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.live = 0
        self.phase = "before"
        self.stored: int | None = None
        self.backward_op: int | None = None

    def add(self, delta: int, operator: str, category: str) -> None:
        self.live += delta
        self.events.append(Event(delta, self.live, operator, category, self.phase))

    def mark(self, phase: str) -> None:
        self.phase = phase
        if phase == "backward" and self.stored is None:
            self.stored = self.live
            self.backward_op = len(self.events)

    def build(self, backend: str, baseline: dict[str, int], **more: dict[str, int]) -> Trace:
        peak, peak_phase = 0, "before"
        for event in self.events:
            if event.live > peak:
                peak, peak_phase = event.live, event.phase
        return Trace(
            backend=backend,
            events=tuple(self.events),
            baseline=baseline,
            stored=self.stored,
            peak=peak,
            peak_phase=peak_phase,
            left=self.live,
            backward_op=self.backward_op,
            **more,
        )


@dataclass
class _Storage:
    """A storage that is alive: its size now, its label, the events that are about it."""

    reference: weakref.ref[torch.UntypedStorage]
    size: int
    category: str
    events: list[int] = field(default_factory=list)


class StorageTracer(TorchDispatchMode):
    """Lives of tensor storages, from dispatch (birth) and weak references (death).

    Frees by `untyped_storage().resize_(0)`, as FSDP2 does them, are invisible to weak
    references; while the tracer is active that method reports to it. Never run it in the
    same pass as the profiler: torch 2.13 then counts operators twice (pytorch #195746).

    Only the memory of one device counts, that of the first known tensor: what a step on a
    card keeps on the host is what it spares the card.
    """

    name = "tensor"

    def __init__(self) -> None:
        super().__init__()
        self._builder = TraceBuilder()
        self._alive: dict[int, _Storage] = {}
        self._baseline: dict[str, int] = {}
        self._made: Counter[str] = Counter()
        self._operators: Counter[str] = Counter()
        self._operator = ""
        self._device = "cpu"
        self._stack = contextlib.ExitStack()

    def start(self, known: Known) -> None:
        if torch._C._autograd._profiler_enabled():
            raise RuntimeError("the tracer and the profiler never share a pass")
        lists = {category: list(tensors) for category, tensors in known.items()}
        for one in itertools.chain.from_iterable(lists.values()):
            self._device = one.device.type
            break
        for category, tensors in lists.items():
            self._baseline[category] = sum(self._adopt(one, category) for one in tensors)
        self._stack.enter_context(_watch_resize(self._handle_resize))
        self._stack.enter_context(self)

    def mark(self, phase: str) -> None:
        self._builder.mark(phase)

    def stop(self, owners: Known) -> Trace:
        self._stack.close()
        events = self._builder.events
        for category, tensors in owners.items():
            for one in tensors:
                record = self._alive.get(one.untyped_storage()._cdata)
                for i in record.events if record else ():
                    old = events[i]
                    events[i] = Event(old.delta, old.live, old.operator, category, old.phase)
        self._alive.clear()
        return self._builder.build(
            self.name, self._baseline, made=dict(self._made), operators=dict(self._operators)
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        super().__exit__(kind, error, trace)

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        self._operator = str(func)
        self._operators[self._operator] += 1
        found = func(*args, **(kwargs or {}))
        for one in tree_leaves(found):
            if isinstance(one, Tensor) and one.device.type == self._device:
                self._made[str(one.dtype).removeprefix("torch.")] += 1
                self._see(one, args)
        return found

    def _see(self, tensor: Tensor, arguments: tuple[Any, ...]) -> None:
        storage = tensor.untyped_storage()
        if storage._cdata in self._alive:
            return
        for one in tree_leaves(arguments):
            # A view or an in-place result of a tensor made before the step, unannounced.
            if isinstance(one, Tensor) and one.untyped_storage()._cdata == storage._cdata:
                self._baseline["other"] = self._baseline.get("other", 0) + self._adopt(one, "other")
                return
        record = self._watch(storage, self._choose_category())
        self._record(record, record.size)

    def _choose_category(self) -> str:
        if self._builder.phase == "forward":
            return "activation"
        is_inside_backward = torch._C._current_graph_task_id() != -1
        if is_inside_backward and torch.is_grad_enabled():
            # Backward runs without gradients; only a replay turns them on.
            return "recomputed"
        return "temporary"

    def _adopt(self, tensor: Tensor, category: str) -> int:
        """Take a storage into the baseline; its bytes, 0 if it is there already."""
        storage = tensor.untyped_storage()
        if storage._cdata in self._alive or tensor.device.type != self._device:
            return 0
        return self._watch(storage, category).size

    def _watch(self, storage: torch.UntypedStorage, category: str) -> _Storage:
        key = storage._cdata

        def handle_death(_: object) -> None:
            record = self._alive.pop(key, None)
            if record is not None and record.size:
                self._record(record, -record.size)

        record = _Storage(weakref.ref(storage, handle_death), storage.nbytes(), category)
        self._alive[key] = record
        return record

    def _record(self, record: _Storage, delta: int) -> None:
        record.events.append(len(self._builder.events))
        self._builder.add(delta, self._operator, record.category)

    def _handle_resize(self, storage: torch.UntypedStorage, before: int) -> None:
        """A storage has another size than `before`; one never seen was there all along."""
        record = self._alive.get(storage._cdata)
        if record is None:
            if storage.device.type != self._device:
                return
            record = self._watch(storage, "other")
            record.size = before
            self._baseline["other"] = self._baseline.get("other", 0) + before
        if record.size != storage.nbytes():
            delta = storage.nbytes() - record.size
            record.size = storage.nbytes()
            self._record(record, delta)


@contextlib.contextmanager
def _watch_resize(handle: Callable[[torch.UntypedStorage, int], None]) -> Any:
    """While active, every `UntypedStorage.resize_` is reported after it was done."""
    original = torch.UntypedStorage.resize_

    def resize(storage: torch.UntypedStorage, size: int) -> Any:
        before = storage.nbytes()
        found = original(storage, size)
        handle(storage, before)
        return found

    torch.UntypedStorage.resize_ = resize  # type: ignore[method-assign, assignment]  # put back below
    try:
        yield
    finally:
        torch.UntypedStorage.resize_ = original  # type: ignore[method-assign]  # as it was


def trace_step(
    step: TrainingStep,
    *,
    seed: int,
    backend: MemoryBackend | None = None,
    with_gradients: bool = True,
) -> Trace:
    """Run one step from its seeded start under a backend (the tensor tracer by default)."""
    backend = backend or StorageTracer()
    step.reset(seed, with_gradients=with_gradients)
    gc.collect()
    backend.start(step.list_known())
    try:
        step.run(backend.mark)
    finally:
        trace = backend.stop(step.list_known())
    return trace
