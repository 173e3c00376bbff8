"""axe-core on every page and state, in each language and theme; zoom, and large targets."""

import json
import re

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.axe import list_violations
from tests.e2e.conftest import PHONE, MakeLearner

QUIZ = "gradient-checkpointing"
UNFOLD = "document.querySelectorAll('.feedback details').forEach((one) => { one.open = true; })"


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
    assert keep_those(found) == {}


def keep_those(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: violations for name, violations in found.items() if violations}


def test_no_state_of_a_question_has_a_violation(make_learner: MakeLearner):
    learner = make_learner("bg", PHONE)
    page, found = learner.open(f"/learn/?quiz={QUIZ}").page, {}
    page.locator("input[name=form]").first.wait_for()
    found["form"] = list_violations(page)
    learner.choose_quiz(QUIZ)
    learner.send(3)
    expect(page.locator(".ask-first")).not_to_be_empty()
    learner.make_link()
    found["nothing chosen, link to another device"] = list_violations(page)
    page.keyboard.press("Escape")
    learner.answer(learner.find_item(QUIZ, "bg").wrong("bg"), certainty=1)
    found["unsure"] = list_violations(page)
    learner.go_on()
    learner.wait_question(2)
    learner.answer(learner.find_item(QUIZ, "bg").right("bg"), certainty=3)
    found["right"] = list_violations(page)
    learner.go_on()
    learner.wait_question(3)
    learner.context.set_offline(True)
    learner.choose(learner.find_item(QUIZ, "bg").right("bg"))
    learner.send(3)
    expect(page.locator(".reply .notice")).to_be_visible()
    found["kept, offline"] = list_violations(page)
    learner.go_on()
    learner.wait_question(4)
    learner.context.set_offline(False)
    expect(page.locator("#banner a")).to_be_visible()
    found["sent later"] = list_violations(page)
    page.evaluate("""localStorage.setItem("remat.guest", '{"token": "no", "secret": "no"}')""")
    learner.choose(learner.find_item(QUIZ, "bg").right("bg"))
    learner.send(2)
    expect(page.locator("#banner:not(.is-quiet)")).to_be_visible()
    found["expired"] = list_violations(page)
    assert keep_those(found) == {}


def test_no_prediction_has_a_violation(make_learner: MakeLearner):
    learner = make_learner("fr", PHONE)
    learner.choose_quiz(QUIZ, form=2)
    learner.answer(learner.find_item(QUIZ, "fr").wrong("fr"))
    learner.page.locator(".prediction").wait_for()
    found = list_violations(learner.page)
    learner.page.locator(".prediction input").first.check()
    learner.page.locator(".bar button[type=submit]").click()
    learner.verdict.wait_for()
    assert found + list_violations(learner.page) == []


@pytest.mark.parametrize("state", ["failed", "not_run", "simulated"])
def test_no_evidence_has_a_violation(make_learner: MakeLearner, state):
    learner = make_learner("en", PHONE)
    learner.choose_quiz(QUIZ)

    def change(route: Route) -> None:
        reply = route.fetch()
        body = json.loads(reply.body())
        told = body["feedback"]["demonstration"]
        told["state"] = state
        if state != "simulated":
            told |= {"figures": {}, "memory": None, "narrative": None, "provenance": None}
        route.fulfill(response=reply, json=body)

    learner.page.route(re.compile("/responses$"), change)
    learner.answer(learner.find_item(QUIZ, "en").wrong("en"))
    expect(learner.state).to_have_attribute("data-state", state)
    assert list_violations(learner.page) == []


def test_no_failure_has_a_violation(make_learner: MakeLearner):
    learner = make_learner("wo", PHONE)
    page, found = learner.page, {}
    page.route("**/api/v1/activities", lambda route: route.fulfill(status=503, body=""))
    learner.open("/learn/")
    page.locator(".failure").wait_for()
    found["not reached"] = list_violations(page)
    page.unroute("**/api/v1/activities")
    learner.open("/learn/?again#handoff=used")
    page.locator(".notice").wait_for()
    found["used link"] = list_violations(page)
    page.route("**/app.js", lambda route: route.abort())
    learner.open("/learn/")
    page.locator("#trouble").wait_for()
    found["broken script"] = list_violations(page)
    assert keep_those(found) == {}


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
