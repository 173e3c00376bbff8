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
    lines: list[Json] = []
    peaks: list[Json] = []
    boundaries: list[Json] = []
    last_op = max(timeline["op"][-1] for _, timeline in arms)
    for (_, timeline), label in zip(arms, labels, strict=True):
        lines.extend(
            {"arm": label, "op": op, "live": live / size}
            for op, live in zip(timeline["op"], timeline["live"], strict=True)
        )
        peaks.append(_mark_peak(timeline, label, catalogue=catalogue, size=size, last_op=last_op))
        if timeline["backward_op"] is not None:
            boundaries.append({"arm": label, "op": timeline["backward_op"]})
    x: Json = {
        "field": "op",
        "type": "quantitative",
        "axis": {"title": catalogue.text("axis-operator"), "tickCount": 5, "grid": False},
    }
    y: Json = {
        "field": "live",
        "type": "quantitative",
        "axis": {"title": catalogue.text("axis-live-memory", unit=unit), "tickCount": 6},
    }
    series = encode_series(labels, channel="strokeDash")
    colour = {"color": series["color"]}
    layer: list[Json] = [
        {
            "data": {"values": boundaries},
            "mark": {"type": "rule", "strokeDash": [3, 3], "strokeWidth": 1, "opacity": 0.8},
            "encoding": {"x": x, **colour},
        },
        {
            "data": {"values": lines},
            "mark": {"type": "area", "interpolate": "step-after", "opacity": 0.12},
            "encoding": {"x": x, "y": {**_as_dict(y), "stack": None}, **colour},
        },
        {
            "data": {"values": lines},
            "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 1.6},
            "encoding": {"x": x, "y": y, **series},
        },
        *_label_peaks(peaks, x=x, y=y, is_halo=True),
        {
            "data": {"values": peaks},
            "mark": {"type": "point", "filled": True, "size": 55, "opacity": 1},
            "encoding": {"x": x, "y": y, **colour},
        },
        *_label_peaks(peaks, x=x, y=y, is_halo=False),
    ]
    return {"layer": layer}


def _label_peaks(peaks: list[Json], *, x: Json, y: Json, is_halo: bool) -> list[Json]:
    """The peaks in words, on the side with room: a white halo under the dots, black over them."""
    layers: list[Json] = []
    for align, dx in (("left", 7), ("right", -7)):
        wanted: list[Json] = [peak for peak in peaks if _as_dict(peak)["align"] == align]
        mark: Spec = {"type": "text", "align": align, "dx": dx, "dy": -7, "fontSize": 12}
        mark |= {"fontWeight": "bold", "fill": "white" if is_halo else "#111111"}
        if is_halo:
            mark |= {"stroke": "white", "strokeWidth": 3}
        encoding: Json = {"x": x, "y": y, "text": {"field": "label", "type": "nominal"}}
        layers.append({"data": {"values": wanted}, "mark": mark, "encoding": encoding})
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
