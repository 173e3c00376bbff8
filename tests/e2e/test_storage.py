"""A browser that keeps nothing, or has no room, or no sign-in: the answers go on."""

import json

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE, MakeLearner
from tests.e2e.learner import Learner

QUIZ = "gradient-checkpointing"

FORBIDDEN = """
for (const name of ["indexedDB", "localStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
"""
# A private window of some browsers.
SILENT = "IDBFactory.prototype.open = () => new EventTarget();"
# A database that never answers.
FULL = """
const refuse = () => { throw new DOMException("full", "QuotaExceededError"); };
IDBObjectStore.prototype.put = refuse;
Storage.prototype.setItem = refuse;
"""


@pytest.mark.parametrize("script", [FORBIDDEN, SILENT, FULL], ids=["private", "silent", "full"])
def test_answers_go_on_where_nothing_is_kept(make_learner: MakeLearner, script):
    learner = make_learner("en", PHONE)
    page = learner.page
    page.add_init_script(script)
    learner.choose_quiz(QUIZ)
    learner.answer(learner.find_item(QUIZ, "en").right("en"))
    learner.verdict.wait_for()
    learner.go_on()
    learner.wait_question(2)
    learner.context.set_offline(True)
    learner.choose(learner.find_item(QUIZ, "en").right("en"))
    learner.send(3)
    expect(page.locator(".reply .notice")).to_be_visible()
    expect(page.locator("#banner")).to_contain_text("Do not close this page")
    learner.context.set_offline(False)
    learner.verdict.wait_for()
    expect(page.locator("#banner")).to_be_hidden()


HOLD_UP = """() => new Promise((resolve) => {
  const session = "00000000-0000-4000-8000-000000000000";
  localStorage.setItem("remat.handed", JSON.stringify({ [session]: "no" }));
  const request = indexedDB.open("remat", 1);
  request.onsuccess = () => {
    const work = request.result.transaction("queue", "readwrite");
    work.objectStore("queue").put({ key: "k", session, position: 1, body: {} });
    work.oncomplete = () => resolve(request.result.close());
  };
})"""


def test_a_session_without_a_sign_in_holds_up_no_other(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz(QUIZ)
    learner.page.evaluate(HOLD_UP)
    learner.answer(learner.find_item(QUIZ, "en").right("en"))
    learner.verdict.wait_for()
    expect(learner.page.locator("#banner")).to_contain_text("sign-in")


def spoil_token(learner: Learner) -> None:
    learner.page.evaluate(
        """() => {
          const handed = JSON.parse(localStorage.getItem("remat.handed"));
          for (const session of Object.keys(handed)) handed[session] = "expired";
          localStorage.setItem("remat.handed", JSON.stringify(handed));
        }"""
    )


def test_a_new_link_sends_what_waited_for_a_sign_in(make_learner: MakeLearner):
    first, second = make_learner("en", PHONE), make_learner("en", PHONE)
    first.choose_quiz(QUIZ)
    second.page.goto(first.make_link())
    second.wait_question(1)
    spoil_token(second)
    second.choose(second.find_item(QUIZ, "en").right("en"))
    second.send(3)
    expect(second.page.locator("#banner")).to_contain_text("sign-in")
    first.page.reload()
    first.wait_question(1)
    with second.page.expect_response(lambda one: one.url.endswith("/responses")) as sent:
        second.page.goto(first.make_link())
    assert json.loads(sent.value.body())["feedback"]["correct"] is True
    expect(second.page.locator("#banner")).not_to_contain_text("sign-in")


def test_an_answer_refused_later_is_told(make_learner: MakeLearner):
    first, second = make_learner("en", PHONE), make_learner("en", PHONE)
    first.choose_quiz(QUIZ)
    second.page.goto(first.make_link())
    second.wait_question(1)
    item = first.find_item(QUIZ, "en")
    first.page.keyboard.press("Escape")
    expect(first.page.locator(".menu-body")).to_be_hidden()
    first.page.wait_for_load_state("networkidle")
    first.context.set_offline(True)
    first.choose(item.wrong("en"))
    first.send(3)
    first.go_on()
    first.wait_question(2)
    second.answer(item.right("en"))
    first.context.set_offline(False)
    expect(first.page.locator("#banner strong")).to_contain_text("questions 1")
    first.page.locator("#banner a").click()
    expect(first.page.locator("details.answer").first).to_be_visible()
    expect(first.page.locator("#banner")).to_be_hidden()
