"""The memory of one training step, operator by operator: a hill against a saw-tooth."""

from collections.abc import Sequence

from assessment.feedback.figures.drawing import (
    Figure,
    Spec,
    choose_byte_unit,
    encode_series,
    frame_figure,
)
from assessment.feedback.measurements import MeasurementJson, MemoryArmJson, TimelineJson
from assessment.feedback.messages import Catalogue
from gpu_worker.contracts import Json

MAX_ARMS = 3
# Lines that can be told apart at 360 px.

HIDDEN_ARMS = ("plain-again",)
# The noise floor: the same line as "plain", drawn over it.

BOUNDARY_MARK: Spec = {"type": "rule", "strokeDash": [3, 3], "strokeWidth": 1, "opacity": 0.8}
AREA_MARK: Spec = {"type": "area", "interpolate": "step-after", "opacity": 0.12}
LINE_MARK: Spec = {"type": "line", "interpolate": "step-after", "strokeWidth": 1.6}
PEAK_MARK: Spec = {"type": "point", "filled": True, "size": 55, "opacity": 1}
# Memory changes at an operator and stays until the next one: steps, never slopes.

COLUMNS = ("arm", "stored", "peak", "total-peak", "allocator-peak")
# Messages `column-...`.


def has_memory_figure(measurement: MeasurementJson) -> bool:
    return bool(_list_drawn_arms(measurement))


def make_memory_figure(measurement: MeasurementJson, catalogue: Catalogue) -> Figure:
    """Live bytes above the baseline over operator number, peaks marked, backward's start dashed."""
    arms = _list_drawn_arms(measurement)
    labels = [catalogue.name("arm", arm["name"]) for arm, _ in arms]
    unit, size = choose_byte_unit(max(max(timeline["live"]) for _, timeline in arms))
    body = _draw_body(arms, labels, catalogue=catalogue, unit=unit, size=size)
    return frame_figure(
        "memory",
        catalogue,
        title=catalogue.text("figure-memory-title"),
        notes=[catalogue.text("figure-memory-note")],
        alt=describe_memory_figure(measurement, catalogue),
        columns=[catalogue.text(f"column-{column}") for column in COLUMNS],
        rows=[_list_cells(arm, catalogue) for arm in measurement["memory"]],
        body=body,
        height=300,
    )


def describe_memory_figure(measurement: MeasurementJson, catalogue: Catalogue) -> str:
    arms = _list_drawn_arms(measurement)
    labels = [catalogue.name("arm", arm["name"]) for arm, _ in arms]
    return _describe_arms(arms, labels, catalogue)


def _list_drawn_arms(measurement: MeasurementJson) -> list[tuple[MemoryArmJson, TimelineJson]]:
    found = [
        (arm, arm["timeline"])
        for arm in measurement["memory"]
        if arm["timeline"] is not None and arm["timeline"]["op"] and arm["name"] not in HIDDEN_ARMS
    ]
    return found[:MAX_ARMS]


def _draw_body(
    arms: Sequence[tuple[MemoryArmJson, TimelineJson]],
    labels: Sequence[str],
    *,
    catalogue: Catalogue,
    unit: str,
    size: int,
) -> Spec:
    named = list(zip(labels, (timeline for _, timeline in arms), strict=True))
    last_op = max(timeline["op"][-1] for _, timeline in named)
    lines = [point for label, one in named for point in _list_points(label, one, size=size)]
    peaks = [
        _mark_peak(one, label, catalogue=catalogue, size=size, last_op=last_op)
        for label, one in named
    ]
    boundaries: list[Json] = [
        {"arm": label, "op": one["backward_op"]}
        for label, one in named
        if one["backward_op"] is not None
    ]
    x, y = _make_axes(catalogue, unit)
    series = encode_series(labels, channel="strokeDash")
    colour = series["color"]
    return {
        "layer": [
            _layer(boundaries, BOUNDARY_MARK, x=x, color=colour),
            _layer(lines, AREA_MARK, x=x, y={**y, "stack": None}, color=colour),
            _layer(lines, LINE_MARK, x=x, y=y, **series),
            *_label_peaks(peaks, x=x, y=y, is_halo=True),
            _layer(peaks, PEAK_MARK, x=x, y=y, color=colour),
            *_label_peaks(peaks, x=x, y=y, is_halo=False),
        ]
    }


def _layer(values: list[Json], mark: Spec, **encoding: Json) -> Json:
    return {"data": {"values": values}, "mark": mark, "encoding": encoding}


def _list_points(label: str, timeline: TimelineJson, *, size: int) -> list[Json]:
    return [
        {"arm": label, "op": op, "live": live / size}
        for op, live in zip(timeline["op"], timeline["live"], strict=True)
    ]


def _make_axes(catalogue: Catalogue, unit: str) -> tuple[Spec, Spec]:
    x: Spec = {
        "field": "op",
        "type": "quantitative",
        "axis": {"title": catalogue.text("axis-operator"), "tickCount": 5, "grid": False},
    }
    y: Spec = {
        "field": "live",
        "type": "quantitative",
        "axis": {"title": catalogue.text("axis-live-memory", unit=unit), "tickCount": 6},
    }
    return x, y


def _label_peaks(peaks: list[Json], *, x: Spec, y: Spec, is_halo: bool) -> list[Json]:
    """The peaks in words, on the side with room: a white halo under the dots, black over them."""
    layers: list[Json] = []
    for align, dx in (("left", 7), ("right", -7)):
        wanted: list[Json] = [peak for peak in peaks if _as_dict(peak)["align"] == align]
        mark: Spec = {"type": "text", "align": align, "dx": dx, "dy": -7, "fontSize": 12}
        mark |= {"fontWeight": "bold", "fill": "white" if is_halo else "#111111"}
        if is_halo:
            mark |= {"stroke": "white", "strokeWidth": 3}
        layers.append(_layer(wanted, mark, x=x, y=y, text={"field": "label", "type": "nominal"}))
    return layers


def _mark_peak(
    timeline: TimelineJson, label: str, *, catalogue: Catalogue, size: int, last_op: int
) -> Json:
    place = max(range(len(timeline["live"])), key=lambda i: timeline["live"][i])
    op, live = timeline["op"][place], timeline["live"][place]
    return {
        "arm": label,
        "op": op,
        "live": live / size,
        "label": catalogue.bytes(live),
        "align": "left" if op < 0.6 * last_op else "right",
    }


def _describe_arms(
    arms: Sequence[tuple[MemoryArmJson, TimelineJson]], labels: Sequence[str], catalogue: Catalogue
) -> str:
    sentences = [catalogue.text("figure-memory-alt")]
    for (arm, timeline), label in zip(arms, labels, strict=True):
        peak = arm["peak"] if arm["peak"] is not None else max(timeline["live"])
        stored = arm["stored"]
        if stored is None:
            sentences.append(catalogue.text("figure-memory-alt-peak", arm=label, peak=peak))
        else:
            sentences.append(
                catalogue.text("figure-memory-alt-arm", arm=label, peak=peak, stored=stored)
            )
    return " ".join(sentences)


def _list_cells(arm: MemoryArmJson, catalogue: Catalogue) -> list[str]:
    values = (arm["stored"], arm["peak"], arm["total_peak"], arm["allocator_peak"])
    return [catalogue.name("arm", arm["name"]), *(catalogue.exact_bytes(value) for value in values)]


def _as_dict(value: Json) -> Spec:
    assert isinstance(value, dict)
    return value
