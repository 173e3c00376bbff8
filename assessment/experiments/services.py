"""Writes: requesting runs and tying them to answers. The row of a run is the truth."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone

from assessment.core import outbox
from assessment.core.errors import Unavailable
from assessment.experiments.models import GOOD_STATES, Demonstration, Figure, Run
from assessment.experiments.plans import NoRun, RunPlan, needs_cuda

RUN_TOPIC = "run"
FIGURE_TOPIC = "figures"

NO_GPU = "no_gpu_worker"
# Why a CUDA run failed that nobody began: its demonstrations went to the CPU run.

MAX_TRIES = 5
# A live run can end between the look at it and the taking of it; hardly ever twice.

_FIND = """
SELECT d.device, h.code_digest, h.torch_digest, h.seen_at,
       r.id, r.state, r.reason, r.code_digest, r.torch_digest, r.finished_at
FROM (VALUES ('cpu', %s), ('cuda', %s)) AS d(device, digest)
LEFT JOIN LATERAL (
    SELECT code_digest, torch_digest, seen_at FROM experiments_workerhello w
    WHERE w.device = d.device ORDER BY seen_at DESC LIMIT 1
) h ON true
LEFT JOIN LATERAL (
    SELECT id, state, reason, code_digest, torch_digest, finished_at FROM experiments_run r
    WHERE r.digest = d.digest
    ORDER BY state IN ('requested', 'sent', 'running') DESC,
             state IN ('measured', 'simulated')
                 AND (h.code_digest IS NULL
                      OR (r.code_digest = h.code_digest AND r.torch_digest = h.torch_digest)) DESC,
             requested_at DESC
    LIMIT 1
) r ON true
"""
# One statement: the last hello of each device class, and the run there that fits best.

_INSERT = """
WITH made AS (
    INSERT INTO experiments_run (
        id, created_at, digest, experiment, experiment_version, parameters, seed, device,
        is_simulated, state, attempt, reason, detail, is_delayed, requested_at, not_after,
        worker, code_digest, torch_digest)
    VALUES (%s, %s, %s, %s, %s, %s::jsonb, %s, %s, %s, 'requested', 1, '', '', false, %s, %s,
            '', '', '')
    ON CONFLICT (digest) WHERE state IN ('requested', 'sent', 'running') DO NOTHING
    RETURNING id, requested_at
)
INSERT INTO core_outboxmessage (
    topic, key, priority, created_at, not_before, body, attempts)
SELECT %s::text, id::text, %s::smallint, requested_at, requested_at, '{}', 0 FROM made
"""
# The partial unique index makes one run for all who need it. Its outbox message comes in the
# same statement: an answer may cost twelve.

_JOIN = """
WITH urgent AS (
    UPDATE core_outboxmessage SET priority = %s
    WHERE id IN (
        SELECT id FROM core_outboxmessage WHERE %s AND key = %s AND priority > %s
        FOR UPDATE SKIP LOCKED)
)
SELECT * FROM experiments_run WHERE id = %s FOR KEY SHARE
"""
# Somebody waits for the run now, so its message passes the routine ones, unless the conductor
# is handing it on at this moment: an answer never waits for the broker. The lock waits for a
# reaper that is about to leave the run, and shows what it did.


@dataclass(frozen=True)
class Candidate:
    """One device class: is a worker there, and which run of this plan is at hand."""

    device: str
    code_digest: str | None
    torch_digest: str | None
    seen_at: datetime | None
    run_id: UUID | None
    state: str | None
    reason: str | None
    run_code_digest: str | None
    run_torch_digest: str | None
    finished_at: datetime | None

    def is_alive(self, now: datetime) -> bool:
        patience = timedelta(seconds=settings.WORKER_LOST_AFTER_S)
        return self.seen_at is not None and now - self.seen_at <= patience

    @property
    def is_good(self) -> bool:
        return self.state in GOOD_STATES

    def is_usable(self, now: datetime) -> bool:
        """Whether the run at hand answers the request: live, current, or failed just now."""
        if self.run_id is None:
            return False
        if self.is_good:
            return self.code_digest is None or (
                (self.run_code_digest, self.run_torch_digest)
                == (self.code_digest, self.torch_digest)
            )
        return self.state != "failed" or self._is_recent(now)

    def was_left(self, now: datetime) -> bool:
        """Whether its run was handed to the CPU just now, as no GPU worker began it."""
        return self.state == "failed" and self.reason == NO_GPU and self._is_recent(now)

    def _is_recent(self, now: datetime) -> bool:
        blocked = timedelta(seconds=settings.FAILURE_BLOCKS_S)
        return self.finished_at is not None and now - self.finished_at < blocked


@dataclass(frozen=True)
class RequestedRun:
    """The run that a request ends at. is_reused: it had been measured before."""

    run: Run
    is_reused: bool


def request_run(plan: RunPlan, *, priority: int = outbox.URGENT) -> RequestedRun | NoRun:
    """The run of this plan on the device at hand, asked for when there is none.

    Must run in a transaction. Two statements, whether the run exists or is new.
    """
    now = timezone.now()

    def choose(candidates: Mapping[str, Candidate]) -> Candidate | None:
        on_cuda = candidates["cuda"]
        is_alive = on_cuda.is_alive(now)
        if plan.needs_cuda:
            return on_cuda if is_alive else None
        return on_cuda if is_alive and not on_cuda.was_left(now) else candidates["cpu"]

    return _take(plan, choose, now=now, priority=priority) or NoRun("needs_cuda")


def request_run_on(plan: RunPlan, *, device: str) -> RequestedRun:
    """As `request_run`, on a device class of the caller's choice."""
    taken = _take(plan, lambda at: at[device], now=timezone.now(), priority=outbox.URGENT)
    assert taken is not None
    return taken


def _take(
    plan: RunPlan,
    choose: Callable[[Mapping[str, Candidate]], Candidate | None],
    *,
    now: datetime,
    priority: int,
) -> RequestedRun | None:
    """Join the run at hand, or make one; look again where it came or ended meanwhile."""
    for _ in range(MAX_TRIES):
        chosen = choose(_find_candidates(plan))
        if chosen is None:
            return None
        is_at_hand = chosen.is_usable(now)
        if is_at_hand:
            run = _join(chosen, priority=priority)
        else:
            run = _insert_run(plan, device=chosen.device, now=now, priority=priority)
        if run is not None:
            return RequestedRun(run, is_reused=is_at_hand and chosen.is_good)
    raise Unavailable("unavailable", extra={"retry_after": 1})


def _join(candidate: Candidate, *, priority: int) -> Run | None:
    """The run at hand, kept from failing until the transaction ends; None if it just failed."""
    is_urgent, key = priority == outbox.URGENT, str(candidate.run_id)
    values = [outbox.URGENT, is_urgent, key, outbox.URGENT, candidate.run_id]
    run: Run = Run.objects.raw(_JOIN, values)[0]
    return None if run.state == "failed" != candidate.state else run


def _find_candidates(plan: RunPlan) -> dict[str, Candidate]:
    with connection.cursor() as cursor:
        cursor.execute(_FIND, [plan.digest("cpu"), plan.digest("cuda")])
        return {row[0]: Candidate(*row) for row in cursor.fetchall()}


def _insert_run(plan: RunPlan, *, device: str, now: datetime, priority: int) -> Run | None:
    """The new run, with its outbox message; None when somebody else's is live already."""
    run = Run(
        created_at=now,
        digest=plan.digest(device),
        experiment=plan.experiment,
        experiment_version=plan.version,
        parameters=dict(plan.parameters),
        seed=plan.seed,
        device=device,
        is_simulated=plan.is_simulated,
        requested_at=now,
        not_after=now + timedelta(seconds=settings.QUEUE_DEADLINE_S),
    )
    values: list[str | int | bool | datetime | UUID] = [
        run.id,
        run.created_at,
        run.digest,
        run.experiment,
        run.experiment_version,
        json.dumps(run.parameters),
        run.seed,
        run.device,
        run.is_simulated,
        run.requested_at,
        run.not_after,
        RUN_TOPIC,
        priority,
    ]
    with connection.cursor() as cursor:
        cursor.execute(_INSERT, values)
        return run if cursor.rowcount else None


def demonstrate(
    plan: RunPlan | NoRun,
    *,
    administration_id: UUID,
    session_id: UUID,
    kind: str,
    option_id: UUID | None = None,
    parent_id: UUID | None = None,
) -> Demonstration:
    """Tie an answer to the run that answers it, or to the reason why none does."""
    made = Demonstration(
        administration_id=administration_id,
        session_id=session_id,
        kind=kind,
        option_id=option_id,
        parent_id=parent_id,
    )
    _tie(made, plan)
    made.save(force_insert=True)
    return made


def demonstrate_again(shown: Demonstration, plan: RunPlan | NoRun) -> None:
    """Ask anew for evidence that failed or could not be had; the same while that still holds.

    Locks the demonstration. Its run's failure blocks another one for ten minutes.
    """
    Demonstration.objects.select_for_update(no_key=True).get(pk=shown.pk)
    _tie(shown, plan)
    shown.save(update_fields=["run", "is_reused", "reason"])


def _tie(shown: Demonstration, plan: RunPlan | NoRun) -> None:
    asked = request_run(plan) if isinstance(plan, RunPlan) else plan
    if isinstance(asked, NoRun):
        shown.run, shown.is_reused, shown.reason = None, False, asked.reason
    else:
        shown.run, shown.is_reused, shown.reason = asked.run, asked.is_reused, ""


def load_plan(run: Run) -> RunPlan:
    """The plan that this run was asked with."""
    parameters: Mapping[str, object] = run.parameters
    return RunPlan(
        run.experiment,
        run.experiment_version,
        parameters,
        seed=run.seed,
        needs_cuda=needs_cuda(run.experiment, parameters),
    )


class Picture(Protocol):
    """A drawn figure in one language, as the feedback stage hands it over."""

    name: str
    lang: str
    spec: Mapping[str, object]
    alt: str
    table: Mapping[str, object]
    svg: bytes
    png: bytes


def keep_figure(run_id: UUID, picture: Picture) -> None:
    """Store a figure; drawing it again replaces it."""
    values = {
        "spec": picture.spec,
        "alt": picture.alt,
        "table": picture.table,
        "svg": picture.svg,
        "png": picture.png,
    }
    Figure.objects.update_or_create(
        run_id=run_id, name=picture.name, lang=picture.lang, defaults=values
    )
