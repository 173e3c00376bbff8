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
MIN_COMPARED = 5
# Quartiles of fewer changes say nothing of their spread.


@dataclass(frozen=True, eq=False)
class Drift:
    """Change of I difficulties between two calibrations, on the first one's scale.

    Attributes
    ----------
    change : (I,) float
        New b minus old b minus the median change, logits; NaN where neither b has an error.
    wald : (I,) float
        The change over its standard error; NaN likewise.
    robust : (I,) float or None
        The change over .74 IQR of all changes; None with fewer than 5 items to compare.
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
    error = np.hypot(np.asarray(old_se, dtype=np.float64), np.asarray(new_se, dtype=np.float64))
    is_known = np.isfinite(error) & (error > 0)
    known = raw[is_known]
    if len(known) < MIN_COMPARED:
        change = np.where(is_known, raw, np.nan)
        wald = np.divide(change, error, out=np.full_like(raw, np.nan), where=is_known)
        return Drift(change, wald, None, is_known & (np.abs(wald) > WALD_LIMIT))
    change = np.where(is_known, raw - np.median(known), np.nan)
    wald = np.divide(change, error, out=np.full_like(raw, np.nan), where=is_known)
    low, high = np.percentile(known, [25, 75])
    robust = change / max(NORMAL_IQR * float(high - low), 1e-12)
    is_far = (np.abs(wald) > WALD_LIMIT) & (np.abs(robust) > ROBUST_LIMIT)
    return Drift(change, wald, robust, is_known & is_far)
