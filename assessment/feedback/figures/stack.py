"""Of what the memory of a step consists: parameters, gradients, optimizer state, activations."""

from collections.abc import Sequence

from assessment.feedback.figures.drawing import (
    PALETTE,
    Figure,
    Spec,
    choose_byte_unit,
    frame_figure,
    make_legend,
    measure_legend,
)
from assessment.feedback.measurements import MeasurementJson, MemoryArmJson
from assessment.feedback.messages import Catalogue
from gpu_worker.contracts import Json

PARTS = ("parameters", "gradients", "optimizer-state", "activations")
# In the order in which they lie on each other; messages `part-...`.

ROOM_FOR_SUM = 1.25
# Right of the longest bar stands its sum, a quarter of a phone's width.

BAR_HEIGHT, AXIS_HEIGHT = 40, 66
# Pixels of a bar with the name over it, and of the axis with the gap to the legend.

BAR_AXIS: Spec = {
    "field": "arm",
    "type": "nominal",
    "sort": None,
    "scale": {"paddingInner": 0.55, "paddingOuter": 0.4},
    "axis": {
        "title": None,
        "orient": "left",
        "ticks": False,
        "domain": False,
        "labelAlign": "left",
        "labelBaseline": "bottom",
        "labelOffset": -12,
        "labelPadding": -4,
        "labelLimit": 330,
    },
}
# The name of a bar stands over it: beside it, it would take half of a phone's width.

Parts = tuple[int, int, int, int]


def has_stack_figure(measurement: MeasurementJson) -> bool:
    """Only where an optimizer keeps a state: without one there is nothing to weigh."""
    return any(sizes[2] > 0 for _, sizes in _list_bars(measurement))


def make_stack_figure(measurement: MeasurementJson, catalogue: Catalogue) -> Figure:
    bars = _list_bars(measurement)
    parts = [catalogue.text(f"part-{part}") for part in PARTS]
    return frame_figure(
        "stack",
        catalogue,
        title=catalogue.text("figure-stack-title"),
        notes=[catalogue.text("figure-stack-note")],
        alt=describe_stack_figure(measurement, catalogue),
        columns=[catalogue.text("column-arm"), *parts, catalogue.text("column-sum")],
        rows=[_list_cells(name, sizes, catalogue) for name, sizes in bars],
        body=_draw_body(bars, parts, catalogue),
        height=AXIS_HEIGHT + BAR_HEIGHT * len(bars) + measure_legend(parts),
    )


def _list_bars(measurement: MeasurementJson) -> list[tuple[str, Parts]]:
    bars = [(arm["name"], _split_arm(arm)) for arm in measurement["memory"]]
    return [(name, parts) for name, parts in bars if parts is not None and name != "plain-again"]


def _split_arm(arm: MemoryArmJson) -> Parts | None:
    """The four parts, or None where one of them is unknown: unknown is never drawn as zero."""
    parts = (arm["parameters"], arm["gradients"], arm["optimizer_state"], arm["peak"])
    if any(part is None for part in parts):
        return None
    return (parts[0] or 0, parts[1] or 0, parts[2] or 0, parts[3] or 0)


def _draw_body(
    bars: Sequence[tuple[str, Parts]], parts: Sequence[str], catalogue: Catalogue
) -> Spec:
    largest = max(sum(sizes) for _, sizes in bars)
    unit, size = choose_byte_unit(largest)
    values: list[Json] = []
    totals: list[Json] = []
    for name, sizes in bars:
        arm = catalogue.name("arm", name)
        values.extend(
            {"arm": arm, "part": part, "order": order, "bytes": value / size}
            for order, (part, value) in enumerate(zip(parts, sizes, strict=True))
        )
        totals.append(
            {"arm": arm, "bytes": sum(sizes) / size, "label": catalogue.bytes(sum(sizes))}
        )
    x: Json = {
        "field": "bytes",
        "type": "quantitative",
        "scale": {"domain": [0, ROOM_FOR_SUM * largest / size], "nice": False},
        "axis": {"title": catalogue.text("axis-memory", unit=unit), "tickCount": 5},
    }
    return {"layer": [_draw_bars(values, parts, x=x), _draw_totals(totals, x=x)]}


def _draw_bars(values: list[Json], parts: Sequence[str], *, x: Json) -> Json:
    colour: Json = {
        "field": "part",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": list(parts), "range": list(PALETTE[: len(parts)])},
        "legend": make_legend(parts, orient="bottom"),
    }
    order: Json = {"field": "order", "type": "quantitative"}
    return {
        "data": {"values": values},
        "mark": {"type": "bar", "stroke": "white", "strokeWidth": 1},
        "encoding": {"y": BAR_AXIS, "x": x, "color": colour, "order": order},
    }


def _draw_totals(totals: list[Json], *, x: Json) -> Json:
    text: Json = {"field": "label", "type": "nominal"}
    return {
        "data": {"values": totals},
        "mark": {"type": "text", "align": "left", "dx": 5, "fontSize": 11, "color": "#111111"},
        "encoding": {"y": BAR_AXIS, "x": x, "text": text},
    }


def describe_stack_figure(measurement: MeasurementJson, catalogue: Catalogue) -> str:
    sentences = [
        catalogue.text(
            "figure-stack-alt-arm",
            arm=catalogue.name("arm", name),
            parameters=sizes[0],
            gradients=sizes[1],
            optimizer_state=sizes[2],
            activations=sizes[3],
        )
        for name, sizes in _list_bars(measurement)
    ]
    return " ".join([catalogue.text("figure-stack-alt"), *sentences])


def _list_cells(name: str, sizes: Parts, catalogue: Catalogue) -> list[str]:
    cells = [catalogue.exact_bytes(size) for size in (*sizes, sum(sizes))]
    return [catalogue.name("arm", name), *cells]
