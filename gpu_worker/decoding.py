"""From JSON to frozen dataclasses, exactly as their types say. Plain Python.

Whatever a dataclass does not declare is refused: a field too many or missing, another type,
a number that is not finite or too long, text that no database stores, nesting without end.
"""

import dataclasses
import json
import math
import re
import types
import typing
from collections.abc import Mapping
from typing import Literal

T = typing.TypeVar("T")

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

MAX_INTEGER = 2**63
# Bytes and FLOPs fit a signed 64-bit number; a longer one is no measurement.

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class ContractError(ValueError):
    """A message that is not what the contract says; the text names the field."""


def check(condition: bool, where: str, what: str) -> None:
    if not condition:
        raise ContractError(f"{where} {what}")


def parse_object(body: bytes | str | Mapping[str, object], *, limit: int) -> Mapping[str, object]:
    """The object that a text of at most `limit` bytes holds, or that somebody parsed already."""
    if isinstance(body, Mapping):
        return body
    if len(body) > limit:
        raise ContractError(f"message is {len(body)} bytes, the limit is {limit}")
    try:
        plain = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ContractError(f"message is not JSON: {error}") from error
    if not isinstance(plain, dict):
        raise ContractError("message is not an object")
    return plain


def _refuse_constant(name: str) -> float:
    raise ContractError(f"{name} is not a number of JSON")


def build_message(kind: type[T], plain: Mapping[str, object], where: str) -> T:
    """An instance of a dataclass from a dict: no field missing, none unknown, types exact."""
    try:
        return _build(kind, plain, where)
    except RecursionError as error:
        raise ContractError(f"{where} is nested too deeply") from error


def _build(kind: type[T], plain: Mapping[str, object], where: str) -> T:
    hints = typing.get_type_hints(kind)
    fields = {one.name: one for one in dataclasses.fields(kind)}  # type: ignore[arg-type]  # a dataclass
    for name in plain:
        check(name in fields, f"{where}.{name}", "is not a field of this message")
    values: dict[str, object] = {}
    for name, one in fields.items():
        if name in plain:
            values[name] = _convert(plain[name], hints[name], f"{where}.{name}")
        else:
            optional = (
                one.default is not dataclasses.MISSING
                or one.default_factory is not dataclasses.MISSING
            )
            check(optional, f"{where}.{name}", "is missing")
    return kind(**values)


def _convert(value: object, hint: object, where: str) -> object:
    """The value as the type says, or ContractError. Integers pass where floats are due."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _convert_union(value, typing.get_args(hint), where)
    if origin is Literal:
        check(value in typing.get_args(hint), where, "has another value than the contract")
        return value
    if origin is tuple:
        return _convert_tuple(value, typing.get_args(hint), where)
    if origin is dict:
        if not isinstance(value, Mapping):
            raise ContractError(f"{where} is not an object")
        _, value_hint = typing.get_args(hint)
        return {
            _convert_key(key, where): _convert(one, value_hint, f"{where}.{key}")
            for key, one in value.items()
        }
    if origin is list:
        if not isinstance(value, list | tuple):
            raise ContractError(f"{where} is not a list")
        return [_convert(one, typing.get_args(hint)[0], where) for one in value]
    if isinstance(hint, typing.ForwardRef | str):
        # Json inside Json: typing leaves the inner name as it stands.
        return _convert(value, Json, where)
    return _convert_plain(value, hint, where)


def _convert_key(key: object, where: str) -> str:
    _check_storable(key, where)
    return str(key)


def _check_storable(value: object, where: str) -> None:
    """A database takes neither a NUL nor half of a surrogate pair."""
    if isinstance(value, str):
        check(_UNSTORABLE.search(value) is None, where, "has a NUL or a lone surrogate")


def _convert_union(value: object, options: tuple[object, ...], where: str) -> object:
    """As the first option that fits; else what the first one, the type before None, missed."""
    problem: ContractError | None = None
    for option in options:
        try:
            return _convert(value, option, where)
        except ContractError as error:
            if problem is None and not isinstance(value, bool | int | float | str | None):
                problem = error
    raise problem or ContractError(f"{where} has the wrong type")


def _convert_tuple(value: object, hints: tuple[object, ...], where: str) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise ContractError(f"{where} is not a list")
    if len(hints) == 2 and hints[1] is ...:
        return tuple(_convert(one, hints[0], f"{where}[{i}]") for i, one in enumerate(value))
    check(len(value) == len(hints), where, f"does not have {len(hints)} entries")
    return tuple(
        _convert(one, hint, f"{where}[{i}]")
        for i, (one, hint) in enumerate(zip(value, hints, strict=True))
    )


def _convert_plain(value: object, hint: object, where: str) -> object:
    if hint is None or hint is type(None):
        check(value is None, where, "is not null")
        return None
    if dataclasses.is_dataclass(hint):
        if not isinstance(value, Mapping):
            raise ContractError(f"{where} is not an object")
        return _build(typing.cast(type, hint), value, where)
    if isinstance(value, int):
        check(abs(value) < MAX_INTEGER, where, "is too large")
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        check(math.isfinite(value), where, "is not finite")
        return value
    if hint is int:
        check(isinstance(value, int) and not isinstance(value, bool), where, "is not an integer")
        return value
    if isinstance(hint, type):
        check(isinstance(value, hint), where, f"is not {hint.__name__}")
        _check_storable(value, where)
        return value
    raise ContractError(f"{where} has a type the contract cannot check: {hint}")
