"""From a report to pictures in every language: asked for, drawn at once, asked for no more."""

import pytest
from django.utils import timezone

from assessment.core import outbox
from assessment.experiments.models import Figure, Run
from assessment.experiments.services import FIGURE_TOPIC
from assessment.flow import evidence
from tests.people import answer, find_option, read_json, start
from tests.reports import find_run, report_measured

WRONG = "Model accuracy for speed"


@pytest.fixture
def run(ada, make_activity) -> Run:
    session = start(ada, make_activity(), "en")
    item = session["current"]
    reply = read_json(answer(ada, session["id"], item, find_option(item, WRONG)), 201)
    found = find_run(reply["feedback"]["demonstration"]["id"])
    report_measured(found)
    return found


def test_figures_come_in_every_language_and_the_chore_is_settled(run):
    (message,) = outbox.take_due_messages(topic=FIGURE_TOPIC, now=timezone.now(), limit=5)
    assert message.key == str(run.id)
    num_drawn = evidence.draw_figures(run.id)
    languages = set(Figure.objects.filter(run=run, name="memory").values_list("lang", flat=True))
    assert languages >= {"en", "bg", "fr", "wo"}
    assert Figure.objects.filter(run=run).count() == num_drawn
    assert not outbox.is_open(topic=FIGURE_TOPIC, key=str(run.id))
    assert evidence.draw_figures(run.id) == num_drawn == Figure.objects.filter(run=run).count()


def test_a_figure_that_is_given_up_is_promised_no_more(ada, stranger, run):
    shown = run.demonstrations.get()
    link = read_json(ada.get(f"demonstrations/{shown.id}"))["figures"]["memory"]
    assert stranger.get(link).status_code == 503
    evidence.settle_figures(str(run.id))
    assert read_json(stranger.get(link), 404)["code"] == "figure_not_found"
