"""CPU chores of the Django side, as Celery tasks. Each gets an id and calls one function."""

import logging
from uuid import UUID

from django.db import InterfaceError, OperationalError

from assessment.celery_app import app

log = logging.getLogger(__name__)


@app.task(name="assessment.calibrate")
def calibrate(proposal_id: str) -> str:
    """Work out a calibration that was asked for; the state it ends in."""
    from assessment.flow import publishing

    try:
        return publishing.work_out_calibration(UUID(proposal_id))
    except (OperationalError, InterfaceError):
        # The database is away: the outbox asks again.
        raise
    except Exception:
        log.exception("calibration %s cannot be worked out", proposal_id)
        publishing.give_up_calibration(proposal_id)
        return "failed"


@app.task(name="assessment.draw_figures")
def draw_figures(run_id: str) -> int:
    """Draw the figures of a finished run; how many."""
    from assessment.flow import evidence

    return evidence.draw_figures(UUID(run_id))
