"""Are two runs the same? Differences of tensors, and digests of their bits."""

import hashlib
from collections.abc import Mapping

import torch
from torch import Tensor, nn

Named = Mapping[str, Tensor]


class NonFiniteError(ArithmeticError):
    """A tensor to be compared has a NaN or an infinity; the text names it."""


def copy_gradients(module: nn.Module) -> dict[str, Tensor]:
    """Gradients by parameter name; a parameter without one is left out."""
    return {
        name: one.grad.detach().clone()
        for name, one in module.named_parameters()
        if one.grad is not None
    }


def copy_weights(module: nn.Module) -> dict[str, Tensor]:
    return {name: one.detach().clone() for name, one in module.named_parameters()}


def compute_largest_difference(first: Named, second: Named) -> float:
    """Largest absolute difference of any element, in float64.

    Raises ValueError when names or shapes differ, NonFiniteError on NaN or infinity:
    a difference that is not a number must never pass for "not above the noise floor".
    """
    _check_same_names(first, second)
    largest = 0.0
    for name, one in first.items():
        other = second[name]
        _check_finite(name, one, other)
        if one.numel():
            difference = (one.double() - other.double()).abs().max().item()
            largest = max(largest, difference)
    return largest


def compute_relative_error(first: Named, second: Named) -> float:
    """||second - first|| / ||first|| over all elements, in the L2 norm."""
    _check_same_names(first, second)
    error = norm = 0.0
    for name, one in first.items():
        _check_finite(name, one, second[name])
        error += (second[name].double() - one.double()).square().sum().item()
        norm += one.double().square().sum().item()
    return float((error / norm) ** 0.5) if norm else 0.0


def count_changed(first: Named, second: Named) -> int:
    """Tensors that are missing in `second`, or differ in type, shape or any bit."""
    return sum(
        name not in second
        or one.dtype != second[name].dtype
        or one.shape != second[name].shape
        or not torch.equal(one, second[name])
        for name, one in first.items()
    )


def digest_tensors(tensors: Named) -> str:
    """sha256 over names, types, shapes and bits, in the order of names."""
    total = hashlib.sha256()
    for name in sorted(tensors):
        one = tensors[name].detach().cpu().contiguous()
        total.update(f"{name} {one.dtype} {tuple(one.shape)}\n".encode())
        total.update(one.reshape(-1).view(torch.uint8).numpy().tobytes())
    return total.hexdigest()


def _check_same_names(first: Named, second: Named) -> None:
    if first.keys() != second.keys():
        missing = sorted(first.keys() ^ second.keys())
        raise ValueError(f"only one side has {', '.join(missing[:3])}")


def _check_finite(name: str, *tensors: Tensor) -> None:
    for one in tensors:
        if not bool(torch.isfinite(one).all()):
            raise NonFiniteError(f"{name} has a value that is not finite")
