"""Which figures a measurement has, and the making of each."""

from collections.abc import Callable, Mapping

from assessment.feedback.figures.drawing import Figure
from assessment.feedback.figures.memory import has_memory_figure, make_memory_figure
from assessment.feedback.figures.pareto import has_pareto_figure, make_pareto_figure
from assessment.feedback.figures.scaling import has_scaling_figure, make_scaling_figure
from assessment.feedback.figures.stack import has_stack_figure, make_stack_figure
from assessment.feedback.measurements import MeasurementJson, read_measurement
from assessment.feedback.messages import Catalogue, choose_catalogue

Test = Callable[[MeasurementJson], bool]
Maker = Callable[[MeasurementJson, Catalogue], Figure]

FIGURES: Mapping[str, tuple[Test, Maker]] = {
    "memory": (has_memory_figure, make_memory_figure),
    "scaling": (has_scaling_figure, make_scaling_figure),
    "pareto": (has_pareto_figure, make_pareto_figure),
    "stack": (has_stack_figure, make_stack_figure),
}
# In the order in which a page shows them.


def list_figures(stored: Mapping[str, object]) -> tuple[str, ...]:
    """Names of the figures that this measurement has the numbers for."""
    measurement = read_measurement(stored)
    return tuple(name for name, (has_figure, _) in FIGURES.items() if has_figure(measurement))


def make_figure(name: str, stored: Mapping[str, object], languages: tuple[str, ...]) -> Figure:
    """One figure in the best language of the list. Raises ValueError when there is none.

    stored : the measurement as JSON
    """
    measurement = read_measurement(stored)
    if name not in FIGURES or not FIGURES[name][0](measurement):
        raise ValueError(f"this measurement has no figure {name!r}")
    return FIGURES[name][1](measurement, choose_catalogue(languages))
