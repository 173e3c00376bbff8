"""What tests do at a live stack: people with tokens, sessions, waiting for evidence."""

import json
import uuid
from typing import Any

import psycopg

from launcher.client import Client
from launcher.postgres import Postgres
from tests.harness import RunningStack

BG_QUIZ = "gradient-checkpointing"
TERMINAL = ("measured", "simulated", "failed", "not_run")


def open_client(stack: RunningStack) -> Client:
    """The demo course's API client, logged in."""
    given = json.loads(stack.layout.demo_credentials.read_text())
    client = Client(stack.url)
    client.log_in(client_id=given["client_id"], client_secret=given["client_secret"], scope="learn")
    return client


def open_learner(stack: RunningStack) -> Client:
    """A fresh learner of the demo course."""
    course = json.loads(stack.layout.demo_credentials.read_text())["course"]
    learner = Client(stack.url)
    body = {"person": f"live-{uuid.uuid4()}", "course": course, "rights": ["learn"]}
    learner.token = open_client(stack).post("/api/v1/tokens", body)["token"]
    return learner


def start_session(
    learner: Client, *, quiz: str = BG_QUIZ, texts: str = "best", reveal: str = "after_each"
) -> Any:
    wanted = {"mode": "fixed", "reveal": reveal, "predictions": False, "texts": texts}
    for activity in learner.get("/api/v1/activities")["results"]:
        policy = activity["policy"]
        if activity["quiz"] == quiz and all(policy[key] == wanted[key] for key in wanted):
            body = {"activity": activity["id"], "languages": ["bg", "en"]}
            return learner.post("/api/v1/sessions", body)
    raise AssertionError(f"no activity of {quiz}")


def answer(learner: Client, session: str, item: Any, option: int = 0) -> Any:
    """Answer with the option that stands at this place for this learner."""
    body = {
        "administration": item["administration"],
        "response": {"options": [item["options"][option]["id"]]},
    }
    return learner.post(f"/api/v1/sessions/{session}/responses", body)


def answer_wrongly(learner: Client) -> Any:
    """Miss the first item of a fresh session; the feedback. Two tries suffice: one key.

    Each session has an order of its own, so that the second try goes by the option's id.
    """
    right = None
    for _ in range(2):
        session = start_session(learner)
        item = session["current"]
        ids = [one["id"] for one in item["options"]]
        place = next(i for i, one in enumerate(ids) if one != right)
        reply = answer(learner, session["id"], item, place)
        if not reply["feedback"]["correct"]:
            return reply["feedback"]
        right = ids[place]
        learner.post(f"/api/v1/sessions/{session['id']}/finish", {})
    raise AssertionError("two options are right")


def await_evidence(learner: Client, demonstration: str, *, timeout_s: float = 120) -> Any:
    return learner.poll(
        f"/api/v1/demonstrations/{demonstration}",
        is_done=lambda body: body["state"] in TERMINAL,
        timeout_s=timeout_s,
    )


def query(stack: RunningStack, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
    """Rows of the stack's own database."""
    with psycopg.connect(Postgres(stack.layout).url) as connection:
        return connection.execute(sql, parameters).fetchall()
