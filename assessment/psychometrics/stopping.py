"""When an adaptive test ends, and with which reason."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from assessment.psychometrics.curves import compute_log_likelihood
from assessment.psychometrics.items import ItemParameters, Mask

Reason = Literal[
    "bank_empty",
    "bank_exhausted",
    "max_items",
    "time",
    "classified",
    "standard_error",
    "no_useful_item",
]
Classification = Literal["above", "below", "continue"]


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test of theta above or below `cut` (Wald 1947).

    The hypotheses are cut - delta and cut + delta; `alpha` and `beta` bound the shares of
    wrong decisions (Reckase 1983).
    """

    cut: float
    delta: float = 0.5
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        is_test = math.isfinite(self.cut) and 0 < self.delta < math.inf
        if not (is_test and 0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"not a test: {self}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log ratios at which to decide below and above."""
        return (
            float(np.log(self.beta / (1.0 - self.alpha))),
            float(np.log((1.0 - self.beta) / self.alpha)),
        )


@dataclass(frozen=True)
class StopRule:
    """When to end. Nothing but the bank and the clock ends a test before `min_items`.

    Attributes
    ----------
    min_items, max_items : int
        Scored items.
    standard_error : float or None
        End when the posterior SD is at or under it, logits.
    min_information : float or None
        End when the next item tells less than this at theta, per logit squared.
    sprt : Sprt or None
        End when pass or fail is decided.
    time_s : float or None
        End when this much time has passed, seconds.
    """

    min_items: int = 1
    max_items: int = 20
    standard_error: float | None = None
    min_information: float | None = None
    sprt: Sprt | None = None
    time_s: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.min_items <= self.max_items or self.max_items < 1:
            raise ValueError(f"0 <= min_items <= max_items, at least 1: {self}")
        for limit in (self.standard_error, self.min_information, self.time_s):
            if limit is not None and not 0 <= limit < math.inf:
                raise ValueError(f"a limit is a number that is not negative: {self}")

    def as_json(self) -> dict[str, object]:
        """Return the rule as plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> "StopRule":
        """Return the rule that `as_json` wrote."""
        fields = dict(data)
        sprt = fields.pop("sprt", None)
        return cls(**fields, sprt=Sprt(**sprt) if isinstance(sprt, dict) else None)  # type: ignore[arg-type]


def compute_log_ratio(items: ItemParameters, responses: ArrayLike, sprt: Sprt) -> float:
    """Return log L(cut + delta) - log L(cut - delta) of these answers (I,)."""
    at = [sprt.cut - sprt.delta, sprt.cut + sprt.delta]
    below, above = compute_log_likelihood(items, at, responses)
    return float(above - below)


def classify(
    items: ItemParameters,
    responses: ArrayLike,
    sprt: Sprt,
    *,
    provisional: Mask | None = None,
) -> Classification:
    """Decide pass or fail, or say `continue`.

    Answers to `provisional` items are left out: parameters that rest on an author's level
    carry no decision.
    """
    answers = np.asarray(responses)
    if provisional is not None:
        items, answers = items.take(~provisional), answers[~provisional]
    ratio = compute_log_ratio(items, answers, sprt)
    low, high = sprt.bounds
    if ratio >= high:
        return "above"
    return "below" if ratio <= low else "continue"


def decide_stop(
    rule: StopRule,
    *,
    num_items: int,
    num_available: int,
    standard_error: float,
    best_information: float | None = None,
    classification: Classification = "continue",
    elapsed_s: float = 0.0,
) -> Reason | None:
    """Return the reason to end now, or None to go on.

    Parameters
    ----------
    num_items : int
        Scored items answered.
    num_available : int
        Items that may still be asked.
    best_information : float or None
        What the next item would tell at theta; None when it is not known.
    """
    if num_available == 0 and num_items == 0:
        return "bank_empty"
    if rule.time_s is not None and elapsed_s >= rule.time_s:
        return "time"
    if num_items >= rule.max_items:
        return "max_items"
    if num_available == 0:
        return "bank_exhausted"
    if num_items < rule.min_items:
        return None
    if rule.sprt is not None and classification != "continue":
        return "classified"
    if rule.standard_error is not None and standard_error <= rule.standard_error:
        return "standard_error"
    floor = rule.min_information
    is_useless = floor is not None and best_information is not None and best_information < floor
    return "no_useful_item" if is_useless else None
