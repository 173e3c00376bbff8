"""A hard cap on how often an item is shown, from counts rolled up and frozen.

With N sessions begun and a cap r, an item shown k times may be shown once more while
k <= r (N + 1): afterwards it is at or under r of all sessions, plus one administration.
Items with k <= r N are preferred; the rest fill in, least shown first, so that a cap near
the smallest possible one does not leave a session without items.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assessment.psychometrics.items import Mask


@dataclass(frozen=True, eq=False)
class Exposure:
    """Counts of administrations, frozen.

    Attributes
    ----------
    num_sessions : int
        Sessions begun when the counts were rolled up.
    counts : (I,) int
        How many of them were given each item.
    """

    num_sessions: int
    counts: NDArray[np.int64]

    @cached_property
    def digest(self) -> str:
        """A name for these counts, kept in each administration's policy state."""
        content = f"{self.num_sessions}:".encode() + self.counts.astype("<i8").tobytes()
        return hashlib.sha256(content).hexdigest()[:16]


def make_exposure(num_sessions: int, counts: ArrayLike) -> Exposure:
    """Check and freeze counts."""
    array = np.array(counts, dtype=np.int64)
    if array.ndim != 1 or num_sessions < 0 or np.any(array < 0):
        raise ValueError("counts are a row of numbers that are not negative")
    array.setflags(write=False)
    return Exposure(num_sessions, array)


def check_cap(cap: float, *, length: int, num_items: int) -> None:
    """Refuse a cap under which a bank cannot fill its tests.

    Raises
    ------
    ValueError
        When the cap is below length / bank size, or above 1.
    """
    smallest = length / num_items if num_items else float("inf")
    if not smallest <= cap <= 1.0:
        raise ValueError(
            f"an exposure cap of {cap} with {length} items a test needs"
            f" {smallest:.4f} <= cap <= 1 in a bank of {num_items}"
        )


def find_preferred(exposure: Exposure, cap: float) -> Mask:
    """Return the items (I,) at or under the cap of the sessions begun."""
    return np.asarray(exposure.counts <= cap * exposure.num_sessions)


def find_allowed(exposure: Exposure, cap: float) -> Mask:
    """Return the items (I,) that one more administration leaves within the hard cap."""
    return np.asarray(exposure.counts <= cap * (exposure.num_sessions + 1))
