"""Every byte that the browser gets before an answer, searched for what it must not know."""

import json
import re

import pytest
from playwright.sync_api import Error, Response

from tests.e2e.conftest import PHONE, MakeLearner
from tests.e2e.seeds import read_quiz

FIELDS = re.compile(
    r'"(?:is_)?correct\w*"|"is_key"|"key\w*"|"explanation"|"misconception"|"experiment"'
    r'|"parameters"|"claims"|"score"|"difficulty"|"[abc]"\s*:|"concept"'
)


@pytest.mark.parametrize("quiz", ["gradient-checkpointing", "activation-recomputation"])
def test_nothing_tells_a_key_before_the_answer(make_learner: MakeLearner, quiz):
    learner = make_learner("bg", PHONE)
    bodies: dict[str, str] = {}
    lost: list[str] = []

    def keep(response: Response) -> None:
        if response.status >= 300:
            return
        try:
            bodies[response.url] = response.text()
        except Error:
            # What the page had left before it came was not read by the browser either.
            lost.append(response.url)

    learner.page.on("response", keep)
    learner.open("/")
    learner.page.wait_for_load_state("networkidle")
    learner.choose_quiz(quiz)
    learner.page.locator(".stem + .flip").click()
    learner.page.wait_for_load_state("networkidle")
    learner.page.reload()
    learner.wait_question(1)
    learner.page.wait_for_load_state("networkidle")
    replies = {url: text for url, text in bodies.items() if "/api/v1/" in url}
    assert any(url.endswith("/items") for url in replies)
    assert len(bodies) > 15
    assert not [url for url in lost if "/api/v1/" in url]
    for url, text in replies.items():
        assert not FIELDS.search(text), (url, FIELDS.search(text))
    everything = "\n".join([*bodies.values(), *map(decode, replies.values())])
    for item in read_quiz(quiz):
        for secret in item.list_secrets():
            assert secret not in everything, (item.slug, secret)


def decode(text: str) -> str:
    return json.dumps(json.loads(text), ensure_ascii=False) if text.startswith("{") else text
