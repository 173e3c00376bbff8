"""What a step hands to other ranks, and what of a rank's memory is the step's own."""

from typing import Any

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from gpu_worker.measure.memory import StorageTracer
from gpu_worker.measure.step import TrainingStep

_GATHER, _SCATTER = "_allgather_base", "_reduce_scatter_base"
# The operators under which FSDP2's collectives reach the dispatcher in torch 2.13.


class RankTracer(StorageTracer):
    """Leaves gloo's own buffers out, as the workspace of any operator.

    Its reduce-scatter makes one in a thread where no tracer is, and cuts it in views where
    this one is. Every tensor made before the step was announced, so nothing else is missed.
    """

    def _see(self, tensor: Tensor, arguments: tuple[Any, ...]) -> None:
        storage = tensor.untyped_storage()
        sources = {
            one.untyped_storage()._cdata
            for one in tree_leaves(arguments)
            if isinstance(one, Tensor)
        }
        if storage._cdata in self._alive or storage._cdata not in sources:
            super()._see(tensor, arguments)


class CollectiveCounter(TorchDispatchMode):
    """Bytes handed to collectives, results included, by operator."""

    def __init__(self) -> None:
        super().__init__()
        self.num_bytes: dict[str, int] = {}

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        found = func(*args, **(kwargs or {}))
        name = str(func)
        if name.startswith("c10d."):
            tensors = [one for one in tree_leaves((args, kwargs)) if isinstance(one, Tensor)]
            size = sum(one.numel() * one.element_size() for one in tensors)
            self.num_bytes[name] = self.num_bytes.get(name, 0) + size
        return found


def count_collective_bytes(step: TrainingStep, *, seed: int) -> tuple[int, int]:
    """Bytes of all-gather and of reduce-scatter in one step."""
    step.reset(seed)
    with CollectiveCounter() as counter:
        step.run()
    counts = counter.num_bytes
    return (
        sum(size for name, size in counts.items() if _GATHER in name),
        sum(size for name, size in counts.items() if _SCATTER in name),
    )
