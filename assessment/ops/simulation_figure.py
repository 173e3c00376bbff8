"""The picture of a simulation, as a Vega-Lite specification."""

import json
from pathlib import Path

import numpy as np

from assessment.psychometrics.simulation import Simulation

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
MAX_POINTS = 500
# Ranks drawn of the exposure curve: more cannot be told apart on 320 pixels.


def make_simulation_figure(simulation: Simulation, summary: dict[str, object]) -> dict[str, object]:
    """Return error over true theta beside exposure over items, most shown first."""
    return {
        "$schema": SCHEMA,
        "background": "white",
        "hconcat": [_draw_errors(summary), _draw_exposure(simulation)],
    }


def write_figure(spec: dict[str, object], path: Path) -> None:
    """Write the specification itself, or render it, by the ending of the file's name."""
    if path.suffix == ".json":
        path.write_text(json.dumps(spec, indent=1) + "\n", encoding="utf-8")
        return
    import vl_convert

    if path.suffix == ".svg":
        path.write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")
    elif path.suffix == ".png":
        path.write_bytes(vl_convert.vegalite_to_png(spec, scale=2))
    else:
        raise ValueError(f"{path}: a figure ends in .svg, .png or .json")


def _draw_errors(summary: dict[str, object]) -> dict[str, object]:
    rows = summary["by_theta"]
    assert isinstance(rows, list)
    values = [
        {"theta": _name_bin(row), "order": at, "measure": measure, "value": row[measure]}
        for at, row in enumerate(rows)
        for measure in ("bias", "rmse")
        if row[measure] is not None
    ]
    return {
        "title": "Error of theta",
        "width": 320,
        "height": 220,
        "data": {"values": values},
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {
                "field": "theta",
                "type": "ordinal",
                "sort": {"field": "order"},
                "title": "theta",
            },
            "y": {"field": "value", "type": "quantitative", "title": "logits"},
            "color": {"field": "measure", "type": "nominal", "title": None},
            "strokeDash": {"field": "measure", "type": "nominal", "title": None},
        },
    }


def _draw_exposure(simulation: Simulation) -> dict[str, object]:
    shares = np.sort(simulation.counts / len(simulation.theta))[::-1]
    ranks = np.unique(np.linspace(0, len(shares) - 1, MAX_POINTS).astype(int))
    values = [{"rank": int(rank) + 1, "share": float(shares[rank])} for rank in ranks]
    return {
        "title": "Exposure of items",
        "width": 320,
        "height": 220,
        "data": {"values": values},
        "mark": {"type": "area", "line": True, "opacity": 0.4, "interpolate": "step-after"},
        "encoding": {
            "x": {"field": "rank", "type": "quantitative", "title": "items, most shown first"},
            "y": {
                "field": "share",
                "type": "quantitative",
                "title": "share of tests",
                "scale": {"domain": [0, 1]},
            },
        },
    }


def _name_bin(row: dict[str, float | None]) -> str:
    low, high = row["low"], row["high"]
    if low is None:
        return f"below {high}"
    return f"above {low}" if high is None else f"{low} to {high}"
