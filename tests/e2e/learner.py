"""A learner at the real page: what a person does, and what they then see."""

import json
import re
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.seeds import SeedItem, read_quiz, squeeze

PATIENCE_MS = 20_000
# Far above what a page needs on an idle machine.
EVIDENCE_MS = 200_000
# The first runs of a new stack wait for one another.


class Learner:
    """Everything goes through the screen; `replies` are the API's, in the order they came."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context, self.url = context, url
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.lang = "en"
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    # -- What is there -------------------------------------------------------------------------

    @property
    def stem(self) -> Locator:
        return self.page.locator("#stem .text")

    def read_stem(self) -> str:
        return squeeze(self.stem.inner_text())

    def list_options(self) -> list[str]:
        texts = self.page.locator(".answers .option-text > .text").all_inner_texts()
        return [squeeze(one) for one in texts]

    def find_item(self, quiz: str, lang: str) -> SeedItem:
        shown = self.read_stem()
        return next(one for one in read_quiz(quiz) if one.stem(lang) == shown)

    @property
    def verdict(self) -> Locator:
        return self.page.locator(".feedback .verdict-line").first

    @property
    def figure(self) -> Locator:
        return self.page.locator(".evidence-head .figure-box img").first

    @property
    def state(self) -> Locator:
        return self.page.locator(".evidence-head").first

    # -- What is done --------------------------------------------------------------------------

    def open(self, path: str) -> "Learner":
        self.page.goto(self.url + path)
        return self

    def choose_quiz(self, quiz: str, *, form: int = 0) -> "Learner":
        self.open(f"/learn/?quiz={quiz}")
        self.page.locator("input[name=form]").nth(form).check()
        self.page.locator("button[type=submit]").click()
        self.wait_question()
        return self

    def wait_question(self, number: int = 1) -> None:
        expect(self.page.locator(".progress .place")).to_contain_text(re.compile(rf"\b{number}\b"))
        self.stem.wait_for()

    def choose(self, text: str) -> None:
        option = self.page.locator(".answers .option").filter(
            has=self.page.locator(".option-text", has_text=re.compile(f"^{loosen(text)}"))
        )
        option.locator("input").check()

    def send(self, certainty: int = 3) -> None:
        self.page.locator(f"[data-certainty='{certainty}']").click()

    def answer(self, text: str, *, certainty: int = 3) -> dict[str, Any]:
        """Choose, send, and wait for the feedback; the API's reply."""
        self.choose(text)
        with self.page.expect_response(re.compile(r"/responses$")) as waiting:
            self.send(certainty)
        reply: dict[str, Any] = json.loads(waiting.value.body())
        return reply

    def answer_anything(self) -> None:
        """Whatever kind of question it is."""
        number = self.page.locator("#number")
        if number.count():
            self.try_no_number()
            number.fill("12")
        elif self.page.locator(".order").count():
            self.move_by_keyboard()
        elif self.page.locator(".answers .option input").count():
            self.page.locator(".answers .option input").first.check()
        self.send(1)
        self.verdict.wait_for()

    def try_no_number(self) -> None:
        """What is no number is refused with a reason, and the question stays."""
        self.page.locator("#number").fill("nan")
        self.send(1)
        self.page.locator(".notice.bad").wait_for()
        self.go_on()
        self.page.locator("#number").wait_for()

    def move_by_keyboard(self) -> None:
        first, second = self.list_options()[:2]
        self.page.locator(".move").nth(2).focus()
        self.page.keyboard.press("Enter")
        assert self.list_options()[:2] == [second, first]
        expect(self.page.locator(".move").nth(0)).to_be_focused()

    def make_link(self) -> str:
        """The link that resumes the session on another device; the menu stays open."""
        self.page.locator(".menu > summary").click()
        self.page.locator(".menu .link").click()
        return str(self.page.locator(".handoff-link").input_value())

    def go_on(self) -> None:
        self.page.locator(".bar .button").last.click()

    def wait_evidence(self) -> None:
        self.figure.wait_for(timeout=EVIDENCE_MS)


def loosen(text: str) -> str:
    """The text as a pattern for which all white space is one."""
    return r"\s+".join(re.escape(word) for word in text.split())
