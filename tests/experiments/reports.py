"""Worker messages for tests, made by the contract from what a run was asked."""

from dataclasses import replace

from assessment.experiments.models import Run
from gpu_worker.contracts import Provenance, RunReport, WorkerHello, encode
from tests.feedback.measurements import make_tradeoff

AT = "2026-11-30T12:00:00+00:00"
CODE, TORCH = "c0de" * 16, "70ac" * 16


def make_report(run: Run, *, state: str = "measured", **changes: object) -> RunReport:
    """The end report of this run's current attempt, with the parameters it was asked with."""
    measurement = None
    if state == "measured":
        found = make_tradeoff()
        provenance: Provenance = replace(
            found.provenance,
            parameters=run.parameters,
            seed=run.seed,
            code_digest=CODE,
            torch_digest=TORCH,
        )
        measurement = replace(found, provenance=provenance)
    values = {
        "run_id": str(run.id),
        "attempt": run.attempt,
        "worker": "cpu@test",
        "state": state,
        "at": AT,
        "measurement": measurement,
        **changes,
    }
    return RunReport(**values)


def make_hello(*, device: str = "cpu", code: str = CODE, worker: str = "cpu@test") -> WorkerHello:
    return WorkerHello(
        worker=worker,
        device=device,
        device_name="test",
        code_digest=code,
        torch_digest=TORCH,
        torch="2.13.0",
        queues=(f"runs-{device}",),
        at=AT,
        busy=False,
    )


__all__ = ["encode", "make_hello", "make_report"]
