"""The allocator's view of a step: torch.profiler, read from its exported chrome trace.

It sees every allocation, also the workspace that an operator takes and returns inside
itself. The export is the public way to read it: `events()` shows top-level memory events
only (75 of 788 in the reference run).
"""

import json
import tempfile
from pathlib import Path

from torch.profiler import ProfilerActivity, profile
from torch.utils._python_dispatch import _get_current_dispatch_mode

from gpu_worker.measure.memory import Known, Trace, TraceBuilder
from gpu_worker.measure.step import count_bytes


class ProfilerBackend:
    """Backend over `torch.profiler`; phases are not known to it, so `stored` is None."""

    name = "profiler"

    def __init__(self) -> None:
        self._profile = profile(activities=[ProfilerActivity.CPU], profile_memory=True)
        self._baseline: dict[str, int] = {}

    def start(self, known: Known) -> None:
        if _get_current_dispatch_mode() is not None:
            # torch 2.13 counts every operator twice under a dispatch mode (pytorch #195746).
            raise RuntimeError("the tracer and the profiler never share a pass")
        self._baseline = {category: count_bytes(tensors) for category, tensors in known.items()}
        self._profile.__enter__()

    def mark(self, phase: str) -> None:
        pass

    def stop(self, owners: Known) -> Trace:
        self._profile.__exit__(None, None, None)
        builder = TraceBuilder()
        for size in self._read_events():
            builder.add(size, "", "")
        return builder.build(self.name, self._baseline)

    def _read_events(self) -> list[int]:
        """Bytes of each allocation (positive) and free (negative), in the order of time."""
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "trace.json"
            self._profile.export_chrome_trace(str(path))
            events = json.loads(path.read_text())["traceEvents"]
        found = [one for one in events if one.get("name") == "[memory]"]
        found.sort(key=lambda one: float(one["ts"]))
        return [int(one["args"]["Bytes"]) for one in found]
