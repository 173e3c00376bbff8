"""Both seed quizzes to their evidence and result, on a phone and a desk, in three languages."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESK, PHONE, MakeLearner
from tests.e2e.seeds import SEEDS


@pytest.mark.parametrize("lang", ["wo", "bg", "en"])
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("quiz", list(SEEDS))
def test_a_quiz_leads_to_its_evidence(make_learner: MakeLearner, quiz, viewport, lang):
    learner = make_learner(lang, viewport)
    learner.choose_quiz(quiz)
    page = learner.page
    expect(page.locator("html")).to_have_attribute("lang", lang)
    for number in range(1, 9):
        learner.wait_question(number)
        item = learner.find_item(quiz, lang)
        if item.has_evidence:
            break
        learner.answer(item.right(lang))
        learner.go_on()
    reply = learner.answer(item.wrong(lang))
    assert reply["feedback"]["correct"] is False
    expect(learner.verdict).to_be_focused()
    learner.wait_evidence()
    expect(page.locator(".versus .predicts .text")).to_have_attribute("lang", lang)
    expect(page.locator(".versus .measured .verdict b")).not_to_be_empty()
    expect(page.locator(".feedback .explanation").first).to_be_visible()
    assert page.locator(".details > details").count() >= 4
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    learner.go_on()
    learner.wait_question(number + 1)


@pytest.mark.parametrize(
    ("quiz", "viewport", "lang"),
    [("gradient-checkpointing", PHONE, "bg"), ("activation-recomputation", DESK, "wo")],
)
def test_a_quiz_ends_with_its_result(make_learner: MakeLearner, quiz, viewport, lang):
    learner = make_learner(lang, viewport)
    learner.choose_quiz(quiz)
    page = learner.page
    for number in range(1, 9):
        learner.wait_question(number)
        expect(page.locator(".progress .place")).to_contain_text("8")
        item = learner.find_item(quiz, lang)
        reply = learner.answer(item.wrong(lang) if number == 1 else item.right(lang))
        assert reply["feedback"]["correct"] is (number != 1)
        learner.verdict.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        learner.go_on()
    expect(page.locator(".score-line")).to_contain_text("7")
    assert page.locator(".concept .text").count() >= 4
    assert page.locator("details.answer").count() == 8
    page.reload()
    expect(page.locator(".score-line")).to_contain_text("7")
    page.evaluate(PRINT)
    page.locator(".actions button").click()
    page.wait_for_function("() => window.printed")
    assert page.evaluate("window.printed") == [8, 8, 0]


PRINT = """() => {
  window.print = () => {
    const answers = [...document.querySelectorAll("details.answer")];
    const told = answers.filter((one) => one.open && one.querySelector(".verdict-line"));
    const missing = document.querySelectorAll(".figure-wait");
    window.printed = [answers.length, told.length, missing.length];
  };
}"""
# How many answers are on the paper, how many with their feedback, and pictures that are missing.


def test_by_keyboard_alone(make_learner: MakeLearner):
    learner = make_learner("bg", PHONE)
    page, quiz = learner.open("/").page, "gradient-checkpointing"
    page.locator(".start-card").first.wait_for()

    def focused() -> str:
        found = page.evaluate(
            "() => { const e = document.activeElement;"
            " return `${e.tagName} ${e.className} ${e.type ?? ''} ${e.dataset.certainty ?? ''}` }"
        )
        return str(found)

    def tab_to(what: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if what in focused():
                return
        raise AssertionError(f"the keyboard does not reach {what}")

    tab_to("A card start-card")
    page.keyboard.press("Enter")
    page.locator("input[name=form]").first.wait_for()
    tab_to("button big submit".replace(" submit", ""))
    page.keyboard.press("Enter")
    for number in (1, 2):
        learner.wait_question(number)
        item = learner.find_item(quiz, "bg")
        wanted = item.wrong("bg") if number == 1 else item.right("bg")
        place = learner.list_options().index(wanted)
        tab_to("INPUT  radio")
        # Space chooses the first of a group; arrows move on from it.
        page.keyboard.press("Space")
        for _ in range(place):
            page.keyboard.press("ArrowDown")
        tab_to("BUTTON button submit 3".replace("submit", "button"))
        page.keyboard.press("Enter")
        learner.verdict.wait_for()
        expect(learner.verdict).to_be_focused()
        if number == 1:
            learner.wait_evidence()
            tab_to("SUMMARY")
            page.keyboard.press("Enter")
            assert page.locator("main .feedback details[open]").count() == 1
            expect(page.locator("#say")).not_to_be_empty()
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.closest('.bar') !== null"):
                break
        page.keyboard.press("Enter")
    learner.wait_question(3)


def test_an_adaptive_session_ends_by_itself_with_its_reason(make_learner: MakeLearner):
    learner = make_learner("en", DESK)
    learner.choose_quiz("training-memory")
    page = learner.page
    for number in range(1, 21):
        learner.wait_question(number)
        learner.answer_anything()
        is_over = page.locator(".end-message").count() > 0
        learner.go_on()
        if is_over:
            break
    expect(page.locator(".score-line")).to_be_visible()
    assert page.locator("details.answer").count() == number


def test_a_prediction_stands_before_the_feedback(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz("gradient-checkpointing", form=2)
    page = learner.page
    item = learner.find_item("gradient-checkpointing", "en")
    reply = learner.answer(item.wrong("en"))
    assert "feedback" not in reply
    page.locator(".prediction input").first.wait_for()
    assert page.locator(".feedback").count() == 0
    page.reload()
    page.locator(".prediction input").first.check()
    page.locator(".bar button[type=submit]").click()
    learner.verdict.wait_for()
    expect(page.locator(".predicted")).to_be_visible()


def test_everything_comes_after_the_last_answer(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz("activation-recomputation", form=1)
    page = learner.page
    for number in range(1, 9):
        learner.wait_question(number)
        item = learner.find_item("activation-recomputation", "en")
        reply = learner.answer(item.wrong("en") if number == 1 else item.right("en"), certainty=2)
        assert "feedback" not in reply
    expect(page.locator(".score-line")).to_contain_text("7")
    page.locator("#again + ul a").first.click()
    expect(page.locator("details.answer[open] .verdict-line")).to_be_visible()


def test_one_text_is_read_in_another_language(make_learner: MakeLearner):
    learner = make_learner("wo", PHONE)
    learner.choose_quiz("gradient-checkpointing")
    item = learner.find_item("gradient-checkpointing", "wo")
    options = learner.list_options()
    learner.page.locator(".stem + .flip").click()
    expect(learner.stem).not_to_have_attribute("lang", "wo")
    lang = learner.stem.get_attribute("lang")
    assert learner.read_stem() == item.stem(lang)
    assert learner.list_options() == options


def test_how_sure_the_learner_was_decides_what_is_open(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz("gradient-checkpointing")
    page = learner.page
    learner.answer(learner.find_item("gradient-checkpointing", "en").wrong("en"), certainty=1)
    expect(page.locator(".feedback .explanation").first).to_be_visible()
    assert page.locator(".evidence-head").count() == 0
    page.locator(".evidence-place .button").click()
    expect(page.locator(".evidence-head")).to_be_visible()
    learner.go_on()
    learner.wait_question(2)
    learner.answer(learner.find_item("gradient-checkpointing", "en").right("en"), certainty=3)
    expect(learner.verdict).to_be_visible()
    expect(page.locator(".feedback .explanation").first).to_be_hidden()
    learner.go_on()
    learner.wait_question(3)
    learner.answer(learner.find_item("gradient-checkpointing", "en").right("en"), certainty=1)
    expect(page.locator(".feedback .explanation").first).to_be_visible()
