"""How hard each item seems by the adaptive answers since its version was published.

A running estimate, for people who watch a bank between calibrations. Nothing is decided by it
and nothing is published from it.
"""

import math
from dataclasses import dataclass
from datetime import datetime

from assessment.analytics.services import collect_answers
from assessment.bank.estimates import read_errors
from assessment.bank.snapshot import Snapshot
from assessment.psychometrics.cold_start import LEVEL_SD
from assessment.psychometrics.drift import WALD_LIMIT
from assessment.psychometrics.items import make_items
from assessment.psychometrics.online import Difficulty, update_difficulty
from assessment.psychometrics.posterior import Posterior, Prior, start_posterior
from assessment.scoring.selectors import list_thetas

NUM_NODES = 41
# Of a person's theta; the belief on an item is moved by a mean over them, not by their ends.


@dataclass(frozen=True)
class Watched:
    """One item: the b in use, and what the answers since then say of it; logits."""

    slug: str
    is_provisional: bool
    b: float
    seen: Difficulty
    error: float

    @property
    def is_off(self) -> bool:
        """Whether the two differ by more than their errors explain, once in a hundred items."""
        return abs(self.seen.mean - self.b) > WALD_LIMIT * math.hypot(self.seen.sd, self.error)


def watch_difficulties(snapshot: Snapshot) -> list[Watched]:
    """The items that were answered in adaptive sessions on this version, as the bank has them."""
    thetas = _find_thetas_before(snapshot.bank_version_id)
    seen: dict[str, Difficulty] = {}
    for one in collect_answers(snapshot):
        before = thetas.get((str(one.person_id), one.item_id, one.received_at))
        if before is None:
            continue
        item = snapshot.items[one.item_id]
        belief = seen.get(one.item_id, Difficulty(item.b, LEVEL_SD))
        parameters = make_items(item.a, item.b, c=item.c, d=item.d)
        seen[one.item_id] = update_difficulty(
            belief, parameters, posterior=before, is_right=one.is_right
        )
    errors = read_errors(snapshot.bank_version_id)
    return [
        Watched(item.slug, item.provisional, item.b, seen[one], errors.get(one, 0.0))
        for one, item in snapshot.items.items()
        if one in seen
    ]


def _find_thetas_before(bank_version_id: str) -> dict[tuple[str, str, datetime], Posterior]:
    """What was known of the person before each adaptive answer: the session's last theta."""
    found: dict[tuple[str, str, datetime], Posterior] = {}
    last: dict[str, Prior] = {}
    for row in list_thetas(bank_version_id):
        prior = last.get(row.session_id, Prior())
        at = (row.person_id, row.item_id, row.received_at)
        found[at] = start_posterior(prior=prior, num_nodes=NUM_NODES)
        last[row.session_id] = Prior(row.theta, row.standard_error)
    return found
