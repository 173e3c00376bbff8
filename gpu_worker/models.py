"""The small networks of the experiments, and the ways to place checkpoints in them.

Dimensions in tensor names: B batch, S sequence, H hidden, A heads, D hidden of a head,
R rows (batch x sequence), W width.

Every network is a chain of blocks, so that one function places checkpoints in any of them.
"""

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import (
    CheckpointPolicy,
    checkpoint,
    create_selective_checkpoint_contexts,
)

Runner = Callable[[Sequence[nn.Module], Tensor], Tensor]

Contexts = Callable[[], tuple[Any, Any]]
# What a selective checkpoint does in forward, and in replay.

_aten = torch.ops.aten
PRODUCTS = (_aten.mm.default, _aten.addmm.default, _aten.bmm.default)
WEIGHT_PRODUCTS = PRODUCTS[:2]
# Matrix products, and those of them that read a weight.


class ByteDropout(nn.Module):
    """Dropout whose mask is stored in one byte an element, as on CUDA.

    On a CPU `F.dropout` stores its mask in the type of its input.
    """

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.p == 0:
            return x
        return torch.native_dropout(x, self.p, True)[0]


def make_dropout(p: float, *, has_byte_mask: bool) -> nn.Module:
    return ByteDropout(p) if has_byte_mask else nn.Dropout(p)


class CoreAttention(nn.Module):
    """softmax(q k^T / sqrt(d)) v, the part that stores a matrix of S x S a head.

    Written out, it stores the softmax, its mask and the masked softmax. Fused, it is one
    kernel that rebuilds them; on a CPU that kernel takes no dropout, so there is none.
    """

    def __init__(self, dropout: float, *, is_fused: bool, has_byte_mask: bool) -> None:
        super().__init__()
        self.is_fused = is_fused
        self.dropout = make_dropout(dropout, has_byte_mask=has_byte_mask)

    def forward(self, q_BASD: Tensor, k_BASD: Tensor, v_BASD: Tensor) -> Tensor:
        if self.is_fused:
            return functional.scaled_dot_product_attention(q_BASD, k_BASD, v_BASD)
        scores_BASS = q_BASD @ k_BASD.transpose(-2, -1) / q_BASD.shape[-1] ** 0.5
        return self.dropout(scores_BASS.softmax(dim=-1)) @ v_BASD  # type: ignore[no-any-return]  # a module's call is untyped


class Attention(nn.Module):
    """Self-attention with its two projections. `replays_core` checkpoints the core alone."""

    def __init__(
        self, hidden: int, heads: int, dropout: float, *, is_fused: bool, has_byte_mask: bool
    ) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(hidden, 3 * hidden)
        self.core = CoreAttention(dropout, is_fused=is_fused, has_byte_mask=has_byte_mask)
        self.projection = nn.Linear(hidden, hidden)
        self.replays_core = False

    def forward(self, x_BSH: Tensor) -> Tensor:
        batch, length, hidden = x_BSH.shape
        parts = self.qkv(x_BSH).view(batch, length, 3, self.heads, hidden // self.heads)
        q_BASD, k_BASD, v_BASD = parts.permute(2, 0, 3, 1, 4).unbind(0)
        if self.replays_core:
            y_BASD = checkpoint(self.core, q_BASD, k_BASD, v_BASD, use_reentrant=False)
        else:
            y_BASD = self.core(q_BASD, k_BASD, v_BASD)
        return self.projection(y_BASD.transpose(1, 2).reshape(batch, length, hidden))  # type: ignore[no-any-return]  # a module's call is untyped


class Block(nn.Module):
    """A GPT block, pre-norm: attention and a four times wider MLP, each with a residual."""

    def __init__(
        self,
        hidden: int,
        heads: int,
        dropout: float,
        *,
        is_fused: bool = False,
        has_byte_mask: bool = False,
        has_norm: bool = True,
    ) -> None:
        super().__init__()
        self.norm_1 = nn.LayerNorm(hidden) if has_norm else nn.Identity()
        self.attention = Attention(
            hidden, heads, dropout, is_fused=is_fused, has_byte_mask=has_byte_mask
        )
        self.dropout_1 = make_dropout(dropout, has_byte_mask=has_byte_mask)
        self.norm_2 = nn.LayerNorm(hidden) if has_norm else nn.Identity()
        self.widen = nn.Linear(hidden, 4 * hidden)
        self.narrow = nn.Linear(4 * hidden, hidden)
        self.dropout_2 = make_dropout(dropout, has_byte_mask=has_byte_mask)
        self.replays_attention = False

    def forward(self, x_BSH: Tensor) -> Tensor:
        normed_BSH = self.norm_1(x_BSH)
        if self.replays_attention:
            y_BSH = checkpoint(self.attention, normed_BSH, use_reentrant=False)
        else:
            y_BSH = self.attention(normed_BSH)
        x_BSH = x_BSH + self.dropout_1(y_BSH)
        wide = functional.gelu(self.widen(self.norm_2(x_BSH)))
        return x_BSH + self.dropout_2(self.narrow(wide))  # type: ignore[no-any-return]  # a module's call is untyped


class ConvBlock(nn.Module):
    """Residual block: convolution, batch normalisation, ReLU, twice."""

    def __init__(self, channels: int, *, momentum: float = 0.1) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels, momentum=momentum),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels, momentum=momentum),
        )

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.body(x))


class RecurrentBlock(nn.Module):
    """One LSTM layer over a sequence, with a residual."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.recurrent = nn.LSTM(hidden, hidden, batch_first=True)

    def forward(self, x_BSH: Tensor) -> Tensor:
        y_BSH, _ = self.recurrent(x_BSH)
        return x_BSH + y_BSH  # type: ignore[no-any-return]  # a module's call is untyped


class PointwiseBlock(nn.Module):
    """Arithmetic without any matrix product: cheap to count as 0 FLOPs, not cheap to run."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))

    def forward(self, x_RW: Tensor) -> Tensor:
        y_RW = torch.tanh(x_RW * self.scale)
        return x_RW + functional.gelu(torch.sigmoid(y_RW) * y_RW)


class Chain(nn.Module):
    """Blocks one after the other; how they are run is the arm."""

    def __init__(self, blocks: Sequence[nn.Module]) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x: Tensor, runner: Runner) -> Tensor:
        return runner(list(self.blocks), x)


class Classifier(nn.Module):
    """A chain with an output layer, which is never checkpointed, and its loss."""

    def __init__(self, chain: Chain, width: int, classes: int) -> None:
        super().__init__()
        self.chain = chain
        self.head = nn.Linear(width, classes)

    def forward(self, x: Tensor, labels: Tensor, runner: Runner) -> Tensor:
        return functional.cross_entropy(self.head(self.chain(x, runner)), labels)


def make_relu_chain(layers: int, width: int) -> Chain:
    """layers x [Linear(width, width) + ReLU], the network of the hand formulas."""
    return Chain([nn.Sequential(nn.Linear(width, width), nn.ReLU()) for _ in range(layers)])


def make_mlp(layers: int, width: int, *, dropout: float = 0.0) -> Chain:
    """layers x [Linear(width, width) + GELU], with Dropout behind where it is asked for."""
    blocks = []
    for _ in range(layers):
        parts: list[nn.Module] = [nn.Linear(width, width), nn.GELU()]
        blocks.append(nn.Sequential(*parts, *([nn.Dropout(dropout)] if dropout else [])))
    return Chain(blocks)


def make_gpt(
    layers: int,
    hidden: int,
    heads: int,
    dropout: float,
    *,
    is_fused: bool = False,
    has_byte_mask: bool = False,
    has_norm: bool = True,
) -> Chain:
    """Blocks only: no embedding and no head, so that every layer is the same."""
    return Chain(
        [
            Block(
                hidden,
                heads,
                dropout,
                is_fused=is_fused,
                has_byte_mask=has_byte_mask,
                has_norm=has_norm,
            )
            for _ in range(layers)
        ]
    )


# --- Placements ----------------------------------------------------------------------


def run_plain(blocks: Sequence[nn.Module], x: Tensor) -> Tensor:
    for block in blocks:
        x = block(x)
    return x


def run_every(
    blocks: Sequence[nn.Module],
    x: Tensor,
    *,
    num_plain: int = 0,
    restores_generator: bool = True,
    is_reentrant: bool = False,
) -> Tensor:
    """Checkpoint each block but the last `num_plain`."""
    for block in blocks[: len(blocks) - num_plain]:
        x = checkpoint(block, x, use_reentrant=is_reentrant, preserve_rng_state=restores_generator)
    return run_plain(blocks[len(blocks) - num_plain :], x)


def run_alternate(blocks: Sequence[nn.Module], x: Tensor) -> Tensor:
    """Checkpoint every second block, beginning with the first."""
    for i, block in enumerate(blocks):
        x = block(x) if i % 2 else checkpoint(block, x, use_reentrant=False)
    return x


def run_segments(blocks: Sequence[nn.Module], x: Tensor, *, segments: int) -> Tensor:
    """Checkpoint equal segments; the last is kept, since it would be replayed at once.

    A remainder is spread over the segments. `torch.utils.checkpoint.checkpoint_sequential`
    puts it whole into the last segment, which it does not checkpoint: 64 layers in 33
    segments save nothing there.
    """
    edges = [len(blocks) * i // segments for i in range(segments + 1)]
    for i, (low, high) in enumerate(itertools.pairwise(edges)):
        segment = blocks[low:high]
        if i == segments - 1:
            x = run_plain(segment, x)
        else:
            x = checkpoint(run_plain, segment, x, use_reentrant=False)
    return x


@dataclass(frozen=True)
class Placement:
    """Which blocks are checkpointed; `replays_attention`: only the attention inside each."""

    name: str
    runner: Runner
    replays_attention: bool = False


PLAIN = Placement("plain", run_plain)


def list_placements(model: str) -> list[Placement]:
    """Every block, every second, pairs of blocks with the last pair kept, attention alone."""
    placements = [
        Placement("every", run_every),
        Placement("alternate", run_alternate),
        Placement("segments", _run_pairs),
    ]
    if model.startswith("gpt"):
        placements.append(Placement("attention", run_plain, replays_attention=True))
    return placements


def _run_pairs(blocks: Sequence[nn.Module], x: Tensor) -> Tensor:
    return run_segments(blocks, x, segments=(len(blocks) + 1) // 2)


def make_saving_runner(contexts: Contexts) -> Runner:
    """Checkpoint each block, and keep the results of the operators that `contexts` chooses."""

    def run(blocks: Sequence[nn.Module], x: Tensor) -> Tensor:
        for block in blocks:
            x = checkpoint(block, x, use_reentrant=False, context_fn=contexts)
        return x

    return run


def save_products(products: Sequence[Any]) -> Contexts:
    return functools.partial(_make_contexts, lambda operator, _: operator in products)


def save_second_products() -> tuple[Any, Any]:
    return _make_contexts(lambda operator, count: operator in PRODUCTS and count % 2 == 0)


def _make_contexts(is_saved: Callable[[Any, int], bool]) -> tuple[Any, Any]:
    """`is_saved(operator, count)`: count of matrix products so far, in forward or in replay."""
    counts = {False: 0, True: 0}

    def choose(context: Any, operator: Any, *_: Any, **__: Any) -> CheckpointPolicy:
        saves = is_saved(operator, counts[context.is_recompute])
        counts[context.is_recompute] += operator in PRODUCTS
        return CheckpointPolicy.MUST_SAVE if saves else CheckpointPolicy.PREFER_RECOMPUTE

    return create_selective_checkpoint_contexts(choose)  # type: ignore[no-any-return]  # untyped in torch
