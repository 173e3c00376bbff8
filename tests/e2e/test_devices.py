"""One session on two devices: the same question, the same order, one answer that counts."""

from playwright.sync_api import expect

from tests.e2e.conftest import DESK, PHONE, MakeLearner

QUIZ = "gradient-checkpointing"


def test_a_second_profile_goes_on_at_the_same_place(make_learner: MakeLearner):
    first, second = make_learner("bg", PHONE), make_learner("bg", DESK)
    first.choose_quiz(QUIZ)
    first.answer(first.find_item(QUIZ, "bg").right("bg"))
    first.go_on()
    first.wait_question(2)
    link = first.make_link()
    second.page.goto(link)
    second.wait_question(2)
    assert second.read_stem() == first.read_stem()
    assert second.list_options() == first.list_options()
    assert "handoff" not in second.page.url

    item = first.find_item(QUIZ, "bg")
    first.page.keyboard.press("Escape")
    expect(first.page.locator(".menu-body")).to_be_hidden()
    first.choose(item.right("bg"))
    second.choose(item.wrong("bg"))
    first.send(3)
    second.send(3)
    first.page.locator(".verdict-line, .notice.bad").first.wait_for()
    second.page.locator(".verdict-line, .notice.bad").first.wait_for()
    told = [one.page.locator(".notice.bad").count() for one in (first, second)]
    assert sorted(told) == [0, 1]
    loser = (first, second)[told.index(1)]
    loser.go_on()
    loser.wait_question(3)

    third = make_learner("bg", PHONE)
    third.page.goto(link)
    expect(third.page.locator(".notice")).to_be_visible()
    third.page.locator(".card-link").first.wait_for()


def test_a_reload_comes_back_to_the_question(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz(QUIZ)
    stem, options = learner.read_stem(), learner.list_options()
    learner.page.reload()
    learner.wait_question(1)
    assert (learner.read_stem(), learner.list_options()) == (stem, options)


def test_a_change_of_the_interface_language_keeps_the_session(make_learner: MakeLearner):
    learner = make_learner("en", PHONE)
    learner.choose_quiz(QUIZ)
    stem = learner.read_stem()
    learner.page.locator(".languages a[lang=bg]").click()
    expect(learner.page.locator("html")).to_have_attribute("lang", "bg")
    learner.wait_question(1)
    assert learner.read_stem() == stem
