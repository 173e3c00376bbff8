"""The CUDA allocator's view of a step: its own statistics, and its history as a trace.

Written after the documentation of torch 2.13. The peak comes from the public statistics;
the timeline from the memory history, which torch documents under an underscored name.
"""

from typing import Any

import torch

from gpu_worker.measure.memory import Known, Trace, TraceBuilder
from gpu_worker.measure.step import count_bytes

MAX_HISTORY = 200_000
# Entries of the allocator's history; a step of 100 blocks makes fewer than 20,000.


class CudaBackend:
    """Allocated bytes (rounded by the allocator to blocks of 512) above the baseline."""

    name = "cuda"

    def __init__(self) -> None:
        self._baseline: dict[str, int] = {}
        self._before = 0
        self._stored: int | None = None
        self._peaks: dict[str, int] = {}
        self._phase = "before"

    def start(self, known: Known) -> None:
        self._baseline = {category: count_bytes(tensors) for category, tensors in known.items()}
        torch.cuda.synchronize()
        self._before = torch.cuda.memory_allocated()
        # No tracebacks: sizes are all that is read, and unwinding a stack costs more than a step.
        torch.cuda.memory._record_memory_history(context=None, max_entries=MAX_HISTORY)
        torch.cuda.reset_peak_memory_stats()

    def mark(self, phase: str) -> None:
        self._close_phase()
        self._phase = phase
        if phase == "backward":
            self._stored = torch.cuda.memory_allocated() - self._before

    def stop(self, owners: Known) -> Trace:
        torch.cuda.synchronize()
        self._close_phase()
        left = torch.cuda.memory_allocated() - self._before
        history = self._read_history()
        torch.cuda.memory._record_memory_history(enabled=None)
        builder = TraceBuilder()
        for size in history:
            builder.add(size, "", "")
        found = builder.build(self.name, self._baseline)
        peak_phase = max(self._peaks, key=lambda phase: self._peaks[phase])
        return Trace(
            backend=self.name,
            events=found.events,
            baseline=self._baseline,
            stored=self._stored,
            peak=self._peaks[peak_phase],
            peak_phase=peak_phase,
            left=left,
            backward_op=None,
        )

    def _close_phase(self) -> None:
        peak = torch.cuda.max_memory_allocated() - self._before
        self._peaks[self._phase] = max(self._peaks.get(self._phase, 0), peak)
        torch.cuda.reset_peak_memory_stats()

    def _read_history(self) -> list[int]:
        """Bytes of each allocation (positive) and free (negative) on this device."""
        snapshot: dict[str, Any] = torch.cuda.memory._snapshot()
        entries = snapshot["device_traces"][torch.cuda.current_device()]
        signs = {"alloc": 1, "free_completed": -1}
        return [
            signs[one["action"]] * int(one["size"]) for one in entries if one["action"] in signs
        ]
