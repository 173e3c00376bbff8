"""A learner's prediction beside what was measured."""

from collections.abc import Mapping, Sequence

from assessment.experiments.predictions import Question
from assessment.feedback.measurements import read_measurement
from assessment.feedback.messages import Catalogue, choose_catalogue
from assessment.language import numbers
from gpu_worker.contracts import Json

FACTS: Mapping[str, tuple[str, str]] = {
    "peak-ratio": ("peak_ratio", "ratio"),
    "sqrt-peak-growth": ("growth", "ratio"),
    "unrestored-gradient-error": ("wrong_relative_error", "percent"),
}
# Quantity of a question -> the fact of its experiment's report, and how it is written.


def find_quantity(quantity: str, stored: Mapping[str, object] | None) -> float | None:
    """What a report measured of a quantity; None where it did not.

    stored : the measurement as JSON, None where there is none
    """
    if stored is None or quantity not in FACTS:
        return None
    fact = read_measurement(stored)["facts"].get(FACTS[quantity][0])
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
    if FACTS[quantity][1] == "percent":
        return numbers.format_percent(value, catalogue.lang)
    return catalogue.ratio(value)
