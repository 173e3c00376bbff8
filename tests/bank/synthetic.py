"""Banks of any size for tests: real rows and a real compiled snapshot, made-up items.

One line is encoded for each position of the key; the others are copies of it with their own
ids and parameters, so that 100,000 items take seconds.
"""

import hashlib
import json
import random
import uuid
import zlib

from django.utils import timezone

from assessment.bank.compiled import (
    Json,
    Parameters,
    Placed,
    dump_json,
    encode_header,
    encode_item,
)
from assessment.bank.models import BankVersion, Publication
from assessment.bank.snapshot import forget_current_version
from assessment.bank.specs import (
    CONCEPTS,
    ClaimSpec,
    EvidenceSpec,
    ItemSpec,
    OptionSpec,
    TextSpec,
    Wording,
)

QUIZ = "synthetic"
HANDLES = ("a", "b", "c", "d")
NO_PARAMETERS = Parameters(a=1.0, b=0.0, c=0.25, d=1.0, provisional=False)


def make_synthetic_version(
    num_items: int, *, seed: int = 20261130, num_in_quiz: int | None = None, publish: bool = True
) -> BankVersion:
    """A stored bank version with `num_items` items in the quiz "synthetic"."""
    rng = random.Random(seed)
    templates = [make_template(key) for key in HANDLES]
    rows = [make_row(number, rng) for number in range(num_items)]
    header = make_header(rows) | encode_shared([str(row["id"]) for row in rows[:num_in_quiz]])
    lines = [fill_template(templates[number % 4], row) for number, row in enumerate(rows)]
    version = BankVersion.objects.create(
        number=BankVersion.objects.count() + 1,
        digest=hashlib.sha256(uuid.uuid4().bytes).hexdigest(),
        compiled=zlib.compress(b"\n".join([dump_json(header), *lines]), 1),
    )
    if publish:
        Publication.objects.create(bank_version=version, published_at=timezone.now())
        forget_current_version()
    return version


def make_text(english: str, **others: str) -> TextSpec:
    best = {"en": Wording(english, "source")}
    return TextSpec(best | {lang: Wording(text, "machine") for lang, text in others.items()})


def make_item(key: str) -> ItemSpec:
    """A single-choice item with four options; @n@ stands for its number."""
    claim = ClaimSpec("gradients-equal", 0.5, make_text("Your option predicts a difference."))
    evidence = EvidenceSpec("direct", "tradeoff", {}, (claim,))
    options = tuple(
        OptionSpec(
            handle=handle,
            is_key=handle == key,
            pinned=False,
            text=make_text(f"Option {handle} of @n@", bg=f"Отговор {handle} на @n@"),
            explanation=make_text(f"Why {handle} of @n@", bg=f"Защо {handle} на @n@"),
            misconception=None if handle == key else "made-up-belief",
            evidence=None if handle == key else evidence,
        )
        for handle in HANDLES
    )
    return ItemSpec(
        slug="synthetic-@n@",
        kind="single",
        concept="@concept@",
        level=1,
        stem=make_text("Question @n@?", bg="Въпрос @n@?"),
        options=options,
        key_evidence=EvidenceSpec("direct", "tradeoff", {}, (ClaimSpec("peak-lower"),)),
    )


def make_template(key: str) -> str:
    ids = {handle: f"@{handle}@" for handle in HANDLES}
    placed = Placed(make_item(key), "@id@", ids, NO_PARAMETERS)
    line = encode_item(placed, enemies=(), statuses={}) | {"parameters": "@p@"}
    return dump_json(line).decode()


def make_row(number: int, rng: random.Random) -> Json:
    return {
        "n": number,
        "id": make_id(rng),
        "concept": CONCEPTS[number % len(CONCEPTS)],
        **{handle: make_id(rng) for handle in HANDLES},
        "p": [rng.lognormvariate(0.0, 0.3), rng.gauss(0, 1), rng.uniform(0, 0.25), 1.0],
    }


def fill_template(template: str, row: Json) -> bytes:
    line = template.replace('"@p@"', json.dumps(row["p"]))
    for name in ("n", "id", "concept", *HANDLES):
        line = line.replace(f"@{name}@", str(row[name]))
    return line.encode()


def make_header(rows: list[Json]) -> Json:
    """The columns of the header, by the compiler's own names."""
    header = encode_header([])
    columns = {
        "ids": [row["id"] for row in rows],
        "slugs": [f"synthetic-{row['n']}" for row in rows],
        "concepts": [row["concept"] for row in rows],
        "families": [None] * len(rows),
        "level": [1] * len(rows),
        "provisional": [False] * len(rows),
    }
    parameters = {
        name: [row["p"][place] for row in rows]  # type: ignore[index]  # our own row
        for place, name in enumerate("abcd")
    }
    assert header.keys() == columns.keys() | parameters.keys() | {"format"}
    return header | columns | parameters


def make_id(rng: random.Random) -> str:
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


def encode_shared(version_ids: list[str]) -> Json:
    text = {"best": {"en": ["A made-up text.", "source"]}}
    quiz = {
        "slug": QUIZ,
        "language": "en",
        "public": True,
        "title": text,
        "introduction": text,
        "items": version_ids,
    }
    return {
        "quizzes": [quiz],
        "misconceptions": [{"slug": "made-up-belief", "plausible": True, "text": text}],
        "claims": [["tradeoff", "gradients-equal", text], ["tradeoff", "peak-lower", text]],
    }
