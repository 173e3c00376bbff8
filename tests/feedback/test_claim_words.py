"""Each claim of the laboratory in a sentence, with the numbers of its own report."""

import re
from pathlib import Path
from typing import Any

import pytest

from assessment.feedback.claim_words import UNITS, find_unit, tell_claim, write_value
from assessment.feedback.measurements import ClaimJson
from assessment.feedback.messages import LANGUAGES, get_catalogue
from gpu_worker.catalog import EXPERIMENTS
from gpu_worker.contracts import ClaimResult
from tests.feedback.measurements import QUICK_NAMES, as_stored, make_tradeoff

ROOT = Path(__file__).parents[2]

CLAIMS = [(name, claim) for name, one in EXPERIMENTS.items() for claim in one.claims]


def make_claim(**changes: Any) -> ClaimJson:
    made = ClaimResult("gradients-equal", 0.0, 0.0, "equal", 0.0, "1", "holds", noise_floor=0.0)
    claim: ClaimJson = as_stored(make_tradeoff(claims=(made,)))["claims"][0]
    claim.update(changes)  # type: ignore[typeddict-item]  # a test's own fields
    return claim


def list_undecided_reasons() -> set[str]:
    """Why a claim may stay undecided, as the laboratory's source names it."""
    found = set()
    for path in (ROOT / "gpu_worker").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "leave_undecided" in text:
            found |= set(re.findall(r'reason="(\w+)"', text))
            found |= set(re.findall(r'_leave_\w+\("(\w+)"\)', text))
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_to_decide_nothing_has_its_words(lang: str) -> None:
    reasons = list_undecided_reasons()
    assert {"simulated", "kernel_keeps_no_count"} <= reasons
    catalogue = get_catalogue(lang)
    assert [one for one in reasons if not catalogue.has_message(f"claim-undecided-{one}")] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_claim_has_its_words(lang: str) -> None:
    catalogue = get_catalogue(lang)
    missing = [f"{a}: {b}" for a, b in CLAIMS if not catalogue.has_message(f"claim-{a}-{b}")]
    assert missing == []


def test_every_unit_belongs_to_a_claim() -> None:
    assert set(UNITS) <= set(CLAIMS)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", QUICK_NAMES)
def test_every_claim_of_a_real_report_is_told_in_each_language(
    name: str, lang: str, real_reports: dict[str, dict[str, Any]]
) -> None:
    assert real_reports[name]["claims"]
    for label in (name, f"{name}-simulated"):
        for claim in real_reports.get(label, {}).get("claims", []):
            told = tell_claim(claim, name, [lang])
            assert told is not None, f"{label}: {claim['id']}"
            assert told.lang == lang
            assert any(letter.isdigit() for letter in told.text) or claim["observed"] is None


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_claim_of_a_slow_report_is_told_in_each_language(
    lang: str, slow_reports: dict[str, dict[str, Any]]
) -> None:
    for name, stored in slow_reports.items():
        for claim in stored["claims"]:
            assert tell_claim(claim, name, [lang]) is not None, f"{name}: {claim['id']}"


def test_a_noise_floor_is_told_where_there_is_one() -> None:
    told = tell_claim(make_claim(observed=2e-7, noise_floor=3e-7), "tradeoff", ["en"])
    assert told is not None
    assert told.text == (
        "Largest difference in any gradient: 2 \u00d7 10\u207b\u2077. "
        "Two plain runs differ by 3 \u00d7 10\u207b\u2077."
    )


def test_what_a_simulation_cannot_decide_says_why() -> None:
    claim = make_claim(observed=None, expected=None, facts={"reason": "simulated"})
    told = tell_claim(claim, "tradeoff", ["bg"])
    assert told is not None
    assert told.text.startswith("Не е решено: в симулация")


def test_a_claim_without_words_is_not_told() -> None:
    assert tell_claim(make_claim(id="brand-new"), "tradeoff", ["en"]) is None
    assert tell_claim(make_claim(observed=None, facts={}), "tradeoff", ["en"]) is None


@pytest.mark.parametrize(
    ("experiment", "name", "value", "expected"),
    [
        ("tradeoff", "flops-higher", 4 / 3, "\u00d71,333"),
        ("sqrt-n", "peak-grows", 4.93645, "\u00d74,94"),
        ("sqrt-n", "parameter-bytes-linear", 625.0, "\u00d7625"),
        ("dropout-rng", "wrong-mask-wrong-gradient", 0.30365, "30,4%"),
        ("optimizer-state", "moment-bytes", 8.0, "8 B"),
        ("tradeoff", "gradients-equal", 0.0, "0"),
    ],
)
def test_a_pure_number_says_of_what_it_is_one(
    experiment: str, name: str, value: float, expected: str
) -> None:
    unit = find_unit(experiment, name, None)
    assert write_value(value, unit, get_catalogue("bg")) == expected


def test_a_unit_of_the_contract_is_kept() -> None:
    assert find_unit("sqrt-n", "peak-grows", make_claim(unit="byte")) == "byte"
