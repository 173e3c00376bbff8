"""What a parametric family is: numbers that are drawn, formulas, and the run that checks them.

The formulas of the key and of each wrong answer live in Python; the texts, in every
language, live in `fixtures/bank/families/<slug>.yaml` with the numbers as {placeholders}.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Numbers = Mapping[str, float | str]
Report = Mapping[str, Any]
# One report of the laboratory as JSON; `gpu_worker.contracts.RunReport` says its shape.

Formula = Callable[[Numbers], float]


@dataclass(frozen=True)
class Wrong:
    """A formula that somebody with this belief would use.

    required : the instance is drawn again rather than given without it
    applies : some beliefs make sense for some numbers only
    """

    misconception: str
    formula: Formula
    required: bool = True
    applies: Callable[[Numbers], bool] = lambda numbers: True


@dataclass(frozen=True)
class Family:
    """A question whose numbers change.

    draw : rng -> numbers. key : numbers -> right answer in `unit`.
    parameters : numbers -> parameters of `experiment`, whose run confirms the key.
    read_key : (report, numbers) -> the answer that the run shows, never by `key`.
    claims : numbers -> claims of that run that bear on the key, the telling one first.
    predict : (answer, numbers) -> what the first claim would show if the answer were right.
    tolerance : absolute, or a share of the key when `relative`. agreement : how far run and
    formula may be apart, as a share of the key.
    gap : values closer than this are not told apart and drawn again; absolute when `absolute_gap`.
    """

    slug: str
    concept: str
    level: int
    experiment: str
    claims: Callable[[Numbers], tuple[str, ...]]
    draw: Callable[[np.random.Generator], Numbers]
    key: Formula
    wrong: tuple[Wrong, ...]
    parameters: Callable[[Numbers], dict[str, object]]
    read_key: Callable[[Report, Numbers], float]
    predict: Callable[[float, Numbers], float]
    unit: str = ""
    units: Mapping[str, float] = field(default_factory=dict)
    tolerance: float = 0.4
    relative: bool = False
    agreement: float = 1e-9
    gap: float = 0.1
    absolute_gap: bool = False
    references: tuple[str, ...] = ()

    def list_wrong(self, numbers: Numbers) -> dict[str, float] | None:
        """Belief -> its value; None when two required values cannot be told apart."""
        taken = [self.key(numbers)]
        found: dict[str, float] = {}
        for one in self.wrong:
            if not one.applies(numbers):
                continue
            value = one.formula(numbers)
            if all(self.is_apart(value, other) for other in taken):
                taken.append(value)
                found[one.misconception] = value
            elif one.required:
                return None
        return found

    def is_apart(self, first: float, second: float) -> bool:
        scale = 1.0 if self.absolute_gap else max(abs(first), abs(second))
        return abs(first - second) >= self.gap * scale


def number(numbers: Numbers, name: str) -> float:
    value = numbers[name]
    assert not isinstance(value, str)
    return value


def find_claim(report: Report, claim: str) -> Mapping[str, Any]:
    """The claim of a report. Raises ValueError when the run does not make it."""
    for one in (report["measurement"] or {}).get("claims", ()):
        if one["id"] == claim:
            found: Mapping[str, Any] = one
            return found
    raise ValueError(f"the run says nothing of {claim}")


def find_point(report: Report, claim: str, x: float) -> float:
    """What a claim observed at one place of its sweep."""
    for point in find_claim(report, claim)["points"]:
        if point["x"] == x:
            return float(point["observed"])
    raise ValueError(f"{claim} was not observed at {x:g}")


def find_arm(report: Report, name: str) -> Mapping[str, Any]:
    for arm in report["measurement"]["memory"]:
        if arm["name"] == name:
            found: Mapping[str, Any] = arm
            return found
    raise ValueError(f"the run has no arm {name}")
