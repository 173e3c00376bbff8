"""axe-core on every page, in each language and theme; zoom, motion, and what is announced."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, MakeLearner

QUIZ = "gradient-checkpointing"
UNFOLD = "document.querySelectorAll('.feedback details').forEach((one) => { one.open = true; })"
RULES: dict[str, Any] = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}


def list_violations(page: Page) -> list[str]:
    """In both themes; which rule, where."""
    found = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for one in Axe().run(page, options=RULES).response["violations"]:
            nodes = [node["html"][:120] for node in one["nodes"][:3]]
            found.append(f"{theme}: {one['id']}: {one['help']}: {nodes}")
    return found


@pytest.mark.parametrize("lang", ["en", "bg", "fr", "wo"])
def test_no_page_has_a_violation(make_learner: MakeLearner, lang):
    learner = make_learner(lang, PHONE)
    page = learner.open("/").page
    found = {"front": list_violations(page)}
    learner.open("/learn/")
    page.locator(".card-link").first.wait_for()
    found["quizzes"] = list_violations(page)
    learner.choose_quiz(QUIZ)
    found["question"] = list_violations(page)
    learner.answer(learner.find_item(QUIZ, lang).wrong(lang))
    learner.wait_evidence()
    page.evaluate(UNFOLD)
    page.locator(".ranges input[type=range]").first.wait_for()
    found["evidence"] = list_violations(page)
    learner.go_on()
    learner.wait_question(2)
    page.locator(".menu > summary").click()
    page.locator(".menu a").first.click()
    page.locator(".score-line").wait_for()
    page.locator("details.answer > summary").first.click()
    found["result"] = list_violations(page)
    assert {name: one for name, one in found.items() if one} == {}


def test_the_other_screens_have_none_either(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    page = learner.page
    learner.choose_quiz(QUIZ, form=2)
    learner.answer(learner.find_item(QUIZ, "en").wrong("en"))
    page.locator(".prediction").wait_for()
    found = list_violations(page)
    learner.context.set_offline(True)
    expect(page.locator("#banner")).to_be_visible()
    found += list_violations(page)
    assert found == []


@pytest.mark.parametrize("lang", ["bg", "wo"])
def test_320_pixels_are_enough(make_learner: MakeLearner, lang):
    learner = make_learner(lang, {"width": 320, "height": 640})
    page = learner.open("/").page
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    learner.choose_quiz(QUIZ)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    learner.answer(learner.find_item(QUIZ, lang).wrong(lang))
    learner.wait_evidence()
    page.evaluate(UNFOLD)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_targets_are_large(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz(QUIZ)
    for target in learner.page.locator(".option label, .certainty .button").all():
        box = target.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    for target in learner.page.locator(".flip").all():
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
