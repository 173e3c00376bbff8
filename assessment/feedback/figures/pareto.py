"""Bytes against FLOPs: what each way of recomputing saves, and what it costs."""

from collections.abc import Sequence
from dataclasses import dataclass

from assessment.feedback.figures.drawing import (
    PALETTE,
    Figure,
    Spec,
    choose_byte_unit,
    cycle_over,
    frame_figure,
    make_legend,
    measure_legend,
)
from assessment.feedback.measurements import MeasurementJson
from assessment.feedback.messages import Catalogue
from gpu_worker.contracts import Json

PLAIN = "plain"
# The arm to whose FLOPs the others are compared.

HIDDEN_ARMS = frozenset({"plain-again", "core-no-early-stop", "input-plain", "input-layer"})
# Noise floor and cross-checks: they are in the tables.

MOST_PLACES = 9
# More numbers than this cover each other at 360 px.

FRONT_MARK: Spec = {"type": "line", "color": "#999999", "strokeDash": [4, 3], "strokeWidth": 1}
PLACE_MARK: Spec = {"type": "point", "size": 260, "opacity": 1, "strokeWidth": 3, "fill": "white"}
NUMBER_MARK: Spec = {"type": "text", "color": "#111111", "fontSize": 10, "fontWeight": "bold"}
OTHERS_MARK: Spec = {**NUMBER_MARK, "align": "left", "dx": 13}
# A number in a ring of the arm's colour: it is read without telling colours apart.

PLOT_HEIGHT = 260
# Pixels, the axis below included.

FEWEST_PLACES = 3
# Two places are a sentence, not a front.


@dataclass(frozen=True)
class Place:
    """One arm: its peak in bytes and its FLOPs relative to plain. `is_best`: none beats it."""

    name: str
    peak: int
    flop_ratio: float
    is_best: bool = False


def has_pareto_figure(measurement: MeasurementJson) -> bool:
    places = {(place.peak, place.flop_ratio) for place in _list_places(measurement)}
    return len(places) >= FEWEST_PLACES


def make_pareto_figure(measurement: MeasurementJson, catalogue: Catalogue) -> Figure:
    places = _list_places(measurement)
    labels = [
        f"{number}  {catalogue.name('arm', place.name)}"
        for number, place in enumerate(places, start=1)
    ]
    return frame_figure(
        "pareto",
        catalogue,
        title=catalogue.text("figure-pareto-title"),
        notes=[catalogue.text("figure-pareto-note"), _tell_front(places, catalogue)],
        alt=describe_pareto_figure(measurement, catalogue),
        columns=[
            catalogue.text(f"column-{name}") for name in ("number", "arm", "peak", "flop-ratio")
        ],
        rows=[_list_cells(number, one, catalogue) for number, one in enumerate(places, start=1)],
        body=_draw_body(places, labels, catalogue),
        height=PLOT_HEIGHT + measure_legend(labels),
    )


def _list_places(measurement: MeasurementJson) -> list[Place]:
    flops = {arm["name"]: arm["total"] for arm in measurement["flops"]}
    plain = flops.get(PLAIN)
    if not plain:
        return []
    found = []
    for arm in measurement["memory"]:
        total = flops.get(arm["name"])
        if arm["peak"] is not None and total is not None and arm["name"] not in HIDDEN_ARMS:
            found.append(Place(arm["name"], arm["peak"], total / plain))
    found = found[:MOST_PLACES]
    return [
        Place(one.name, one.peak, one.flop_ratio, is_best=_is_best(one, found)) for one in found
    ]


def _is_best(place: Place, others: Sequence[Place]) -> bool:
    """Whether no other arm is at least as good in both and better in one."""
    return not any(
        other.peak <= place.peak
        and other.flop_ratio <= place.flop_ratio
        and (other.peak, other.flop_ratio) != (place.peak, place.flop_ratio)
        for other in others
    )


def _draw_body(places: Sequence[Place], labels: Sequence[str], catalogue: Catalogue) -> Spec:
    unit, size = choose_byte_unit(max(place.peak for place in places))
    values: list[Json] = [
        {
            "arm": label,
            "number": _number_place(place, places)[0],
            "others": _number_place(place, places)[1],
            "peak": place.peak / size,
            "flops": place.flop_ratio,
            "best": place.is_best,
        }
        for place, label in zip(places, labels, strict=True)
    ]
    front: list[Json] = [value for value in values if isinstance(value, dict) and value["best"]]
    axes: Spec = {
        "x": _axis("flops", catalogue.text("axis-flop-ratio")),
        "y": _axis("peak", catalogue.text("axis-peak-memory", unit=unit)),
    }
    order: Json = {"field": "flops", "type": "quantitative"}
    in_ring: Json = {"field": "number", "type": "nominal"}
    beside: Json = {"field": "others", "type": "nominal"}
    return {
        "layer": [
            _layer(front, FRONT_MARK, {**axes, "order": order}),
            _layer(values[::-1], PLACE_MARK, {**axes, "color": _colour_arms(labels)}),
            _layer(values, NUMBER_MARK, {**axes, "text": in_ring}),
            _layer(values, OTHERS_MARK, {**axes, "text": beside}),
        ]
    }


def _layer(values: list[Json], mark: Spec, encoding: Spec) -> Json:
    return {"data": {"values": values}, "mark": mark, "encoding": encoding}


def _colour_arms(labels: Sequence[str]) -> Json:
    colours: list[Json] = list(cycle_over(PALETTE, len(labels)))
    return {
        "field": "arm",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": list(labels), "range": colours},
        "legend": make_legend(labels, orient="bottom"),
    }


def _number_place(place: Place, places: Sequence[Place]) -> tuple[str, str]:
    """What stands in the ring ("1") and beside it ("+3, 5"): arms that agree share a ring."""
    same = [
        str(number)
        for number, other in enumerate(places, start=1)
        if (other.peak, other.flop_ratio) == (place.peak, place.flop_ratio)
    ]
    return same[0], "+" + ", ".join(same[1:]) if len(same) > 1 else ""


def _axis(field: str, title: str) -> Json:
    return {
        "field": field,
        "type": "quantitative",
        "scale": {"zero": False, "nice": True, "padding": 14},
        "axis": {"title": title, "tickCount": 5},
    }


def describe_pareto_figure(measurement: MeasurementJson, catalogue: Catalogue) -> str:
    places = _list_places(measurement)
    sentences = [
        catalogue.text(
            "figure-pareto-alt-arm",
            arm=catalogue.name("arm", place.name),
            peak=place.peak,
            flop_ratio=place.flop_ratio,
        )
        for place in places
    ]
    last = _name_best(places, catalogue)
    return " ".join([catalogue.text("figure-pareto-alt"), *sentences, last])


def _tell_front(places: Sequence[Place], catalogue: Catalogue) -> str:
    """What the grey line is; where one place beats all others there is no line but its name."""
    best = {(place.peak, place.flop_ratio) for place in places if place.is_best}
    if len(best) > 1:
        return catalogue.text("figure-pareto-note-front")
    return _name_best(places, catalogue)


def _name_best(places: Sequence[Place], catalogue: Catalogue) -> str:
    best = [catalogue.name("arm", place.name) for place in places if place.is_best]
    return catalogue.text("figure-pareto-alt-best", arms="; ".join(best))


def _list_cells(number: int, place: Place, catalogue: Catalogue) -> list[str]:
    return [
        str(number),
        catalogue.name("arm", place.name),
        catalogue.exact_bytes(place.peak),
        catalogue.ratio(place.flop_ratio),
    ]
