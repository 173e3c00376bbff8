"""Every figure of a measurement, drawn in every language: the work of the task worker."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assessment.feedback.figures.listing import list_figures, make_figure
from assessment.feedback.messages import LANGUAGES
from assessment.feedback.render import render_png, render_svg
from gpu_worker.contracts import Json


@dataclass
class Picture:
    """One figure in one language: two formats, the specification, and both equivalents."""

    name: str
    lang: str
    spec: Mapping[str, object]
    alt: str
    table: Mapping[str, object]
    svg: bytes
    png: bytes


def draw_all(stored: Mapping[str, object]) -> Iterator[Picture]:
    """The figures in the order of a page, each in all languages.

    stored : the measurement as JSON; nothing is drawn where it is empty
    """
    if not stored:
        return
    for name in list_figures(stored):
        for lang in LANGUAGES:
            yield draw_figure(name, stored, lang)


def draw_figure(name: str, stored: Mapping[str, object], lang: str) -> Picture:
    """Raises ValueError when this measurement has no such figure."""
    figure = make_figure(name, stored, [lang])
    table: dict[str, Json] = figure.table_as_json()
    return Picture(
        name=name,
        lang=figure.lang,
        spec=figure.spec,
        alt=figure.alt,
        table=table,
        svg=render_svg(figure.spec),
        png=render_png(figure.spec),
    )
