"""Whether an item has become easier or harder since it was calibrated."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assessment.psychometrics.items import Floats, Mask

WALD_LIMIT = 2.58
# The two-sided 1 % point of the normal distribution: one false alarm in 100 items.
ROBUST_LIMIT = 2.7
# Huynh and Meyer (2010, p. 28) flag anchors beyond it.
NORMAL_IQR = 0.74
# .74 of the interquartile range is the SD of a normal distribution.


@dataclass(frozen=True, eq=False)
class Drift:
    """Change of I difficulties between two calibrations, on the first one's scale.

    Attributes
    ----------
    change : (I,) float
        New b minus old b minus the median change, logits.
    wald : (I,) float
        The change over its standard error; NaN where neither b has one.
    robust : (I,) float or None
        The change over .74 IQR of all changes; None with fewer than 5 items.
    is_flagged : (I,) bool
    """

    change: Floats
    wald: Floats
    robust: Floats | None
    is_flagged: Mask


def find_drift(
    old_b: ArrayLike, new_b: ArrayLike, *, old_se: ArrayLike, new_se: ArrayLike
) -> Drift:
    """Compare two calibrations of the same items.

    An item is flagged when its change is large beside its errors and, with 5 items or
    more, also beside the spread of the other items' changes: with many answers every
    small change is significant, and with few answers the spread is mere noise.
    """
    raw = np.asarray(new_b, dtype=np.float64) - np.asarray(old_b, dtype=np.float64)
    change = raw - np.median(raw) if len(raw) >= 5 else raw
    error = np.hypot(np.asarray(old_se, dtype=np.float64), np.asarray(new_se, dtype=np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        wald = np.where(error > 0, change / error, np.nan)
    is_flagged = np.abs(np.nan_to_num(wald)) > WALD_LIMIT
    if len(raw) < 5:
        return Drift(change, wald, None, is_flagged)
    low, high = np.percentile(raw, [25, 75])
    robust = change / max(NORMAL_IQR * float(high - low), 1e-12)
    return Drift(change, wald, robust, is_flagged & (np.abs(robust) > ROBUST_LIMIT))
