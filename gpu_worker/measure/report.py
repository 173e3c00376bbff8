"""The end of an experiment: everything it found, as the message that travels."""

from collections.abc import Mapping, Sequence

from torch import Tensor

from gpu_worker.contracts import (
    ClaimResult,
    FlopArm,
    Measurement,
    MemoryArm,
    Scalar,
    Scaling,
    Table,
    Timing,
)
from gpu_worker.measure.compare import digest_tensors
from gpu_worker.measure.memory import Trace
from gpu_worker.measure.passes import MEASURED_PASSES, SIMULATED_PASSES
from gpu_worker.measure.provenance import describe_environment, describe_run
from gpu_worker.measure.sampling import pack_traces
from gpu_worker.measure.setup import Run


def build_measurement(
    run: Run,
    *,
    claims: Sequence[ClaimResult],
    memory: Sequence[MemoryArm] = (),
    flops: Sequence[FlopArm] = (),
    timing: Timing | None = None,
    facts: Mapping[str, Scalar],
    gradients: Mapping[str, Tensor] | None = None,
    traces: Mapping[str, Trace] | None = None,
    scaling: Scaling | None = None,
    tables: Sequence[Table] = (),
    passes: tuple[str, ...] | None = None,
) -> Measurement:
    """`gradients` are those of the arm whose digest a rerun must meet."""
    if passes is None:
        passes = SIMULATED_PASSES if run.simulate else MEASURED_PASSES
    digest = digest_tensors(gradients) if gradients else None
    backend = "fake" if run.simulate else "tensor"
    return Measurement(
        claims=tuple(claims),
        memory=tuple(memory),
        flops=tuple(flops),
        timing=timing,
        environment=describe_environment(run),
        provenance=describe_run(run, backend=backend, passes=passes, gradient_digest=digest),
        facts=dict(facts),
        scaling=scaling,
        tables=tuple(tables),
        trace=pack_traces(traces) if traces else None,
    )
