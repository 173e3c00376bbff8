"""The measurement of a report as JSON holds it.

The shape was checked once, by `gpu_worker.contracts`, when the report was taken in; here it
is read without checking again. A test keeps these keys equal to the contract's fields.
"""

from collections.abc import Mapping, Sequence
from typing import TypedDict, cast

from gpu_worker.contracts import Json, Scalar

SIMULATED = "simulated"
# The device that a simulation names: it ran on none.


class PointJson(TypedDict):
    x: float
    observed: float | None
    expected: float | None


class ClaimJson(TypedDict):
    id: str
    observed: float | None
    expected: float | None
    relation: str
    tolerance: float
    unit: str
    verdict: str
    noise_floor: float | None
    points: Sequence[PointJson]
    facts: Mapping[str, Scalar]


class TimelineJson(TypedDict):
    op: Sequence[int]
    live: Sequence[int]
    backward_op: int | None


class MemoryArmJson(TypedDict):
    name: str
    stored: int | None
    peak: int | None
    total_peak: int | None
    allocator_peak: int | None
    parameters: int | None
    gradients: int | None
    optimizer_state: int | None
    timeline: TimelineJson | None
    unknown: Mapping[str, str]


class FlopArmJson(TypedDict):
    name: str
    total: int | None
    unknown: str | None


class TimeArmJson(TypedDict):
    name: str
    samples: Sequence[float]
    median: float | None


class TimingJson(TypedDict):
    clock: str
    arms: Sequence[TimeArmJson]
    ratio: float | None
    ratio_ci95: Sequence[float] | None
    unknown: str | None


class SeriesJson(TypedDict):
    name: str
    x: Sequence[float]
    y: Sequence[float]
    theory: Sequence[float] | None
    exponent: float | None


class ScalingJson(TypedDict):
    x_name: str
    unit: str
    series: Sequence[SeriesJson]


class TableJson(TypedDict):
    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Scalar]]


class EnvironmentJson(TypedDict):
    device: str
    device_name: str
    torch: str
    python: str
    threads: int
    instruction_set: str
    load_average: float | None


class ProvenanceJson(TypedDict):
    code_digest: str
    torch_digest: str
    parameters: Mapping[str, object]
    seed: int
    gradient_digest: str | None
    backend: str
    passes: Sequence[str]
    command: str


class MeasurementJson(TypedDict):
    claims: Sequence[ClaimJson]
    memory: Sequence[MemoryArmJson]
    flops: Sequence[FlopArmJson]
    timing: TimingJson | None
    environment: EnvironmentJson
    provenance: ProvenanceJson
    facts: Mapping[str, Scalar]
    scaling: ScalingJson | None
    tables: Sequence[TableJson]
    trace: str | None
    partial: bool


def read_measurement(stored: Mapping[str, object]) -> MeasurementJson:
    """The stored JSON under its type; nothing is copied or checked."""
    return cast(MeasurementJson, stored)


def measured_claims(measurement: MeasurementJson) -> dict[str, ClaimJson]:
    return {claim["id"]: claim for claim in measurement["claims"]}


def is_simulated(measurement: MeasurementJson) -> bool:
    """Whether shapes alone were followed: then no text may call its numbers measured."""
    return measurement["environment"]["device"] == SIMULATED


def failed_claims(measurement: MeasurementJson) -> list[str]:
    """Ids of the claims that this run refutes; an undecided one is not among them."""
    return [claim["id"] for claim in measurement["claims"] if claim["verdict"] == "fails"]


def copy_object(value: Mapping[str, object]) -> dict[str, Json]:
    """A part of the stored JSON under the type of JSON, one level copied."""
    return dict(value)  # type: ignore[arg-type]  # it came out of a JSON column
