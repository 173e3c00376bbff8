"""Where to put checkpoints in a chain of layers Linear + ReLU, by a cost model in bytes.

The model counts every tensor of a step, the gradients in flight included, so that the plan
of least cost is the best single-level placement; a search over all placements of short
chains checks both. Plain Python: no torch.
"""

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

FLOAT_BYTES = 4

LOSS_BYTES = 8
# The loss and the one that is its gradient, alive all through backward.

Cuts = tuple[int, ...]
# Layer numbers after which a new segment begins, rising; () is plain.


@dataclass(frozen=True)
class ChainSizes:
    """Widths d_0 ... d_N of a chain on `rows` rows; d_0 is that of its input."""

    widths: tuple[int, ...]
    rows: int

    @property
    def layers(self) -> int:
        return len(self.widths) - 1

    def get_activation(self, layer: int) -> int:
        """A_i in bytes, for i from 1 to N; the input (i = 0) is baseline and counts 0."""
        return FLOAT_BYTES * self.rows * self.widths[layer] if layer else 0

    def get_gradients(self, layer: int) -> int:
        """W_i + B_i in bytes, as a new gradient before it is added to the old one."""
        return FLOAT_BYTES * self.widths[layer] * (self.widths[layer - 1] + 1)


def list_placements(layers: int) -> Iterator[Cuts]:
    """All 2^(N-1) single-level placements."""
    inner = range(1, layers)
    for count in range(layers):
        yield from itertools.combinations(inner, count)


def compute_peak(sizes: ChainSizes, cuts: Cuts) -> int:
    """Peak bytes of a step above the baseline, gradients allocated before."""
    boundaries = peak = 0
    for low, high in itertools.pairwise((0, *cuts, sizes.layers)):
        boundaries += sizes.get_activation(low)
        peak = max(peak, boundaries + list_segment_peaks(sizes, low)[high])
    return peak


@functools.cache
def list_segment_peaks(sizes: ChainSizes, low: int) -> dict[int, int]:
    """For every `high`, the peak of a segment of the layers low+1 ... high.

    It counts above all boundaries up to the segment's own input. Backward through the ReLU
    of layer i: what is kept up to i, the gradients of its result and of its pre-activation;
    the very last result has an expanded number for a gradient. Through its Linear: what is
    kept up to i - 1, the gradients of pre-activation and input, and new ones of weight and
    bias. Replay, in all segments but the last: the gradient that arrives, what is kept up
    to i, and layer i's pre-activation. Forward is never higher than these.
    """
    peaks: dict[int, int] = {}
    kept = backward = replay = 0
    for i in range(low + 1, sizes.layers + 1):
        own, is_end = sizes.get_activation(i), i == sizes.layers
        through_relu = kept + (2 if is_end else 3) * own
        through_linear = kept + own + sizes.get_activation(i - 1) + sizes.get_gradients(i)
        backward = max(backward, through_relu, through_linear)
        replay = max(replay, kept + 2 * own)
        peaks[i] = LOSS_BYTES + max(backward, 0 if is_end else own + replay)
        kept += own
    return peaks


@functools.cache
def plan_cuts(sizes: ChainSizes) -> Cuts:
    """The single-level placement of least peak under the cost model.

    Below a bound on the peak, a segment may begin behind layer r with some least sum of
    boundaries; a smaller sum never hurts what follows, so the least is all there is to
    know. The bound is found by bisection over bytes.
    """
    least, most = 0, compute_peak(sizes, ())
    best: Cuts = ()
    while least < most:
        bound = (least + most) // 2
        found = _find_cuts_below(sizes, bound)
        if found is None:
            least = bound + 1
        else:
            best, most = found, compute_peak(sizes, found)
    return best


def _find_cuts_below(sizes: ChainSizes, bound: int) -> Cuts | None:
    """Cuts whose peak is at most `bound`; None when there are none."""
    layers = sizes.layers
    sums: dict[int, tuple[int, Cuts]] = {0: (0, ())}
    for low in range(layers):
        if low not in sums:
            continue
        boundaries, cuts = sums[low]
        peaks = list_segment_peaks(sizes, low)
        if boundaries + peaks[layers] <= bound:
            return cuts
        for high in range(low + 1, layers):
            if boundaries + peaks[high] > bound:
                continue
            total = boundaries + sizes.get_activation(high)
            if high not in sums or total < sums[high][0]:
                sums[high] = (total, (*cuts, high))
    return None
