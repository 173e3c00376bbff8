"""A session moves to another device by a secret that works once."""

from dataclasses import replace
from datetime import timedelta

from django.utils import timezone

from assessment.accounts.tokens import mint_token
from assessment.delivery.models import Handoff
from assessment.flow import upkeep
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


def test_a_chain_of_hand_offs_outlives_no_token(stranger, ada, make_activity, settings):
    """Otherwise a person whom the course let go would stay for ever."""
    session = start(ada, make_activity(), "en")
    begun = timezone.now() - timedelta(minutes=50)
    person = Person(token=mint_token(replace(ada.bearer, issued_at=begun)))
    for _ in range(3):
        secret = read_json(person.post(f"sessions/{session['id']}/handoff"), 201)["secret"]
        body = read_json(stranger.post("handoffs", {"secret": secret}))
        assert 0 < body["expires_in"] <= 600
        person = Person(token=body["token"])
    secret = read_json(person.post(f"sessions/{session['id']}/handoff"), 201)["secret"]
    settings.TOKEN_LIFETIME_S = 49 * 60
    assert person.get(f"sessions/{session['id']}").status_code == 401
    assert stranger.post("handoffs", {"secret": secret}).status_code == 404


def test_a_guest_who_may_renew_gets_a_fresh_token(stranger, ada, make_activity):
    activity = make_activity(is_public_practice=True)
    begun = timezone.now() - timedelta(minutes=50)
    guest = Person(token=mint_token(replace(ada.bearer, is_guest=True, issued_at=begun)))
    session = start(guest, activity, "en")
    secret = read_json(guest.post(f"sessions/{session['id']}/handoff"), 201)["secret"]
    assert read_json(stranger.post("handoffs", {"secret": secret}))["expires_in"] == 3600


def test_old_hand_offs_are_forgotten(ada, make_activity):
    session = start(ada, make_activity(), "en")
    ada.post(f"sessions/{session['id']}/handoff")
    upkeep.forget_old(now=timezone.now())
    assert Handoff.objects.count() == 1
    upkeep.forget_old(now=timezone.now() + timedelta(minutes=16))
    assert not Handoff.objects.exists()
