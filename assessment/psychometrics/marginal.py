"""The E-step: how likely each theta is for each row of answers, and what that implies."""

from dataclasses import dataclass

import numpy as np

from assessment.psychometrics.curves import compute_log_probabilities, compute_logistic
from assessment.psychometrics.items import Floats, ItemParameters
from assessment.psychometrics.responses import Responses

ROWS = 16_384
# Rows of answers taken at a time: 8 MB of posterior on 61 nodes.


@dataclass(frozen=True)
class Population:
    """Normal distribution of theta; logits."""

    mean: float
    sd: float


@dataclass(frozen=True, eq=False)
class Expectation:
    """Expected counts over the nodes.

    Attributes
    ----------
    right, answers : (Q, I) float
        Expected right answers, and answers, at each node.
    mass : (Q,) float
        Expected persons at each node.
    log_likelihood : float
        Marginal log-likelihood of all rows.
    """

    right: Floats
    answers: Floats
    mass: Floats
    log_likelihood: float

    def find_population(self, nodes: Floats) -> Population:
        """Return mean and SD of the expected persons."""
        shares = self.mass / self.mass.sum()
        mean = float(shares @ nodes)
        return Population(mean, float(np.sqrt(shares @ (nodes - mean) ** 2)))


def make_nodes(num_nodes: int, reach: float) -> Floats:
    """Return equally spaced nodes on [-reach, reach]."""
    return np.linspace(-reach, reach, num_nodes)


def weigh_nodes(nodes: Floats, population: Population) -> Floats:
    """Return log weights (Q,) of the population at the nodes; the weights sum to 1."""
    log_density = -0.5 * ((nodes - population.mean) / population.sd) ** 2
    return np.asarray(log_density - np.log(np.exp(log_density).sum()))


def compute_posteriors(
    responses: Responses, items: ItemParameters, nodes: Floats, population: Population
) -> tuple[Floats, Floats]:
    """Return posterior weights (N, Q), each row of sum 1, and log-likelihoods (N,)."""
    log_p, log_q = compute_log_probabilities(items, nodes)
    log_joint = responses.right @ (log_p - log_q).T
    if responses.seen is None:
        log_joint += log_q.sum(axis=1) + weigh_nodes(nodes, population)
    else:
        log_joint += responses.seen @ log_q.T + weigh_nodes(nodes, population)
    top = log_joint.max(axis=1, keepdims=True)
    log_joint -= top
    np.exp(log_joint, out=log_joint)
    total = log_joint.sum(axis=1, keepdims=True)
    log_joint /= total
    return log_joint, (top + np.log(total))[:, 0]


def compute_expectation(
    responses: Responses, items: ItemParameters, nodes: Floats, population: Population
) -> Expectation:
    """Return the expected counts, in pieces of rows."""
    right = np.zeros((len(nodes), len(items)))
    answers, mass = np.zeros_like(right), np.zeros(len(nodes))
    log_likelihood = 0.0
    for piece in split_rows(responses):
        posterior, log_rows = compute_posteriors(piece, items, nodes, population)
        posterior *= piece.weights[:, None]
        right += posterior.T @ piece.right
        mass_here = posterior.sum(axis=0)
        mass += mass_here
        answers += mass_here[:, None] if piece.seen is None else posterior.T @ piece.seen
        log_likelihood += float(piece.weights @ log_rows)
    return Expectation(right, answers, mass, log_likelihood)


def split_rows(responses: Responses) -> list[Responses]:
    """Return the answers in pieces of at most ROWS rows."""
    if len(responses.right) <= ROWS:
        return [responses]
    pieces = []
    for start in range(0, len(responses.right), ROWS):
        at = slice(start, start + ROWS)
        seen = responses.seen[at] if responses.seen is not None else None
        pieces.append(Responses(responses.right[at], seen, responses.weights[at]))
    return pieces


def compute_slopes(items: ItemParameters, nodes: Floats) -> tuple[Floats, Floats, Floats]:
    """Return P, 1 - P (Q, I) and the slopes (3, Q, I) of P by log a, b and logit c."""
    x, s, t = compute_logistic(items, nodes)
    gap = items.d - items.c
    bell = gap * s * t
    slopes = np.stack([bell * x, -bell * items.a, t * items.c * (1.0 - items.c)])
    p = np.maximum(items.c + gap * s, 1e-300)
    q = np.maximum((1.0 - items.d) + gap * t, 1e-300)
    return p, q, slopes


def compute_item_scores(
    responses: Responses, items: ItemParameters, nodes: Floats, population: Population
) -> Floats:
    """Return the scores (3, N, I): slopes of each row's log-likelihood by each coordinate.

    The row's score is the posterior mean of the complete-data score (Louis 1982).
    """
    p, q, slopes = compute_slopes(items, nodes)
    scores = np.zeros((3, *responses.right.shape))
    start = 0
    for piece in split_rows(responses):
        posterior, _ = compute_posteriors(piece, items, nodes, population)
        at = slice(start, start + len(piece.right))
        wrong = (1.0 if piece.seen is None else piece.seen) - piece.right
        for k in range(3 if np.any(items.c > 0) else 2):
            scores[k, at] = piece.right * (posterior @ (slopes[k] / p))
            scores[k, at] -= wrong * (posterior @ (slopes[k] / q))
        start += len(piece.right)
    return scores
