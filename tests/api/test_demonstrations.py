"""Demonstrations, traces, figures and what-ifs: honest in every state, for their owner only."""

import json
import struct
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from assessment.bank.snapshot import get_snapshot
from assessment.delivery.models import Session
from assessment.experiments.dispatch import reap_runs
from assessment.experiments.ingest import take_message
from assessment.experiments.models import Demonstration, Run
from assessment.experiments.services import keep_figure
from assessment.feedback.drawing import draw_figure
from gpu_worker.contracts import encode
from tests.experiments.reports import make_hello, make_report
from tests.feedback.measurements import pack_trace
from tests.people import answer, find_option, read_json, start
from tests.reports import find_run, report_measured

WRONG = "Model accuracy for speed"
RIGHT = "Extra computation (recomputation) for lower memory use"
TRACE = {
    "arms": [
        {
            "name": "plain",
            "op": [0, 1, 2],
            "delta": [8, 8, -8],
            "live": [8, 16, 8],
            "operator": ["aten::mm", "aten::gelu", "free"],
            "category": ["activation"] * 3,
            "phase": ["forward", "forward", "backward"],
        }
    ]
}


@pytest.fixture
def session(ada, make_activity):
    return start(ada, make_activity(), "en")


@pytest.fixture
def shown(ada, session):
    """A demonstration that waits for its run."""
    item = session["current"]
    reply = answer(ada, session["id"], item, find_option(item, WRONG))
    return read_json(reply, 201)["feedback"]["demonstration"]


@pytest.fixture
def measured(shown):
    report_measured(find_run(shown["id"]), trace=pack_trace(TRACE))
    return shown


@pytest.fixture
def link(ada, measured):
    """The signed link of the memory figure, drawn in three languages."""
    run = find_run(measured["id"])
    for lang in ("en", "bg", "wo"):
        keep_figure(run.id, draw_figure("memory", run.measurement, lang))
    return read_json(ada.get(f"demonstrations/{measured['id']}"))["figures"]["memory"]


def test_while_it_waits_it_says_when_to_ask_again(ada, shown):
    reply = ada.get(f"demonstrations/{shown['id']}")
    body = read_json(reply)
    assert (body["state"], body["narrative"], body["figures"]) == ("waiting", None, {})
    assert reply["Retry-After"] == "1"
    again = ada.get(f"demonstrations/{shown['id']}", If_None_Match=reply["ETag"])
    assert (again.status_code, again["Retry-After"]) == (304, "1")


def test_measured_it_tells_claims_narrative_and_figures(ada, measured):
    reply = ada.get(f"demonstrations/{measured['id']}")
    body = read_json(reply)
    assert body["state"] == "measured"
    first = body["claims"][0]
    assert first["about_choice"] is True
    assert first["predicts"]["text"]["text"]
    assert first["verdict"] == "holds"
    assert body["narrative"]["lang"] == "en"
    assert body["memory"]["arms"][0]["name"] == "plain"
    assert body["provenance"]["command"]
    assert "Retry-After" not in reply
    assert "memory" in body["figures"]


def test_the_figure_is_served_by_its_signed_link_alone(stranger, link):
    svg = stranger.get(link)
    assert svg.status_code == 200
    assert svg["Content-Type"] == "image/svg+xml"
    assert b"<svg" in svg.content[:500]
    assert "immutable" in svg["Cache-Control"]
    assert stranger.get(link, If_None_Match=svg["ETag"]).status_code == 304
    png = stranger.get(link.replace(".svg", ".png"))
    assert png.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">I", png.content[16:20])[0] >= 360
    spec = read_json(stranger.get(link.replace(".svg", ".json")))
    assert "vega-lite" in spec["$schema"]


def test_the_figure_speaks_the_language_of_the_link(stranger, link):
    served = {
        lang: stranger.get(link.replace("lang=en", f"lang={lang}"))["Content-Language"]
        for lang in ("bg", "bg-BG", "bg-Cyrl-BG", "wo", "wo-SN", "fr", "de")
    }
    bulgarian = dict.fromkeys(("bg", "bg-BG", "bg-Cyrl-BG"), "bg")
    wolof, others = dict.fromkeys(("wo", "wo-SN"), "wo"), dict.fromkeys(("fr", "de"), "en")
    assert served == {**bulgarian, **wolof, **others}


@pytest.mark.parametrize("header", ["*", "bg-BG,bg;q=0.9", "zz, en-US", "tlh"])
def test_the_link_of_any_session_opens(ada, stranger, make_activity, header):
    body = {"activity": str(make_activity())}
    session = read_json(ada.post("sessions", body, Accept_Language=header), 201)
    keys = {
        key for one in get_snapshot(session_bank(session)).items.values() for key in one.key_ids
    }
    item = session["current"]
    wrong = next(one["id"] for one in item["options"] if one["id"] not in keys)
    told = read_json(answer(ada, session["id"], item, wrong), 201)
    shown = told["feedback"]["demonstration"]
    report_measured(find_run(shown["id"]))
    link = read_json(ada.get(f"demonstrations/{shown['id']}"))["figures"]["memory"]
    assert stranger.get(link).status_code == 503
    run = find_run(shown["id"])
    keep_figure(run.id, draw_figure("memory", run.measurement, "en"))
    assert stranger.get(link).status_code == 200


def session_bank(session):
    return Session.objects.get(pk=session["id"]).bank_version_id


@pytest.mark.parametrize("change", ["x", "", "\u0416", "%00", "a" * 101])
def test_a_forged_signature_opens_nothing(ada, stranger, measured, change):
    link = read_json(ada.get(f"demonstrations/{measured['id']}"))["figures"]["memory"]
    reply = stranger.get(link.partition("&s=")[0] + "&s=" + change)
    assert reply.status_code in (400, 404)
    other = link.replace("/memory.", "/pareto.")
    assert stranger.get(other).status_code == 404
    assert stranger.get(link.partition("?")[0]).status_code == 400


def test_a_figure_not_drawn_yet_says_so(ada, stranger, shown):
    report_measured(find_run(shown["id"]))
    link = read_json(ada.get(f"demonstrations/{shown['id']}"))["figures"]["memory"]
    reply = stranger.get(link)
    assert read_json(reply, 503)["code"] == "figure_not_drawn"
    assert reply["Retry-After"] == "1"


def test_the_trace_comes_with_what_measures_it_again(ada, measured):
    body = read_json(ada.get(f"demonstrations/{measured['id']}/trace"))
    assert body["arms"][0]["live"] == [8, 16, 8]
    assert body["provenance"]["seed"]
    assert body["timing"]["arms"][0]["samples"]
    assert body["environment"]["torch"]


def test_the_trace_opens_in_perfetto(ada, measured):
    body = read_json(ada.get(f"demonstrations/{measured['id']}/trace?format=perfetto"))
    assert {one["ph"] for one in body["traceEvents"]} >= {"C", "i", "M"}
    assert body["otherData"]["provenance"]["command"]


def test_without_a_measurement_there_is_no_trace(ada, shown):
    assert ada.get(f"demonstrations/{shown['id']}/trace").status_code == 404
    assert ada.get(f"demonstrations/{shown['id']}/trace?format=x").status_code == 400


def test_a_right_answer_may_ask_for_the_evidence(ada, session):
    item = session["current"]
    read_json(answer(ada, session["id"], item, find_option(item, RIGHT)), 201)
    path = f"sessions/{session['id']}/demonstrations"
    reply = ada.post(path, {"administration": item["administration"]})
    body = read_json(reply, 202)
    assert reply["Location"] == f"/api/v1/demonstrations/{body['id']}"
    assert (body["kind"], body["experiment"]) == ("support", "tradeoff")
    again = read_json(ada.post(path, {"administration": item["administration"]}), 202)
    assert again["id"] == body["id"]
    assert Run.objects.count() == 1


def test_before_the_answer_there_is_no_evidence(ada, session):
    body = {"administration": session["current"]["administration"]}
    problem = read_json(ada.post(f"sessions/{session['id']}/demonstrations", body), 409)
    assert problem["code"] == "feedback_not_revealed"
    assert not Demonstration.objects.exists()


def test_evidence_that_failed_is_asked_for_again_after_a_while(ada, session, shown):
    run = find_run(shown["id"])
    take_message(encode(make_report(run, state="failed", reason="killed")))
    path = f"sessions/{session['id']}/demonstrations"
    body = {"administration": session["current"]["administration"]}
    blocked = read_json(ada.post(path, body), 202)
    assert (blocked["id"], blocked["state"], blocked["reason"]) == (shown["id"], "failed", "killed")
    Run.objects.update(finished_at=timezone.now() - timedelta(minutes=11))
    again = read_json(ada.post(path, body), 202)
    assert (again["id"], again["state"], again["reason"]) == (shown["id"], "waiting", None)
    assert find_run(shown["id"]).id != run.id
    assert read_json(ada.get(f"demonstrations/{shown['id']}"))["state"] == "waiting"


def test_what_was_measured_on_a_card_may_vary_in_its_ranges(ada, measured):
    """And goes to no processor, which could not hold it."""
    Run.objects.update(device="cuda")
    path = f"demonstrations/{measured['id']}"
    ranges = read_json(ada.get(path))["what_if"]["parameters"]
    (layers,) = [one for one in ranges if one["name"] == "layers"]
    assert layers["maximum"] == 96
    told = read_json(ada.post(f"{path}/what-if", {"parameters": {"layers": 96}}), 202)
    assert (told["state"], told["reason"]) == ("not_run", "needs_cuda")
    take_message(encode(make_hello(device="cuda", worker="gpu")))
    told = read_json(ada.post(f"{path}/what-if", {"parameters": {"layers": 96}}), 202)
    assert (told["state"], find_run(told["id"]).device) == ("waiting", "cuda")
    reap_runs(now=timezone.now() + timedelta(seconds=61))
    told = read_json(ada.get(f"demonstrations/{told['id']}"))
    assert (told["state"], told["reason"]) == ("failed", "no_gpu_worker")
    problem = read_json(ada.post(f"{path}/what-if", {"parameters": {"layers": 97}}), 400)
    assert problem["errors"][0]["field"] == "parameters.layers"


def test_a_what_if_is_a_run_of_its_own_within_the_ranges(ada, measured):
    path = f"demonstrations/{measured['id']}/what-if"
    reply = ada.post(path, {"parameters": {"layers": 6}})
    body = read_json(reply, 202)
    assert (body["kind"], body["state"]) == ("what_if", "waiting")
    assert reply["Location"].endswith(body["id"])
    problem = read_json(ada.post(path, {"parameters": {"layers": 10**6}}), 400)
    assert problem["errors"][0]["field"] == "parameters.layers"
    problem = read_json(ada.post(path, {"parameters": {"nonsense": 1}}), 400)
    assert problem["errors"][0]["field"] == "parameters.nonsense"


def test_what_ifs_have_a_quota(ada, measured, settings):
    settings.WHAT_IF_PER_DAY = 1
    path = f"demonstrations/{measured['id']}/what-if"
    read_json(ada.post(path, {"parameters": {"layers": 6}}), 202)
    reply = ada.post(path, {"parameters": {"layers": 7}})
    assert read_json(reply, 429)["code"] == "what_if_quota"
    assert 86_300 < int(reply["Retry-After"]) <= 86_400
    earlier = timezone.now() - timedelta(hours=23)
    Demonstration.objects.filter(kind="what_if").update(created_at=earlier)
    assert 3500 < int(ada.post(path, {"parameters": {"layers": 7}})["Retry-After"]) <= 3600
    Demonstration.objects.filter(kind="what_if").update(created_at=earlier - timedelta(hours=1))
    read_json(ada.post(path, {"parameters": {"layers": 7}}), 202)


def test_ben_reads_it_and_cleo_finds_nothing(ben, cleo, measured):
    path = f"demonstrations/{measured['id']}"
    assert read_json(ben.get(path))["state"] == "measured"
    assert read_json(ben.get(f"{path}/trace"))["arms"]
    assert ben.post(f"{path}/what-if", {"parameters": {}}).status_code == 403
    for reply in (
        cleo.get(path),
        cleo.get(f"{path}/trace"),
        cleo.post(f"{path}/what-if", {"parameters": {"layers": 6}}),
        cleo.get(f"demonstrations/{uuid.uuid4()}"),
    ):
        assert reply.status_code == 404


def test_no_number_of_a_report_breaks_the_reply(ada, measured):
    run = find_run(measured["id"])
    Run.objects.filter(pk=run.pk).update(
        measurement=json.loads(json.dumps(run.measurement).replace("1.42", "1e308"))
    )
    body = ada.get(f"demonstrations/{measured['id']}")
    json.loads(body.content, parse_constant=lambda name: pytest.fail(name))
