"""A short seeded training, to compare where two arms end."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor, nn

from gpu_worker.measure.compare import copy_weights

Model = TypeVar("Model", bound=nn.Module)

LEARNING_RATE = 1e-3
# torch's default for AdamW.


@dataclass(frozen=True)
class Training:
    """Where the weights ended, and every loss on the way."""

    weights: dict[str, Tensor]
    losses: tuple[float, ...]


def train_copy(
    model: Model, compute_loss: Callable[[Model], Tensor], *, steps: int, seed: int
) -> Training:
    """Train a copy of the model with AdamW; the model itself is not touched."""
    trained = copy.deepcopy(model)
    optimizer = torch.optim.AdamW(trained.parameters(), lr=LEARNING_RATE)
    losses = []
    torch.manual_seed(seed)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = compute_loss(trained)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return Training(copy_weights(trained), tuple(losses))
