"""Parameters before there are answers, and how many answers each model asks for."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from assessment.psychometrics.calibration import (
    FIXED,
    ONE_PL,
    THREE_PL,
    TWO_PL,
    ItemPriors,
    make_priors,
)
from assessment.psychometrics.items import Floats, Indexes, ItemParameters, make_items

Kind = Literal["single", "multiple", "numeric", "ordering"]

LEVEL_DIFFICULTIES = {1: -1.0, 2: 0.0, 3: 1.0}
# Three levels one population SD apart: with a residual of .8 the difficulties of a bank spread
# 1.1 logits, as those of calibrated banks do.
LEVEL_SD = 0.8
START_A = 1.0
LOG_A_SD = 0.3
# The spread of log a in calibrated banks, lognormal(.1, .3), which simulations here use too.
LOGIT_C_SD = 0.5
# Holds c near the authored floor: .25 +- .09 at one SD.

MIN_ONE_PL, MIN_TWO_PL, MIN_THREE_PL = 30, 200, 1000
# Answers to an item from which b, then a, then (only on request) c is estimated.


def find_guess_floor(kind: Kind, num_options: int, *, audited: float | None = None) -> float:
    """Return the chance of a right answer by guessing.

    Parameters
    ----------
    num_options : int
        Options of a choice, elements of an ordering; 0 for a number.
    audited : float or None
        What the bank's guesser audit says of a flagged item, which wins where it is higher.
    """
    if kind == "numeric":
        chance = 0.0
    elif num_options < 2:
        raise ValueError(f"a {kind} item needs two options")
    elif kind == "single":
        chance = 1.0 / num_options
    elif kind == "multiple":
        chance = 1.0 / (2.0**num_options - 1.0)
    else:
        chance = float(np.prod(1.0 / np.arange(1.0, num_options + 1.0)))
    return max(chance, audited or 0.0)


def make_authored_items(levels: Sequence[int], floors: ArrayLike) -> ItemParameters:
    """Return provisional parameters: a = 1, b from the authored level, c the guess floor."""
    return make_items(START_A, [LEVEL_DIFFICULTIES[level] for level in levels], c=floors)


def make_authored_priors(items: ItemParameters) -> ItemPriors:
    """Return the priors that provisional parameters stand for."""
    return make_priors(
        len(items),
        log_a=np.log(items.a),
        log_a_sd=LOG_A_SD,
        b=items.b,
        b_sd=LEVEL_SD,
        c=np.clip(items.c, 1e-3, 0.9),
        logit_c_sd=LOGIT_C_SD,
    )


def choose_models(num_answers: ArrayLike, *, wants_three_pl: bool = False) -> Indexes:
    """Return which model (I,) so many answers carry; FIXED keeps the authored prior."""
    counts = np.asarray(num_answers)
    models = np.full(counts.shape, FIXED, dtype=np.intp)
    models[counts >= MIN_ONE_PL] = ONE_PL
    models[counts >= MIN_TWO_PL] = TWO_PL
    if wants_three_pl:
        models[counts >= MIN_THREE_PL] = THREE_PL
    return models


def draw_plausible_items(
    items: ItemParameters, b_sd: Floats, *, num_draws: int, rng: np.random.Generator
) -> list[ItemParameters]:
    """Return banks as they may truly be, given how uncertain each difficulty is."""
    draws = []
    for _ in range(num_draws):
        b = np.clip(items.b + b_sd * rng.standard_normal(len(items)), -50.0, 50.0)
        draws.append(ItemParameters(items.a, b, items.c, items.d))
    return draws
