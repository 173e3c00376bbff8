"""What every figure shares: size, colours, axes, and the frame around a specification.

A figure is a Vega-Lite specification with its data inside. It is drawn 360 px wide, so that
it is readable on the narrowest phone and grows as a vector elsewhere. Series differ by
colour (Okabe and Ito's palette, safe for the colour-blind), by dash and by shape.
"""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from assessment.feedback.messages import Catalogue
from gpu_worker.contracts import Json

WIDTH = 360
# Pixels, padding included: the width of the narrowest phones in use.

TITLE_LETTERS = {"bg": 44}
TITLE_LETTERS_ELSEWHERE = 48
NOTE_LETTERS = 54
# A line of a title at 13 px (Cyrillic is wider) and of a note at 11 px; more would be cut.

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00", "#7F7F7F")
# Okabe and Ito (2008), without the yellow, which is too light on white; grey added.

DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (6, 3), (2, 2), (8, 2, 2, 2), (4, 4), (1, 3))
# One stroke pattern a series, so that a print without colour is readable.

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
# One point shape a series, for the same reason.

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
# Version 5: the one that the browser bundle and vl-convert both draw.

BYTE_UNITS = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10), ("B", 1))
# IEC 80000-13, the largest first.

Spec = dict[str, Json]

T = TypeVar("T")


@dataclass(frozen=True)
class Figure:
    """One picture with its equivalents: a sentence of its numbers and a table of them.

    columns and rows are display strings in `lang`, ready for a page.
    """

    name: str
    lang: str
    title: str
    alt: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    spec: Spec

    def table_as_json(self) -> dict[str, Json]:
        return {"columns": list(self.columns), "rows": [list(row) for row in self.rows]}


def frame_figure(
    name: str,
    catalogue: Catalogue,
    *,
    title: str,
    notes: Sequence[str],
    alt: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    body: Mapping[str, Json],
    height: int,
) -> Figure:
    """A figure around the body of a specification (`layer`, `mark`, `encoding`, `data`)."""
    wrapped: list[Json] = [line for note in notes for line in textwrap.wrap(note, NOTE_LETTERS)]
    table: Json = {"columns": list(columns), "rows": [list(row) for row in rows]}
    letters = TITLE_LETTERS.get(catalogue.lang, TITLE_LETTERS_ELSEWHERE)
    spec: Spec = {
        "$schema": SCHEMA,
        "description": alt,
        "title": {"text": list(textwrap.wrap(title, letters)), "subtitle": wrapped},
        "width": WIDTH,
        "height": height,
        "autosize": {"type": "fit", "contains": "padding"},
        "background": "white",
        "padding": {"left": 6, "right": 6, "top": 12, "bottom": 6},
        "config": _make_config(catalogue),
        "usermeta": {"name": name, "lang": catalogue.lang, "table": table},
        **body,
    }
    return Figure(
        name=name,
        lang=catalogue.lang,
        title=title,
        alt=alt,
        columns=tuple(columns),
        rows=tuple(tuple(row) for row in rows),
        spec=spec,
    )


def choose_byte_unit(largest: float) -> tuple[str, int]:
    """The unit in which the largest value is at least 1, and its bytes."""
    return next((unit for unit in BYTE_UNITS if largest >= unit[1]), BYTE_UNITS[-1])


def encode_series(labels: Sequence[str], *, channel: str) -> Spec:
    """Colour and dash (lines) or colour and shape (points) by the field `arm`.

    channel : "strokeDash" or "shape"
    """
    patterns: list[Json] = (
        [list(dash) for dash in cycle_over(DASHES, len(labels))]
        if channel == "strokeDash"
        else list(cycle_over(SHAPES, len(labels)))
    )
    domain: list[Json] = list(labels)
    colours: list[Json] = list(cycle_over(PALETTE, len(labels)))
    legend: Spec = {"orient": "top", "direction": "vertical", "title": None, "symbolSize": 80}
    if channel == "strokeDash":
        legend |= {"symbolType": "stroke", "symbolSize": 400, "symbolStrokeWidth": 2}
    common: Spec = {"field": "arm", "type": "nominal", "legend": legend, "sort": None}
    return {
        "color": {**common, "scale": {"domain": domain, "range": colours}},
        channel: {**common, "scale": {"domain": domain, "range": patterns}},
    }


def cycle_over(values: Sequence[T], count: int) -> list[T]:
    return [values[i % len(values)] for i in range(count)]


def _make_config(catalogue: Catalogue) -> Json:
    """Fonts, sizes and the number signs of the language (d3 draws the tick labels)."""
    decimal, thousands = catalogue.number_signs
    return {
        "font": "sans-serif",
        "locale": {
            "number": {
                "decimal": decimal,
                "thousands": thousands,
                "grouping": [3],
                "currency": ["", ""],
            }
        },
        "axis": {
            "labelFontSize": 11,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
            "gridColor": "#E3E3E3",
            "labelColor": "#222222",
            "titleColor": "#222222",
        },
        "legend": {"labelFontSize": 11, "labelLimit": 330, "labelColor": "#222222"},
        "title": {
            "anchor": "start",
            "frame": "bounds",
            "fontSize": 13,
            "subtitleFontSize": 11,
            "subtitleColor": "#444444",
            "color": "#111111",
            "offset": 6,
        },
        "view": {"stroke": None},
    }
