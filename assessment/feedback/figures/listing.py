"""Which figures a measurement has, and the making of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assessment.feedback.figures import memory, pareto, scaling, stack
from assessment.feedback.figures.drawing import Figure
from assessment.feedback.measurements import MeasurementJson, read_measurement
from assessment.feedback.messages import Catalogue, choose_catalogue, localize_message
from assessment.language.texts import LocalText


@dataclass(frozen=True)
class Kind:
    """One kind of figure: whether there are numbers for it, its picture, its sentence."""

    exists: Callable[[MeasurementJson], bool]
    make: Callable[[MeasurementJson, Catalogue], Figure]
    describe: Callable[[MeasurementJson, Catalogue], str]


KINDS: Mapping[str, Kind] = {
    "memory": Kind(
        memory.has_memory_figure, memory.make_memory_figure, memory.describe_memory_figure
    ),
    "scaling": Kind(
        scaling.has_scaling_figure, scaling.make_scaling_figure, scaling.describe_scaling_figure
    ),
    "pareto": Kind(
        pareto.has_pareto_figure, pareto.make_pareto_figure, pareto.describe_pareto_figure
    ),
    "stack": Kind(stack.has_stack_figure, stack.make_stack_figure, stack.describe_stack_figure),
}
# In the order in which a page shows them.


def list_figures(stored: Mapping[str, object]) -> tuple[str, ...]:
    """Names of the figures that this measurement has the numbers for.

    stored : the measurement as JSON
    """
    measurement = read_measurement(stored)
    return tuple(name for name, kind in KINDS.items() if kind.exists(measurement))


def make_figure(name: str, stored: Mapping[str, object], languages: Sequence[str]) -> Figure:
    """One figure in the best language of the list. Raises ValueError when there is none."""
    measurement = read_measurement(stored)
    return _get_kind(name, measurement).make(measurement, choose_catalogue(languages))


def describe_figure(name: str, stored: Mapping[str, object], languages: Sequence[str]) -> LocalText:
    """The text alternative alone, without drawing. Raises ValueError when there is no figure."""
    measurement = read_measurement(stored)
    catalogue = choose_catalogue(languages)
    text = _get_kind(name, measurement).describe(measurement, catalogue)
    return localize_message(text, catalogue.lang, languages)


def _get_kind(name: str, measurement: MeasurementJson) -> Kind:
    kind = KINDS.get(name)
    if kind is None or not kind.exists(measurement):
        raise ValueError(f"this measurement has no figure {name!r}")
    return kind
