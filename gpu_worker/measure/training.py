"""A short seeded training, to compare where two arms end."""

import copy
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor, nn

from gpu_worker.contracts import ClaimResult
from gpu_worker.measure.claims import decide
from gpu_worker.measure.compare import compute_largest_difference, copy_weights

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


def decide_training(
    claim: str, plain: Training, checkpointed: Training, again: Training
) -> ClaimResult:
    """Weights end where those of plain end, and losses were the same on the way, to the noise
    floor of plain against itself."""
    found = decide(
        claim,
        compute_largest_difference(plain.weights, checkpointed.weights),
        "equal",
        0.0,
        unit="1",
        noise_floor=compute_largest_difference(plain.weights, again.weights),
        facts={
            "steps": len(plain.losses),
            "losses_equal": plain.losses == checkpointed.losses,
            "first_loss": plain.losses[0],
            "last_loss": plain.losses[-1],
        },
    )
    floor = _compare_losses(plain, again)
    is_same = _compare_losses(plain, checkpointed) <= floor
    return found if is_same else dataclasses.replace(found, verdict="fails")


def _compare_losses(first: Training, second: Training) -> float:
    return max(abs(a - b) for a, b in zip(first.losses, second.losses, strict=True))
