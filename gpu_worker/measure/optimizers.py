"""What an optimizer keeps for each parameter: moments of its size, and a counter of steps."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from gpu_worker.measure.step import count_bytes, list_state

MOMENT_BYTES = {"sgd": 0, "momentum": 4, "adamw": 8}
# A parameter in float32: none, one or two moments.

COUNTER_BYTES = 4
# AdamW counts its steps in one float32 a parameter tensor.


@dataclass(frozen=True)
class States:
    """Bytes of one optimizer's state after one step of one arm, and the moments' types."""

    optimizer: str
    arm: str
    moments: int
    counters: int
    types: tuple[str, ...]


def make_optimizer(name: str, parameters: Iterable[nn.Parameter]) -> torch.optim.Optimizer:
    """Learning rate 0: the state is allocated and used, and no weight moves."""
    if name == "adamw":
        return torch.optim.AdamW(parameters, lr=0.0)
    return torch.optim.SGD(parameters, lr=0.0, momentum=0.9 if name == "momentum" else 0.0)


def list_moments(optimizer: torch.optim.Optimizer) -> list[Tensor]:
    return [one for one in list_state(optimizer) if one.dim() > 0]


def read_states(optimizer: torch.optim.Optimizer, *, name: str, arm: str) -> States:
    moments = list_moments(optimizer)
    counters = [one for one in list_state(optimizer) if one.dim() == 0]
    types = {str(one.dtype).removeprefix("torch.") for one in moments}
    return States(name, arm, count_bytes(moments), count_bytes(counters), tuple(sorted(types)))
