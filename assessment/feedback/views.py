"""What feedback is told of a demonstration: plain values, no model of another stage."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Kind = Literal["refute", "support", "what_if"]
DemonstrationState = Literal["waiting", "measured", "simulated", "failed", "not_run"]


@dataclass(frozen=True)
class DemonstrationView:
    """One demonstration as the experiments stage reads it.

    kind : "refute" answers a wrong option, "support" a right one, "what_if" a learner's own
    numbers. measurement : the `measurement` of the run's report as JSON; None until there is
    one (a failed run may have measured a part). reason : why it failed (`contracts.REASONS`)
    or was not run. reused_from : when the run was measured, if that was before this answer.
    queue_position : runs in front of this one. parameters : what the run was asked with.
    answered_value : the number of a numeric answer, in the item's unit.
    """

    id: str
    state: DemonstrationState
    item_version_id: str
    chosen_options: tuple[str, ...]
    experiment: str | None
    kind: Kind = "refute"
    reason: str | None = None
    delayed: bool = False
    reused_from: datetime | None = None
    queue_position: int | None = None
    attempt: int | None = None
    requested_at: datetime | None = None
    sent_at: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    measurement: Mapping[str, object] | None = None
    parameters: Mapping[str, object] | None = None
    answered_value: float | None = None

    @property
    def has_result(self) -> bool:
        return self.state in ("measured", "simulated") and self.measurement is not None
