"""The measuring machine is gone: the state is told, the score is safe, the evidence comes later."""

import os
import signal

from playwright.sync_api import expect

from tests.e2e.axe import list_violations
from tests.e2e.conftest import PHONE, MakeLearner
from tests.e2e.learner import EVIDENCE_MS
from tests.harness import RunningStack, run_remat, wait_for

QUIZ = "activation-recomputation"
FORGET = (
    "from assessment.experiments.models import Run;"
    "old = Run.objects.filter(state='measured');"
    "print(old.update(code_digest='of earlier code'))"
)
# As after an upgrade of the worker: what was measured with other code is measured again.


def test_the_evidence_arrives_when_the_worker_is_back(
    make_learner: MakeLearner, live_stack: RunningStack
):
    done = run_remat(live_stack.layout.state, "manage", "shell", "-c", FORGET)
    assert done.returncode == 0, done.stderr
    learner = make_learner("en", PHONE)
    learner.choose_quiz(QUIZ)
    page = learner.page
    page.evaluate(WATCH_SHIFTS)
    worker = live_stack.pid("gpu-worker")
    os.kill(worker, signal.SIGSTOP)
    try:
        for number in range(1, 9):
            learner.wait_question(number)
            item = learner.find_item(QUIZ, "en")
            if item.has_evidence:
                break
            learner.answer(item.right("en"))
            learner.go_on()
        reply = learner.answer(item.wrong("en"))
        assert reply["feedback"]["demonstration"]["state"] == "waiting"
        assert reply["feedback"]["score"] == 0
        expect(learner.verdict).to_be_visible()
        expect(learner.state).to_have_attribute("data-state", "waiting")
        expect(page.locator(".evidence-head .message")).not_to_be_empty()
        for _ in range(2):
            with page.expect_response(lambda one: "/demonstrations/" in one.url):
                pass
        expect(learner.state).to_have_attribute("data-state", "waiting")
        assert list_violations(page) == []
        page.evaluate("window.shifts = 0")
    finally:
        os.kill(worker, signal.SIGCONT)
    expect(learner.state).to_have_attribute("data-state", "measured", timeout=EVIDENCE_MS)
    learner.wait_evidence()
    wait_for(lambda: page.locator(".details").count(), what="the folded details")
    assert page.evaluate("window.shifts") < 0.05
    expect(page.locator("#say")).to_contain_text("arrived")


WATCH_SHIFTS = """() => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({ type: "layout-shift" });
}"""
