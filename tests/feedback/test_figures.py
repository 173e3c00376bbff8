import json
import re
from typing import Any

import pytest

from assessment.feedback.figures.drawing import Figure, choose_byte_unit
from assessment.feedback.figures.listing import describe_figure, list_figures, make_figure
from assessment.feedback.messages import LANGUAGES
from assessment.feedback.render import render_png, render_svg
from tests.feedback.measurements import as_stored, make_selective, make_sqrt_n, make_tradeoff

SOURCES = {
    "memory": make_tradeoff,
    "scaling": make_sqrt_n,
    "pareto": make_selective,
    "stack": make_tradeoff,
}


def draw(name: str, lang: str = "en", stored: dict[str, Any] | None = None) -> Figure:
    return make_figure(name, stored or as_stored(SOURCES[name]()), [lang])


def list_values(figure: Figure, layer: int) -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = json.loads(json.dumps(figure.spec))["layer"][layer]["data"][
        "values"
    ]
    return values


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        (as_stored(make_tradeoff()), ("memory", "stack")),
        (as_stored(make_sqrt_n()), ("memory", "scaling", "stack")),
        (as_stored(make_selective()), ("pareto",)),
    ],
)
def test_a_measurement_has_the_figures_that_it_has_numbers_for(
    stored: dict[str, Any], expected: tuple[str, ...]
) -> None:
    assert list_figures(stored) == expected


def test_a_figure_without_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="pareto"):
        draw("pareto", stored=as_stored(make_tradeoff()))
    with pytest.raises(ValueError, match="no-such"):
        make_figure("no-such", as_stored(make_tradeoff()), ["en"])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", SOURCES)
def test_each_figure_is_drawn_in_each_language_with_its_equivalents(name: str, lang: str) -> None:
    figure = draw(name, lang)
    assert figure.lang == lang
    assert figure.spec["description"] == figure.alt
    assert re.search(r"\d", figure.alt)
    assert all(len(row) == len(figure.columns) for row in figure.rows)
    assert json.loads(json.dumps(figure.spec, allow_nan=False)) == figure.spec
    assert describe_figure(name, as_stored(SOURCES[name]()), [lang]).text == figure.alt
    svg = render_svg(figure.spec).decode()
    shown = "".join(re.findall(r">([^<>]+)<", svg))
    assert all(word in shown for word in figure.title.split()[:2])


def test_the_picture_is_as_wide_as_a_narrow_phone() -> None:
    for name in SOURCES:
        svg = render_svg(draw(name, "bg").spec).decode()
        width = re.search(r'<svg[^>]* width="([0-9.]+)"', svg)
        assert width is not None
        assert float(width[1]) <= 380


def test_the_png_is_a_png() -> None:
    png = render_png(draw("memory", "wo").spec)
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(png[16:20], "big") >= 720


# --- Memory --------------------------------------------------------------------------


def test_the_peaks_of_both_arms_are_marked_where_they_are() -> None:
    figure = draw("memory")
    peaks = list_values(figure, 5)
    assert [peak["label"] for peak in peaks] == ["31.0 MiB", "9.26 MiB"]
    assert peaks[0]["live"] == pytest.approx(32_539_144 / 2**20)
    boundaries = list_values(figure, 0)
    assert [one["op"] for one in boundaries] == [60, 80]


def test_the_noise_floor_is_in_the_table_but_not_drawn() -> None:
    stored = as_stored(make_tradeoff())
    stored["memory"][2]["timeline"] = stored["memory"][0]["timeline"]
    figure = draw("memory", stored=stored)
    assert {value["arm"] for value in list_values(figure, 1)} == {
        "without checkpoints",
        "with checkpoints",
    }
    assert len(figure.rows) == 3


def test_arms_with_one_timeline_share_its_line() -> None:
    stored = as_stored(make_tradeoff())
    stored["memory"][2] |= {"name": "sgd", "timeline": stored["memory"][0]["timeline"]}
    figure = draw("memory", stored=stored)
    both = "without checkpoints = SGD instead of AdamW"
    assert {value["arm"] for value in list_values(figure, 1)} == {both, "with checkpoints"}
    assert f"{both}: 29.8 MiB are stored" in figure.alt


def test_the_labels_of_two_peaks_do_not_cover_each_other() -> None:
    stored = as_stored(make_tradeoff())
    first, second = (stored["memory"][i]["timeline"] for i in (0, 1))
    second |= {"op": list(first["op"]), "live": [live - 1 for live in first["live"]]}
    peaks = list_values(draw("memory", stored=stored), 5)
    peaks += list_values(draw("memory", stored=stored), 6)
    assert len({peak["align"] for peak in peaks}) == 2


def test_unknown_bytes_are_unknown_in_the_table() -> None:
    figure = draw("memory")
    assert figure.rows[0] == (
        "without checkpoints",
        "31,227,908 B",
        "32,539,144 B",
        "45,088,768 B",
        "32,539,176 B",
    )
    assert figure.rows[1][-1] == "unknown"
    stored = as_stored(make_tradeoff())
    stored["memory"][1]["unknown"] = {"allocator_peak": "not_measured_for_this_arm"}
    told = draw("memory", stored=stored).rows[1][-1]
    assert told == "unknown (not measured for this variant)"


def test_frees_below_the_baseline_are_drawn_as_they_are() -> None:
    stored = as_stored(make_tradeoff())
    stored["memory"][1]["timeline"]["live"][-1] = -1_048_576
    values = list_values(draw("memory", stored=stored), 2)
    assert min(value["live"] for value in values) == -1.0
    assert render_svg(draw("memory", stored=stored).spec)


def test_the_text_alternative_tells_stored_and_peak_of_each_arm() -> None:
    alt = draw("memory", "bg").alt
    assert "пикът е 31,0 MiB" in alt
    assert "съхранени 768 KiB, пикът е 9,26 MiB" in alt


# --- Scaling -------------------------------------------------------------------------


def test_the_residual_is_stated_and_the_exponents_are_only_shown() -> None:
    figure = draw("scaling", "fr")
    title = figure.spec["title"]
    assert isinstance(title, dict)
    assert "Plus grand écart : 0 B." in " ".join(map(str, title["subtitle"]))  # type: ignore[arg-type]  # a list of lines
    assert {value["arm"] for value in list_values(figure, 1)} == {
        "sans points de reprise (exposant 0,934)",
        "avec points de reprise (exposant 0,496)",
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_simulated_points_are_not_called_measured(lang: str) -> None:
    stored = as_stored(make_sqrt_n())
    real = draw("scaling", lang, stored)
    stored["environment"]["device"] = "simulated"
    simulated = draw("scaling", lang, stored)
    assert real.title != simulated.title
    assert real.columns[2] != simulated.columns[2]
    assert real.alt != simulated.alt


def test_only_a_formula_has_a_line() -> None:
    stored = as_stored(make_sqrt_n())
    stored["scaling"]["series"][1]["theory"] = None
    figure = draw("scaling", stored=stored)
    assert len({value["arm"] for value in list_values(figure, 0)}) == 1
    assert len({value["arm"] for value in list_values(figure, 1)}) == 2


def test_a_point_off_its_formula_is_told() -> None:
    stored = as_stored(make_sqrt_n())
    stored["scaling"]["series"][1]["y"][3] += 2048
    assert "Largest difference: 2.00 KiB." in draw("scaling", stored=stored).alt


def test_every_point_is_in_the_table_to_the_byte() -> None:
    figure = draw("scaling")
    assert len(figure.rows) == 16
    assert figure.rows[0][2:] == ("331,912 B", "331,912 B")


def test_what_has_no_logarithm_is_left_out() -> None:
    stored = as_stored(make_sqrt_n())
    for series in stored["scaling"]["series"]:
        series["y"][0] = 0.0
    assert "scaling" not in list_figures(stored)


# --- Pareto and stack ----------------------------------------------------------------


def test_the_front_holds_what_no_other_variant_beats() -> None:
    figure = draw("pareto")
    front = [value["number"] for value in list_values(figure, 0)]
    assert front == ["2", "6", "7", "8"]
    assert list_values(figure, 2)[0]["flops"] == 1.0


def test_variants_at_one_place_share_a_ring() -> None:
    stored = as_stored(make_selective())
    stored["memory"][4] |= {"peak": stored["memory"][0]["peak"]}
    stored["flops"][4] |= {"total": stored["flops"][0]["total"]}
    first = list_values(draw("pareto", stored=stored), 2)[0]
    assert (first["number"], first["others"]) == ("1", "+5")


def test_a_part_that_is_unknown_is_not_stacked_as_zero() -> None:
    stored = as_stored(make_tradeoff())
    stored["memory"][1]["optimizer_state"] = None
    figure = draw("stack", stored=stored)
    assert [row[0] for row in figure.rows] == ["without checkpoints"]


def test_the_sum_of_a_stack_is_its_parts() -> None:
    figure = draw("stack")
    assert figure.rows[0][-1] == "45,228,768 B"


@pytest.mark.parametrize(
    ("size", "unit"), [(0, "B"), (1023, "B"), (1024, "KiB"), (2**20, "MiB"), (5 * 2**30, "GiB")]
)
def test_axes_use_the_unit_of_the_largest_value(size: int, unit: str) -> None:
    assert choose_byte_unit(size)[0] == unit
