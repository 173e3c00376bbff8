"""The served path: the best items of each theta bin and concept, listed once per bank.

A list holds the items with the largest information anywhere in its bin, in that order. A
request walks down the list, computes the information of each item at its own theta, and
stops where nothing below can beat what it has (the threshold algorithm of Fagin et al.
2003). Where a list ends too early to tell, the caller scans the bank. So the cost does not
depend on the size of the bank, and nothing is approximate.
"""

import heapq
import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assessment.psychometrics.banks import Bank
from assessment.psychometrics.curves import (
    compute_information_at,
    compute_item_information,
    find_peak,
)
from assessment.psychometrics.exposure import Exposure, find_preferred
from assessment.psychometrics.items import Floats, Indexes, ItemParameters

BIN_WIDTH = 0.1
SCALE = (-6.0, 6.0)
# Thetas outside these bins are served by a scan; a posterior under N(0, 1) hardly goes there.
LIST_LENGTH = 64
# Longer than any test with its enemies, so that exclusions rarely empty a list.

TIE = 1e-9
# Items whose worth differs by less are equal: authored items of one level all are.

Ranked = tuple[float, int]
# What an item is worth, and its index.


@dataclass(frozen=True, eq=False)
class ItemLists:
    """Lists for G bins and K concepts; row 0 of the second axis is the whole bank.

    Attributes
    ----------
    items : ItemParameters
        All items of the bank.
    indexes : (G, K + 1, L) int32
        Item indexes, best first; -1 after the end of a short list.
    bounds : (G, K + 1, L + 1) float
        Largest information in the bin of each item and of the first item left out
        (-1 where there is none).
    usable : (I,) bytes
        1 for a scored item at or under its cap, else 0.
    num_usable : (K,) int
        How many of them each concept has.
    exposure : str or None
        Digest of the counts whose cap left items out.
    """

    items: ItemParameters
    indexes: NDArray[np.int32]
    bounds: Floats
    usable: bytes
    num_usable: tuple[int, ...]
    exposure: str | None

    def find_bin(self, theta: float) -> int | None:
        """Return the bin of theta, or None outside the scale."""
        at = int((theta - SCALE[0]) / BIN_WIDTH)
        return at if SCALE[0] <= theta and at < len(self.indexes) else None

    def rank(
        self, theta: float, *, blocked: AbstractSet[int], count: int, concept: int | None = None
    ) -> list[Ranked] | None:
        """Return the `count` most informative items that are not blocked, and all equal ones.

        Returns
        -------
        list of (information, index), or None
            None when only a scan of the bank can tell.
        """
        at = self.find_bin(theta)
        if at is None:
            return None
        row = 0 if concept is None else concept + 1
        bounds = self.bounds[at, row].tolist()
        if bounds[-1] >= find_floor(bounds[0]) >= 0.0:
            return None  # Items that are equal to all that are listed were left out.
        found: list[Ranked] = []
        top, floor = [-1.0] * count, -1.0
        for place, index in enumerate(self.indexes[at, row].tolist()):
            if index < 0 or bounds[place] < floor:
                return [one for one in found if one[0] >= floor]
            if index not in blocked:
                worth = compute_item_information(self.items, index, theta)
                found.append((worth, index))
                heapq.heappushpop(top, worth)
                floor = find_floor(top[0])
        is_certain = bounds[-1] < max(floor, 0.0)
        return [one for one in found if one[0] >= floor] if is_certain else None

    def rank_balanced(
        self, theta: float, *, blocked: AbstractSet[int], count: int, penalties: Sequence[float]
    ) -> list[Ranked] | None:
        """Return the best by information / largest information - penalty, as `rank` does.

        The penalty is that of an item's concept. Concepts are taken in the order of the best
        that they could offer, until none of the others can reach what is there.

        Returns
        -------
        list of (score, index), or None
        """
        at, best = self.find_bin(theta), self.rank(theta, blocked=blocked, count=1)
        if at is None or not best:
            return None
        largest = max(max(best)[0], 1e-300)
        offers = (self.bounds[at, 1:, 0] / largest).tolist()
        hopes = [
            (offer - penalty, concept)
            for concept, (offer, penalty) in enumerate(zip(offers, penalties, strict=True))
            if offer >= 0.0
        ]
        ranked: list[Ranked] = []
        floor = -math.inf
        for hope, concept in sorted(hopes, reverse=True):
            if hope < floor:
                break
            found = self.rank(theta, blocked=blocked, count=count, concept=concept)
            if found is None:
                return None
            ranked += [(worth / largest - penalties[concept], index) for worth, index in found]
            ranked.sort(reverse=True)
            floor = find_floor(ranked[count - 1][0]) if len(ranked) >= count else floor
        return [one for one in ranked if one[0] >= floor]


def find_floor(value: float) -> float:
    """Return the least that still counts as equal to this worth or score."""
    return value - TIE * max(1e-300, abs(value))


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
        bank.items,
        indexes,
        bounds,
        usable.tobytes(),
        tuple(len(members) for members in rows[1:]),
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
