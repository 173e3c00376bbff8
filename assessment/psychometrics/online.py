"""A running estimate of each difficulty, for monitoring between calibrations only.

Nothing is published from it: it sees adaptive answers one at a time and never looks back.
"""

from dataclasses import dataclass

import numpy as np

from assessment.psychometrics.curves import compute_probability
from assessment.psychometrics.items import ItemParameters
from assessment.psychometrics.posterior import Posterior


@dataclass(frozen=True)
class Difficulty:
    """A normal belief about one item's b, logits, after `num_answers` answers."""

    mean: float
    sd: float
    num_answers: int = 0


def update_difficulty(
    belief: Difficulty, item: ItemParameters, *, posterior: Posterior, is_right: bool
) -> Difficulty:
    """Return the belief after one answer, by moment matching (Minka 2001).

    Parameters
    ----------
    item : ItemParameters
        One item; its b is not used.
    posterior : Posterior
        Of the person's theta before this answer.
    """
    b = belief.mean + belief.sd * np.linspace(-6.0, 6.0, 61)
    weights = np.exp(-0.5 * np.linspace(-6.0, 6.0, 61) ** 2)
    at_zero = ItemParameters(item.a, np.zeros(1), item.c, item.d)
    differences = (posterior.nodes[:, None] - b).ravel()
    p = compute_probability(at_zero, differences).reshape(len(posterior.nodes), len(b))
    p_right = posterior.weights @ p
    weights = weights * (p_right if is_right else 1.0 - p_right)
    weights /= weights.sum()
    mean = float(weights @ b)
    sd = float(np.sqrt(weights @ (b - mean) ** 2))
    return Difficulty(mean, sd, belief.num_answers + 1)
