"""The chain of the hand formulas, and the formulas, written down once more for the tests."""

import torch

from gpu_worker.measure.setup import Run
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import Runner, make_relu_chain, run_plain


def make_chain_step(
    layers: int, *, rows: int, width: int, runner: Runner = run_plain, seed: int = 0
) -> TrainingStep:
    torch.manual_seed(seed)
    model = make_relu_chain(layers, width)
    x = torch.randn(rows, width)
    return TrainingStep("chain", model, lambda: model(x, runner).sum(), (x,))


def compute_peak_without_gradients(layers: int, rows: int, width: int) -> int:
    """`.grad` is None before the step: gradients grow while activations fall.

    max((L+1)A, max over k of [(k-1)A + A + A(k > 1) + (L-k+1)(W+B)]) + 8
    """
    a, w, b = 4 * rows * width, 4 * width**2, 4 * width
    in_backward = (
        (k - 1) * a + a + a * (k > 1) + (layers - k + 1) * (w + b) for k in range(1, layers + 1)
    )
    return max((layers + 1) * a, *in_backward) + 8


def compute_peak(layers: int, rows: int, width: int) -> int:
    """Gradients allocated before: (N + 1)A + W + B + 8."""
    return (layers + 1) * 4 * rows * width + 4 * width**2 + 4 * width + 8


def make_run(
    experiment: str = "tradeoff",
    *,
    simulate: bool = False,
    device: str = "cpu",
    **parameters: object,
) -> Run:
    """A run with resolved parameters."""
    from gpu_worker.catalog import get_experiment, resolve_parameters

    values = resolve_parameters(
        get_experiment(experiment), parameters, device=device, simulate=simulate
    )
    return Run(experiment, values, 20261130, device, simulate)
