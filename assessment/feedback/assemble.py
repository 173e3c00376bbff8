"""The JSON of feedback and of demonstrations, from plain values: no query, no clock."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from assessment.bank.references import find_url
from assessment.bank.snapshot import Item, Option, Snapshot, TextSet
from assessment.feedback.claims import assemble_claims, find_experiment, refutes_choice
from assessment.feedback.figures.listing import describe_figure, list_figures
from assessment.feedback.measurements import MeasurementJson, copy_object, read_measurement
from assessment.feedback.messages import Catalogue, choose_catalogue
from assessment.feedback.narratives import narrate, tell_state
from assessment.feedback.tables import assemble_table
from assessment.feedback.views import DemonstrationView
from assessment.language import numbers
from assessment.scoring.answers import Answer
from gpu_worker.contracts import Json

JsonObject = dict[str, Json]

PERCENT = "%"
# The one unit whose place beside its number is a matter of the language.

TYPED_DIGITS, KEY_DIGITS = 12, 5
# A typed number is shown back as it was understood, nothing rounded away; a key may be a long
# fraction, of which more digits than the tolerance of any item would say nothing.

UNDRAWN_ARMS = ("plain-again",)
# The noise floor: its timeline is that of "plain", and need not travel twice.


def assemble_feedback(
    item: Item,
    answer: Answer,
    *,
    score: float,
    is_correct: bool,
    languages: Sequence[str],
    snapshot: Snapshot,
    max_score: float = 1.0,
    texts: str = "best",
    demonstration: JsonObject | None = None,
) -> JsonObject:
    """Feedback of one answer: right or wrong, why, which belief, and the evidence.

    texts : the activity's wording policy, "best" or "seed"
    demonstration : as `assemble_demonstration` made it, or None where there is none
    """
    explain = _Explainer(item, snapshot, languages, texts)
    return {
        "correct": is_correct,
        "score": score,
        "max_score": max_score,
        "correct_options": list(item.key_ids),
        "chosen_options": list(answer.order or answer.options),
        "explanation": explain.explain_answer(answer, is_correct=is_correct),
        "key_explanation": None if is_correct else explain.explain_key(),
        "misconception": None if is_correct else explain.name_misconception(answer),
        "details": explain.list_details(answer),
        "numeric": explain.show_number(answer),
        "references": _list_references(item),
        "demonstration": demonstration,
    }


def assemble_unanswered(
    item: Item, *, languages: Sequence[str], snapshot: Snapshot, texts: str = "best"
) -> JsonObject:
    """An item that was never answered, once its key may be shown: no score, no belief."""
    explain = _Explainer(item, snapshot, languages, texts)
    return {
        "correct": None,
        "score": 0,
        "max_score": 1.0,
        "correct_options": list(item.key_ids),
        "chosen_options": [],
        "explanation": None,
        "key_explanation": explain.explain_key(),
        "misconception": None,
        "details": [],
        "numeric": explain.show_number(Answer()),
        "references": _list_references(item),
        "demonstration": None,
    }


def _list_references(item: Item) -> list[Json]:
    """The works that the item stands on."""
    return [{"id": one, "url": find_url(one)} for one in item.references]


def assemble_demonstration(
    view: DemonstrationView,
    snapshot: Snapshot,
    languages: Sequence[str],
    *,
    figure_link: Callable[[str], str] | None = None,
    links: Mapping[str, str] | None = None,
    now: datetime | None = None,
) -> JsonObject:
    """One demonstration in whatever state it is.

    figure_link : figure name -> address of its picture; links : further addresses (trace);
    now : for ages in words, see `tell_state`.
    """
    item = snapshot.items[view.item_version_id]
    claims = assemble_claims(item, view, snapshot, languages)
    made: JsonObject = {
        "id": view.id,
        "state": view.state,
        "kind": view.kind,
        "reason": view.reason,
        "delayed": view.delayed,
        "reused_from": _write_time(view.reused_from),
        "queue_position": view.queue_position,
        "attempt": view.attempt,
        "times": {
            "requested_at": _write_time(view.requested_at),
            "sent_at": _write_time(view.sent_at),
            "started_at": _write_time(view.started_at),
            "finished_at": _write_time(view.finished_at),
        },
        "message": dict(tell_state(view, languages, now=now).as_json()),
        "experiment": find_experiment(item, view),
        "parameters": _copy_known(view.parameters),
        "claims": claims,
        "refutes_choice": refutes_choice(claims) if view.has_result else None,
        "links": dict(links or {}),
    }
    return {**made, **_assemble_result(view, languages, figure_link)}


def _assemble_result(
    view: DemonstrationView,
    languages: Sequence[str],
    figure_link: Callable[[str], str] | None,
) -> JsonObject:
    """What was measured; of a failed run the part that was, without a narrative."""
    names = ("narrative", "memory", "flops", "timing", "scaling", "environment", "provenance")
    if view.measurement is None or view.state not in ("measured", "simulated", "failed"):
        empty: JsonObject = dict.fromkeys(names)
        return {**empty, "tables": [], "partial": False, "figures": {}, "figure_alts": {}}
    measurement = read_measurement(view.measurement)
    catalogue = choose_catalogue(languages)
    narrative: Json = None
    if view.has_result and view.experiment is not None:
        narrative = dict(narrate(view.measurement, view.experiment, languages).as_json())
    figures = list_figures(view.measurement) if view.has_result else ()
    stored = view.measurement
    return {
        "narrative": narrative,
        "memory": _assemble_memory(measurement, catalogue),
        "flops": {"unit": "flop", "arms": [copy_object(arm) for arm in measurement["flops"]]},
        "timing": _assemble_timing(measurement),
        "scaling": _copy_known(measurement["scaling"]),
        "tables": [assemble_table(table, catalogue) for table in measurement["tables"]],
        "partial": measurement["partial"],
        "environment": _copy_known(measurement["environment"]),
        "provenance": _copy_known(measurement["provenance"]),
        "figures": {name: figure_link(name) for name in figures} if figure_link else {},
        "figure_alts": {
            name: dict(describe_figure(name, stored, languages).as_json()) for name in figures
        },
    }


def _assemble_memory(measurement: MeasurementJson, catalogue: Catalogue) -> Json:
    arms: list[Json] = []
    for arm in measurement["memory"]:
        shown: JsonObject = {**copy_object(arm), "label": catalogue.name("arm", arm["name"])}
        if arm["name"] in UNDRAWN_ARMS:
            shown["timeline"] = None
        arms.append(shown)
    return {"unit": "byte", "arms": arms} if arms else None


def _assemble_timing(measurement: MeasurementJson) -> Json:
    timing = measurement["timing"]
    return None if timing is None else {"unit": "s", **copy_object(timing)}


class _Explainer:
    """The texts of one item for one reader."""

    def __init__(
        self, item: Item, snapshot: Snapshot, languages: Sequence[str], texts: str
    ) -> None:
        self.item = item
        self.snapshot = snapshot
        self.languages = languages
        self.texts = texts
        self.key_explanation = item.key_explanation or (
            item.numeric.key_explanation if item.numeric is not None else TextSet()
        )

    def explain_answer(self, answer: Answer, *, is_correct: bool) -> Json:
        """The explanation of the very answer given; the key's where it was right."""
        if is_correct:
            return self.explain_key()
        if self.item.numeric is not None:
            return self._explain_number(answer)
        if self.item.kind == "ordering":
            return self._show(self.item.wrong_explanation)
        wrong = self._list_wrong(answer)
        return self._show(wrong[0].explanation) if wrong else None

    def explain_key(self) -> Json:
        """Why the right answer is right: the item's own text, else that of its first key."""
        if self.key_explanation:
            return self._show(self.key_explanation)
        keys = [option for option in self.item.options if option.is_key and option.explanation]
        return self._show(keys[0].explanation) if keys else None

    def name_misconception(self, answer: Answer) -> Json:
        """The belief of the first wrong choice (or of the number's formula), or None."""
        for option in self._list_chosen(answer):
            if not option.is_key and option.misconception is not None:
                return self._show_misconception(option.misconception)
        if self.item.numeric is not None and answer.value is not None:
            near = self.item.numeric.find_near(answer.value)
            return self._show_misconception(near.misconception) if near is not None else None
        return None

    def list_details(self, answer: Answer) -> list[Json]:
        """Of a multiple response: each option that was chosen or should have been."""
        if self.item.kind != "multiple":
            return []
        chosen = set(answer.options)
        return [
            {
                "option": option.id,
                "chosen": option.id in chosen,
                "correct": option.is_key,
                "explanation": self._show(option.explanation),
                "misconception": None
                if option.is_key
                else self._show_misconception(option.misconception),
            }
            for option in self.item.options
            if option.id in chosen or option.is_key
        ]

    def show_number(self, answer: Answer) -> Json:
        """Which number was understood, and the right one; None for other kinds."""
        key = self.item.numeric
        if key is None:
            return None
        return {
            "raw": answer.raw,
            "understood": self._write_number(answer.value, key.unit, digits=TYPED_DIGITS),
            "correct": self._write_number(key.value, key.unit, digits=KEY_DIGITS),
        }

    def _write_number(self, value: float | None, unit: str, *, digits: int) -> Json:
        if value is None:
            return None
        lang = choose_catalogue(self.languages).lang
        if unit == PERCENT:
            shown = numbers.format_percent(value / 100, lang, decimals=digits - 2)
        else:
            shown = f"{numbers.format_number(value, lang, digits=digits)} {unit}".strip()
        return {"value": value, "unit": unit, "display": shown}

    def _explain_number(self, answer: Answer) -> Json:
        key = self.item.numeric
        assert key is not None
        near = key.find_near(answer.value) if answer.value is not None else None
        return self._show(near.explanation if near is not None else key.other_explanation)

    def _list_chosen(self, answer: Answer) -> list[Option]:
        """In the authored order, so that every device tells the same first belief."""
        chosen = set(answer.options)
        return [option for option in self.item.options if option.id in chosen]

    def _list_wrong(self, answer: Answer) -> list[Option]:
        """Distractors that were chosen; without any, keys that were missed."""
        wrong = [option for option in self._list_chosen(answer) if not option.is_key]
        chosen = set(answer.options)
        return wrong or [one for one in self.item.options if one.is_key and one.id not in chosen]

    def _show_misconception(self, slug: str | None) -> Json:
        found = self.snapshot.misconceptions.get(slug) if slug else None
        return None if found is None else {"slug": found.slug, "text": self._show(found.text)}

    def _show(self, text: TextSet) -> Json:
        if not text:
            return None
        return dict(text.choose(self.languages, self.texts).as_json())


def _write_time(moment: datetime | None) -> str | None:
    """UTC, RFC 3339."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _copy_known(value: Mapping[str, object] | None) -> Json:
    return None if value is None else copy_object(value)
