"""A learner's prediction beside what was measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assessment.experiments.predictions import Question
from assessment.feedback.measurements import read_measurement
from assessment.feedback.messages import Catalogue, choose_catalogue
from assessment.language import numbers
from gpu_worker.contracts import Json, Scalar


@dataclass(frozen=True)
class Source:
    """Where a quantity stands in a report: a fact, or a fact over another one."""

    fact: str
    style: Literal["ratio", "percent", "count"] = "ratio"
    over: str | None = None


SOURCES: Mapping[str, Source] = {
    "peak-ratio": Source("peak_ratio"),
    "sqrt-peak-growth": Source("growth"),
    "unrestored-gradient-error": Source("wrong_relative_error", "percent"),
    "reads-before-backward": Source("reads_before_backward", "count"),
    "core-flop-ratio": Source("core_flop_ratio"),
    "resident-share": Source("stored_offloaded", "percent", over="stored_plain"),
    "moments-ratio": Source("moments_checkpointed", over="moments_plain"),
    "call-ratio": Source("calls", over="calls_plain"),
    "api-stored-ratio": Source("stored_checkpointed", over="stored_plain"),
    "flop-spread": Source("flop_spread", "count"),
    "running-mean-ratio": Source("ratio"),
    "bisection-peak-ratio": Source("last_bisection", over="last_plain"),
    "sharded-share": Source("share", "percent"),
}
# Quantity of a question -> where the report of its experiment has it, and how it is written.


def find_quantity(quantity: str, stored: Mapping[str, object] | None) -> float | None:
    """What a report measured of a quantity; None where it did not.

    stored : the measurement as JSON, None where there is none
    """
    if stored is None or quantity not in SOURCES:
        return None
    source, facts = SOURCES[quantity], read_measurement(stored)["facts"]
    value = _read_number(facts.get(source.fact))
    if source.over is None or value is None:
        return value
    divisor = _read_number(facts.get(source.over))
    return value / divisor if divisor else None


def _read_number(fact: Scalar) -> float | None:
    is_number = isinstance(fact, int | float) and not isinstance(fact, bool)
    return float(fact) if is_number and fact is not None else None


def assemble_prediction(
    question: Question,
    *,
    choice: str | None,
    measured: Mapping[str, object] | None,
    languages: Sequence[str],
) -> dict[str, Json]:
    """The question, what was chosen (None: skipped), and which range the measurement is in.

    measured : a measurement of the question's own experiment; None while there is none
    """
    value = find_quantity(question.quantity, measured)
    observed = None
    if value is not None:
        observed = next((one.id for one in question.choices if one.contains(value)), None)
    choices: list[Json] = [
        {"id": one.id, "text": dict(one.text.choose(languages).as_json())}
        for one in question.choices
    ]
    return {
        "quantity": question.quantity,
        "text": dict(question.text.choose(languages).as_json()),
        "choices": choices,
        "choice": choice,
        "measured_choice": observed,
        "measured": value,
        "display": _write_value(question.quantity, value, choose_catalogue(languages)),
        "was_right": None if choice is None or observed is None else choice == observed,
    }


def _write_value(quantity: str, value: float | None, catalogue: Catalogue) -> str | None:
    if value is None:
        return None
    style = SOURCES[quantity].style
    if style == "percent":
        return numbers.format_percent(value, catalogue.lang)
    return catalogue.number(value) if style == "count" else catalogue.ratio(value)
