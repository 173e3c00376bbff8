"""How a quantity grows with the size of the model: points over the line of the formula."""

from collections.abc import Sequence

from assessment.feedback.figures.drawing import (
    Figure,
    Spec,
    choose_byte_unit,
    encode_series,
    frame_figure,
    measure_legend,
)
from assessment.feedback.measurements import (
    MeasurementJson,
    ScalingJson,
    SeriesJson,
    is_simulated,
)
from assessment.feedback.messages import Catalogue
from gpu_worker.contracts import Json

PLOT_HEIGHT = 244
# Pixels, the axis below included.

POINT_AREAS = (140, 60, 45)
# Square pixels, falling: where two series agree to the byte, the first shows behind the second.


def has_scaling_figure(measurement: MeasurementJson) -> bool:
    scaling = measurement["scaling"]
    return scaling is not None and any(_is_drawable(series) for series in scaling["series"])


def make_scaling_figure(measurement: MeasurementJson, catalogue: Catalogue) -> Figure:
    """Log-log; the largest distance from the formula is stated, the exponents only shown."""
    scaling = measurement["scaling"]
    assert scaling is not None
    series = [one for one in scaling["series"] if _is_drawable(one)]
    labels = [_label_series(one, catalogue) for one in series]
    unit, size = _choose_unit(scaling, series, catalogue)
    x_title = catalogue.name("axis", scaling["x_name"])
    return frame_figure(
        "scaling",
        catalogue,
        title=catalogue.text("figure-scaling-title", is_simulated=is_simulated(measurement)),
        notes=_write_notes(measurement, series, catalogue),
        alt=describe_scaling_figure(measurement, catalogue),
        columns=_list_columns(measurement, x_title, catalogue),
        rows=[row for one in series for row in _list_rows(scaling, one, catalogue)],
        body=_draw_body(series, labels, x_title=x_title, y_title=unit, size=size),
        height=PLOT_HEIGHT + measure_legend(labels),
    )


def describe_scaling_figure(measurement: MeasurementJson, catalogue: Catalogue) -> str:
    scaling = measurement["scaling"]
    assert scaling is not None
    series = [one for one in scaling["series"] if _is_drawable(one)]
    sentences = [
        catalogue.text("figure-scaling-alt"),
        *(_describe_series(scaling, one, catalogue) for one in series),
        *_write_notes(measurement, series, catalogue),
    ]
    return " ".join(sentences)


def largest_residual(series: Sequence[SeriesJson]) -> float | None:
    """The largest distance of a point from its formula; None where no formula is given."""
    distances = [
        abs(seen - said)
        for one in series
        if one["theory"] is not None
        for seen, said in zip(one["y"], one["theory"], strict=True)
    ]
    return max(distances, default=None)


def _is_drawable(series: SeriesJson) -> bool:
    """A logarithm needs positive values, a line two of them."""
    values = (*series["x"], *series["y"], *(series["theory"] or ()))
    return len(series["x"]) >= 2 and all(value > 0 for value in values)


def _label_series(series: SeriesJson, catalogue: Catalogue) -> str:
    name = catalogue.name("arm", series["name"])
    if series["exponent"] is None:
        return name
    return catalogue.text("legend-exponent", series=name, exponent=series["exponent"])


def _choose_unit(
    scaling: ScalingJson, series: Sequence[SeriesJson], catalogue: Catalogue
) -> tuple[str, int]:
    if scaling["unit"] != "byte":
        return catalogue.name("unit", scaling["unit"]), 1
    unit, size = choose_byte_unit(max(max(one["y"]) for one in series))
    return catalogue.text("axis-memory", unit=unit), size


def _write_notes(
    measurement: MeasurementJson, series: Sequence[SeriesJson], catalogue: Catalogue
) -> list[str]:
    """What points and lines are, and how far apart; without any formula the points alone."""
    scaling, residual = measurement["scaling"], largest_residual(series)
    assert scaling is not None
    how = is_simulated(measurement)
    if residual is None:
        return [catalogue.text("figure-scaling-note-points", is_simulated=how)]
    return [
        catalogue.text("figure-scaling-note", is_simulated=how),
        catalogue.text(
            "figure-scaling-note-residual",
            residual=catalogue.quantity(residual, scaling["unit"]),
        ),
    ]


def _draw_body(
    series: Sequence[SeriesJson], labels: Sequence[str], *, x_title: str, y_title: str, size: int
) -> Spec:
    points: list[Json] = []
    lines: list[Json] = []
    for order, (one, label) in enumerate(zip(series, labels, strict=True)):
        area = POINT_AREAS[min(order, len(POINT_AREAS) - 1)]
        points.extend(
            {**place, "area": area} for place in _place(one["x"], one["y"], label, size=size)
        )
        if one["theory"] is not None:
            lines.extend(_place(one["x"], one["theory"], label, size=size))
    x = _log_axis("x", title=x_title)
    y = _log_axis("y", title=y_title)
    encoding = encode_series(labels, channel="shape")
    area_of_point: Json = {"field": "area", "type": "quantitative", "scale": None, "legend": None}
    layer: list[Json] = [
        {
            "data": {"values": lines},
            "mark": {"type": "line", "strokeWidth": 1.4},
            "encoding": {"x": x, "y": y, "color": encoding["color"]},
        },
        {
            "data": {"values": points},
            "mark": {"type": "point", "filled": True, "opacity": 1},
            "encoding": {"x": x, "y": y, **encoding, "size": area_of_point},
        },
    ]
    return {"layer": layer}


def _place(x: Sequence[float], y: Sequence[float], label: str, *, size: int) -> list[Spec]:
    return [{"arm": label, "x": a, "y": b / size} for a, b in zip(x, y, strict=True)]


def _log_axis(field: str, *, title: str) -> Json:
    axis: Json = {"title": title, "format": "~g", "labelOverlap": True, "tickCount": 5}
    return {
        "field": field,
        "type": "quantitative",
        "scale": {"type": "log", "nice": False, "padding": 8},
        "axis": axis,
    }


def _describe_series(scaling: ScalingJson, series: SeriesJson, catalogue: Catalogue) -> str:
    return catalogue.text(
        "figure-scaling-alt-series",
        series=catalogue.name("arm", series["name"]),
        x_name=catalogue.name("axis", scaling["x_name"]),
        first_x=series["x"][0],
        last_x=series["x"][-1],
        first_y=catalogue.quantity(series["y"][0], scaling["unit"]),
        last_y=catalogue.quantity(series["y"][-1], scaling["unit"]),
    )


def _list_columns(measurement: MeasurementJson, x_title: str, catalogue: Catalogue) -> list[str]:
    return [
        catalogue.text("column-arm"),
        x_title,
        catalogue.text("column-measured", is_simulated=is_simulated(measurement)),
        catalogue.text("column-formula"),
    ]


def _list_rows(scaling: ScalingJson, series: SeriesJson, catalogue: Catalogue) -> list[list[str]]:
    name = catalogue.name("arm", series["name"])
    theory: Sequence[float | None] = series["theory"] or [None] * len(series["x"])
    return [
        [
            name,
            catalogue.number(x),
            catalogue.quantity(seen, scaling["unit"], exact=True),
            catalogue.quantity(said, scaling["unit"], exact=True),
        ]
        for x, seen, said in zip(series["x"], series["y"], theory, strict=True)
    ]
