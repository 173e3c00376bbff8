"""The demo: take both seed quizzes over HTTP, miss three questions, show the evidence.

A client like any other. It knows the service's address, an API client's secret and which
options to pick (fixtures/demo/answers.json, by their text).
"""

import argparse
import json
import os
import sys
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from launcher.client import Client
from launcher.layout import ROOT, LauncherError, say
from launcher.telling import tell_demonstration

DEMO = ROOT / "fixtures" / "demo"
TERMINAL = ("measured", "simulated", "failed", "not_run")
EVIDENCE_TIMEOUT_S = 180.0
# Three runs of seconds each, behind the default runs of the whole bank on a fresh machine.
QUIZZES = ("gradient-checkpointing", "activation-recomputation")


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="launcher.demo")
    parser.add_argument("--url", required=True)
    parser.add_argument("--credentials", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    try:
        document = run_demo(options.url, credentials=options.credentials, out=options.out)
    except LauncherError as error:
        say(f"demo: {error}")
        return 1
    except KeyboardInterrupt:
        # Whoever started us says so.
        return 130
    try:
        tell(document, is_json=options.json)
    except BrokenPipeError:
        # Whoever reads us has seen enough (`| head`); the last flush must not say so.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return check(document)


def run_demo(url: str, *, credentials: Path, out: Path) -> dict[str, Any]:
    """Everything the demo saw, as one document; figures and full JSON files under `out`."""
    given = json.loads(credentials.read_text(encoding="utf-8"))
    answers = json.loads((DEMO / "answers.json").read_text(encoding="utf-8"))
    begun = time.monotonic()
    client = Client(url)
    client.log_in(client_id=given["client_id"], client_secret=given["client_secret"], scope="learn")
    learner = mint_learner(client, course=given["course"])
    quizzes = [
        take_quiz(learner, slug=slug, plan=answers[slug], out=out / slug) for slug in QUIZZES
    ]
    seconds = round(time.monotonic() - begun, 2)
    document = {"url": url, "seconds": seconds, "quizzes": quizzes}
    out.mkdir(parents=True, exist_ok=True)
    write_document(out / "demo.json", document)
    return document


def mint_learner(client: Client, *, course: str) -> Client:
    """A token for a fresh learner, so that each demo begins a first attempt."""
    person = f"demo-{uuid.uuid4().hex[:12]}"
    body = {"person": person, "course": course, "rights": ["learn"]}
    learner = Client(client.base_url)
    learner.token = client.post("/api/v1/tokens", body)["token"]
    return learner


# -- A quiz --------------------------------------------------------------------------------------


def take_quiz(learner: Client, *, slug: str, plan: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """Answer every item as planned; the wrong answers come back with their evidence."""
    learner.languages = tuple(plan["languages"])
    activity = find_activity(learner, slug=slug, texts="best")
    say(f"demo: taking {slug} ({', '.join(plan['languages'])})")
    wordings = read_seed_wordings(learner, slug=slug, languages=plan["languages"])
    session = start_session(learner, activity=activity, languages=plan["languages"])
    path = f"/api/v1/sessions/{session['id']}"
    item, missed = session["current"], []
    for answer in plan["answers"]:
        chosen = find_option(item, wording=answer["choose"], wordings=wordings)
        reply = learner.post(
            f"{path}/responses",
            {
                "administration": item["administration"],
                "response": {"options": [chosen["id"]]},
                "certainty": 3 if answer["wrong"] else 2,
            },
        )
        if answer["wrong"]:
            missed.append({"item": item, "chosen": chosen, "feedback": reply["feedback"]})
        elif not reply["feedback"]["correct"]:
            raise LauncherError(f"{slug}, item {answer['position']}: the planned key is wrong")
        item = reply["next"]
    learner.post(f"{path}/finish", {})
    out.mkdir(parents=True, exist_ok=True)
    for miss in missed:
        await_evidence(learner, miss=miss, out=out)
    return {
        "quiz": slug,
        "lang": plan["languages"][0],
        "title": activity["title"],
        "session": session["id"],
        "missed": missed,
    }


def find_activity(learner: Client, *, slug: str, texts: str) -> Mapping[str, Any]:
    """The course's plain activity of this quiz: fixed, feedback after each answer."""
    wanted = {"mode": "fixed", "reveal": "after_each", "predictions": False, "texts": texts}
    for activity in learner.get("/api/v1/activities")["results"]:
        policy = activity["policy"]
        if activity["quiz"] == slug and all(policy[key] == wanted[key] for key in wanted):
            found: Mapping[str, Any] = activity
            return found
    raise LauncherError(f"the demo course has no plain activity of {slug}")


def start_session(
    learner: Client, *, activity: Mapping[str, Any], languages: Sequence[str]
) -> Mapping[str, Any]:
    body = {"activity": activity["id"], "languages": languages}
    started: Mapping[str, Any] = learner.post("/api/v1/sessions", body)
    return started


def read_seed_wordings(learner: Client, *, slug: str, languages: Sequence[str]) -> dict[str, str]:
    """The original page's wording of every option, by option id.

    Option ids are the same in every session and language of an item, and the original wording
    never changes, while the served one may be revised.
    """
    activity = find_activity(learner, slug=slug, texts="seed")
    session = start_session(learner, activity=activity, languages=languages)
    items = learner.get(f"/api/v1/sessions/{session['id']}/items")["items"]
    return {option["id"]: option["text"]["text"] for item in items for option in item["options"]}


def find_option(
    item: Mapping[str, Any], *, wording: str, wordings: Mapping[str, str]
) -> Mapping[str, Any]:
    for option in item["options"]:
        if wordings[option["id"]] == wording:
            found: Mapping[str, Any] = option
            return found
    raise LauncherError(f"no option of {item['stem']['text']!r} read {wording!r} originally")


def await_evidence(learner: Client, *, miss: dict[str, Any], out: Path) -> None:
    """Wait for the run of a wrong answer; keep its figure and its full JSON."""
    feedback = miss["feedback"]
    demonstration = feedback["demonstration"]
    if demonstration is None:
        raise LauncherError("a planned wrong answer came without a demonstration")
    if demonstration["state"] not in TERMINAL:
        say(f"demo: waiting for {demonstration['experiment']} to be measured")
        feedback["demonstration"] = demonstration = learner.poll(
            f"/api/v1/demonstrations/{demonstration['id']}",
            is_done=lambda body: body["state"] in TERMINAL,
            timeout_s=EVIDENCE_TIMEOUT_S,
        )
    miss["files"] = save_files(learner, demonstration=demonstration, out=out)


def save_files(learner: Client, *, demonstration: Mapping[str, Any], out: Path) -> dict[str, str]:
    name = demonstration["experiment"] or "none"
    document = out / f"{name}.json"
    files = {"document": str(document)}
    for figure, link in demonstration["figures"].items():
        path = out / f"{name}-{figure}.svg"
        path.write_bytes(learner.download(link))
        files[figure] = str(path)
    write_document(document, demonstration)
    return files


def write_document(path: Path, document: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")


# -- The end -------------------------------------------------------------------------------------


def tell(document: Mapping[str, Any], *, is_json: bool) -> None:
    """The result on stdout, whatever letters the terminal has."""
    is_unicode = (sys.stdout.encoding or "ascii").lower().startswith("utf")
    if is_json:
        print(json.dumps(document, ensure_ascii=not is_unicode, indent=1))
    else:
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # never replaced here
        words = json.loads((DEMO / "words.json").read_text(encoding="utf-8"))
        for quiz in document["quizzes"]:
            tell_quiz(quiz, words=words, is_unicode=is_unicode)
    sys.stdout.flush()


def tell_quiz(quiz: Mapping[str, Any], *, words: Mapping[str, Any], is_unicode: bool) -> None:
    lang = quiz["lang"]
    print(f"\n=== {quiz['title']['text']} ===")
    for miss in quiz["missed"]:
        for line in tell_demonstration(miss, words=words[lang], lang=lang, is_unicode=is_unicode):
            print(line)


def check(document: Mapping[str, Any]) -> int:
    """0 when every missed question was answered by a measurement."""
    states = [
        miss["feedback"]["demonstration"]["state"]
        for quiz in document["quizzes"]
        for miss in quiz["missed"]
    ]
    if all(state == "measured" for state in states):
        say(f"demo: {len(states)} wrong answers, {len(states)} measured experiments")
        return 0
    say(f"demo: not every experiment was measured: {', '.join(states)}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
