"""FLOPs of a training step, and an honest "not counted" where the counter is blind.

`FlopCounterMode` knows matrix products, convolutions and most attention kernels. Fused
recurrent layers and pointwise arithmetic count as 0 there; such a total is not a number
to show, so it becomes None with a reason. Work repeated by a replay is counted.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch.utils.flop_counter import (
    FlopCounterMode,
    flop_registry,
    sdpa_backward_flop_count,
    sdpa_flop_count,
)

from gpu_worker.contracts import FlopArm
from gpu_worker.measure.step import TrainingStep

NOT_COUNTED = "not_counted"
# The reason code of a total that is not known.

_BLIND = ("rnn", "lstm", "gru", "_scaled_dot_product")
# Kernels with much arithmetic that torch 2.13 has no formula for, unless it is registered.


@dataclass(frozen=True)
class Flops:
    """FLOPs of one step by phase; `unknown` names the operators that were not counted."""

    forward: int
    backward: int
    unknown: tuple[str, ...]

    @property
    def total(self) -> int | None:
        """None where nothing was counted, or something large was not."""
        if self.unknown or not self.forward + self.backward:
            return None
        return self.forward + self.backward

    def to_arm(self, name: str) -> FlopArm:
        total = self.total
        return FlopArm(name, total, None if total is not None else NOT_COUNTED)


def _count_flash_cpu(query: Any, key: Any, value: Any, *_: Any, **__: Any) -> int:
    return int(sdpa_flop_count(query, key, value))


def _count_flash_cpu_backward(
    grad: Any, query: Any, key: Any, value: Any, *_: Any, **__: Any
) -> int:
    return int(sdpa_backward_flop_count(grad, query, key, value))


_CPU_ATTENTION = {
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu: _count_flash_cpu,
    torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward: _count_flash_cpu_backward,
}
# torch's formulas for fused attention, on the CPU kernel that it leaves out.


class FlopCounter(FlopCounterMode):
    """FlopCounterMode that knows CPU attention, and remembers what it could not count."""

    def __init__(self) -> None:
        super().__init__(display=False, custom_mapping=_CPU_ATTENTION)
        self.blind: set[str] = set()

    def _count_flops(self, func_packet: Any, out: Any, args: Any, kwargs: Any) -> Any:
        name = str(func_packet)
        is_known = func_packet in self.flop_registry or func_packet in flop_registry
        if not is_known and any(part in name for part in _BLIND):
            self.blind.add(name)
        return super()._count_flops(func_packet, out, args, kwargs)


def count_flops(step: TrainingStep, *, seed: int) -> Flops:
    """Count one step in a pass of its own."""
    step.reset(seed)
    return read_flops(step, FlopCounter())


def read_flops(step: TrainingStep, counter: FlopCounter) -> Flops:
    """Run a step that was reset, under a counter."""
    marks: dict[str, int] = {}

    def mark(phase: str) -> None:
        marks[phase] = counter.get_total_flops()

    with counter:
        step.run(mark)
    forward = marks["backward"]
    return Flops(forward, counter.get_total_flops() - forward, tuple(sorted(counter.blind)))
