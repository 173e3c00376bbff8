"""The memory of one training step, operator by operator: a hill against a saw-tooth."""

from collections.abc import Sequence
from dataclasses import dataclass

from assessment.feedback.figures.drawing import (
    Figure,
    Spec,
    choose_byte_unit,
    encode_series,
    frame_figure,
    measure_legend,
)
from assessment.feedback.figures.lettering import measure_text
from assessment.feedback.measurements import MeasurementJson, MemoryArmJson, TimelineJson
from assessment.feedback.messages import Catalogue
from gpu_worker.contracts import Json

MAX_LINES = 3
# Lines that can be told apart at 360 px.

PLOT_WIDTH, PLOT_HEIGHT, AXIS_HEIGHT = 300, 200, 44
# Pixels, about, inside the axes and below them.

HIDDEN_ARMS = ("plain-again",)
# The noise floor: the same line as "plain", drawn over it.

BOUNDARY_MARK: Spec = {"type": "rule", "strokeDash": [3, 3], "strokeWidth": 1, "opacity": 0.8}
AREA_MARK: Spec = {"type": "area", "interpolate": "step-after", "opacity": 0.12}
LINE_MARK: Spec = {"type": "line", "interpolate": "step-after", "strokeWidth": 1.6}
PEAK_MARK: Spec = {"type": "point", "filled": True, "size": 55, "opacity": 1}
# Memory changes at an operator and stays until the next one: steps, never slopes.

PEAK_SIZE, PEAK_GAP, PEAK_LINE = 12, 7, 15
# Pixels of a peak's label: its letters, its distance from the dot, the height that it takes.

Box = tuple[float, float, float]
# Left, right and height of a label, in pixels.

COLUMNS = ("arm", "stored", "peak", "total-peak", "allocator-peak")
# Messages `column-...`.


@dataclass(frozen=True)
class Line:
    """One timeline with all the arms that have it: runs of the same memory share a line."""

    arms: tuple[MemoryArmJson, ...]
    timeline: TimelineJson

    def name(self, catalogue: Catalogue) -> str:
        return " = ".join(catalogue.name("arm", arm["name"]) for arm in self.arms)


def has_memory_figure(measurement: MeasurementJson) -> bool:
    return bool(_list_lines(measurement))


def make_memory_figure(measurement: MeasurementJson, catalogue: Catalogue) -> Figure:
    """Live bytes above the baseline over operator number, peaks marked, backward's start dashed."""
    lines = _list_lines(measurement)
    labels = [line.name(catalogue) for line in lines]
    return frame_figure(
        "memory",
        catalogue,
        title=catalogue.text("figure-memory-title"),
        notes=[catalogue.text("figure-memory-note")],
        alt=describe_memory_figure(measurement, catalogue),
        columns=[catalogue.text(f"column-{column}") for column in COLUMNS],
        rows=[_list_cells(arm, catalogue) for arm in measurement["memory"]],
        body=_draw_body([line.timeline for line in lines], labels, catalogue),
        height=PLOT_HEIGHT + AXIS_HEIGHT + measure_legend(labels),
    )


def describe_memory_figure(measurement: MeasurementJson, catalogue: Catalogue) -> str:
    sentences = [_describe_line(line, catalogue) for line in _list_lines(measurement)]
    return " ".join([catalogue.text("figure-memory-alt"), *sentences])


def _list_lines(measurement: MeasurementJson) -> list[Line]:
    lines: list[Line] = []
    for arm in measurement["memory"]:
        timeline = arm["timeline"]
        if timeline is None or not timeline["op"] or arm["name"] in HIDDEN_ARMS:
            continue
        same = next((i for i, line in enumerate(lines) if line.timeline == timeline), None)
        if same is None:
            lines.append(Line((arm,), timeline))
        else:
            lines[same] = Line((*lines[same].arms, arm), timeline)
    return lines[:MAX_LINES]


def _draw_body(
    timelines: Sequence[TimelineJson], labels: Sequence[str], catalogue: Catalogue
) -> Spec:
    unit, size = choose_byte_unit(max(max(one["live"]) for one in timelines))
    named = list(zip(labels, timelines, strict=True))
    lines = [point for label, one in named for point in _list_points(label, one, size=size)]
    peaks = _mark_peaks(named, catalogue=catalogue, size=size)
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
    for align, dx in (("left", PEAK_GAP), ("right", -PEAK_GAP)):
        wanted: list[Json] = [peak for peak in peaks if _as_dict(peak)["align"] == align]
        mark: Spec = {"type": "text", "align": align, "dx": dx, "dy": -7, "fontSize": PEAK_SIZE}
        mark |= {"fontWeight": "bold", "fill": "white" if is_halo else "#111111"}
        if is_halo:
            mark |= {"stroke": "white", "strokeWidth": 4, "strokeJoin": "round"}
        layers.append(_layer(wanted, mark, x=x, y=y, text={"field": "label", "type": "nominal"}))
    return layers


def _mark_peaks(
    named: Sequence[tuple[str, TimelineJson]], *, catalogue: Catalogue, size: int
) -> list[Json]:
    """The highest point of each line with its bytes, on the side where no other peak stands."""
    last_op = max(timeline["op"][-1] for _, timeline in named) or 1
    highest = max(max(timeline["live"]) for _, timeline in named) or 1
    found: list[Json] = []
    taken: list[Box] = []
    for label, timeline in named:
        place = max(range(len(timeline["live"])), key=lambda i: timeline["live"][i])
        op, live = timeline["op"][place], timeline["live"][place]
        text = catalogue.bytes(live)
        x, y = PLOT_WIDTH * op / last_op, PLOT_HEIGHT * (1 - live / highest)
        align, box = _choose_side(x, y, measure_text(text, size=PEAK_SIZE, is_bold=True), taken)
        taken.append(box)
        found.append({"arm": label, "op": op, "live": live / size, "label": text, "align": align})
    return found


def _choose_side(x: float, y: float, width: float, taken: Sequence[Box]) -> tuple[str, Box]:
    """Right of the peak ("left"-aligned) where that fits and is free, else left of it."""
    right: Box = (x, x + width + PEAK_GAP, y)
    left: Box = (x - width - PEAK_GAP, x, y)
    fitting = [
        (align, box)
        for align, box in (("left", right), ("right", left))
        if box[0] >= 0 and box[1] <= PLOT_WIDTH
    ]
    free = [one for one in fitting if not any(_overlap(one[1], other) for other in taken)]
    return (free or fitting or [("left", right)])[0]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[1] and other[0] < one[1] and abs(one[2] - other[2]) < PEAK_LINE


def _describe_line(line: Line, catalogue: Catalogue) -> str:
    arm, name = line.arms[0], line.name(catalogue)
    peak = arm["peak"] if arm["peak"] is not None else max(line.timeline["live"])
    if arm["stored"] is None:
        return catalogue.text("figure-memory-alt-peak", arm=name, peak=peak)
    return catalogue.text("figure-memory-alt-arm", arm=name, peak=peak, stored=arm["stored"])


def _list_cells(arm: MemoryArmJson, catalogue: Catalogue) -> list[str]:
    values = {
        "stored": arm["stored"],
        "peak": arm["peak"],
        "total_peak": arm["total_peak"],
        "allocator_peak": arm["allocator_peak"],
    }
    cells = [
        catalogue.name_unknown(arm["unknown"].get(name))
        if value is None
        else catalogue.exact_bytes(value)
        for name, value in values.items()
    ]
    return [catalogue.name("arm", arm["name"]), *cells]


def _as_dict(value: Json) -> Spec:
    assert isinstance(value, dict)
    return value
