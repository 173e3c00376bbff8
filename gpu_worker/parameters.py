"""What a parameter of an experiment may be, and the address of a run. Plain Python."""

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Value = bool | int | float | str | list[int]
Values = dict[str, Value]

MAX_LIST_LENGTH = 24
# A sweep of more places than this makes a report that nobody reads.


@dataclass(frozen=True)
class Parameter:
    """One parameter of an experiment.

    `minimum` and `maximum` bind a run on a CPU; `large_maximum`, where given, replaces
    `maximum` on CUDA and in a simulation. `large` is the value of the larger configuration
    for a GPU. For kind "ints" the bounds bind each entry. `unit` is "count", "1", "byte"...
    """

    name: str
    kind: str  # int | float | choice | bool | ints
    default: Value
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    unit: str = "count"
    large: Value | None = None
    large_maximum: float | None = None


@dataclass(frozen=True)
class Experiment:
    """One experiment. `cpu_s` is its usual CPU time at the defaults, without imports.

    `check(values, is_large)` refuses combinations that no single range can (ValueError
    naming a parameter). `cuda_claims` mean nothing on a CPU and are left out of its reports.
    """

    name: str
    version: int
    parameters: tuple[Parameter, ...]
    claims: tuple[str, ...]
    wall_limit_s: float = 120.0
    memory_mib: int = 2048
    cpu_s: float = 3.0
    devices: tuple[str, ...] = ("cpu", "cuda")
    slow: bool = False
    simulates: bool = False
    check: Callable[[Values, bool], None] | None = None
    cuda_claims: tuple[str, ...] = ()

    def get_parameter(self, name: str) -> Parameter:
        for one in self.parameters:
            if one.name == name:
                return one
        raise ValueError(f"{name}: {self.name} has no such parameter")


def list_large_parameters(experiment: Experiment) -> Values:
    """The larger configuration: what departs from the defaults."""
    return {one.name: one.large for one in experiment.parameters if one.large is not None}


def resolve_parameters(
    experiment: Experiment,
    given: Mapping[str, object],
    *,
    device: str = "cpu",
    simulate: bool = False,
) -> Values:
    """All parameters, defaults filled in. Raises ValueError naming the bad parameter."""
    for name in given:
        experiment.get_parameter(name)
    is_large = simulate or device == "cuda"
    values = {
        one.name: _check_value(one, given[one.name], is_large=is_large)
        if one.name in given
        else one.default
        for one in experiment.parameters
    }
    if experiment.check is not None:
        experiment.check(values, is_large)
    return values


def digest_run(
    experiment: str,
    version: int,
    parameters: Mapping[str, object],
    seed: int,
    device: str,
    simulate: bool,
) -> str:
    """Content address of a run: sha256 of its canonical JSON, in hex."""
    plain = {
        "experiment": experiment,
        "version": version,
        "parameters": dict(parameters),
        "seed": seed,
        "device": device,
        "simulate": simulate,
    }
    body = json.dumps(plain, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(body.encode()).hexdigest()


def _check_value(parameter: Parameter, value: object, *, is_large: bool) -> Value:
    """The value in its own type: 4.0 becomes 4, 0 becomes 0.0, so that digests agree."""
    name = parameter.name
    if parameter.kind == "choice":
        if value not in parameter.choices:
            raise ValueError(f"{name}: must be one of {', '.join(parameter.choices)}")
        return str(value)
    if parameter.kind == "bool":
        if not isinstance(value, bool):
            raise ValueError(f"{name}: must be true or false")
        return value
    if parameter.kind == "ints":
        if not isinstance(value, list | tuple) or len(value) > MAX_LIST_LENGTH:
            raise ValueError(f"{name}: must be a list of at most {MAX_LIST_LENGTH} integers")
        return [int(_check_number(parameter, one, is_large=is_large)) for one in value]
    number = _check_number(parameter, value, is_large=is_large)
    return int(number) if parameter.kind == "int" else float(number)


def _check_number(parameter: Parameter, value: object, *, is_large: bool) -> float:
    name = parameter.name
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name}: must be a number")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name}: must be finite")
    if parameter.kind != "float" and value != int(value):
        raise ValueError(f"{name}: must be an integer")
    maximum = parameter.maximum
    if is_large and parameter.large_maximum is not None:
        maximum = parameter.large_maximum
    if parameter.minimum is not None and value < parameter.minimum:
        raise ValueError(f"{name}: must be at least {parameter.minimum:g}")
    if maximum is not None and value > maximum:
        raise ValueError(f"{name}: must be at most {maximum:g}")
    return value
