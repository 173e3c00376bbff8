"""A closer look at a figure: its library comes when asked for, under the strict policy."""

from playwright.sync_api import expect

from tests.e2e.axe import list_violations
from tests.e2e.conftest import DESK, MakeLearner

QUIZ = "gradient-checkpointing"


def test_a_figure_is_read_value_by_value(make_learner: MakeLearner):
    learner = make_learner("bg", DESK)
    page, refused = learner.page, []
    page.on("console", lambda one: refused.append(one.text) if "Security" in one.text else None)
    fetched: list[str] = []
    page.on("request", lambda one: fetched.append(one.url) if "/vega/" in one.url else None)
    learner.choose_quiz(QUIZ)
    learner.answer(learner.find_item(QUIZ, "bg").wrong("bg"))
    learner.wait_evidence()
    assert fetched == []

    page.locator(".evidence-head .closer .link").click()
    drawing = page.locator(".evidence-head .explored svg")
    drawing.wait_for()
    slider = page.locator(".evidence-head .closer input[type=range]")
    expect(slider).to_be_focused()
    words = page.locator(".evidence-head .closer .cursor-words")
    assert "31,0" in words.inner_text()
    at_peak = words.inner_text()
    page.keyboard.press("ArrowRight")
    expect(words).not_to_have_text(at_peak)
    assert slider.get_attribute("aria-valuetext") == words.inner_text()
    drawing.hover(position={"x": 60, "y": 200})
    expect(words).not_to_have_text(at_peak)
    before = drawing.inner_html()
    page.locator(".evidence-head .closer .move").last.click()
    page.wait_for_function(
        "(old) => document.querySelector('.explored svg').innerHTML !== old", arg=before
    )

    page.locator(".details summary", has_text=PARETO).click()
    page.locator(".details .closer .link").first.click()
    page.locator(".details .explored svg").wait_for()
    expect(page.locator(".details .cursor-words")).to_contain_text("FLOPs")
    assert refused == []
    assert list_violations(page) == []


PARETO = "Памет спрямо"
