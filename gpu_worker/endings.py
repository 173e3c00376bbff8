"""From the way a run ended to the report that says so. Pure: no process, no torch."""

import math
import signal
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from gpu_worker.contracts import (
    REASONS,
    ContractError,
    RunReport,
    RunRequest,
    decode_worker_message,
    encode,
)

MAX_DETAIL = 2000
# The contract's limit on `detail`.

_LAST_WORDS = (
    ("MemoryError", "out_of_memory"),
    ("std::bad_alloc", "out_of_memory"),
    ("can't allocate memory", "out_of_memory"),
)
# What a process wrote that could not even answer.


@dataclass
class Ending:
    """What is known when a sandbox has ended.

    `message` is its last word; `partial` the last measurement it sent on the way; `limit`
    the reason for which the worker stopped it; `returncode` as subprocess has it, None
    when its supervisor was killed too.
    """

    message: Mapping[str, object] | None = None
    partial: object = None
    limit: str | None = None
    returncode: int | None = None
    cpu_s: float | None = None
    output_bytes: int = 0
    tail: str = ""
    wall_s: float | None = None
    is_clean: bool = True


def make_report(
    request: RunRequest, ending: Ending, *, worker: str, cpu_limit_s: float
) -> RunReport:
    """The end report: what was measured, or why not and whatever was measured so far."""
    message = ending.message or {}
    if ending.limit is not None or "measured" not in message:
        reason, detail = name_ending(ending, cpu_limit_s=cpu_limit_s)
        return fail(
            request, reason, detail, worker=worker, found=ending.partial, wall_s=ending.wall_s
        )
    found = message["measured"]
    place = find_non_finite(found)
    if place is not None:
        detail = f"{place} is not a finite number"
        return fail(request, "non_finite", detail, worker=worker, found=found, wall_s=ending.wall_s)
    state = "simulated" if request.simulate else "measured"
    body = {"state": state, "measurement": found, "wall_s": ending.wall_s}
    try:
        report = fit_report(_build(request, body, worker=worker))
    except ContractError as error:
        detail = f"the measurement is not what the contract says: {error}"
        return fail(request, "crashed", detail, worker=worker, wall_s=ending.wall_s)
    if report is None:
        detail = "the report is over the size limit even without its trace"
        return fail(request, "report_too_large", detail, worker=worker, wall_s=ending.wall_s)
    return report


def fail(
    request: RunRequest,
    reason: str,
    detail: str,
    *,
    worker: str,
    found: object = None,
    wall_s: float | None = None,
) -> RunReport:
    """A failed report; `found` goes along, marked partial, as far as it is sound."""
    body: dict[str, object] = {
        "state": "failed",
        "reason": reason,
        "detail": detail.replace("\0", "")[:MAX_DETAIL],
        "wall_s": wall_s,
    }
    if isinstance(found, Mapping):
        partial = {**drop_non_finite(found), "partial": True, "trace": None}
        try:
            report = fit_report(_build(request, {**body, "measurement": partial}, worker=worker))
        except ContractError:
            report = None
        if report is not None:
            return report
    return _build(request, body, worker=worker)


def start(request: RunRequest, *, worker: str) -> RunReport:
    """The report that begins the lease of the attempt."""
    return _build(request, {"state": "started"}, worker=worker)


def _build(request: RunRequest, body: Mapping[str, object], *, worker: str) -> RunReport:
    """A report checked as its receiver will check it. Raises ContractError."""
    envelope: dict[str, object] = {
        "run_id": request.run_id,
        "attempt": request.attempt,
        "worker": worker,
        "at": format_now(),
    }
    report = decode_worker_message({**envelope, **body})
    assert isinstance(report, RunReport)
    return report


def fit_report(report: RunReport) -> RunReport | None:
    """The report within the size limit: whole, else without its full trace, else None."""
    candidates = [report]
    if report.measurement is not None and report.measurement.trace is not None:
        candidates.append(replace(report, measurement=replace(report.measurement, trace=None)))
    for candidate in candidates:
        try:
            encode(candidate)
        except ContractError:
            continue
        return candidate
    return None


def name_ending(ending: Ending, *, cpu_limit_s: float) -> tuple[str, str]:
    """The code and the detail of a run that brought no measurement."""
    if ending.limit is not None:
        return ending.limit, _describe_limit(ending)
    message = ending.message or {}
    if "failed" in message:
        reason = str(message["failed"])
        return reason if reason in REASONS else "crashed", str(message.get("detail", ""))
    code = ending.returncode
    if code == -signal.SIGXCPU or (ending.cpu_s or 0.0) >= cpu_limit_s:
        return "cpu_limit", f"used {cpu_limit_s:.0f} s of processor time"
    for words, reason in _LAST_WORDS:
        if words in ending.tail:
            return reason, f"the process ended with: {words}"
    if code is None:
        return "killed", "the process and its supervisor were killed"
    if code in (-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGILL, -signal.SIGFPE):
        return "crashed", f"the process died of {signal.Signals(-code).name}"
    if code < 0:
        return "killed", f"the process was killed by {_name_signal(-code)}"
    return "crashed", f"the process ended with exit code {code} and no result"


def _name_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _describe_limit(ending: Ending) -> str:
    if ending.limit == "timeout":
        return f"stopped after {ending.wall_s or 0.0:.1f} s"
    if ending.limit == "output_limit":
        return f"stopped after {ending.output_bytes} bytes of output"
    return "the result is over the size limit"


def find_non_finite(value: object, place: str = "measurement") -> str | None:
    """Where the first NaN or infinity stands, as a path; None when there is none."""
    if isinstance(value, float):
        return None if math.isfinite(value) else place
    if isinstance(value, Mapping):
        parts = ((f"{place}.{name}", one) for name, one in value.items())
    elif isinstance(value, list | tuple):
        parts = ((f"{place}[{i}]", one) for i, one in enumerate(value))
    else:
        return None
    for where, one in parts:
        found = find_non_finite(one, where)
        if found is not None:
            return found
    return None


def drop_non_finite(found: Mapping[str, object]) -> dict[str, object]:
    """The measurement without every claim, arm, table or fact that holds a bad number."""
    kept: dict[str, object] = {}
    for name, value in found.items():
        if find_non_finite(value) is None:
            kept[name] = value
        elif isinstance(value, list | tuple):
            kept[name] = [one for one in value if find_non_finite(one) is None]
        elif name == "facts" and isinstance(value, Mapping):
            kept[name] = {key: one for key, one in value.items() if find_non_finite(one) is None}
        else:
            kept[name] = None
    return kept


def format_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
