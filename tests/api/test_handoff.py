"""A session moves to another device by a secret that works once."""

from datetime import timedelta

from django.utils import timezone

from assessment.delivery.models import Handoff
from tests.people import Person, read_json, start


def test_the_session_goes_on_elsewhere_once(ada, stranger, make_activity):
    session = start(ada, make_activity(), "en")
    secret = read_json(ada.post(f"sessions/{session['id']}/handoff"), 201)["secret"]
    body = read_json(stranger.post("handoffs", {"secret": secret}))
    assert body["session"] == session["id"]
    phone = Person(token=body["token"])
    assert read_json(phone.get(f"sessions/{session['id']}")) == session
    assert stranger.post("handoffs", {"secret": secret}).status_code == 404


def test_an_old_or_wrong_secret_opens_nothing(ada, stranger, make_activity):
    session = start(ada, make_activity(), "en")
    secret = read_json(ada.post(f"sessions/{session['id']}/handoff"), 201)["secret"]
    Handoff.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert stranger.post("handoffs", {"secret": secret}).status_code == 404
    assert stranger.post("handoffs", {"secret": "wrong"}).status_code == 404
    assert stranger.post("handoffs", {"secret": 1}).status_code == 400


def test_cleo_and_ben_get_no_link(ada, ben, cleo, make_activity):
    session = start(ada, make_activity(), "en")
    assert cleo.post(f"sessions/{session['id']}/handoff").status_code == 404
    assert ben.post(f"sessions/{session['id']}/handoff").status_code == 403
