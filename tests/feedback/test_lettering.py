"""No text of a picture is cut: every one of them lies inside the picture's edges."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from assessment.feedback.figures.lettering import measure_text, wrap_text
from assessment.feedback.figures.listing import list_figures, make_figure
from assessment.feedback.messages import LANGUAGES, get_catalogue
from assessment.feedback.render import render_svg
from tests.feedback.measurements import as_stored, make_selective, make_sqrt_n, make_tradeoff

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("text", "regular", "bold"),
    [
        ("Memory of one training step, operator by operator", 25.30, 28.68),
        ("Паметта на една стъпка на обучението, оператор по оператор", 33.51, 36.53),
        ("La mémoire d'un pas d'entraînement, opérateur par opérateur", 31.39, 35.33),
        ("Mémoire bu benn jéego bu entraînement, opérateur ci kaw opérateur", 34.88, 39.30),
    ],
)
def test_a_width_is_never_less_than_in_the_widest_common_font(
    text: str, regular: float, bold: float
) -> None:
    """regular, bold: sums of the advances in DejaVu Sans 2.37, in parts of the font size."""
    assert regular <= measure_text(text, size=1) <= 1.2 * regular
    assert bold <= measure_text(text, size=1, is_bold=True) <= 1.2 * bold


def test_lines_are_few_and_of_about_equal_length() -> None:
    lines = wrap_text("one two three four five six", width=100, size=10)
    assert lines == ["one two three", "four five six"]
    assert wrap_text("one", width=100, size=10) == ["one"]
    assert wrap_text("", width=100, size=10) == []


def test_a_word_that_is_too_wide_stays_whole() -> None:
    assert wrap_text("a incomprehensible b", width=30, size=10) == ["a", "incomprehensible", "b"]


def list_extents(svg: bytes) -> tuple[float, list[tuple[str, float, float]]]:
    """Width of the picture; of each text that is drawn level its left and right edge."""
    root = ElementTree.fromstring(svg)
    found: list[tuple[str, float, float]] = []

    def walk(node: ElementTree.Element, x: float) -> None:
        transform = node.get("transform", "")
        moved = re.search(r"translate\(([-0-9.]+)", transform)
        x += float(moved[1]) if moved else 0.0
        if node.tag == f"{SVG}text" and "rotate" not in transform:
            lines = [one.text or "" for one in node.findall(f"{SVG}tspan")] or [node.text or ""]
            size = float(node.get("font-size", "11px").removesuffix("px"))
            for line in lines:
                width = measure_text(line, size=size, is_bold=node.get("font-weight") == "bold")
                share = {"end": 1.0, "middle": 0.5}.get(node.get("text-anchor", ""), 0.0)
                found.append((line, x - share * width, x + (1 - share) * width))
        for child in node:
            walk(child, x)

    walk(root, 0.0)
    return float(root.get("width", "0")), found


def check_inside(stored: dict[str, Any], lang: str) -> None:
    for name in list_figures(stored):
        width, extents = list_extents(render_svg(make_figure(name, stored, [lang]).spec))
        assert len(extents) > 8
        cut = [one for one in extents if one[1] < -0.5 or one[2] > width + 0.5]
        assert cut == [], f"{name} in {lang}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_leaves_the_picture(lang: str) -> None:
    for made in (make_tradeoff(), make_sqrt_n(), make_selective()):
        check_inside(as_stored(made), lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_longest_names_do_not_leave_it_either(lang: str) -> None:
    catalogue = get_catalogue(lang)
    names = ["not-restored", "core-no-early-stop", "sharded-bf16-checkpointed"]
    assert all(catalogue.name("arm", name) != name for name in names)
    stored = as_stored(make_tradeoff())
    for arm, name in zip(stored["memory"], names, strict=True):
        arm |= {"name": name, "parameters": 1, "gradients": 1, "optimizer_state": 1}
    stored["memory"][2]["timeline"] = stored["memory"][1]["timeline"]
    check_inside(stored, lang)
