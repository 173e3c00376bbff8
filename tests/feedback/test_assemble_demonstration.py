import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from assessment.bank.snapshot import Item
from assessment.feedback.assemble import assemble_demonstration
from assessment.feedback.views import DemonstrationView
from tests.feedback.items import ACCURACY, DISK, FILE, KEY, make_item, make_numeric, make_snapshot
from tests.feedback.measurements import as_stored, make_sqrt_n, make_tradeoff

NOW = datetime(2026, 11, 30, 18, 42, tzinfo=UTC)


def tell(
    chosen: str | None = ACCURACY, *, lang: str = "en", item: Item | None = None, **changes: Any
) -> dict[str, Any]:
    item = item or make_item()
    values: dict[str, Any] = {
        "id": "20000000-0000-4000-8000-000000000000",
        "state": "measured",
        "item_version_id": item.version_id,
        "chosen_options": (chosen,) if chosen else (),
        "experiment": "tradeoff",
        "measurement": as_stored(make_tradeoff()),
    }
    made = assemble_demonstration(
        DemonstrationView(**{**values, **changes}),
        make_snapshot(item),
        [lang],
        figure_link=lambda name: f"/figures/{name}.svg",
        links={"trace": "/trace"},
        now=NOW,
    )
    plain: dict[str, Any] = json.loads(json.dumps(made, allow_nan=False))
    return plain


def list_claims(told: dict[str, Any]) -> list[tuple[str, bool, str | None]]:
    return [(one["id"], one["about_choice"], one["grade"]) for one in told["claims"]]


# --- Claims --------------------------------------------------------------------------


def test_the_claims_about_the_choice_come_first_then_those_of_the_key() -> None:
    assert list_claims(tell(ACCURACY)) == [
        ("gradients-equal", True, "direct"),
        ("flops-higher", True, "direct"),
        ("peak-lower", False, None),
    ]
    assert list_claims(tell(DISK)) == [
        ("peak-lower", True, "partial"),
        ("flops-higher", False, None),
    ]


def test_a_claim_says_what_the_option_predicts_beside_what_was_measured() -> None:
    first, second, _ = tell(ACCURACY, lang="bg")["claims"]
    assert first["text"]["text"] == "твърдението gradients-equal"
    assert first["predicts"]["text"]["text"] == "предвижда gradients-equal"
    assert first["predicts"]["value"] is None
    assert (first["observed"], first["expected"], first["verdict"]) == (0.0, 0.0, "holds")
    assert first["noise_floor"] == 0.0
    assert second["predicts"]["value"] == 1.0
    assert second["display"]["observed"] == "\u00d71,333"
    assert second["display"]["predicts"] == "\u00d71,00"
    assert first["told"]["text"] == "Най-голяма разлика в градиентите: 0."
    assert first["told"]["lang"] == "bg"
    assert second["display"]["verdict"] == "потвърдено"


def test_bytes_are_shown_as_the_language_writes_them() -> None:
    claim = tell(DISK, lang="bg")["claims"][0]
    assert claim["display"]["observed"] == "9,26 MiB"
    assert claim["display"]["expected"] == "31,0 MiB"
    assert claim["observed"] == 9_707_528


def test_bytes_that_must_be_equal_are_shown_to_the_byte() -> None:
    told = tell(
        None,
        item=make_numeric(),
        answered_value=37.0,
        experiment="sqrt-n",
        measurement=as_stored(make_sqrt_n()),
    )
    claim = told["claims"][0]
    assert (claim["id"], claim["about_choice"], claim["grade"]) == ("sqrt-peak", True, "direct")
    assert claim["display"]["observed"] == "1,314,952 B"
    assert len(claim["points"]) == 8
    assert told["scaling"]["series"][1]["exponent"] == 0.496


def test_a_right_answer_is_supported_by_the_claims_of_the_key_alone() -> None:
    told = tell(KEY, kind="support")
    assert list_claims(told) == [("peak-lower", False, None), ("flops-higher", False, None)]
    assert told["refutes_choice"] is False


@pytest.mark.parametrize(
    ("chosen", "verdict", "expected"),
    [
        (ACCURACY, "holds", True),
        (ACCURACY, "fails", False),
        (ACCURACY, "undecided", False),
        (DISK, "holds", False),
    ],
)
def test_only_a_direct_claim_that_holds_refutes_the_choice(
    chosen: str, verdict: str, expected: bool
) -> None:
    stored = as_stored(make_tradeoff())
    for claim in stored["claims"]:
        claim["verdict"] = verdict
    assert tell(chosen, measurement=stored)["refutes_choice"] is expected


def test_a_claim_that_the_report_lacks_has_no_verdict() -> None:
    stored = as_stored(make_tradeoff())
    stored["claims"] = [one for one in stored["claims"] if one["id"] != "gradients-equal"]
    first = tell(ACCURACY, measurement=stored)["claims"][0]
    assert first["id"] == "gradients-equal"
    assert first["observed"] is None
    assert first["verdict"] is None
    assert first["predicts"] is not None


def test_other_numbers_are_not_held_against_the_predictions_of_the_bank() -> None:
    told = tell(ACCURACY, kind="what_if")
    assert [one["predicts"] for one in told["claims"]] == [None, None, None]
    assert told["claims"][0]["about_choice"] is True


# --- States --------------------------------------------------------------------------


def test_a_measured_demonstration_has_all_of_its_parts() -> None:
    told = tell(ACCURACY, lang="bg", attempt=1, finished_at=NOW)
    assert told["state"] == "measured"
    assert told["experiment"] == "tradeoff"
    assert told["narrative"]["lang"] == "bg"
    assert told["memory"]["unit"] == "byte"
    plain, checkpointed, again = told["memory"]["arms"]
    assert (plain["name"], plain["peak"], plain["stored"]) == ("plain", 32_539_144, 31_227_908)
    assert plain["label"] == "без контролни точки"
    assert len(plain["timeline"]["op"]) == len(plain["timeline"]["live"]) == 120
    assert checkpointed["allocator_peak"] is None
    assert checkpointed["unknown"] == {"allocator_peak": "not_supported"}
    assert again["timeline"] is None
    assert told["timing"]["unit"] == "s"
    assert told["timing"]["ratio_ci95"] == [1.25, 1.51]
    assert told["environment"]["device"] == "cpu"
    assert told["provenance"]["seed"] == 20_261_130
    assert told["figures"] == {"memory": "/figures/memory.svg", "stack": "/figures/stack.svg"}
    assert told["figure_alts"]["memory"]["lang"] == "bg"
    assert told["links"] == {"trace": "/trace"}
    assert told["times"]["finished_at"] == "2026-11-30T18:42:00Z"


def test_times_are_told_in_utc() -> None:
    sofia = timezone(timedelta(hours=2))
    told = tell(reused_from=datetime(2026, 11, 30, 17, 42, tzinfo=sofia))
    assert told["reused_from"] == "2026-11-30T15:42:00Z"
    assert "3 hours ago" in told["message"]["text"]


def test_while_it_waits_the_predictions_are_there_and_no_result() -> None:
    told = tell(ACCURACY, state="waiting", measurement=None, queue_position=2)
    assert list_claims(told)[0] == ("gradients-equal", True, "direct")
    claim = told["claims"][1]
    assert claim["predicts"]["value"] == 1.0
    assert claim["display"]["predicts"] == "\u00d71.00"
    assert claim["told"] is None
    assert (claim["observed"], claim["verdict"], claim["points"]) == (None, None, [])
    for name in ("narrative", "memory", "flops", "timing", "environment", "provenance"):
        assert told[name] is None
    assert told["figures"] == {}
    assert told["refutes_choice"] is None
    assert "in front of it: 2" in told["message"]["text"]


def test_a_failed_run_shows_the_part_that_was_measured_without_a_story() -> None:
    stored = as_stored(make_tradeoff(partial=True))
    told = tell(ACCURACY, state="failed", reason="timeout", measurement=stored)
    assert told["reason"] == "timeout"
    assert told["partial"] is True
    assert told["memory"]["arms"]
    assert told["narrative"] is None
    assert told["refutes_choice"] is None
    assert told["claims"][0]["verdict"] is None


def test_what_was_not_run_says_why_and_shows_nothing_made_up() -> None:
    told = tell(FILE, state="not_run", reason="not_measurable", experiment=None, measurement=None)
    assert told["claims"] == []
    assert told["experiment"] is None
    assert told["memory"] is None
    assert told["message"]["text"].startswith("Nothing was measured.")


def test_what_has_no_run_yet_shows_what_the_option_predicts() -> None:
    told = tell(
        ACCURACY,
        state="not_run",
        reason="experiment_not_built",
        experiment=None,
        measurement=None,
    )
    assert told["experiment"] == "tradeoff"
    assert list_claims(told)[0] == ("gradients-equal", True, "direct")
    assert told["claims"][0]["observed"] is None


def test_a_simulation_says_that_nothing_was_allocated() -> None:
    told = tell(ACCURACY, state="simulated")
    assert told["message"]["text"].startswith("Simulated")
    assert told["narrative"] is not None


def test_without_links_there_are_no_addresses() -> None:
    item = make_item()
    view = DemonstrationView(
        id="d",
        state="measured",
        item_version_id=item.version_id,
        chosen_options=(ACCURACY,),
        experiment="tradeoff",
        measurement=as_stored(make_tradeoff()),
    )
    made = assemble_demonstration(view, make_snapshot(item), ["en"])
    assert made["figures"] == {}
    assert made["links"] == {}
