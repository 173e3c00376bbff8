"""The conductor's two loops: the outbox and the reaper here, the workers' reports there.

Safe to run twice: rows are locked and skipped. Each loop survives a database or a broker
that goes away; the process ends only when told to, or when a loop dies of a bug.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

import psycopg
from django.db import InterfaceError, OperationalError, close_old_connections
from django.db import connection as database
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from assessment.analytics.services import CALIBRATION_TOPIC
from assessment.celery_app import app as tasks
from assessment.core import outbox
from assessment.experiments import dispatch
from assessment.experiments.ingest import take_message
from assessment.experiments.services import FIGURE_TOPIC
from assessment.flow import evidence, publishing, upkeep
from assessment.ops import pulse
from assessment.ops.broker import RunBroker
from gpu_worker.contracts import ContractError

log = logging.getLogger(__name__)

PERIOD_S = 1.0
# The outbox is looked at this often even when no notification came.

HOUSEKEEPING_S = 60.0
# Old records need no more haste than this.

DATABASE_GONE = (
    OperationalError,
    InterfaceError,
    psycopg.OperationalError,
    psycopg.InterfaceError,
)
# Waiting for a notification asks psycopg itself, whose errors Django does not translate.


class Stop(threading.Event):
    """Set by a signal, or by a loop that died."""


class Presence:
    """Tells the log once that a server is away, and once that it is back."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._is_away = False

    def note_loss(self, error: BaseException) -> None:
        if not self._is_away:
            log.warning("%s is away: %s", self._server, _first_line(error))
        self._is_away = True

    def note_answer(self) -> None:
        if self._is_away:
            log.warning("%s is back", self._server)
        self._is_away = False


def run_loop(stop: Stop, once: Callable[[], None], *, name: str) -> None:
    """Repeat `once` until stopped; a lost server costs a second, a bug ends the process."""
    presence = Presence(f"{name}: the database")
    try:
        while not stop.is_set():
            pulse.beat(name)
            try:
                once()
                presence.note_answer()
            except DATABASE_GONE as error:
                presence.note_loss(error)
                _drop_connection()
                stop.wait(PERIOD_S)
    finally:
        stop.set()


class OutboxLoop:
    """Wakes on a notification or each second: publishes, reaps, keeps house."""

    name = pulse.OUTBOX

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._broker: RunBroker | None = None
        self._presence = Presence("outbox: the broker")
        self._listened: object = None
        self._housekeeping_at = timezone.now()

    def once(self) -> None:
        self.wait()
        now = timezone.now()
        evidence.ask_for_kept_back(now=now)
        broker = self._find_broker(now)
        if broker is not None:
            self._use(broker, now)
        dispatch.reap_runs(now=now)
        upkeep.expire_sessions(now=now)
        publish_chores(now=now)
        if now >= self._housekeeping_at:
            self._housekeeping_at = now + timedelta(seconds=HOUSEKEEPING_S)
            upkeep.forget_old(now=now)

    def wait(self) -> None:
        """Until PostgreSQL says that a message was left, a second at most."""
        database.ensure_connection()
        raw = cast(psycopg.Connection[object], database.connection)
        if raw is not self._listened:
            with database.cursor() as cursor:
                cursor.execute("LISTEN outbox")
            self._listened = raw
            return
        for _ in raw.notifies(timeout=PERIOD_S, stop_after=1):
            pass

    def _find_broker(self, now: datetime) -> RunBroker | None:
        if self._broker is None:
            broker = RunBroker()
            try:
                broker.__enter__()
            except broker.errors as error:
                self._presence.note_loss(error)
                dispatch.note_broker_down(now=now)
                return None
            self._presence.note_answer()
            self._broker = broker
        return self._broker

    def _use(self, broker: RunBroker, now: datetime) -> None:
        try:
            dispatch.publish_runs(broker, now=now)
            dispatch.resend_unstarted(broker, now=now)
        except broker.errors as error:
            self._presence.note_loss(error)
            dispatch.note_broker_down(now=now)
            broker.__exit__(None, None, None)
            self._broker = None


class ReportLoop:
    """Takes in what workers say, acknowledging after the database has it."""

    name = pulse.REPORTS

    def __init__(self, stop: Stop) -> None:
        self._stop = stop
        self._presence = Presence("reports: the broker")

    def once(self) -> None:
        broker = RunBroker()
        try:
            with broker:
                self._presence.note_answer()
                broker.take_reports(self._take, until=self._is_over)
        except DATABASE_GONE:
            raise
        except broker.errors as error:
            self._presence.note_loss(error)
            self._stop.wait(PERIOD_S)
        except Exception:
            # A worker may write to the report queue what the transport itself cannot read.
            log.exception("reports: a message was unreadable")
            self._stop.wait(PERIOD_S)

    def _is_over(self) -> bool:
        """Asked about every second while there is nothing to take."""
        pulse.beat(self.name)
        return self._stop.is_set()

    def _take(self, body: bytes) -> None:
        """One message. A worker is not trusted: nothing that it says may end the loop."""
        close_old_connections()
        try:
            take_message(body)
        except ContractError as error:
            log.warning("a worker message was refused: %s", _first_line(error))
        except DATABASE_GONE:
            raise
        except Exception:
            log.exception("a worker message cannot be taken in")


@dataclass(frozen=True)
class Chore:
    """A task of the task worker, which takes the message's key; and what ends it unfinished."""

    task: str
    give_up: Callable[[str], None]


CHORES = {
    FIGURE_TOPIC: Chore("assessment.draw_figures", evidence.settle_figures),
    CALIBRATION_TOPIC: Chore("assessment.calibrate", publishing.give_up_calibration),
}
# By topic of the outbox.

CHORE_PATIENCE = timedelta(minutes=2)
# A chore takes seconds; one not settled by then was lost with its queue, or waits in it.

MAX_CHORE_TRIES = 5
# Each waits twice as long as the one before: an hour, and then it is given up.

_chore_broker = Presence("chores: the broker")


def publish_chores(*, now: datetime) -> None:
    """Hand what was left for the task worker to its queue, again until it is settled."""
    for topic, chore in CHORES.items():
        with outbox.taking(topic=topic, now=now) as messages:
            for message in messages:
                if message.attempts >= MAX_CHORE_TRIES:
                    log.error("%s of %s was given up", topic, message.key)
                    chore.give_up(message.key)
                    continue
                try:
                    tasks.send_task(chore.task, args=[message.key], retry=False)
                except (BrokerError, OSError) as error:
                    _chore_broker.note_loss(error)
                    return
                _chore_broker.note_answer()
                outbox.put_off(message, until=now + CHORE_PATIENCE * 2**message.attempts)


def _first_line(error: BaseException) -> str:
    """Short enough for a log, and without the values that a second line may quote."""
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:300]


def _drop_connection() -> None:
    database.close()
