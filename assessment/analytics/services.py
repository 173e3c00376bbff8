"""Writes: proposing a calibration from the answers so far, and publishing it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np
from django.db import transaction
from django.utils import timezone

from assessment.analytics.exposures import GivenAnswer, keep_first_exposures, make_matrix
from assessment.analytics.models import CalibrationProposal
from assessment.bank.estimates import (
    Estimate,
    publish_estimates,
    read_concepts,
    read_errors,
)
from assessment.bank.snapshot import Snapshot, get_snapshot
from assessment.core import outbox
from assessment.core.errors import Conflict, NotFound
from assessment.core.times import format_time
from assessment.psychometrics.cold_start import (
    MIN_ONE_PL,
    make_authored_items,
    make_authored_priors,
)
from assessment.psychometrics.items import make_items
from assessment.psychometrics.proposal import Proposal, propose_calibration
from assessment.psychometrics.responses import Responses, make_responses
from assessment.scoring.selectors import list_first_scores

if TYPE_CHECKING:
    from assessment.bank.models import BankVersion

CALIBRATION_TOPIC = "calibration"

ESTIMATED = ("1PL", "2PL", "3PL")
# What a row's model is where its parameters were estimated: not authored, kept, or an anchor.


def request_calibration(
    bank_version_id: str, *, wants_three_pl: bool, is_anchored: bool
) -> CalibrationProposal:
    """Leave the work to the task worker. Must run in a transaction."""
    made = CalibrationProposal.objects.create(
        bank_version_id=bank_version_id, wants_three_pl=wants_three_pl, is_anchored=is_anchored
    )
    outbox.write_message(
        topic=CALIBRATION_TOPIC,
        key=str(made.id),
        not_before=timezone.now(),
        priority=outbox.ROUTINE,
    )
    return made


def get_proposal(proposal_id: UUID) -> CalibrationProposal:
    """Raises NotFound."""
    found = CalibrationProposal.objects.filter(pk=proposal_id).first()
    if found is None:
        raise NotFound("calibration_not_found")
    return found


def describe_proposal(proposal: CalibrationProposal) -> dict[str, object]:
    """The proposal as authors read it: one row an item, unknown values null."""
    return {
        "id": str(proposal.id),
        "state": proposal.state,
        "reason": proposal.reason or None,
        "bank_version": str(proposal.bank_version_id),
        "is_anchored": proposal.is_anchored,
        "num_persons": proposal.num_persons,
        "num_answers": proposal.num_answers,
        "created_at": format_time(proposal.created_at),
        "finished_at": format_time(proposal.finished_at),
        "published_version": str(proposal.published_version_id)
        if proposal.published_version_id
        else None,
        "rows": proposal.rows,
    }


def work_out_proposal(proposal_id: UUID) -> CalibrationProposal:
    """Calibrate on the answers of now. Idempotent: a proposal that is ready stays as it is."""
    proposal = get_proposal(proposal_id)
    if proposal.state != "requested":
        return proposal
    snapshot = get_snapshot(proposal.bank_version_id)
    answers = collect_answers(snapshot)
    if not answers:
        return _finish(proposal, state="failed", reason="no_answers")
    matrix = make_matrix(answers, snapshot.item_index)
    found = _propose(proposal, snapshot, make_responses(matrix))
    proposal.rows = [
        {**row, "item": snapshot.slugs[i], "item_version": snapshot.version_ids[i]}
        for i, row in enumerate(found.list_rows())
    ]
    proposal.num_persons, proposal.num_answers = len(matrix), int(np.isfinite(matrix).sum())
    return _finish(proposal, state="ready")


def _propose(proposal: CalibrationProposal, snapshot: Snapshot, responses: Responses) -> Proposal:
    """All answers speak anew: the priors are the authored levels', whatever was published."""
    is_calibrated = ~snapshot.is_provisional
    errors = read_errors(snapshot.bank_version_id)
    anchors = is_calibrated & (responses.num_answers >= MIN_ONE_PL)
    return propose_calibration(
        responses,
        make_items(snapshot.a, snapshot.b, c=snapshot.c, d=snapshot.d),
        is_anchor=anchors if proposal.is_anchored else None,
        is_calibrated=is_calibrated,
        present_se_b=np.array([errors.get(one, np.nan) for one in snapshot.version_ids]),
        wants_three_pl=proposal.wants_three_pl,
        priors=make_authored_priors(make_authored_items(snapshot.level.tolist(), snapshot.c)),
    )


def fail_proposal(proposal_id: UUID, *, reason: str) -> None:
    """End a proposal that was not worked out; one that has ended stays as it is."""
    asked = CalibrationProposal.objects.filter(pk=proposal_id, state="requested")
    asked.update(state="failed", reason=reason, finished_at=timezone.now())


def collect_answers(snapshot: Snapshot) -> list[GivenAnswer]:
    """The answers that may calibrate this version's items; see `exposures`.

    Evidence read on an older version of an item, or on one that is gone, teaches as well.
    """
    rows = (GivenAnswer(*row) for row in list_first_scores())
    kept = keep_first_exposures(rows, read_concepts())
    return [one for one in kept if one.item_id in snapshot.item_index]


def publish_proposal(proposal_id: UUID, *, by: str) -> BankVersion:
    """The next bank version with the proposed parameters; items not estimated keep theirs.

    Raises Conflict unless the proposal is ready. Old scores keep their version.
    """
    with transaction.atomic():
        locked = CalibrationProposal.objects.select_for_update()
        proposal = locked.filter(pk=proposal_id).first()
        if proposal is None:
            raise NotFound("calibration_not_found")
        if proposal.state != "ready":
            raise Conflict("calibration_not_ready")
        estimates = [_read_estimate(row) for row in proposal.rows if row["model"] in ESTIMATED]
        if not estimates:
            raise Conflict("calibration_changes_nothing")
        version = publish_estimates(estimates, by=by, note=f"calibration {proposal.id}")
        proposal.published_version_id = version.id
        _finish(proposal, state="published")
    return version


def _read_estimate(row: dict[str, object]) -> Estimate:
    def number(name: str) -> float | None:
        value = row[name]
        return float(value) if isinstance(value, int | float) else None

    return Estimate(
        item_version_id=UUID(str(row["item_version"])),
        model=str(row["model"]),
        a=number("a") or 1.0,
        b=number("b") or 0.0,
        c=number("c") or 0.0,
        d=number("d") or 1.0,
        se_a=number("se_a"),
        se_b=number("se_b"),
        se_c=number("se_c"),
        num_answers=int(number("num_answers") or 0),
    )


def _finish(proposal: CalibrationProposal, *, state: str, reason: str = "") -> CalibrationProposal:
    proposal.state, proposal.reason, proposal.finished_at = state, reason, timezone.now()
    proposal.save()
    return proposal
