"""The messages that cross the queue, and the checks both sides make on them.

Plain Python: no torch, no Django, no numpy. A message is a frozen dataclass; `encode`
makes the JSON bytes that travel, `decode_*` refuses whatever is not exactly the contract
(unknown version, wrong type, non-finite number, over the size limit) with ContractError;
decoding.py knows how.
"""

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gpu_worker.decoding import ContractError as ContractError
from gpu_worker.decoding import Json as Json
from gpu_worker.decoding import build_message, check, parse_object

VERSION = 1
# Raised whenever a field changes its meaning; both sides refuse another version.

MAX_REPORT_BYTES = 1_000_000
# A report over this size is refused by the sender and by the receiver.

RUN_QUEUES = {"cpu": "runs-cpu", "cuda": "runs-cuda"}
# One queue a device class, so that a CPU worker never takes a CUDA run.

COMBINE_QUEUES = {"cpu": "runs-slow-cpu", "cuda": "runs-slow-cuda"}
# The slowest experiments (two processes each) wait in a line of their own.

MAX_SEED = 2**32 - 1
# Every generator in use takes it, Python's, numpy's and torch's, and the few numbers above.

MAX_MEMORY_MIB = 1 << 20
# A tebibyte: more is no limit.

REPORT_QUEUE = "reports"
# Reports and hellos come back here; the conductor reads it with a plain kombu consumer.

RUN_TASK = "gpu_worker.run_experiment"
# The name under which the worker registers its one task.

DEVICES = ("cpu", "cuda")
STATES = ("started", "measured", "simulated", "failed")
VERDICTS = ("holds", "fails", "undecided")
RELATIONS = ("equal", "less", "greater", "at_least", "at_most", "differs", "within")

REASONS = (
    "out_of_memory",
    "timeout",
    "cpu_limit",
    "killed",
    "non_finite",
    "report_too_large",
    "invalid_parameters",
    "unknown_experiment",
    "unsupported_device",
    "too_late",
    "invalid_setup",
    "output_limit",
    "crashed",
)
# Why a run failed. Codes are stable; a person reads the localized sentence of each.

Scalar = None | bool | int | float | str

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True)
class RunRequest:
    """Conductor to worker: measure this. The body of the Celery task, as one dict."""

    run_id: str
    attempt: int
    experiment: str
    experiment_version: int
    parameters: dict[str, Json]
    seed: int
    device: str
    simulate: bool
    not_after: str
    wall_limit_s: float
    memory_mib: int
    version: int = VERSION


@dataclass(frozen=True)
class Point:
    """One place of a sweep: what a claim says there and what was seen."""

    x: float
    observed: float | None
    expected: float | None


@dataclass(frozen=True)
class ClaimResult:
    """One claim decided by this run.

    `observed` and `expected` are numbers in `unit` ("byte", "flop", "1", "s", "count").
    A claim that holds over a sweep keeps every place in `points` and its worst or last
    place in `observed`/`expected`. `noise_floor` is the difference of two plain runs,
    where the relation is "equal" for floats.
    """

    id: str
    observed: float | None
    expected: float | None
    relation: str
    tolerance: float
    unit: str
    verdict: str
    noise_floor: float | None = None
    points: tuple[Point, ...] = ()
    facts: dict[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True)
class Timeline:
    """Live bytes above the baseline over operator number, at most 400 points, peak kept.

    `op[i]` is the event number of the full trace, `live[i]` bytes after it. `backward_op`
    is the number of the first event of the backward phase.
    """

    op: tuple[int, ...]
    live: tuple[int, ...]
    backward_op: int | None = None


@dataclass(frozen=True)
class MemoryArm:
    """Bytes of one arm. None means unknown, and `unknown` says why, by field name.

    stored: alive above the baseline at the end of forward. peak: highest above the
    baseline. total_peak: with parameters, gradients and optimizer state. allocator_peak:
    the allocator's own view of `peak`, workspace inside operators included.
    """

    name: str
    stored: int | None
    peak: int | None
    total_peak: int | None
    allocator_peak: int | None
    parameters: int | None = None
    gradients: int | None = None
    optimizer_state: int | None = None
    timeline: Timeline | None = None
    unknown: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FlopArm:
    """FLOPs of one training step; None where the counter cannot see the operators."""

    name: str
    total: int | None
    unknown: str | None = None


@dataclass(frozen=True)
class TimeArm:
    name: str
    samples: tuple[float, ...]
    median: float | None


@dataclass(frozen=True)
class Timing:
    """Seconds of one step, interleaved pairs; `ratio` is the median of paired ratios.

    clock: "process" (CPU time), "wall" or "cuda". ratio_ci95: bootstrap interval.
    """

    clock: str
    arms: tuple[TimeArm, ...]
    ratio: float | None
    ratio_ci95: tuple[float, float] | None
    unknown: str | None = None


@dataclass(frozen=True)
class Series:
    """One line of the scaling figure: y (in `unit`) over x, with the theory beside it."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    theory: tuple[float, ...] | None = None
    exponent: float | None = None


@dataclass(frozen=True)
class Scaling:
    x_name: str
    unit: str
    series: tuple[Series, ...]


@dataclass(frozen=True)
class Table:
    """Rows that a page may show as they are; column names are stable identifiers."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True)
class Environment:
    device: str
    device_name: str
    torch: str
    python: str
    threads: int
    instruction_set: str
    load_average: float | None


@dataclass(frozen=True)
class Provenance:
    """What it takes to measure the same thing again."""

    code_digest: str
    torch_digest: str
    parameters: dict[str, Json]
    seed: int
    gradient_digest: str | None
    backend: str
    passes: tuple[str, ...]
    command: str


@dataclass(frozen=True)
class Measurement:
    """Everything one experiment found. `facts` are the numbers of the narrative.

    `trace` is the full event list: zlib-compressed JSON in base64, of the shape
    {"arms": [{"name", "op": [...], "delta": [...], "live": [...], "operator": [...],
    "category": [...], "phase": [...]}]}; it is dropped, not cut, when the report would
    be too large.
    """

    claims: tuple[ClaimResult, ...]
    memory: tuple[MemoryArm, ...]
    flops: tuple[FlopArm, ...]
    timing: Timing | None
    environment: Environment
    provenance: Provenance
    facts: dict[str, Scalar]
    scaling: Scaling | None = None
    tables: tuple[Table, ...] = ()
    trace: str | None = None
    partial: bool = False


@dataclass(frozen=True)
class RunReport:
    """Worker to conductor: the attempt started, or ended with this.

    state "started" carries neither measurement nor reason; "measured" and "simulated"
    carry a measurement; "failed" a reason of REASONS, and what was measured so far.
    `detail` is for the log and the instructor, at most 2,000 characters, never secrets.
    """

    run_id: str
    attempt: int
    worker: str
    state: str
    at: str
    reason: str | None = None
    detail: str | None = None
    measurement: Measurement | None = None
    wall_s: float | None = None
    version: int = VERSION
    kind: Literal["report"] = "report"


@dataclass(frozen=True)
class WorkerHello:
    """Worker to conductor, at start and every few seconds: I serve this device class."""

    worker: str
    device: str
    device_name: str
    code_digest: str
    torch_digest: str
    torch: str
    queues: tuple[str, ...]
    at: str
    busy: bool
    version: int = VERSION
    kind: Literal["hello"] = "hello"


def encode(message: RunRequest | RunReport | WorkerHello) -> bytes:
    """JSON of a message. Raises ContractError when it may not travel."""
    try:
        body = json.dumps(to_plain(message), allow_nan=False, separators=(",", ":")).encode()
    except ValueError as error:
        raise ContractError(f"a number is not finite: {error}") from error
    if len(body) > MAX_REPORT_BYTES:
        raise ContractError(f"message is {len(body)} bytes, the limit is {MAX_REPORT_BYTES}")
    return body


def to_plain(message: object) -> dict[str, Json]:
    """The dict that JSON can carry."""
    return dataclasses.asdict(message)  # type: ignore[call-overload,no-any-return]  # a dataclass


def decode_request(body: bytes | str | Mapping[str, object]) -> RunRequest:
    request = build_message(RunRequest, parse_object(body, limit=MAX_REPORT_BYTES), "request")
    check(bool(_UUID.fullmatch(request.run_id)), "request.run_id", "is not a UUID")
    check(request.version == VERSION, "request.version", f"is not {VERSION}")
    check(request.device in DEVICES, "request.device", "is unknown")
    check(0 <= request.seed <= MAX_SEED, "request.seed", "is out of range")
    check(0 < request.memory_mib <= MAX_MEMORY_MIB, "request.memory_mib", "is out of range")
    check(1 <= request.attempt <= 100, "request.attempt", "is out of range")
    check(0 < request.wall_limit_s <= 3600, "request.wall_limit_s", "is out of range")
    return request


def decode_worker_message(body: bytes | str | Mapping[str, object]) -> RunReport | WorkerHello:
    """A report or a hello. Raises ContractError naming the field."""
    plain = parse_object(body, limit=MAX_REPORT_BYTES)
    if plain.get("kind") == "hello":
        hello = build_message(WorkerHello, plain, "hello")
        check(hello.version == VERSION, "hello.version", f"is not {VERSION}")
        check(hello.device in DEVICES, "hello.device", "is unknown")
        check(0 < len(hello.worker) <= 200, "hello.worker", "is empty or too long")
        return hello
    report = build_message(RunReport, plain, "report")
    _check_report(report)
    return report


def _check_report(report: RunReport) -> None:
    check(report.version == VERSION, "report.version", f"is not {VERSION}")
    check(bool(_UUID.fullmatch(report.run_id)), "report.run_id", "is not a UUID")
    check(1 <= report.attempt <= 100, "report.attempt", "is out of range")
    check(0 < len(report.worker) <= 200, "report.worker", "is empty or too long")
    check(report.state in STATES, "report.state", "is unknown")
    check(len(report.detail or "") <= 2000, "report.detail", "is over 2000 characters")
    has_measurement = report.measurement is not None
    if report.state in ("measured", "simulated"):
        check(has_measurement, "report.measurement", "is missing")
        check(report.reason is None, "report.reason", "does not belong to a success")
    if report.state == "failed":
        check(report.reason in REASONS, "report.reason", "is unknown")
    if report.state == "started":
        check(not has_measurement, "report.measurement", "came before the end")
    if report.measurement is not None:
        _check_measurement(report.measurement)


def _check_measurement(found: Measurement) -> None:
    ids = [claim.id for claim in found.claims]
    check(len(set(ids)) == len(ids), "measurement.claims", "has an id twice")
    for claim in found.claims:
        where = f"measurement.claims[{claim.id}]"
        check(claim.verdict in VERDICTS, where, "has an unknown verdict")
        check(claim.relation in RELATIONS, where, "has an unknown relation")
    for arm in found.memory:
        if arm.timeline is not None:
            same = len(arm.timeline.op) == len(arm.timeline.live)
            check(same, f"measurement.memory[{arm.name}]", "has op and live of other lengths")
            check(len(arm.timeline.op) <= 400, f"measurement.memory[{arm.name}]", "is too long")
