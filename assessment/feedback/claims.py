"""The claims beside an answer: what the chosen option predicts, and what was measured."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assessment.bank.snapshot import ClaimLink, Evidence, Item, Snapshot
from assessment.feedback.claim_words import TO_THE_BYTE, find_unit, tell_claim, write_value
from assessment.feedback.measurements import (
    ClaimJson,
    copy_object,
    measured_claims,
    read_measurement,
)
from assessment.feedback.messages import Catalogue, choose_catalogue
from assessment.feedback.views import DemonstrationView
from gpu_worker.contracts import Json

REFUTING_GRADE = "direct"
# Only here does the option predict one number and the run show another.


@dataclass(frozen=True)
class NamedClaim:
    """A claim that answers the chosen option (with its grade) or supports the key (None)."""

    link: ClaimLink
    grade: str | None
    about_choice: bool


def find_experiment(item: Item, view: DemonstrationView) -> str | None:
    """The experiment of the run; without a run, the one that the chosen option calls for."""
    if view.experiment is not None:
        return view.experiment
    named = (evidence.experiment for evidence in _list_chosen_evidence(item, view))
    return next((one for one in named if one is not None), None)


def list_named_claims(item: Item, view: DemonstrationView) -> list[NamedClaim]:
    """The claims about the learner's choice in the option's order, then those of the key.

    Only claims of this demonstration's experiment, each once. A demonstration that supports
    a right answer has those of the key alone.
    """
    experiment = find_experiment(item, view)
    found: dict[str, NamedClaim] = {}
    for evidence in _list_chosen_evidence(item, view):
        if experiment is not None and evidence.experiment == experiment:
            for link in evidence.claims:
                found.setdefault(link.claim, NamedClaim(link, evidence.grade, about_choice=True))
    key = item.key_evidence
    if key is not None and experiment is not None and key.experiment == experiment:
        for link in key.claims:
            found.setdefault(link.claim, NamedClaim(link, None, about_choice=False))
    return list(found.values())


def _list_chosen_evidence(item: Item, view: DemonstrationView) -> Iterator[Evidence]:
    """Of the wrong choices, in the authored order."""
    if view.kind == "support":
        return
    for option in item.options:
        is_wrong = option.id in view.chosen_options and not option.is_key
        if is_wrong and option.evidence is not None:
            yield option.evidence
    if item.numeric is not None and view.answered_value is not None:
        near = item.numeric.find_near(view.answered_value)
        if near is not None and near.evidence is not None:
            yield near.evidence


def assemble_claims(
    item: Item, view: DemonstrationView, snapshot: Snapshot, languages: Sequence[str]
) -> list[Json]:
    """The claims as JSON; `observed` and `verdict` are null until there is a result."""
    experiment = find_experiment(item, view)
    measured: Mapping[str, ClaimJson] = {}
    if view.has_result and view.measurement is not None:
        measured = measured_claims(read_measurement(view.measurement))
    catalogue = choose_catalogue(languages)
    # The bank's predictions are about its own parameters, not about those of a learner.
    is_default = view.kind != "what_if"
    made: list[Json] = []
    for named in list_named_claims(item, view):
        claim = measured.get(named.link.claim)
        text = snapshot.claim_texts.get((experiment or "", named.link.claim))
        made.append(
            {
                "id": named.link.claim,
                "about_choice": named.about_choice,
                "grade": named.grade,
                "text": dict(text.choose(languages).as_json()) if text else None,
                "predicts": _assemble_prediction(named.link, languages) if is_default else None,
                **_assemble_result(claim),
                "told": _tell(claim, experiment, languages),
                "display": show_claim_numbers(
                    claim,
                    named.link.predicts_value if is_default else None,
                    unit=find_unit(experiment, named.link.claim, claim),
                    catalogue=catalogue,
                ),
            }
        )
    return made


def refutes_choice(claims: Sequence[Json]) -> bool:
    """Whether a claim that directly contradicts the chosen option holds."""
    return any(
        isinstance(claim, dict)
        and claim["about_choice"] is True
        and claim["grade"] == REFUTING_GRADE
        and claim["verdict"] == "holds"
        for claim in claims
    )


def _assemble_prediction(link: ClaimLink, languages: Sequence[str]) -> Json:
    if not link.predicts_text and link.predicts_value is None:
        return None
    text = link.predicts_text
    return {
        "text": dict(text.choose(languages).as_json()) if text else None,
        "value": link.predicts_value,
    }


def _assemble_result(claim: ClaimJson | None) -> dict[str, Json]:
    if claim is None:
        names = ("observed", "expected", "relation", "tolerance", "unit", "verdict", "noise_floor")
        return {**dict.fromkeys(names), "points": [], "facts": {}}
    points: list[Json] = [copy_object(point) for point in claim["points"]]
    return {
        "observed": claim["observed"],
        "expected": claim["expected"],
        "relation": claim["relation"],
        "tolerance": claim["tolerance"],
        "unit": claim["unit"],
        "verdict": claim["verdict"],
        "noise_floor": claim["noise_floor"],
        "points": points,
        "facts": dict(claim["facts"]),
    }


def _tell(claim: ClaimJson | None, experiment: str | None, languages: Sequence[str]) -> Json:
    told = tell_claim(claim, experiment, languages) if claim and experiment else None
    return None if told is None else dict(told.as_json())


def show_claim_numbers(
    claim: ClaimJson | None, predicted: float | None, *, unit: str, catalogue: Catalogue
) -> dict[str, Json]:
    """The numbers as the language writes them."""
    is_exact = claim is None or claim["relation"] in TO_THE_BYTE

    def show(value: float | None) -> str | None:
        return None if value is None else write_value(value, unit, catalogue, exact=is_exact)

    return {
        "observed": show(claim["observed"]) if claim is not None else None,
        "expected": show(claim["expected"]) if claim is not None else None,
        "predicts": show(predicted),
        "relation": catalogue.text(f"relation-{claim['relation']}") if claim is not None else None,
        "verdict": catalogue.text(f"verdict-{claim['verdict']}") if claim is not None else None,
    }
