"""Collectives of gloo whose buffers live as long on every run.

FSDP2's own collectives, set in their place by its public hooks. Only on a CPU: NCCL works
in the order of its stream.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.fsdp._fully_shard._fsdp_collectives import (
    DefaultAllGather,
    DefaultReduceScatter,
)

SETTLE_TIMEOUT_S = 60.0
# A thread of gloo that keeps a buffer longer is stuck; the step then goes on without it.


class SettledAllGather(DefaultAllGather):
    """All-gather that returns when gloo's thread has let go of the tensors.

    `wait()` returns as soon as the bytes are there; the thread keeps its own reference some
    microseconds longer (on a loaded machine much longer), and with it the buffer's life and
    the peak would depend on chance.
    """

    def __call__(
        self,
        output_tensor: Tensor,
        input_tensor: Tensor,
        group: dist.ProcessGroup,
        async_op: bool = False,
    ) -> None:
        with _settle(output_tensor, input_tensor):
            super().__call__(output_tensor, input_tensor, group)


class SettledReduceScatter(DefaultReduceScatter):
    """The same for reduce-scatter."""

    def __call__(  # type: ignore[override]  # waited for already: there is no work to return
        self,
        output_tensor: Tensor,
        input_tensor: Tensor,
        group: dist.ProcessGroup,
        op: Any,
        async_op: bool = False,
    ) -> None:
        with _settle(output_tensor, input_tensor):
            super().__call__(output_tensor, input_tensor, group, op)


@contextlib.contextmanager
def _settle(*tensors: Tensor) -> Iterator[None]:
    """Wait until no more references to the storages are left than there were before."""
    storages = [one.untyped_storage()._cdata for one in tensors]
    before = [torch._C._storage_Use_Count(one) for one in storages]
    yield
    ends_at = time.monotonic() + SETTLE_TIMEOUT_S
    for storage, count in zip(storages, before, strict=True):
        while torch._C._storage_Use_Count(storage) > count and time.monotonic() < ends_at:
            os.sched_yield()
