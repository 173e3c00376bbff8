"""Documents to specs, with every problem named by file and field."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from assessment.bank.documents import BankError, BankSource, Document, Problem
from assessment.bank.reading import SLUG, Fields
from assessment.bank.references import find_url
from assessment.bank.specs import (
    CONCEPTS,
    GRADES,
    KINDS,
    LEVELS,
    BankSpec,
    ClaimSpec,
    EvidenceSpec,
    ItemSpec,
    MisconceptionSpec,
    NearSpec,
    NumericSpec,
    OptionSpec,
    QuizSpec,
    TextSpec,
)

EVERY_ITEM = "*"
# In a quiz's list of items: the whole bank, for adaptive activities.

REASONS = ("no_experiment", "not_measurable")
# Nothing here measures it, or nothing could: a name, a word, a device that does not exist.
# Why a distractor, or a key, has no measured claim.


def parse_bank(source: BankSource) -> BankSpec:
    """The whole bank. Raises BankError with all problems of all documents."""
    problems: list[Problem] = []
    items = {
        slug: parse_item(one, file=source.files.get(f"items/{slug}", slug), problems=problems)
        for slug, one in source.items.items()
    }
    quizzes = {
        slug: parse_quiz(one, file=source.files.get(f"quizzes/{slug}", slug), problems=problems)
        for slug, one in source.quizzes.items()
    }
    bank = BankSpec(
        items=items,
        quizzes=quizzes,
        misconceptions=_parse_misconceptions(source.misconceptions, problems),
        claims=_parse_claims(source.claims, problems),
        documents=dict(source.items),
        glossary=source.glossary,
    )
    _check_links(bank, source, problems)
    if problems:
        raise BankError(problems)
    return replace(bank, quizzes=_fill_quizzes(bank))


def _fill_quizzes(bank: BankSpec) -> dict[str, QuizSpec]:
    """Quizzes with the items that ask to join them; "*" stands for every item of the bank."""
    found = {}
    for slug, quiz in bank.quizzes.items():
        listed = [one for one in quiz.items if one != EVERY_ITEM]
        joined = [one.slug for one in bank.items.values() if slug in one.quizzes]
        rest = sorted(bank.items) if EVERY_ITEM in quiz.items else []
        found[slug] = replace(quiz, items=tuple(dict.fromkeys(listed + joined + rest)))
    return found


def parse_item(document: Document, *, file: str, problems: list[Problem]) -> ItemSpec:
    """One item; what cannot be read is reported and replaced by something harmless."""
    fields = Fields(document, file=file, path="", problems=problems)
    kind = fields.take_choice("kind", KINDS)
    is_numeric = kind == "numeric"
    options = fields.take_list("options", lambda one: _parse_option(one, kind=kind))
    has_ordering = fields.has("ordering")
    ordering = fields.open("ordering") if has_ordering else None
    item = ItemSpec(
        slug=fields.take_slug("slug"),
        kind=kind,
        concept=fields.take_choice("concept", CONCEPTS),
        level=fields.take_choice("level", LEVELS),
        stem=fields.take_text("stem"),
        options=options,
        numeric=_parse_numeric(fields.open("numeric")) if is_numeric else None,
        enemies=frozenset(fields.take_strings("enemies")),
        shuffle=fields.take_bool("shuffle", default=True),
        partial=ordering.take_choice("partial", ["adjacent", "none"]) if ordering else None,
        key_explanation=fields.find_text("key_explanation"),
        wrong_explanation=fields.find_text("wrong_explanation"),
        key_evidence=_parse_key_evidence(fields),
        references=fields.take_strings("references"),
        waivers=_parse_waivers(fields.open("waivers")),
        family=fields.take_slug("family") if fields.has("family") else None,
        instance=_take_mapping(fields, "instance"),
        quizzes=fields.take_strings("quizzes"),
        edition=fields.take_choice("edition", range(1, 1000), default=1),
    )
    for place, reference in enumerate(item.references):
        if find_url(reference) is None:
            message = f"{reference!r} is no arXiv:..., doi:... or address without https://"
            fields.report(f"references[{place}]", message)
    if ordering is not None:
        ordering.close()
    fields.close()
    _check_options(item, fields)
    return item


def parse_quiz(document: Document, *, file: str, problems: list[Problem]) -> QuizSpec:
    fields = Fields(document, file=file, path="", problems=problems)
    quiz = QuizSpec(
        slug=fields.take_slug("slug"),
        language=fields.take_string("language"),
        public_practice=fields.take_bool("public_practice", default=False),
        title=fields.take_text("title"),
        introduction=fields.take_text("introduction"),
        items=fields.take_strings("items"),
    )
    if not quiz.items:
        fields.report("items", "a quiz needs at least one item")
    fields.close()
    return quiz


def _parse_option(fields: Fields, *, kind: str) -> OptionSpec:
    is_ordering = kind == "ordering"
    option = OptionSpec(
        handle=fields.take_slug("handle"),
        is_key=fields.take_bool("key", default=False) or is_ordering,
        pinned=fields.take_bool("pinned", default=False),
        text=fields.take_text("text"),
        explanation=fields.take_text("explanation", may_have_seed=False)
        if not is_ordering or fields.has("explanation")
        else TextSpec({}),
        misconception=fields.take_slug("misconception") if fields.has("misconception") else None,
        evidence=_parse_evidence(fields.open("evidence")) if fields.has("evidence") else None,
    )
    is_distractor = not option.is_key
    if is_distractor and option.misconception is None:
        fields.report("misconception", "every distractor names its misconception")
    if is_distractor and option.evidence is None:
        fields.report("evidence", "every distractor says what answers it, if only `grade: text`")
    if not is_distractor and option.misconception is not None:
        fields.report("misconception", "a right option shows no misconception")
    return option


def _parse_numeric(fields: Fields) -> NumericSpec:
    units = fields.open("units")
    factors = {name: units.take_number(name) for name in units.take_names()}
    numeric = NumericSpec(
        value=fields.take_number("value"),
        unit=fields.take_string("unit", default=""),
        tolerance=fields.take_number("tolerance", default=0.0),
        relative=fields.take_bool("relative", default=False),
        units=factors,
        near=fields.take_list("near", _parse_near),
        key_explanation=fields.take_text("key_explanation", may_have_seed=False),
        other_explanation=fields.take_text("other_explanation", may_have_seed=False),
    )
    fields.close()
    if any(factor <= 0 for factor in factors.values()):
        fields.report("units", "a unit's factor must be above 0")
    if numeric.tolerance < 0:
        fields.report("tolerance", "must not be below 0")
    _check_near(numeric, fields)
    return numeric


def _check_near(numeric: NumericSpec, fields: Fields) -> None:
    allowed = numeric.tolerance * (abs(numeric.value) if numeric.relative else 1.0)
    beliefs = [near.misconception for near in numeric.near]
    if len(set(beliefs)) != len(beliefs):
        fields.report("near", "names a misconception twice")
    for place, near in enumerate(numeric.near):
        if abs(near.value - numeric.value) <= 2 * allowed:
            fields.report(f"near[{place}].value", "is within twice the tolerance of the key")


def _parse_near(fields: Fields) -> NearSpec:
    return NearSpec(
        value=fields.take_number("value"),
        misconception=fields.take_slug("misconception"),
        explanation=fields.take_text("explanation", may_have_seed=False),
        evidence=_parse_evidence(fields.open("evidence")) if fields.has("evidence") else None,
    )


def _parse_evidence(fields: Fields) -> EvidenceSpec:
    grade = fields.take_choice("grade", GRADES)
    if grade == "text":
        return _close_unmeasured(fields)
    evidence = EvidenceSpec(
        grade=grade,
        experiment=fields.take_slug("experiment"),
        parameters=_take_mapping(fields, "parameters"),
        claims=fields.take_list("claims", _parse_claim_link),
        needs=fields.take_choice("needs", ["cuda"]) if fields.has("needs") else None,
    )
    if not evidence.claims:
        fields.report("claims", "a measured answer needs at least one claim")
    _check_twice(fields, "claims", [claim.claim for claim in evidence.claims])
    fields.close()
    return evidence


def _close_unmeasured(fields: Fields) -> EvidenceSpec:
    """What only a text can answer, with the reason why nothing is run."""
    reason = fields.take_choice("reason", REASONS, default="no_experiment")
    fields.close()
    return EvidenceSpec(grade="text", experiment=None, reason=reason)


def _parse_claim_link(fields: Fields) -> ClaimSpec:
    claim = fields.take_slug("id")
    predicts = fields.open("predicts")
    value = predicts.take_number("value") if predicts.has("value") else None
    predicts.take("value")
    text = predicts.take_text("text", may_have_seed=False)
    predicts.close()
    return ClaimSpec(claim, value, text)


def _parse_key_evidence(fields: Fields) -> EvidenceSpec | None:
    if not fields.has("evidence"):
        fields.take("evidence")
        return None
    inner = fields.open("evidence")
    grade = inner.take_choice("grade", GRADES, default="direct")
    if grade == "text":
        return _close_unmeasured(inner)
    evidence = EvidenceSpec(
        grade=grade,
        experiment=inner.take_slug("experiment"),
        parameters=_take_mapping(inner, "parameters"),
        claims=tuple(ClaimSpec(one) for one in inner.take_strings("claims")),
        needs=inner.take_choice("needs", ["cuda"]) if inner.has("needs") else None,
    )
    inner.close()
    return evidence


def _parse_waivers(fields: Fields) -> dict[str, str]:
    return {name: fields.take_string(name) for name in fields.take_names()}


def _parse_misconceptions(
    document: Document, problems: list[Problem]
) -> dict[str, MisconceptionSpec]:
    found = {}
    for slug, value in document.items():
        fields = Fields(value, file="misconceptions.yaml", path=slug, problems=problems)
        if SLUG.fullmatch(slug) is None:
            fields.report("", "is no slug")
        plausible = fields.take_bool("plausible", default=True)
        text = fields.take_text("text", may_have_seed=False)
        found[slug] = MisconceptionSpec(slug, plausible, text)
        fields.close()
    return found


def _parse_claims(document: Document, problems: list[Problem]) -> dict[tuple[str, str], TextSpec]:
    top = Fields(document, file="claims.yaml", path="", problems=problems)
    found = {}
    for experiment in top.take_names():
        fields = top.open(experiment)
        for claim in fields.take_names():
            found[experiment, claim] = fields.take_text(claim, may_have_seed=False)
    return found


def _take_mapping(fields: Fields, name: str) -> dict[str, object]:
    value = fields.take(name, {})
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return dict(value)
    fields.report(name, "must be a mapping")
    return {}


def _check_options(item: ItemSpec, fields: Fields) -> None:
    """What the kind asks of its options."""
    num_keys = len(item.keys)
    _check_twice(fields, "options", [option.handle for option in item.options])
    if item.kind == "numeric":
        if item.options:
            fields.report("options", "a numeric item has none")
        return
    if len(item.options) < 2:
        fields.report("options", "at least two are needed")
    if item.kind == "single" and num_keys != 1:
        fields.report("options", f"a single choice has exactly one key, here are {num_keys}")
    if item.kind == "multiple" and num_keys < 1:
        fields.report("options", "at least one option must be a key")
    if item.kind == "ordering" and item.wrong_explanation is None:
        fields.report("wrong_explanation", "is missing")


def _check_links(bank: BankSpec, source: BankSource, problems: list[Problem]) -> None:
    """Slugs that point to something else in the bank."""
    for slug, item in bank.items.items():
        file = source.files.get(f"items/{slug}", slug)
        for enemy in sorted(item.enemies - bank.items.keys()):
            problems.append(Problem(file, "enemies", f"there is no item {enemy!r}"))
        for one in sorted(set(item.quizzes) - bank.quizzes.keys()):
            problems.append(Problem(file, "quizzes", f"there is no quiz {one!r}"))
        for where, belief in _list_beliefs(item):
            if belief not in bank.misconceptions:
                problems.append(Problem(file, where, f"{belief!r} is not in misconceptions.yaml"))
        for where, evidence in list_evidence(item):
            for link in evidence.claims:
                if (evidence.experiment, link.claim) not in bank.claims:
                    name = f"{evidence.experiment}: {link.claim}"
                    problems.append(Problem(file, where, f"{name!r} is not in claims.yaml"))
    for slug, quiz in bank.quizzes.items():
        file = source.files.get(f"quizzes/{slug}", slug)
        for one in quiz.items:
            if one not in bank.items and one != EVERY_ITEM:
                problems.append(Problem(file, "items", f"there is no item {one!r}"))


def list_evidence(item: ItemSpec) -> list[tuple[str, EvidenceSpec]]:
    """Every evidence of an item with the field it stands in."""
    found = [("evidence", item.key_evidence)]
    for place, option in enumerate(item.options):
        found.append((f"options[{place}].evidence", option.evidence))
    for place, near in enumerate(item.numeric.near if item.numeric else ()):
        found.append((f"numeric.near[{place}].evidence", near.evidence))
    return [(where, one) for where, one in found if one is not None]


def _list_beliefs(item: ItemSpec) -> list[tuple[str, str]]:
    found = [
        (f"options[{place}].misconception", option.misconception)
        for place, option in enumerate(item.options)
        if option.misconception is not None
    ]
    near = item.numeric.near if item.numeric else ()
    return found + [
        (f"numeric.near[{place}].misconception", one.misconception)
        for place, one in enumerate(near)
    ]


def _check_twice(fields: Fields, name: str, values: Iterable[str]) -> None:
    seen = list(values)
    for value in sorted({one for one in seen if seen.count(one) > 1}):
        fields.report(name, f"{value!r} stands here twice")
