"""FLOPs against products counted by hand, and "not counted" where the counter is blind."""

import torch

from gpu_worker.measure.flops import NOT_COUNTED, count_flops
from gpu_worker.measure.step import TrainingStep
from gpu_worker.models import (
    Chain,
    PointwiseBlock,
    RecurrentBlock,
    Runner,
    make_gpt,
    make_mlp,
    run_every,
    run_plain,
)


def make_step(model: Chain, x: torch.Tensor, runner: Runner = run_plain) -> TrainingStep:
    return TrainingStep("step", model, lambda: model(x, runner).sum(), (x,))


def test_a_chain_costs_two_flops_a_multiplication_and_no_first_input_gradient() -> None:
    layers, rows, width = 5, 7, 16
    flops = count_flops(make_step(make_mlp(layers, width), torch.randn(rows, width)), seed=0)
    product = 2 * rows * width**2
    assert flops.forward == layers * product
    assert flops.backward == (2 * layers - 1) * product


def test_a_replay_is_counted() -> None:
    layers, x = 5, torch.randn(7, 16)
    model = make_mlp(layers, 16)
    plain = count_flops(make_step(model, x), seed=0).total
    replayed = count_flops(make_step(model, x, run_every), seed=0).total
    assert plain is not None
    assert replayed is not None
    assert replayed * (3 * layers - 1) == plain * (4 * layers - 1)


def test_a_transformer_costs_its_formula() -> None:
    layers, hidden, length, batch = 2, 32, 16, 3
    x = torch.randn(batch, length, hidden)
    flops = count_flops(make_step(make_gpt(layers, hidden, 4, 0.1), x), seed=0)
    forward = layers * batch * length * (24 * hidden**2 + 4 * length * hidden)
    assert (flops.forward, flops.backward) == (forward, 2 * forward)


def test_fused_attention_is_counted_and_rebuilds_its_scores_in_backward() -> None:
    """Five products of attention in backward instead of four."""
    layers, hidden, length, batch = 2, 32, 16, 3
    x = torch.randn(batch, length, hidden)
    fused = count_flops(make_step(make_gpt(layers, hidden, 4, 0.1, is_fused=True), x), seed=0)
    written = count_flops(make_step(make_gpt(layers, hidden, 4, 0.1), x), seed=0)
    assert fused.unknown == ()
    assert fused.forward == written.forward
    assert fused.backward - written.backward == layers * batch * length * 2 * length * hidden


def test_a_recurrent_layer_is_not_counted_instead_of_zero() -> None:
    x = torch.randn(2, 5, 8)
    flops = count_flops(make_step(Chain([RecurrentBlock(8)]), x), seed=0)
    assert flops.total is None
    assert flops.to_arm("lstm").unknown == NOT_COUNTED


def test_a_recurrent_layer_among_products_makes_the_total_unknown() -> None:
    x = torch.randn(2, 5, 8)
    model = Chain([RecurrentBlock(8), torch.nn.Linear(8, 8)])
    flops = count_flops(make_step(model, x), seed=0)
    assert flops.forward > 0
    assert flops.total is None


def test_pointwise_arithmetic_is_not_counted() -> None:
    flops = count_flops(make_step(Chain([PointwiseBlock(8)]), torch.randn(4, 8)), seed=0)
    assert flops.total is None
