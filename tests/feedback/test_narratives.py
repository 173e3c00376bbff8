import copy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assessment.feedback.messages import LANGUAGES, get_catalogue
from assessment.feedback.narratives import narrate, tell_age, tell_reason, tell_state
from assessment.feedback.views import DemonstrationView
from gpu_worker.catalog import EXPERIMENTS
from tests.feedback.measurements import QUICK_NAMES, as_stored, make_tradeoff

NOW = datetime(2026, 11, 30, 18, 42, tzinfo=UTC)
FACTS = {
    "peak_plain": 32_539_144,
    "peak_checkpointed": 9_707_528,
    "total_plain": 45_490_888,
    "total_checkpointed": 22_659_272,
    "flop_ratio": 4 / 3,
    "weights_equal_after_20_steps_steps": 20,
}


def make_view(**changes: Any) -> DemonstrationView:
    values: dict[str, Any] = {
        "id": "d",
        "state": "measured",
        "item_version_id": "i",
        "chosen_options": (),
        "experiment": "tradeoff",
        "measurement": as_stored(make_tradeoff()),
    }
    return DemonstrationView(**{**values, **changes})


# --- Narratives ----------------------------------------------------------------------


def test_the_bulgarian_narrative_tells_the_numbers_of_the_report() -> None:
    told = narrate(as_stored(make_tradeoff(facts=FACTS)), "tradeoff", ["bg", "en"])
    assert told.lang == "bg"
    assert not told.fallback
    assert "от 31,0 MiB на 9,26 MiB" in told.text
    assert "FLOPs ×1,333" in told.text
    assert "×1,42 (95% интервал от ×1,25 до ×1,51)" in told.text


def test_without_gradients_only_bytes_and_flops_are_told() -> None:
    stored = as_stored(make_tradeoff(facts=FACTS, timing=None))
    stored["claims"] = [claim for claim in stored["claims"] if claim["id"] == "peak-lower"]
    told = narrate(stored, "tradeoff", ["en"])
    assert "31.0 MiB" in told.text
    assert "gradient" not in told.text
    assert "interval" not in told.text


def test_a_failed_claim_takes_the_story_away() -> None:
    stored = as_stored(make_tradeoff(facts=FACTS))
    stored["claims"][0]["verdict"] = "fails"
    told = narrate(stored, "tradeoff", ["en"])
    assert told.text == (
        "Claims that hold in this run: 3 of 4; not confirmed: 1. The list says which."
    )


def test_missing_facts_fall_back_to_the_count_of_claims() -> None:
    told = narrate(as_stored(make_tradeoff()), "tradeoff", ["en"])
    assert told.text == "4 claims were checked on real training steps; none failed."


def test_a_simulation_is_never_told_as_real_steps() -> None:
    stored = as_stored(make_tradeoff())
    stored["environment"]["device"] = "simulated"
    told = narrate(stored, "tradeoff", ["en"])
    assert told.text == "4 claims were checked on simulated training steps; none failed."


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        ("process", "CPU time of a step: \u00d71.42"),
        ("wall", "Elapsed time of a step: \u00d71.42"),
        ("cuda", "GPU time of a step: \u00d71.42"),
    ],
)
def test_the_clock_of_a_time_is_named(clock: str, expected: str) -> None:
    stored = as_stored(make_tradeoff(facts=FACTS))
    stored["timing"]["clock"] = clock
    assert expected in narrate(stored, "tradeoff", ["en"]).text


def test_one_step_is_told_in_the_singular() -> None:
    stored = as_stored(make_tradeoff(facts={**FACTS, "weights_equal_after_20_steps_steps": 1}))
    assert "after 1 training step 0." in narrate(stored, "tradeoff", ["en"]).text
    assert "след 1 стъпка на обучението" in narrate(stored, "tradeoff", ["bg"]).text


def test_what_was_offered_and_not_asked_for_is_no_failure() -> None:
    view = make_view(state="not_run", reason="answered_right", measurement=None)
    assert tell_state(view, ["en"]).text == "Your answer is right. You can ask for the evidence."


def test_an_unknown_experiment_is_told_in_general_words() -> None:
    told = narrate(as_stored(make_tradeoff()), "brand-new", ["wo", "fr"])
    assert told.lang == "wo"
    assert "4" in told.text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", QUICK_NAMES)
def test_the_report_of_each_experiment_renders_in_each_language(
    name: str, lang: str, real_reports: dict[str, dict[str, Any]]
) -> None:
    check_told(name, real_reports[name], lang)


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", [name for name, one in EXPERIMENTS.items() if one.slow])
def test_the_report_of_each_slow_experiment_renders_in_each_language(
    name: str, lang: str, slow_reports: dict[str, dict[str, Any]]
) -> None:
    check_told(name, slow_reports[name], lang)


def test_a_real_out_of_memory_is_part_of_the_story(
    real_reports: dict[str, dict[str, Any]],
) -> None:
    told = narrate(real_reports["optimizer-state"], "optimizer-state", ["en"]).text
    assert "AdamW ran out of memory in 2 of 2 runs" in told


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_a_clock_the_overhead_is_told_in_flops(
    lang: str, real_reports: dict[str, dict[str, Any]]
) -> None:
    stored = copy.deepcopy(real_reports["overhead"])
    for name in ("low_cell", "low_from", "low_to", "high_cell", "high_from", "high_to"):
        del stored["facts"][f"time_{name}"]
    assert get_catalogue(lang).has_message("narrative-overhead-bytes")
    check_told("overhead", stored, lang)


def check_told(name: str, stored: dict[str, Any], lang: str) -> None:
    told = narrate(stored, name, [lang])
    generic = narrate(stored, "brand-new", [lang])
    assert told.lang == lang
    assert told.text != generic.text
    assert "{" not in told.text
    assert "$" not in told.text
    assert any(letter.isdigit() for letter in told.text)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", [name for name, one in EXPERIMENTS.items() if one.simulates])
def test_a_simulation_is_told_without_the_values_that_it_does_not_have(
    name: str, lang: str, real_reports: dict[str, dict[str, Any]]
) -> None:
    stored = real_reports[f"{name}-simulated"]
    told = narrate(stored, name, [lang])
    assert told.text != narrate(stored, "brand-new", [lang]).text
    assert told.lang == lang


# --- States --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"state": "waiting"}, "The measurement is being prepared."),
        ({"state": "waiting", "queue_position": 3}, "The measurement waits; in front of it: 3."),
        ({"state": "waiting", "started_at": NOW}, "The measurement is running."),
        (
            {"state": "simulated"},
            "Simulated: shapes and lifetimes of all tensors are exact, "
            "but no memory was allocated.",
        ),
        ({}, "Measured for this answer on a CPU (AMD EPYC)."),
        ({"kind": "what_if"}, "Measured with your numbers on a CPU (AMD EPYC)."),
        (
            {"reused_from": NOW - timedelta(hours=3)},
            "Measured 3 hours ago on a CPU (AMD EPYC) and reused: "
            "code, numbers and versions are the same.",
        ),
        (
            {"state": "failed", "reason": "out_of_memory", "measurement": None},
            "The measurement failed. It needed more memory than a run is allowed.",
        ),
        (
            {"state": "failed", "reason": "timeout"},
            "The measurement failed. It took longer than a run is allowed. "
            "What had been measured before is shown.",
        ),
        (
            {"state": "not_run", "reason": "needs_cuda", "measurement": None},
            "Nothing was measured. It needs a CUDA device, and none is connected.",
        ),
        (
            {"state": "not_run", "reason": "some_new_code", "measurement": None},
            "Nothing was measured. The reason is not known.",
        ),
    ],
)
def test_each_state_is_told_in_a_sentence(changes: dict[str, Any], expected: str) -> None:
    assert tell_state(make_view(**changes), ["en"], now=NOW).text == expected


def test_a_delay_is_told_before_the_queue() -> None:
    view = make_view(state="waiting", delayed=True, queue_position=3)
    assert tell_state(view, ["en"]).text.startswith("No measuring machine can be reached")


def test_a_delayed_run_that_runs_is_running() -> None:
    view = make_view(state="waiting", delayed=True, started_at=NOW)
    assert tell_state(view, ["en"]).text == "The measurement is running."


@pytest.mark.parametrize(
    ("age", "expected"),
    [
        (timedelta(seconds=59), "преди по-малко от минута"),
        (timedelta(seconds=-5), "преди по-малко от минута"),
        (timedelta(minutes=1), "преди 1 минута"),
        (timedelta(minutes=59), "преди 59 минути"),
        (timedelta(hours=1), "преди 1 час"),
        (timedelta(hours=23), "преди 23 часа"),
        (timedelta(days=1), "преди 1 ден"),
        (timedelta(days=12), "преди 12 дни"),
    ],
)
def test_ages_are_told_in_words(age: timedelta, expected: str) -> None:
    assert tell_age(NOW - age, get_catalogue("bg"), now=NOW) == expected


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", "on 30 November 2026, 18:42 (UTC)"),
        ("bg", "на 30 ноември 2026, 18:42 (UTC)"),
        ("fr", "le 30 novembre 2026, 18:42 (UTC)"),
    ],
)
def test_without_a_clock_the_date_is_told(lang: str, expected: str) -> None:
    assert tell_age(NOW, get_catalogue(lang), now=None) == expected


def test_a_reason_is_told_in_each_language() -> None:
    told = {tell_reason("out_of_memory", get_catalogue(lang)) for lang in LANGUAGES}
    assert len(told) == len(LANGUAGES)
