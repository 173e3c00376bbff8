"""The served path: the best items of each theta bin and concept, listed once per bank.

A list holds the items with the largest information anywhere in its bin, in that order. A
request computes the information of these few at its own theta. The choice is that of a
scan of the whole bank whenever it beats the bound of the first item left out; otherwise the
caller scans. So the cost does not depend on the size of the bank, and nothing is approximate.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assessment.psychometrics.banks import Bank
from assessment.psychometrics.curves import compute_information_at, find_peak
from assessment.psychometrics.exposure import Exposure, find_preferred
from assessment.psychometrics.items import Floats, Indexes, ItemParameters, Mask

BIN_WIDTH = 0.1
SCALE = (-6.0, 6.0)
# Thetas outside these bins are served by a scan; a posterior under N(0, 1) hardly goes there.
LIST_LENGTH = 64
# Longer than any test with its enemies, so that exclusions rarely empty a list.

TIE = 1e-9
# Items whose worth differs by less are equal: authored items of one level all are.


@dataclass(frozen=True, eq=False)
class ItemLists:
    """Lists for G bins and K concepts; row 0 of the second axis is the whole bank.

    Attributes
    ----------
    indexes : (G, K + 1, L) int32
        Item indexes, best first; -1 after the end of a short list.
    parameters : (G, K + 1, 4, L) float
        a, b, c, d of these items.
    bounds : (G, K + 1, L + 1) float
        Largest information in the bin of each item and of the first item left out
        (-1 where there is none).
    is_usable : (I,) bool
        Scored items, at or under their cap.
    num_usable : (K,) float
        How many of them each concept has.
    exposure : str or None
        Digest of the counts whose cap left items out.
    """

    indexes: NDArray[np.int32]
    parameters: Floats
    bounds: Floats
    is_usable: Mask
    num_usable: Floats
    exposure: str | None

    def find_bin(self, theta: float) -> int | None:
        """Return the bin of theta, or None outside the scale."""
        at = int((theta - SCALE[0]) / BIN_WIDTH)
        return at if SCALE[0] <= theta and at < len(self.indexes) else None

    def rank(
        self, theta: float, *, blocked: AbstractSet[int], count: int, concept: int | None = None
    ) -> list[tuple[int, float]] | None:
        """Return the `count` most informative items that are not blocked, and all equal ones.

        Returns
        -------
        list of (index, information), or None
            None when only a scan of the bank can tell.
        """
        at = self.find_bin(theta)
        if at is None:
            return None
        row = 0 if concept is None else concept + 1
        a, b, c, d = self.parameters[at, row]
        values = compute_information_at(ItemParameters(a, b, c, d), theta)
        indexes, known = self.indexes[at, row].tolist(), values.tolist()
        ranked: list[tuple[int, float]] = []
        last = -1.0
        for place in np.argsort(-values, kind="stable").tolist():
            if len(ranked) >= count and known[place] < last:
                break
            if indexes[place] >= 0 and indexes[place] not in blocked:
                ranked.append((indexes[place], known[place]))
                if len(ranked) == count:
                    last = known[place] * (1.0 - TIE)
        bound = float(self.bounds[at, row, -1])
        is_certain = bound < 0.0 or (len(ranked) >= count and bound < last)
        return ranked if is_certain else None

    def rank_balanced(
        self, theta: float, *, blocked: AbstractSet[int], penalties: Floats, depth: int = 8
    ) -> list[tuple[int, float]] | None:
        """Return the free item with the largest information / largest information - penalty.

        The penalty is its concept's, so that the best item overall is the best of one concept.

        Returns
        -------
        list of one (index, information), or None
            None when only a scan of the bank can tell, as where two items are equal.
        """
        at = self.find_bin(theta)
        if at is None:
            return None
        a, b, c, d = self.parameters[at, 1:, :, :depth].transpose(1, 0, 2).reshape(4, -1)
        values = compute_information_at(ItemParameters(a, b, c, d), theta).reshape(-1, depth)
        rows = self.indexes[at, 1:, :depth]
        is_taken = [index < 0 or index in blocked for index in rows.ravel().tolist()]
        values[np.array(is_taken).reshape(values.shape)] = -1.0
        best, bounds = values.max(axis=1), self.bounds[at, 1:, depth]
        top = max(float(best.max()), 1e-300)
        if np.any(best < bounds) or best.max() < 0.0:
            return None
        scores = np.where(values < 0.0, -np.inf, values / top - penalties[:, None])
        place = int(scores.argmax())
        floor = scores.flat[place] - TIE
        others = np.where(bounds < 0.0, -np.inf, bounds / top - penalties)
        if np.count_nonzero(scores >= floor) > 1 or np.any(others >= floor):
            return None
        return [(int(rows.flat[place]), float(values.flat[place]))]


def build_lists(
    bank: Bank,
    *,
    exposure: Exposure | None = None,
    cap: float | None = None,
    length: int = LIST_LENGTH,
) -> ItemLists:
    """Build the lists of a frozen bank, once per set of counts where there is a cap.

    Unscored items are never listed.
    """
    usable = ~bank.unscored
    if exposure is not None and cap is not None:
        usable &= find_preferred(exposure, cap)
    num_bins = round((SCALE[1] - SCALE[0]) / BIN_WIDTH)
    shape = (num_bins, bank.num_concepts + 1, length)
    indexes = np.full(shape, -1, dtype=np.int32)
    bounds = np.full((*shape[:2], length + 1), -1.0)
    rows = [np.flatnonzero(usable)]
    rows += [np.flatnonzero(usable & (bank.concepts == k)) for k in range(bank.num_concepts)]
    peaks = find_peak(bank.items)
    for at in range(num_bins):
        largest = _bound_information(bank.items, peaks, low=SCALE[0] + at * BIN_WIDTH)
        for row, members in enumerate(rows):
            best, first_out = _take_best(members, largest, length)
            indexes[at, row, : len(best)] = best
            bounds[at, row, : len(best)] = largest[best]
            bounds[at, row, -1] = first_out
    return ItemLists(
        indexes,
        _gather_parameters(bank.items, indexes),
        bounds,
        usable,
        np.array([float(len(members)) for members in rows[1:]]),
        exposure.digest if exposure is not None and cap is not None else None,
    )


def _bound_information(items: ItemParameters, peaks: Floats, *, low: float) -> Floats:
    """Return the largest information (I,) in the bin: information has one maximum, at the peak."""
    at = np.clip(peaks, low, low + BIN_WIDTH)
    shifted = ItemParameters(items.a, items.b - at, items.c, items.d)
    return compute_information_at(shifted, 0.0)


def _take_best(members: Indexes, largest: Floats, length: int) -> tuple[Indexes, float]:
    values = largest[members]
    if len(members) > length:
        keep = np.argpartition(-values, length)[: length + 1]
        members, values = members[keep], values[keep]
    order = np.lexsort((members, -values))
    first_out = float(values[order[length]]) if len(order) > length else -1.0
    return members[order[:length]], first_out


def _gather_parameters(items: ItemParameters, indexes: NDArray[np.int32]) -> Floats:
    at = np.maximum(indexes, 0)
    if len(items) == 0:
        return np.ones((*indexes.shape[:2], 4, indexes.shape[2]))
    return np.stack([items.a[at], items.b[at], items.c[at], items.d[at]], axis=2)
