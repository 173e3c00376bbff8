"""No network, a service that stumbles, an expired token, a broken script: nothing is lost."""

import re

from playwright.sync_api import Request, Route, expect

from tests.e2e.conftest import PHONE, MakeLearner
from tests.e2e.learner import EVIDENCE_MS

QUIZ = "gradient-checkpointing"
RESPONSES = re.compile(r"/api/v1/sessions/[^/]+/responses$")
ONE_DEMONSTRATION = re.compile(r"/api/v1/demonstrations/[0-9a-f-]+$")


def test_two_answers_without_a_network_and_a_reload(make_learner: MakeLearner):
    learner = make_learner("wo", PHONE, service_workers="allow")
    learner.choose_quiz(QUIZ)
    page = learner.page
    sent: list[str] = []

    def note(request: Request) -> None:
        if RESPONSES.search(request.url):
            sent.append(request.post_data_json["administration"])

    page.on("request", note)
    # The worker keeps the page, and the client all eight questions, while there is a network.
    page.wait_for_function("() => caches.open('remat-1').then((kept) => kept.match('/learn/'))")
    page.wait_for_function(COUNT_KEPT, arg=8)
    learner.context.set_offline(True)
    for number in (1, 2):
        learner.wait_question(number)
        item = learner.find_item(QUIZ, "wo")
        learner.choose(item.right("wo"))
        learner.send(3)
        expect(page.locator(".reply .notice")).to_be_visible()
        # A dead battery takes the clock back.
        page.evaluate("Date.now = () => 0")
        learner.go_on()
    learner.wait_question(3)
    expect(page.locator("#banner")).to_contain_text("2")
    asked = page.evaluate(LIST_KEPT)
    page.reload()
    learner.wait_question(3)
    expect(page.locator("#banner")).to_contain_text("2")
    sent.clear()
    learner.context.set_offline(False)
    expect(page.locator("#banner a")).to_be_visible()
    page.locator("#banner a").click()
    expect(page.locator(".score-line")).to_contain_text("2")
    assert sent == asked[:2]
    page.locator(".result .button").first.click()
    learner.wait_question(3)


COUNT_KEPT = """(wanted) => new Promise((resolve) => {
  const request = indexedDB.open("remat", 1);
  request.onsuccess = () => {
    const all = request.result.transaction("sessions").objectStore("sessions").getAll();
    all.onsuccess = () => {
      request.result.close();
      resolve(all.result.some((one) => one.items.length === wanted));
    };
  };
})"""


LIST_KEPT = """() => new Promise((resolve) => {
  const request = indexedDB.open("remat", 1);
  request.onsuccess = () => {
    const all = request.result.transaction("sessions").objectStore("sessions").getAll();
    all.onsuccess = () => {
      request.result.close();
      resolve(all.result[0].items.map((one) => one.administration));
    };
  };
})"""
# The questions of the session in their order.


def test_a_service_that_stumbles_gets_the_answer_later(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz(QUIZ)
    page, keys = learner.page, []

    def stumble(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) <= 2:
            route.fulfill(status=503, headers={"Retry-After": "1"}, body="<html>no</html>")
        else:
            route.continue_()

    page.route(RESPONSES, stumble)
    learner.choose(learner.find_item(QUIZ, "en").right("en"))
    learner.send(2)
    expect(page.locator("#banner")).to_contain_text("does not answer")
    expect(page.locator(".reply .notice")).to_be_visible()
    learner.verdict.wait_for()
    expect(page.locator("#banner")).to_be_hidden()
    assert len(keys) == 3
    assert len(set(keys)) == 1


def test_a_lost_reply_does_not_count_twice(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz(QUIZ)
    page, lost = learner.page, []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)
        route.abort()

    page.route(RESPONSES, lose)
    learner.choose(learner.find_item(QUIZ, "en").right("en"))
    learner.send(2)
    learner.verdict.wait_for()
    assert lost == [201]
    learner.go_on()
    learner.wait_question(2)


def test_an_expired_token_is_renewed_and_the_answer_goes_on(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz(QUIZ)
    learner.page.evaluate(
        """() => {
          const guest = JSON.parse(localStorage.getItem("remat.guest"));
          localStorage.setItem("remat.guest", JSON.stringify({ ...guest, token: "expired" }));
        }"""
    )
    learner.choose(learner.find_item(QUIZ, "en").right("en"))
    learner.send(2)
    learner.verdict.wait_for()


def test_a_token_that_cannot_be_renewed_keeps_the_answer_and_says_so(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz(QUIZ)
    page = learner.page
    page.evaluate("""localStorage.setItem("remat.guest", '{"token": "no", "secret": "no"}')""")
    learner.choose(learner.find_item(QUIZ, "en").right("en"))
    learner.send(2)
    expect(page.locator(".reply .notice")).to_contain_text("kept on this device")
    expect(page.locator("#banner")).to_contain_text("sign-in")


def test_a_blocked_poll_says_what_is_safe_and_goes_on(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz(QUIZ)
    page = learner.page
    learner.answer(learner.find_item(QUIZ, "en").wrong("en"))
    learner.wait_evidence()
    # Other numbers are a run of their own, which must be waited for.
    page.locator("summary", has_text="Run it with other numbers").click()
    for name in ("Layers", "Training steps", "Timed pairs"):
        # The least of what takes time.
        page.get_by_label(name).press("Home")
    page.route(ONE_DEMONSTRATION, lambda route: route.abort())
    page.locator(".ranges button").click()
    expect(page.locator(".poll-trouble")).to_contain_text("score are safe")
    page.unroute(ONE_DEMONSTRATION)
    page.locator(".poll-trouble .button").click()
    expect(page.locator(".what-if-results .versus .verdict")).to_be_visible(timeout=EVIDENCE_MS)
    expect(page.locator(".poll-trouble")).to_have_count(0)


def test_a_script_that_fails_leaves_a_page_that_says_what_to_do(make_learner: MakeLearner):
    learner = make_learner("bg", PHONE)
    learner.page.route(
        "**/session.js",
        lambda route: route.fulfill(
            status=200, content_type="text/javascript", body="syntax error ("
        ),
    )
    learner.open("/learn/")
    expect(learner.page.locator("#trouble")).to_be_visible()
    expect(learner.page.locator("#reload")).to_be_visible()
    learner.errors.clear()


def test_a_script_that_never_comes_leaves_it_too(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.page.route("**/app.js", lambda route: route.abort())
    learner.open("/learn/")
    expect(learner.page.locator("#trouble")).to_be_visible()


def test_a_503_at_the_start_says_what_to_do(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    page = learner.page
    page.route("**/api/v1/activities", lambda route: route.fulfill(status=503, body=""))
    learner.open("/learn/")
    expect(page.locator(".failure")).to_contain_text("Nothing is lost")
    page.unroute("**/api/v1/activities")
    page.locator(".failure .button").click()
    page.locator(".card-link").first.wait_for()


def test_without_scripts_the_page_says_that_it_needs_them(make_learner: MakeLearner):
    learner = make_learner("fr", PHONE, java_script_enabled=False)
    learner.open("/learn/")
    expect(learner.page.locator("noscript .trouble")).to_be_visible()
    expect(learner.page.locator("#loading")).to_be_hidden()


def test_a_browser_without_modules_is_told_at_once(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.page.add_init_script("delete HTMLScriptElement.prototype.noModule")
    learner.open("/learn/")
    expect(learner.page.locator("#trouble")).to_be_visible(timeout=5_000)
