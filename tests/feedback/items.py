"""Small frozen items and a bank around them, as the snapshot holds them."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from assessment.bank.snapshot import (
    ClaimLink,
    Evidence,
    Item,
    Misconception,
    Near,
    NumericKey,
    Option,
    Snapshot,
    Text,
    TextSet,
)

KEY, ACCURACY, DISK, FILE = (f"00000000-0000-4000-8000-00000000000{n}" for n in range(1, 5))


def make_text(english: str, **others: str) -> TextSet:
    texts = {"en": Text(english, "en", "source")}
    texts |= {lang: Text(text, lang, "machine") for lang, text in others.items()}
    return TextSet(MappingProxyType(texts))


def make_link(claim: str, value: float | None = None) -> ClaimLink:
    text = make_text(f"it predicts {claim}", bg=f"предвижда {claim}")
    return ClaimLink(claim, value, text)


def make_evidence(
    *links: ClaimLink,
    grade: str = "direct",
    experiment: str | None = "tradeoff",
    reason: str | None = None,
    needs: str | None = None,
) -> Evidence:
    return Evidence(grade, experiment, MappingProxyType({}), links, reason, needs)


def make_option(
    option_id: str,
    *,
    misconception: str | None = None,
    evidence: Evidence | None = None,
) -> Option:
    name = misconception or "key"
    return Option(
        id=option_id,
        handle=option_id[-1],
        is_key=misconception is None,
        pinned=False,
        misconception=misconception,
        text=make_text(f"option {name}"),
        explanation=make_text(f"because {name}", bg=f"защото {name}"),
        evidence=evidence,
    )


def make_options() -> tuple[Option, ...]:
    return (
        make_option(KEY),
        make_option(
            ACCURACY,
            misconception="accuracy-is-the-price",
            evidence=make_evidence(make_link("gradients-equal"), make_link("flops-higher", 1.0)),
        ),
        make_option(
            DISK,
            misconception="disk-and-network-are-traded",
            evidence=make_evidence(make_link("peak-lower", 0.0), grade="partial"),
        ),
        make_option(
            FILE,
            misconception="file-name-decides-cost",
            evidence=make_evidence(grade="text", experiment=None, reason="not_measurable"),
        ),
    )


def make_item(
    kind: str = "single",
    *,
    options: tuple[Option, ...] | None = None,
    numeric: NumericKey | None = None,
    key_explanation: TextSet | None = None,
    wrong_explanation: TextSet | None = None,
) -> Item:
    return Item(
        version_id="10000000-0000-4000-8000-000000000000",
        slug="bg-1",
        kind=kind,
        concept="trade-off",
        level=1,
        enemies=frozenset(),
        shuffle=True,
        stem=make_text("What is traded?"),
        options=make_options() if options is None else options,
        numeric=numeric,
        key_evidence=make_evidence(
            make_link("peak-lower"), make_link("flops-higher"), grade="support"
        ),
        a=1.0,
        b=0.0,
        c=0.0,
        d=1.0,
        provisional=True,
        key_explanation=key_explanation or TextSet(),
        wrong_explanation=wrong_explanation or TextSet(),
    )


def make_numeric() -> Item:
    near = Near(
        value=37.0,
        misconception="segments-free-nothing",
        explanation=make_text("that is the plain peak"),
        evidence=make_evidence(make_link("sqrt-peak", 37.0), experiment="sqrt-n"),
    )
    key = NumericKey(
        value=12.0,
        unit="activations",
        tolerance=0.01,
        relative=True,
        units=MappingProxyType({}),
        near=(near,),
        key_explanation=make_text("6 + 36 / 6", bg="6 + 36 / 6 е 12"),
        other_explanation=make_text("neither count"),
    )
    return make_item("numeric", options=(), numeric=key)


def make_ordering() -> Item:
    options = tuple(
        Option(one, one[-1], True, False, None, make_text(one), TextSet(), None)
        for one in (KEY, ACCURACY, DISK)
    )
    return make_item(
        "ordering",
        options=options,
        key_explanation=make_text("replay comes first"),
        wrong_explanation=make_text("a gradient needs its activation"),
    )


def make_snapshot(item: Item) -> Snapshot:
    slugs = (
        "accuracy-is-the-price",
        "disk-and-network-are-traded",
        "file-name-decides-cost",
        "segments-free-nothing",
    )
    claims: Mapping[tuple[str, str], TextSet] = {
        ("tradeoff", claim): make_text(f"the claim {claim}", bg=f"твърдението {claim}")
        for claim in ("gradients-equal", "flops-higher", "peak-lower")
    }
    nothing = np.zeros(1)
    return Snapshot(
        bank_version_id="b",
        number=1,
        digest="d",
        items={item.version_id: item},
        quizzes={},
        misconceptions={
            slug: Misconception(slug, True, make_text(f"belief {slug}", bg=f"убеждение {slug}"))
            for slug in slugs
        },
        claim_texts=claims,
        version_ids=(item.version_id,),
        slugs=(item.slug,),
        concepts=(item.concept,),
        item_index={item.version_id: 0},
        slug_index={item.slug: 0},
        families={},
        a=nothing,
        b=nothing,
        c=nothing,
        d=nothing,
        level=np.zeros(1, dtype=np.int64),
        is_provisional=np.zeros(1, dtype=np.bool_),
    )
