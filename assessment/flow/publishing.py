"""What authors do to the bank: drafts published, items retired, calibrations taken over."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.db import transaction

from assessment.accounts.tokens import Bearer, require_right
from assessment.analytics import services as analytics
from assessment.bank import drafting
from assessment.bank.snapshot import get_current_version_id, get_snapshot
from assessment.core import outbox
from assessment.core.idempotency import Reply, RequestKey, answer_once
from assessment.delivery import exposure
from assessment.experiments import plans
from assessment.experiments import services as experiments

if TYPE_CHECKING:
    from assessment.bank.models import BankVersion

JsonObject = dict[str, object]


def publish_draft(bearer: Bearer, key: RequestKey, *, slug: str) -> Reply:
    """Serve the bank with this item from now on; sessions begun before keep their version."""
    require_right(bearer, "author")
    return answer_once(key, lambda: _tell_version(drafting.publish_draft(slug, by=bearer.name)))


def retire_item(bearer: Bearer, key: RequestKey, *, slug: str, reason: str) -> Reply:
    """Serve the bank without this item from now on."""
    require_right(bearer, "author")

    def work() -> Reply:
        return _tell_version(drafting.retire_item(slug, reason=reason, by=bearer.name))

    return answer_once(key, work)


def request_calibration(
    bearer: Bearer, key: RequestKey, *, wants_three_pl: bool, is_anchored: bool
) -> Reply:
    """Ask the task worker for parameters that the answers so far suggest."""
    require_right(bearer, "author")

    def work() -> Reply:
        made = analytics.request_calibration(
            get_current_version_id(), wants_three_pl=wants_three_pl, is_anchored=is_anchored
        )
        place = {"Location": f"/api/v1/calibrations/{made.id}"}
        return Reply(202, analytics.describe_proposal(made), place)

    return answer_once(key, work)


def read_calibration(bearer: Bearer, proposal_id: UUID) -> JsonObject:
    require_right(bearer, "author")
    return analytics.describe_proposal(analytics.get_proposal(proposal_id))


def publish_calibration(bearer: Bearer, key: RequestKey, proposal_id: UUID) -> Reply:
    """The next bank version, with the proposed parameters. Old scores keep their version."""
    require_right(bearer, "author")

    def work() -> Reply:
        return _tell_version(analytics.publish_proposal(proposal_id, by=bearer.name))

    return answer_once(key, work)


def work_out_calibration(proposal_id: UUID) -> str:
    """Calibrate on the answers of now; the state that the proposal ends in."""
    state = analytics.work_out_proposal(proposal_id).state
    outbox.settle(topic=analytics.CALIBRATION_TOPIC, key=str(proposal_id))
    return state


def give_up_calibration(key: str) -> None:
    """It cannot be worked out: say so, and ask no more."""
    analytics.fail_proposal(UUID(key), reason="crashed")
    outbox.settle(topic=analytics.CALIBRATION_TOPIC, key=key)


def open_bank_version(bank_version_id: str) -> int:
    """What a newly published version needs: its default runs, and the frozen exposure counts."""
    exposure.freeze_exposure(bank_version_id)
    return request_default_runs(bank_version_id)


def request_default_runs(bank_version_id: str) -> int:
    """Ask for every run that the version's answers may need; how many are not at hand yet."""
    num_asked = 0
    for plan in plans.list_default_plans(get_snapshot(bank_version_id)):
        with transaction.atomic():
            asked = experiments.request_run(plan, priority=outbox.ROUTINE)
        num_asked += isinstance(asked, experiments.RequestedRun) and not asked.is_reused
    return num_asked


def _tell_version(version: BankVersion) -> Reply:
    open_bank_version(str(version.id))
    return Reply(201, {"version": version.number, "id": str(version.id)}, {})
