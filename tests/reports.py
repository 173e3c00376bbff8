"""Reports of runs as a worker sends them, taken in by the real ingest."""

import dataclasses
from typing import Any

from django.utils import timezone

from assessment.experiments.ingest import take_message
from assessment.experiments.models import Demonstration, Run
from gpu_worker.contracts import RunReport, encode
from tests.feedback.measurements import make_tradeoff


def report_measured(run: Run, **changes: Any) -> None:
    """The run is measured: the numbers of the reference machine, for the run's own parameters."""
    found = make_tradeoff(**changes)
    origin = dataclasses.replace(found.provenance, parameters=dict(run.parameters), seed=run.seed)
    report = RunReport(
        run_id=str(run.id),
        attempt=run.attempt,
        worker="test-worker",
        state="measured",
        at=timezone.now().isoformat(),
        measurement=dataclasses.replace(found, provenance=origin),
        wall_s=3.0,
    )
    assert take_message(encode(report)) == "measured"


def find_run(demonstration: str) -> Run:
    shown = Demonstration.objects.select_related("run").get(pk=demonstration)
    assert shown.run is not None
    return shown.run
