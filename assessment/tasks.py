"""CPU chores of the Django side, as Celery tasks. Each gets an id and calls one function."""

from uuid import UUID

from assessment.celery_app import app


@app.task(name="assessment.calibrate")
def calibrate(proposal_id: str) -> str:
    """Work out a calibration that was asked for; the state it ends in."""
    from assessment import flow

    return flow.work_out_calibration(UUID(proposal_id))


@app.task(name="assessment.draw_figures")
def draw_figures(run_id: str) -> int:
    """Draw the figures of a finished run; how many."""
    from assessment import flow

    return flow.draw_figures(UUID(run_id))
