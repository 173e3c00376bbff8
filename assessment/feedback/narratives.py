"""What a measurement showed, in a few sentences; every number comes from its report."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from babel.dates import format_datetime

from assessment.feedback.measurements import (
    MeasurementJson,
    failed_claims,
    is_simulated,
    read_measurement,
)
from assessment.feedback.messages import (
    Catalogue,
    Fact,
    choose_catalogue,
    find_local_text,
    get_local_text,
    localize_message,
)
from assessment.feedback.views import DemonstrationView
from assessment.language.numbers import get_locale
from assessment.language.texts import LocalText

CONFIDENCE = 0.95
# Of the interval in `Timing.ratio_ci95`.

OFFERED = "answered_right"
# Nothing went wrong where nothing was asked for: the sentence of the offer stands alone.

TELLING_THEIR_TIME = frozenset({"overhead"})
# Narratives with more than one ratio of time, each with its interval.


def narrate(stored: Mapping[str, object], experiment: str, languages: Sequence[str]) -> LocalText:
    """The narrative of an experiment, what else it found, then what is honest to say of its time.

    A simulation has no gradients, so the `-bytes` narrative is tried next. Where a claim
    failed, or numbers are missing, only the count of claims is told: a sentence is never
    bent to a result that it was not written for.

    stored : the measurement as JSON
    """
    measurement = read_measurement(stored)
    facts = collect_facts(measurement)
    if failed_claims(measurement):
        return get_local_text("narrative-mixed", facts, languages)
    for name in (f"narrative-{experiment}", f"narrative-{experiment}-bytes"):
        told = find_local_text(name, facts, languages)
        if told is not None:
            further = [f"narrative-{experiment}-more"]
            further += [] if experiment in TELLING_THEIR_TIME else ["narrative-time"]
            return _add_sentences(told, further, facts, languages)
    return get_local_text("narrative-generic", facts, languages)


def collect_facts(measurement: MeasurementJson) -> dict[str, Fact]:
    """The numbers that a narrative may name; hyphens become underscores.

    The report's own facts; of each claim `<claim>_observed`, `_expected`, `_verdict` and its facts
    as `<claim>_<fact>`; `time_ratio`, `time_low`, `time_high`; counts of claims by verdict;
    `is_simulated`.
    """
    facts: dict[str, Fact] = {**_collect_timing(measurement), **_count_claims(measurement)}
    facts["is_simulated"] = is_simulated(measurement)
    for claim in measurement["claims"]:
        facts[f"{claim['id']}_observed"] = claim["observed"]
        facts[f"{claim['id']}_expected"] = claim["expected"]
        facts[f"{claim['id']}_verdict"] = claim["verdict"]
        facts.update({f"{claim['id']}_{name}": fact for name, fact in claim["facts"].items()})
    facts.update({name: fact for name, fact in measurement["facts"].items() if fact is not None})
    return {name.replace("-", "_"): fact for name, fact in facts.items()}


def tell_state(
    view: DemonstrationView, languages: Sequence[str], *, now: datetime | None = None
) -> LocalText:
    """One sentence on the state of a demonstration: waiting, measured when, failed why.

    now : for ages in words ("3 hours ago"); without it the date is told.
    """
    catalogue = choose_catalogue(languages)
    text = _tell_state(view, catalogue, now)
    return localize_message(text, catalogue.lang, languages)


def _tell_state(view: DemonstrationView, catalogue: Catalogue, now: datetime | None) -> str:
    if view.state == "waiting":
        return _tell_waiting(view, catalogue)
    if view.state == "simulated":
        return catalogue.text("state-simulated")
    if view.state == "measured":
        return _tell_measured(view, catalogue, now)
    why = tell_reason(view.reason, catalogue)
    if view.reason == OFFERED:
        return why
    has_part = view.state == "failed" and view.measurement is not None
    return catalogue.text(f"state-{view.state}{'-partial' if has_part else ''}", why=why)


def _tell_waiting(view: DemonstrationView, catalogue: Catalogue) -> str:
    if view.started_at is not None:
        return catalogue.text("state-running")
    if view.delayed:
        return catalogue.text("state-delayed")
    if view.queue_position:
        return catalogue.text("state-waiting-queued", position=view.queue_position)
    return catalogue.text("state-waiting")


def _tell_measured(view: DemonstrationView, catalogue: Catalogue, now: datetime | None) -> str:
    device = _name_device(view, catalogue)
    if view.reused_from is None:
        own = "-what-if" if view.kind == "what_if" else ""
        return catalogue.text(f"state-measured{own}", device=device)
    age = tell_age(view.reused_from, catalogue, now=now)
    return catalogue.text("state-reused", age=age, device=device)


def _name_device(view: DemonstrationView, catalogue: Catalogue) -> str:
    if view.measurement is None:
        return catalogue.text("unknown")
    environment = read_measurement(view.measurement)["environment"]
    word = catalogue.name("device", environment["device"])
    return f"{word} ({environment['device_name']})" if environment["device_name"] else word


def tell_reason(reason: str | None, catalogue: Catalogue) -> str:
    """The sentence of a reason code; of an unknown code, that it is not known."""
    return catalogue.find_text(f"reason-{reason}", {}) or catalogue.text("reason-unknown")


def tell_age(then: datetime, catalogue: Catalogue, *, now: datetime | None) -> str:
    """ "3 hours ago"; the date in UTC where `now` is not given."""
    if now is None:
        date = format_datetime(then, "d MMMM y, HH:mm", locale=get_locale(catalogue.lang))
        return catalogue.text("age-date", date=date)
    age = now - then
    if age < timedelta(minutes=1):
        return catalogue.text("age-seconds")
    if age < timedelta(hours=1):
        return catalogue.text("age-minutes", number=age // timedelta(minutes=1))
    if age < timedelta(days=1):
        return catalogue.text("age-hours", number=age // timedelta(hours=1))
    return catalogue.text("age-days", number=age.days)


def _add_sentences(
    told: LocalText, names: Sequence[str], facts: Mapping[str, Fact], languages: Sequence[str]
) -> LocalText:
    """Those for which the report has the numbers, in the language of the narrative."""
    found = [find_local_text(name, facts, [told.lang]) for name in names]
    texts = [one.text for one in found if one is not None and one.lang == told.lang]
    return localize_message(" ".join([told.text, *texts]), told.lang, languages)


def _collect_timing(measurement: MeasurementJson) -> dict[str, Fact]:
    timing = measurement["timing"]
    if timing is None:
        return {}
    clock: dict[str, Fact] = {"time_clock": timing["clock"]}
    if timing["ratio"] is None or timing["ratio_ci95"] is None:
        return clock
    low, high = timing["ratio_ci95"]
    return {
        **clock,
        "time_ratio": timing["ratio"],
        "time_low": low,
        "time_high": high,
        "time_confidence": CONFIDENCE,
    }


def _count_claims(measurement: MeasurementJson) -> dict[str, Fact]:
    verdicts = [claim["verdict"] for claim in measurement["claims"]]
    return {
        "num_claims": len(verdicts),
        "num_holding": verdicts.count("holds"),
        "num_failing": verdicts.count("fails"),
        "num_undecided": verdicts.count("undecided"),
    }
