"""What happens in this product, one function for each thing; the only module joining stages.

    start_session -> submit_response -> (answer_prediction) -> read_feedback
                          |                                         ^
                          v                                         |
                 a run is requested -> conductor -> worker -> its report

Every function takes the bearer of a minted token and refuses what is not theirs as if it did
not exist. Functions that write return a `Reply`, stored under the idempotency key.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from assessment.accounts.services import lock_person
from assessment.accounts.tokens import Bearer, find_remaining_s, mint_token
from assessment.analytics import services as analytics
from assessment.bank import drafting
from assessment.bank.snapshot import Snapshot, get_current_version_id, get_snapshot
from assessment.core import idempotency, outbox
from assessment.core.errors import Conflict, Forbidden, Invalid, NotFound, TooMany
from assessment.core.idempotency import Reply, RequestKey, answer_once
from assessment.core.times import format_time
from assessment.delivery import access, adaptive, exposure, presentation, services
from assessment.delivery import selectors as delivery
from assessment.experiments import dispatch, plans, predictions
from assessment.experiments import selectors as evidence
from assessment.experiments import services as experiments
from assessment.feedback import drawing, replies, telling
from assessment.scoring import progress
from assessment.scoring import selectors as scores
from assessment.scoring.answers import Answer, load_answer, read_answer
from assessment.scoring.rules import score_answer
from assessment.scoring.services import record_score

if TYPE_CHECKING:
    from assessment.bank.models import BankVersion
    from assessment.delivery.adaptive import Progress
    from assessment.delivery.models import Activity, Administration, Response, Session
    from assessment.experiments.models import Demonstration
    from assessment.scoring.models import Score

JsonObject = dict[str, object]


# --- Activities and sessions --------------------------------------------------------------------


def describe_activities(
    bearer: Bearer, activities: Sequence[Activity], *, languages: Sequence[str]
) -> list[JsonObject]:
    """Activities of the bearer's course as this reader sees them; one query for any number."""
    snapshot, now = _read_current_bank(), timezone.now()
    ids = [one.id for one in activities]
    own: dict[UUID, list[Session]] = {one: [] for one in ids}
    for session in delivery.list_own_sessions(ids, person_id=bearer.person_id):
        own[session.activity_id].append(session)
    return [
        presentation.present_activity(
            one,
            snapshot,
            languages=languages,
            now=now,
            own=own[one.id],
        )
        for one in activities
        if access.is_shown(one, snapshot, bearer=bearer)
    ]


def read_activity(bearer: Bearer, activity_id: UUID, *, languages: Sequence[str]) -> JsonObject:
    activity = access.get_activity(activity_id, _read_current_bank(), bearer=bearer)
    shown = describe_activities(bearer, [activity], languages=languages)
    if not shown:
        raise NotFound("activity_not_found")
    return shown[0]


def create_activity(
    bearer: Bearer, key: RequestKey, *, quiz: str, policy: Mapping[str, object]
) -> Reply:
    """A new activity in the instructor's course. Raises Invalid for an unknown quiz."""
    _require(bearer, "instruct")

    def work() -> Reply:
        snapshot = _read_current_bank()
        if quiz not in snapshot.quizzes:
            raise Invalid.field("quiz", "unknown_quiz", "The published bank has no such quiz.")
        if policy.get("mode") == "adaptive":
            adaptive.check_policy(_get_section(policy, "policy"), snapshot, quiz_slug=quiz)
        made = services.create_activity(course_id=bearer.course_id, quiz_slug=quiz, policy=policy)
        body = describe_activities(bearer, [made], languages=["en"])[0]
        return Reply(201, body, {"Location": f"/api/v1/activities/{made.id}"})

    return answer_once(key, work)


def start_session(
    bearer: Bearer, key: RequestKey, *, activity_id: UUID, languages: Sequence[str]
) -> Reply:
    """Open the person's session of an activity, or find the open one (then 200, not 201)."""
    _require(bearer, "learn")

    def work() -> Reply:
        snapshot = _read_current_bank()
        activity = access.get_activity(activity_id, snapshot, bearer=bearer)
        if activity.quiz_slug not in snapshot.quizzes:
            raise Conflict("quiz_has_no_items")
        session, is_new = services.start_session(
            activity,
            person_id=bearer.person_id,
            languages=languages,
            bank_version_id=UUID(snapshot.bank_version_id),
            choose_items=lambda seed: progress.choose_first(activity, snapshot, seed=seed),
        )
        body = replies.describe_session(session)
        return Reply(201 if is_new else 200, body, {"Location": f"/api/v1/sessions/{session.id}"})

    return answer_once(key, work)


def read_session(bearer: Bearer, session_id: UUID) -> JsonObject:
    """The session for its owner or the course's instructor; reading changes nothing."""
    return replies.describe_session(access.get_session(session_id, bearer=bearer))


def list_items(bearer: Bearer, session_id: UUID, *, language: str | None) -> list[JsonObject]:
    """Every item put before the learner so far, without keys; in one other language if asked."""
    session = delivery.get_session(session_id, bearer=bearer)
    languages = [language, *session.languages] if language else session.languages
    return [
        presentation.present_item(
            telling.find_item(session, one),
            one,
            languages=languages,
            texts="best" if language else session.activity.texts,
        )
        for one in telling.list_shown(session)
    ]


def finish_session(bearer: Bearer, key: RequestKey, session_id: UUID) -> Reply:
    """End the session; what may be revealed then comes with the reply."""

    def work() -> Reply:
        opened = services.open_session(session_id, bearer=bearer)
        services.finish_session(opened.session, reason="finished")
        body = {
            "session": replies.describe_session(opened.session),
            **telling.tell_session(opened.session),
        }
        return Reply(200, body, {})

    return answer_once(key, work)


def create_handoff(bearer: Bearer, key: RequestKey, session_id: UUID) -> Reply:
    """A one-use secret that resumes this session on another device."""

    def work() -> Reply:
        session = delivery.get_session(session_id, bearer=bearer)
        secret, expires_at = services.create_handoff(session, bearer=bearer)
        return Reply(201, {"secret": secret, "expires_at": format_time(expires_at)}, {})

    return answer_once(key, work)


def use_handoff(secret: str) -> JsonObject:
    """A learner's token for the session's person, once. Raises NotFound.

    It lasts as long as the token that the hand-off was asked with: a revocation waits for
    no chain of hand-offs.
    """
    used = services.use_handoff(secret)
    bearer = Bearer(
        used.session.person_id,
        used.session.activity.course_id,
        frozenset({"learn"}),
        is_guest=used.is_guest,
        issued_at=used.issued_at,
    )
    if not find_remaining_s(bearer):
        raise NotFound("handoff_not_found")
    return {
        "token": mint_token(bearer),
        "token_type": "Bearer",
        "expires_in": find_remaining_s(bearer),
        "session": str(used.session.id),
    }


def expire_sessions(*, now: datetime) -> int:
    """Close every session whose time is over; the conductor calls it."""
    return services.expire_sessions(now=now)


def forget_old(*, now: datetime) -> None:
    """Delete what has no use any more; the conductor calls it now and then."""
    idempotency.forget_old_records(now=now)
    services.forget_handoffs(now=now)
    dispatch.forget_workers(now=now)


# --- Answers ------------------------------------------------------------------------------------


def submit_response(
    bearer: Bearer,
    key: RequestKey,
    *,
    session_id: UUID,
    administration_id: UUID,
    response: Mapping[str, object],
    certainty: int | None = None,
    elapsed_ms: int | None = None,
) -> Reply:
    """Score an answer at once and ask for its evidence; at most 12 statements, a replay 3.

    The same answer again is told what the first one was; another one is a Conflict.
    """
    _require(bearer, "learn")

    def work() -> Reply:
        now = timezone.now()
        opened = services.open_session(session_id, bearer=bearer)
        administration = opened.find_administration(administration_id)
        item = telling.find_item(opened.session, administration)
        answer = read_answer(item, response, language=opened.session.languages[0])
        earlier = delivery.find_response(administration)
        if earlier is not None:
            if not load_answer(earlier.answer).is_same(answer):
                raise Conflict("already_answered")
            return Reply(201, replies.tell_answer_again(opened, administration), {})
        services.check_open(opened.session, now=now)
        given = services.record_response(
            administration,
            answer=answer.as_json(),
            certainty=certainty,
            elapsed_ms=elapsed_ms,
            now=now,
        )
        plan = _plan_next(opened, administration, answer, now=now)
        score = record_score(
            score_answer(item, answer),
            response_id=given.id,
            session_id=opened.session.id,
            item_version_id=administration.item_version_id,
            bank_version_id=opened.session.bank_version_id,
            theta=plan.theta if plan else None,
            standard_error=plan.standard_error if plan else None,
            now=now,
        )
        shown = None
        if not score.is_correct:
            shown = _demonstrate(opened.session, administration, score, given)
        if plan is not None:
            opened = _advance(opened, plan, answered=administration)
        return Reply(201, replies.tell_answer(opened, administration, score, shown), {})

    return answer_once(key, work)


def answer_prediction(
    bearer: Bearer, *, session_id: UUID, administration_id: UUID, choice: str | None
) -> JsonObject:
    """Keep the prediction (None: skipped), once; its reply carries the feedback.

    Raises Conflict when the session is over: its feedback could be read before.
    """
    _require(bearer, "learn")
    with transaction.atomic():
        opened = services.open_session(session_id, bearer=bearer)
        administration = opened.find_administration(administration_id)
        item = telling.find_item(opened.session, administration)
        response = delivery.find_response(administration)
        question = predictions.find_question(item) if opened.activity.has_predictions else None
        if response is None or question is None:
            raise NotFound("no_prediction_asked")
        if choice is not None and question.find_choice(choice) is None:
            raise Invalid.field("choice", "unknown_choice", "The question has no such choice.")
        if delivery.find_prediction(administration) is None:
            services.check_open(opened.session, now=timezone.now())
        services.record_prediction(
            administration,
            experiment=question.experiment,
            choice=choice,
            asked_at=response.received_at,
        )
        opened = _end_when_done(opened)
        return replies.tell_answer_again(opened, administration)


def _plan_next(
    opened: services.OpenedSession, answered: Administration, answer: Answer, *, now: datetime
) -> Progress | None:
    """Where an adaptive session stands after this answer; None in a fixed one."""
    if opened.activity.mode == "fixed":
        return None
    return progress.plan_after(
        opened.session,
        opened.administrations,
        get_snapshot(opened.session.bank_version_id),
        now=now,
        answered=answered,
        answer=answer,
    )


def _advance(
    opened: services.OpenedSession, plan: Progress, *, answered: Administration
) -> services.OpenedSession:
    """Put the next item before the learner, or end the session with its reason.

    The end reveals everything, so it waits for the prediction that the last answer asks for.
    """
    if plan.chosen is None:
        if telling.find_pending_question(opened.session, answered) is None:
            services.finish_session(opened.session, reason=str(plan.reason))
        return opened
    added = services.add_administrations(
        opened.session, chosen=[plan.chosen], first_position=len(opened.administrations) + 1
    )
    return replace(opened, administrations=(*opened.administrations, *added))


def _end_when_done(opened: services.OpenedSession) -> services.OpenedSession:
    """Go on from the prediction that an adaptive session's end has waited for."""
    session, last = opened.session, opened.administrations[-1]
    is_waiting = session.state == "open" and delivery.find_response(last) is not None
    if opened.activity.mode == "fixed" or not is_waiting:
        return opened
    bank = get_snapshot(session.bank_version_id)
    plan = progress.plan_after(session, opened.administrations, bank, now=timezone.now())
    return _advance(opened, plan, answered=last)


def _demonstrate(
    session: Session, administration: Administration, score: Score, response: Response
) -> Demonstration:
    """Tie the answer to the run that refutes its very choice, or supports the key."""
    item, answer = telling.find_item(session, administration), load_answer(response.answer)
    wrong = [one for one in answer.options if not item.options_by_id[one].is_key]
    refutation = plans.Refutation(item.key_evidence)
    if not score.is_correct:
        refutation = plans.choose_refutation(item, wrong_options=wrong, value=answer.value)
    return experiments.demonstrate(
        plans.plan_evidence(refutation.evidence),
        administration_id=administration.id,
        session_id=session.id,
        kind="support" if score.is_correct else "refute",
        option_id=UUID(refutation.option_id) if refutation.option_id else None,
    )


# --- Feedback and evidence ----------------------------------------------------------------------


def read_feedback(bearer: Bearer, session_id: UUID) -> JsonObject:
    """Every answered item with explanation, misconception and evidence, as far as revealed."""
    return telling.tell_session(access.get_session(session_id, bearer=bearer))


def request_evidence(
    bearer: Bearer, key: RequestKey, *, session_id: UUID, administration_id: UUID
) -> Reply:
    """The evidence of an answered item, asked for after a right answer too."""

    def work() -> Reply:
        opened = services.open_session(session_id, bearer=bearer)
        administration = opened.find_administration(administration_id)
        response = delivery.find_response(administration)
        if response is None or not telling.is_revealed(opened.session, administration):
            raise Conflict("feedback_not_revealed")
        shown = evidence.find_demonstration(administration.id)
        if shown is None:
            score = scores.get_score(response.id)
            shown = _demonstrate(opened.session, administration, score, response)
        body = telling.tell_demonstration(opened.session, administration, shown)
        return Reply(202, body, {"Location": f"/api/v1/demonstrations/{shown.id}"})

    return answer_once(key, work)


def read_demonstration(bearer: Bearer, demonstration_id: UUID) -> JsonObject:
    """State and, when there is one, result. NotFound until its feedback may be seen."""
    shown = replies.get_demonstration(demonstration_id, bearer=bearer)
    run = shown.run
    told = telling.tell_demonstration(
        shown.session,
        shown.administration,
        shown,
        queue_position=evidence.find_queue_position(run) if run is not None else None,
    )
    if run is not None:
        told["what_if"] = replies.describe_what_if(
            run, shown.session.languages, num_left=_count_tries_left(bearer)
        )
    return told


def read_trace(bearer: Bearer, demonstration_id: UUID) -> tuple[Demonstration, bytes | None]:
    """The demonstration with its run, and the compressed full trace where there is one."""
    shown = replies.get_demonstration(demonstration_id, bearer=bearer)
    if shown.run is None or not evidence.is_good(shown.run):
        raise NotFound("trace_not_found")
    return shown, evidence.find_trace(shown.run.id)


def request_what_if(
    bearer: Bearer,
    key: RequestKey,
    *,
    demonstration_id: UUID,
    parameters: Mapping[str, object],
) -> Reply:
    """The same experiment with other numbers, within the catalogue's ranges and a quota."""

    def work() -> Reply:
        base = replies.get_demonstration(demonstration_id, bearer=bearer)
        if not delivery.is_own(base.session, bearer=bearer):
            raise NotFound("demonstration_not_found")
        if base.run is None:
            raise Conflict("nothing_was_run")
        plan = plans.plan_what_if(experiments.load_plan(base.run), parameters)
        _spend_quota(bearer)
        made = experiments.demonstrate(
            plan,
            administration_id=base.administration_id,
            session_id=base.session_id,
            kind="what_if",
            option_id=base.option_id,
            parent_id=base.id,
        )
        shown = evidence.get_demonstration(made.id)
        body = telling.tell_demonstration(shown.session, shown.administration, shown)
        return Reply(202, body, {"Location": f"/api/v1/demonstrations/{made.id}"})

    return answer_once(key, work)


def request_default_runs(bank_version_id: str) -> int:
    """Ask for every run that the version's answers may need; how many are not at hand yet."""
    num_asked = 0
    for plan in plans.list_default_plans(get_snapshot(bank_version_id)):
        with transaction.atomic():
            run = experiments.request_run(plan, priority=outbox.ROUTINE)
        num_asked += isinstance(run, experiments.RequestedRun) and not run.is_reused
    return num_asked


def note_evidence_seen(bearer: Bearer, demonstration_id: UUID) -> None:
    """The learner looked at the evidence: an adaptive session may now test the belief again."""
    shown = replies.get_demonstration(demonstration_id, bearer=bearer)
    if not delivery.is_own(shown.session, bearer=bearer):
        raise NotFound("demonstration_not_found")
    services.note_evidence_seen(shown.administration)


def publish_draft(bearer: Bearer, key: RequestKey, *, slug: str) -> Reply:
    """Serve the bank with this item from now on; sessions begun before keep their version."""
    _require(bearer, "author")

    def work() -> Reply:
        version = drafting.publish_draft(slug, by=bearer.scope)
        return _tell_version(version)

    return answer_once(key, work)


def retire_item(bearer: Bearer, key: RequestKey, *, slug: str, reason: str) -> Reply:
    """Serve the bank without this item from now on."""
    _require(bearer, "author")

    def work() -> Reply:
        return _tell_version(drafting.retire_item(slug, reason=reason, by=bearer.scope))

    return answer_once(key, work)


def request_calibration(bearer: Bearer, key: RequestKey, *, wants_three_pl: bool) -> Reply:
    """Ask the task worker for parameters that the answers so far suggest."""
    _require(bearer, "author")

    def work() -> Reply:
        made = analytics.request_calibration(
            get_current_version_id(), wants_three_pl=wants_three_pl
        )
        place = {"Location": f"/api/v1/calibrations/{made.id}"}
        return Reply(202, analytics.describe_proposal(made), place)

    return answer_once(key, work)


def read_calibration(bearer: Bearer, proposal_id: UUID) -> JsonObject:
    _require(bearer, "author")
    return analytics.describe_proposal(analytics.get_proposal(proposal_id))


def publish_calibration(bearer: Bearer, key: RequestKey, proposal_id: UUID) -> Reply:
    """The next bank version, with the proposed parameters. Old scores keep their version."""
    _require(bearer, "author")

    def work() -> Reply:
        return _tell_version(analytics.publish_proposal(proposal_id, by=bearer.scope))

    return answer_once(key, work)


def work_out_calibration(proposal_id: UUID) -> str:
    """Calibrate on the answers of now; the state that the proposal ends in."""
    state = analytics.work_out_proposal(proposal_id).state
    outbox.settle(topic=analytics.CALIBRATION_TOPIC, key=str(proposal_id))
    return state


def give_up_calibration(key: str) -> None:
    """It cannot be worked out: say so, and ask no more."""
    analytics.fail_proposal(UUID(key), reason="crashed")
    outbox.settle(topic=analytics.CALIBRATION_TOPIC, key=key)


def _tell_version(version: BankVersion) -> Reply:
    open_bank_version(str(version.id))
    return Reply(201, {"version": version.number, "id": str(version.id)}, {})


def open_bank_version(bank_version_id: str) -> int:
    """What a newly published version needs: its default runs, and the frozen exposure counts."""
    exposure.freeze_exposure(bank_version_id)
    return request_default_runs(bank_version_id)


def draw_figures(run_id: UUID) -> int:
    """Draw every figure of a finished run in every language; how many. Idempotent.

    The languages of a figure appear at once: a picture in another language than asked may be
    cached for good. The figure that a page shows first is drawn first.
    """
    run, num_drawn = evidence.get_run(run_id), 0
    pictures = drawing.draw_all(run.measurement or {})
    for _, group in itertools.groupby(pictures, key=lambda one: one.name):
        same_figure = list(group)
        with transaction.atomic():
            for picture in same_figure:
                experiments.keep_figure(run_id, picture)
        num_drawn += len(same_figure)
    settle_figures(str(run_id))
    return num_drawn


def settle_figures(key: str) -> None:
    """Ask no more for the figures of this run: they are drawn, or cannot be."""
    outbox.settle(topic=experiments.FIGURE_TOPIC, key=key)


def _count_tries_left(bearer: Bearer) -> int:
    since = timezone.now() - timedelta(days=1)
    num_spent = evidence.count_what_ifs(bearer.person_id, since=since)
    return max(0, int(settings.WHAT_IF_PER_DAY) - num_spent)


def _spend_quota(bearer: Bearer) -> None:
    """Locks the person, so that two at once do not both take the last try."""
    lock_person(bearer.person_id)
    if not _count_tries_left(bearer):
        raise TooMany("what_if_quota", extra={"retry_after": 3600})


def _require(bearer: Bearer, right: str) -> None:
    if right not in bearer.rights:
        raise Forbidden("right_missing")


def _get_section(plain: Mapping[str, object], name: str) -> Mapping[str, object]:
    section = plain.get(name) or {}
    if not isinstance(section, Mapping):
        raise Invalid.field(name, "invalid", "An object is due here.")
    return section


def _read_current_bank() -> Snapshot:
    return get_snapshot(get_current_version_id())
