"""The table of beliefs: each wrong answer of a bank, and the claim that answers it. Markdown.

`./remat bank table` prints it; a test keeps docs/misconceptions.md equal to the bank.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assessment.bank.specs import GRADES, BankSpec, EvidenceSpec, ItemSpec, TextSpec


@dataclass(frozen=True)
class WrongAnswer:
    """A distractor, or a wrong number, of an item. `place` is "wo-1.a"."""

    item: ItemSpec
    place: str
    text: str
    misconception: str | None
    evidence: EvidenceSpec | None


def list_wrong_answers(bank: BankSpec) -> list[WrongAnswer]:
    """Of every item in the order of its bank; orderings have none of their own."""
    return [one for item in bank.items.values() for one in _walk_item(item)]


def _walk_item(item: ItemSpec) -> Iterator[WrongAnswer]:
    for option in item.options:
        if not option.is_key and item.kind != "ordering":
            place = f"{item.slug}.{option.handle}"
            text = option.text.source
            yield WrongAnswer(item, place, text, option.misconception, option.evidence)
    for near in item.numeric.near if item.numeric else ():
        place = f"{item.slug}.{near.misconception}"
        yield WrongAnswer(item, place, f"{near.value:g}", near.misconception, near.evidence)


def is_seed(answer: WrongAnswer) -> bool:
    """Whether it stands in one of the two original quizzes."""
    return answer.item.stem.seed is not None


def write_table(bank: BankSpec) -> str:
    """The whole page."""
    answers = list_wrong_answers(bank)
    seeds = [one for one in answers if is_seed(one)]
    return "\n".join(
        [
            "# Wrong answers, the beliefs behind them, and what is measured against each",
            "",
            "Generated from `fixtures/bank`; do not edit, run",
            "`./remat bank table fixtures/bank > docs/misconceptions.md`.",
            "",
            "* *direct*: the option predicts a number, and the run shows another one.",
            "* *partial*: a counterexample, or a neighbouring quantity; the feedback says so.",
            "* *text*: no run answers it; the explanation stands alone.",
            "",
            "One choice of an option is not a held belief. A belief marked as a filler is one that",
            "nobody holds: it stays out of the maps of beliefs.",
            "",
            f"## The {len(seeds)} distractors of the two original quizzes",
            "",
            f"{_count_grades(seeds)}. In the words of the English translation.",
            "",
            *_write_seed_rows(bank, seeds),
            "",
            "## Every belief of the bank",
            "",
            f"{len(answers)} wrong answers stand for {len(bank.misconceptions)} beliefs: "
            f"{_count_grades(answers)}.",
            "",
            *_write_beliefs(bank, answers),
            "",
            "## Every claim",
            "",
            *_write_claims(bank, answers),
            "",
        ]
    )


def _count_grades(answers: Sequence[WrongAnswer]) -> str:
    counts = Counter(one.evidence.grade if one.evidence else "none" for one in answers)
    return ", ".join(f"{counts[grade]} {grade}" for grade in (*GRADES, "none") if counts[grade])


def _write_seed_rows(bank: BankSpec, answers: Sequence[WrongAnswer]) -> list[str]:
    rows = [
        "| option | belief | grade | what it predicts | what is measured |",
        "|---|---|---|---|---|",
    ]
    for one in answers:
        evidence = one.evidence
        assert evidence is not None, one.place
        predicts = [_write_prediction(each.text, each.value) for each in evidence.claims]
        keys = [_key(evidence, each.claim) for each in evidence.claims]
        measured = [f"`{': '.join(key)}` {_source(bank.claims[key])}" for key in keys]
        belief = f"`{one.misconception}`" + ("" if _is_plausible(bank, one) else " (filler)")
        rows.append(
            f"| {one.place}: {_escape(one.text)} | {belief} | {evidence.grade} "
            f"| {'<br>'.join(predicts) or '-'} | {'<br>'.join(measured) or evidence.reason} |"
        )
    return rows


def _key(evidence: EvidenceSpec, claim: str) -> tuple[str, str]:
    assert evidence.experiment is not None
    return evidence.experiment, claim


def _write_prediction(text: TextSpec | None, value: float | None) -> str:
    words = _source(text) if text else "-"
    return words if value is None else f"{words} ({value:g})"


def _source(text: TextSpec) -> str:
    return _escape(text.source)


def _escape(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _is_plausible(bank: BankSpec, answer: WrongAnswer) -> bool:
    return answer.misconception is None or bank.misconceptions[answer.misconception].plausible


def _write_beliefs(bank: BankSpec, answers: Sequence[WrongAnswer]) -> list[str]:
    rows = ["| belief | in words | answers | grades | claims |", "|---|---|---|---|---|"]
    for slug, belief in sorted(bank.misconceptions.items()):
        mine = [one for one in answers if one.misconception == slug]
        claims = {
            f"`{one.evidence.experiment}: {each.claim}`"
            for one in mine
            if one.evidence
            for each in one.evidence.claims
        }
        name = f"`{slug}`" + ("" if belief.plausible else " (filler)")
        rows.append(
            f"| {name} | {_source(belief.text)} | {len(mine)} | {_count_grades(mine)} "
            f"| {', '.join(sorted(claims)) or '-'} |"
        )
    return rows


def _write_claims(bank: BankSpec, answers: Sequence[WrongAnswer]) -> list[str]:
    refutes: Counter[tuple[str, str]] = Counter()
    for one in answers:
        if one.evidence is not None:
            refutes.update(_key(one.evidence, each.claim) for each in one.evidence.claims)
    supports = Counter(
        _key(item.key_evidence, each.claim)
        for item in bank.items.values()
        if item.key_evidence is not None
        for each in item.key_evidence.claims
    )
    rows = ["| claim | in words | answers refuted | keys supported |", "|---|---|---|---|"]
    for (experiment, claim), text in sorted(bank.claims.items()):
        key = experiment, claim
        rows.append(
            f"| `{experiment}: {claim}` | {_source(text)} | {refutes[key]} | {supports[key]} |"
        )
    return rows
