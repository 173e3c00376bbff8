"""The full event list of a run, unpacked within bounds and checked.

A worker is not trusted: the compressed trace may be a bomb, and its columns may not fit.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

MAX_TRACE_BYTES = 64 * 2**20
# Unpacked. The largest default trace (sqrt-n) is under 1 MiB; a report holds at most 1 MB packed.

MAX_EVENTS = 500_000
# Of all arms together: ten times a step of 100 transformer blocks.

MAX_NAME = 200
# Characters of an operator's or an arm's name.


class TraceError(ValueError):
    """A trace that is not what the contract says; the text names the place."""


@dataclass(frozen=True)
class ArmTrace:
    """Events of one arm, column by column.

    op : (E,) int, number of the operator. delta : (E,) int, bytes made (+) or freed (-).
    live : (E,) int, bytes above the baseline after the event. operator, category, phase : (E,) str.
    """

    name: str
    op: tuple[int, ...]
    delta: tuple[int, ...]
    live: tuple[int, ...]
    operator: tuple[str, ...]
    category: tuple[str, ...]
    phase: tuple[str, ...]


def decode_trace(packed: str | bytes) -> tuple[ArmTrace, ...]:
    """The arms of a trace: base64 text of the contract, or the zlib bytes under it.

    Raises
    ------
    TraceError
        If it is not base64, not zlib, longer than `MAX_TRACE_BYTES`, or of another shape.
    """
    compressed = _decode_base64(packed) if isinstance(packed, str) else packed
    try:
        plain = json.loads(_decompress(compressed))
    except (ValueError, RecursionError) as error:
        raise TraceError(f"trace is not JSON: {error}") from error
    if not isinstance(plain, dict) or not isinstance(plain.get("arms"), list):
        raise TraceError("trace has no list of arms")
    arms = tuple(_read_arm(arm, f"arms[{i}]") for i, arm in enumerate(plain["arms"]))
    if sum(len(arm.op) for arm in arms) > MAX_EVENTS:
        raise TraceError(f"trace has more than {MAX_EVENTS} events")
    return arms


def _decode_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise TraceError(f"trace is not base64: {error}") from error


def _decompress(compressed: bytes) -> bytes:
    """At most MAX_TRACE_BYTES are ever made; one byte more is refused, not cut."""
    unpacker = zlib.decompressobj()
    try:
        plain = unpacker.decompress(compressed, MAX_TRACE_BYTES + 1)
    except zlib.error as error:
        raise TraceError(f"trace is not zlib: {error}") from error
    if len(plain) > MAX_TRACE_BYTES:
        raise TraceError(f"trace unpacks to more than {MAX_TRACE_BYTES} bytes")
    if not unpacker.eof or unpacker.unused_data:
        raise TraceError("trace is cut, or something follows it")
    return plain


def _read_arm(arm: object, where: str) -> ArmTrace:
    if not isinstance(arm, Mapping):
        raise TraceError(f"{where} is not an object")
    name = arm.get("name")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME:
        raise TraceError(f"{where}.name is not a short text")
    found = ArmTrace(
        name=name,
        op=_read_integers(arm, "op", where),
        delta=_read_integers(arm, "delta", where),
        live=_read_integers(arm, "live", where),
        operator=_read_names(arm, "operator", where),
        category=_read_names(arm, "category", where),
        phase=_read_names(arm, "phase", where),
    )
    columns = (found.delta, found.live, found.operator, found.category, found.phase)
    if any(len(column) != len(found.op) for column in columns):
        raise TraceError(f"{where} has columns of different lengths")
    return found


def _read_integers(arm: Mapping[str, object], column: str, where: str) -> tuple[int, ...]:
    values = _read_list(arm, column, where)
    if not all(type(value) is int for value in values):
        raise TraceError(f"{where}.{column} holds something else than integers")
    return tuple(values)  # type: ignore[arg-type]  # checked one by one above


def _read_names(arm: Mapping[str, object], column: str, where: str) -> tuple[str, ...]:
    values = _read_list(arm, column, where)
    if not all(isinstance(value, str) and len(value) <= MAX_NAME for value in values):
        raise TraceError(f"{where}.{column} holds something else than short texts")
    return tuple(values)  # type: ignore[arg-type]  # checked one by one above


def _read_list(arm: Mapping[str, object], column: str, where: str) -> list[object]:
    values = arm.get(column)
    if not isinstance(values, list):
        raise TraceError(f"{where}.{column} is not a list")
    return values
