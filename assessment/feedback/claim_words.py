"""What a claim was decided on, in words: a sentence with its numbers, and each number's unit."""

from collections.abc import Mapping, Sequence

from assessment.feedback.measurements import ClaimJson
from assessment.feedback.messages import (
    Catalogue,
    Fact,
    find_local_text,
    localize_message,
)
from assessment.language import numbers
from assessment.language.texts import LocalText

RATIO, TIMES, SHARE, BYTES_EACH = "ratio", "times", "share", "bytes-each"

UNITS: Mapping[tuple[str, str], str] = {
    ("tradeoff", "flops-higher"): RATIO,
    ("sqrt-n", "peak-grows"): TIMES,
    ("sqrt-n", "parameter-bytes-linear"): TIMES,
    ("sqrt-n", "sqrt-peak"): "byte",
    ("sqrt-n", "segment-peak"): "byte",
    ("sqrt-n", "both-are-positive"): "byte",
    ("dropout-rng", "wrong-mask-wrong-gradient"): SHARE,
    ("selective", "stored-formula"): "byte",
    ("selective", "core-frees"): "byte",
    ("selective", "replayed-share"): RATIO,
    ("selective", "flops-not-fewer"): RATIO,
    ("saved-tensors", "stored-bytes"): "byte",
    ("saved-tensors", "parameters-unchanged"): RATIO,
    ("batchnorm-twice", "statistics-move-twice"): TIMES,
    ("optimizer-state", "moment-bytes"): BYTES_EACH,
    ("optimizer-state", "momentum-bytes"): BYTES_EACH,
    ("optimizer-state", "state-types-equal"): BYTES_EACH,
    ("optimizer-state", "state-linear-in-depth"): TIMES,
    ("offload", "resident-falls"): SHARE,
    ("offload", "norm-share-is-small"): SHARE,
    ("placement", "bisection-peak"): "byte",
    ("placement", "never-better-than-exhaustive"): RATIO,
    ("combine", "sharded-half"): SHARE,
}
# The contract calls each of them "1", a pure number; a reader wants to know a number of what.
# Bytes stand here where an option predicts some before anything was measured.

TO_THE_BYTE = frozenset({"equal", "within"})
# Relations under which every byte counts: of two bytes apart, neither is "1.25 MiB".


def find_unit(experiment: str | None, name: str, claim: ClaimJson | None) -> str:
    """The unit of a claim's numbers; the contract's own where it says more than "1"."""
    own = UNITS.get((experiment or "", name), "1")
    return own if claim is None or claim["unit"] == "1" else claim["unit"]


def write_value(value: float, unit: str, catalogue: Catalogue, *, exact: bool = False) -> str:
    """A number of a claim as the language writes it."""
    if unit == RATIO:
        return catalogue.ratio(value)
    if unit == TIMES:
        return numbers.format_times(value, catalogue.lang)
    if unit == SHARE:
        return numbers.format_percent(value, catalogue.lang)
    if unit == BYTES_EACH:
        return catalogue.exact_bytes(value)
    return catalogue.quantity(value, unit, exact=exact)


def tell_claim(claim: ClaimJson, experiment: str, languages: Sequence[str]) -> LocalText | None:
    """One sentence on what was found, and the noise floor where there is one above zero.

    None where the laboratory has a claim, or a way to decide it, that has no words yet.
    """
    facts = _collect_facts(claim)
    if claim["observed"] is None:
        return find_local_text(f"claim-undecided-{facts.get('reason')}", {}, languages)
    told = find_local_text(f"claim-{experiment}-{claim['id']}", facts, languages)
    if told is None or not claim["noise_floor"]:
        return told
    floor = find_local_text("claim-noise-floor", facts, [told.lang])
    assert floor is not None
    return localize_message(f"{told.text} {floor.text}", told.lang, languages)


def _collect_facts(claim: ClaimJson) -> dict[str, Fact]:
    return {
        **claim["facts"],
        "observed": claim["observed"],
        "expected": claim["expected"],
        "noise_floor": claim["noise_floor"],
    }
