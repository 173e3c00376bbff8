"""What every figure shares: size, colours, axes, and the frame around a specification.

A figure is a Vega-Lite specification with its data inside. It is drawn 360 px wide, so that
it is readable on the narrowest phone and grows as a vector elsewhere. Series differ by
colour (Okabe and Ito's palette, safe for the colour-blind), by dash and by shape.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from assessment.feedback.figures.lettering import wrap_text
from assessment.feedback.messages import Catalogue
from gpu_worker.contracts import Json

WIDTH = 360
# Pixels, padding included: the width of the narrowest phones in use.

PADDING = 6
# Pixels left and right of everything; a title or a note has what lies between.

TITLE_SIZE, NOTE_SIZE, LABEL_SIZE = 13, 11, 11
# Pixels of a letter.

TITLE_LINE, NOTE_LINE, LEGEND_LINE = 16, 14, 18
# Pixels from one line to the next.

LEGEND_WIDTH = 300
# Pixels of a legend's text: the sign and its gap stand left of it.

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
    """A figure around the body of a specification (`layer`, `mark`, `encoding`, `data`).

    height : pixels of everything below the heading, whose lines come on top
    """
    room = WIDTH - 2 * PADDING
    heading: list[Json] = list(wrap_text(title, width=room, size=TITLE_SIZE, is_bold=True))
    wrapped: list[Json] = [
        line for note in notes for line in wrap_text(note, width=room, size=NOTE_SIZE)
    ]
    table: Json = {"columns": list(columns), "rows": [list(row) for row in rows]}
    spec: Spec = {
        "$schema": SCHEMA,
        "description": alt,
        "title": {"text": heading, "subtitle": wrapped},
        "width": WIDTH,
        "height": height + TITLE_LINE * len(heading) + NOTE_LINE * len(wrapped),
        "autosize": {"type": "fit", "contains": "padding"},
        "background": "white",
        "padding": {"left": PADDING, "right": PADDING, "top": 12, "bottom": PADDING},
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
    legend = make_legend(labels, orient="top", symbolSize=80)
    if channel == "strokeDash":
        legend |= {"symbolType": "stroke", "symbolSize": 256, "symbolStrokeWidth": 2}
    common: Spec = {"field": "arm", "type": "nominal", "legend": legend, "sort": None}
    return {
        "color": {**common, "scale": {"domain": domain, "range": colours}},
        channel: {**common, "scale": {"domain": domain, "range": patterns}},
    }


def measure_legend(labels: Sequence[str]) -> int:
    """Pixels that a legend of one column is high."""
    return LEGEND_LINE * sum(len(_wrap_label(label)) for label in labels)


def make_legend(labels: Sequence[str], *, orient: str, **options: Json) -> Spec:
    """A legend of one column, whose long labels take two lines instead of being cut."""
    lines = {label: _wrap_label(label) for label in labels}
    made: Spec = {"orient": orient, "direction": "vertical", "columns": 1, "title": None}
    if any(len(one) > 1 for one in lines.values()):
        made["labelExpr"] = f"({json.dumps(lines)})[datum.label]"
    return {**made, **options}


def _wrap_label(label: str) -> list[str]:
    return wrap_text(label, width=LEGEND_WIDTH, size=LABEL_SIZE)


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
            "labelFontSize": LABEL_SIZE,
            "titleFontSize": LABEL_SIZE,
            "titleFontWeight": "normal",
            "titlePadding": 8,
            "gridColor": "#E3E3E3",
            "labelColor": "#222222",
            "titleColor": "#222222",
        },
        "legend": {"labelFontSize": LABEL_SIZE, "labelLimit": WIDTH, "labelColor": "#222222"},
        "title": {
            "anchor": "start",
            "frame": "bounds",
            "fontSize": TITLE_SIZE,
            "subtitleFontSize": NOTE_SIZE,
            "subtitleColor": "#444444",
            "color": "#111111",
            "offset": 6,
        },
        "view": {"stroke": None},
    }
