"""A training step that can be repeated from the same state: what every pass measures."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

Mark = Callable[[str], None]


def ignore_mark(phase: str) -> None:
    """The mark of a pass that does not ask for phases."""


@dataclass
class TrainingStep:
    """One step of one arm.

    `forward` runs the network to a scalar loss; which blocks it checkpoints is the arm.
    `inputs` are alive before the step and count as baseline, as does the state of the
    optimizer; its own step is part of the run only where `updates` says so.
    """

    name: str
    module: nn.Module
    forward: Callable[[], Tensor]
    inputs: tuple[Tensor, ...] = ()
    optimizer: torch.optim.Optimizer | None = None
    updates: bool = False

    def reset(self, seed: int, *, with_gradients: bool = True) -> None:
        """The same start for every arm: gradients zero (or None), generator seeded.

        Gradients are allocated beforehand, so that their growth in backward does not hide
        the fall of the activations.
        """
        for one in self._list_learning():
            if not with_gradients:
                one.grad = None
            elif one.grad is None:
                one.grad = torch.zeros_like(one)
            else:
                one.grad.zero_()
        torch.manual_seed(seed)

    def run(self, mark: Mark = ignore_mark) -> None:
        """Forward, backward and, where it updates, the optimizer; `mark` hears each begin."""
        mark("forward")
        loss = self.forward()
        mark("backward")
        loss.backward()
        if self.updates and self.optimizer is not None:
            mark("optimizer")
            self.optimizer.step()
        del loss
        mark("end")

    def list_gradients(self) -> list[Tensor]:
        return _list_gradients(self.module.parameters())

    def _list_learning(self) -> list[Tensor]:
        """What backward gives a gradient to: parameters, and inputs that ask for one."""
        return [*self.module.parameters(), *(one for one in self.inputs if one.requires_grad)]

    def list_known(self) -> dict[str, list[Tensor]]:
        """What is alive before the step, by category."""
        return {
            "parameter": list(self.module.parameters()) + list(self.module.buffers()),
            "gradient": self.list_gradients(),
            "optimizer": list_state(self.optimizer) if self.optimizer else [],
            "input": [*self.inputs, *_list_gradients(self.inputs)],
        }


def list_state(optimizer: torch.optim.Optimizer) -> list[Tensor]:
    """Every tensor that an optimizer keeps beside the parameters."""
    return [
        value
        for state in optimizer.state.values()
        for value in state.values()
        if isinstance(value, Tensor)
    ]


def _list_gradients(tensors: Iterable[Tensor]) -> list[Tensor]:
    return [one.grad for one in tensors if one.is_leaf and one.grad is not None]


def count_bytes(tensors: Iterable[Tensor]) -> int:
    """Bytes of the storages behind tensors, each storage once."""
    sizes: dict[int, int] = {}
    for one in tensors:
        storage = one.untyped_storage()
        sizes[storage._cdata] = storage.nbytes()
    return sum(sizes.values())
