from assessment.feedback.drawing import draw_all
from assessment.feedback.messages import LANGUAGES
from tests.feedback.measurements import as_stored, make_tradeoff


def test_every_figure_is_drawn_in_every_language() -> None:
    pictures = list(draw_all(as_stored(make_tradeoff())))
    assert [(one.name, one.lang) for one in pictures] == [
        (name, lang) for name in ("memory", "stack") for lang in LANGUAGES
    ]
    first = pictures[0]
    assert first.svg.startswith(b"<svg")
    assert first.png.startswith(b"\x89PNG")
    assert first.spec["description"] == first.alt
    assert set(first.table) == {"columns", "rows"}


def test_nothing_is_drawn_of_nothing() -> None:
    assert list(draw_all({})) == []
