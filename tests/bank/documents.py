"""A small bank on disk that tests change one thing at a time."""

import copy
import uuid
from pathlib import Path

import yaml

from assessment.bank.compiled import Parameters, Placed, compile_bank
from assessment.bank.decoding import build_snapshot
from assessment.bank.documents import BankSource, Document
from assessment.bank.frozen import Snapshot
from assessment.bank.parsing import parse_bank
from assessment.psychometrics.cold_start import LEVEL_DIFFICULTIES, find_guess_floor

MISCONCEPTIONS: Document = {
    slug: {"plausible": plausible, "text": {"en": english, "bg": bulgarian}}
    for slug, plausible, english, bulgarian in (
        ("accuracy-is-the-price", True, "Accuracy pays.", "Точността плаща."),
        ("savings-are-free", True, "Nothing pays.", "Нищо не плаща."),
        ("files-decide", False, "The file decides.", "Файлът решава."),
    )
}
CLAIMS: Document = {
    "tradeoff": {
        "gradients-equal": {"en": "The gradients are equal.", "bg": "Градиентите са равни."},
        "peak-lower": {"en": "The peak is lower.", "bg": "Пикът е по-нисък."},
    }
}


def make_text(english: str, bulgarian: str) -> Document:
    return {"en": english, "bg": bulgarian}


def make_evidence() -> Document:
    predicts = {"value": None, "text": make_text("Another gradient.", "Друг градиент.")}
    claims = [{"id": "gradients-equal", "predicts": predicts}]
    return {"grade": "direct", "experiment": "tradeoff", "parameters": {}, "claims": claims}


def make_option(handle: str, *, key: bool = False, misconception: str | None = None) -> Document:
    option: Document = {
        "handle": handle,
        "text": make_text(f"Option {handle}", f"Отговор {handle}"),
        "explanation": make_text(f"Because of {handle}.", f"Заради {handle}."),
    }
    if key:
        return option | {"key": True}
    return option | {"misconception": misconception, "evidence": make_evidence()}


def make_single(slug: str) -> Document:
    return {
        "slug": slug,
        "kind": "single",
        "concept": "trade-off",
        "level": 1,
        "stem": make_text("What pays for the memory?", "Какво плаща паметта?"),
        "options": [
            make_option("a", key=True),
            make_option("b", misconception="accuracy-is-the-price"),
            make_option("c", misconception="savings-are-free")
            | {"evidence": {"grade": "text", "reason": "not_measurable"}},
        ],
        "evidence": {"experiment": "tradeoff", "claims": ["peak-lower"]},
    }


def make_multiple(slug: str) -> Document:
    document = make_single(slug) | {"kind": "multiple", "level": 2}
    document["options"] = [*document["options"], make_option("d", key=True)]  # type: ignore[misc]
    return document


def make_numeric(slug: str) -> Document:
    document = make_single(slug) | {"kind": "numeric", "level": 3}
    del document["options"]
    near = {
        "value": 24,
        "misconception": "savings-are-free",
        "explanation": make_text("Twice too many.", "Два пъти повече."),
        "evidence": make_evidence(),
    }
    document["numeric"] = {
        "value": 12,
        "unit": "KiB",
        "tolerance": 0.01,
        "relative": True,
        "units": {"B": 0.0009765625, "MiB": 1024},
        "near": [near],
        "key_explanation": make_text("Twelve it is.", "Дванайсет са."),
        "other_explanation": make_text("Count again.", "Пребройте пак."),
    }
    return document


def make_ordering(slug: str) -> Document:
    document = make_single(slug) | {"kind": "ordering"}
    document["options"] = [
        {"handle": handle, "text": make_text(f"Step {handle}", f"Стъпка {handle}")}
        for handle in ("a", "b", "c")
    ]
    document["ordering"] = {"partial": "adjacent"}
    document["wrong_explanation"] = make_text("Not that way.", "Не така.")
    document["key_explanation"] = make_text("That way.", "Така.")
    return document


def make_documents() -> dict[str, dict[str, Document]]:
    quiz: Document = {
        "slug": "small",
        "language": "en",
        "public_practice": True,
        "title": make_text("A small quiz", "Малък тест"),
        "introduction": make_text("Four questions.", "Четири въпроса."),
        "items": ["one", "two", "three", "four"],
    }
    items = {
        "one": make_single("one"),
        "two": make_multiple("two"),
        "three": make_numeric("three"),
        "four": make_ordering("four"),
    }
    return {"items": items, "quizzes": {"small": quiz}}


def write_bank(directory: Path, documents: dict[str, dict[str, Document]] | None = None) -> Path:
    """The documents as files; an earlier bank in the directory is replaced."""
    documents = documents or make_documents()
    for kind in ("items", "quizzes"):
        folder = directory / kind
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.yaml"):
            old.unlink()
        for slug, document in documents[kind].items():
            write_yaml(folder / f"{slug}.yaml", document)
    write_yaml(directory / "misconceptions.yaml", MISCONCEPTIONS)
    write_yaml(directory / "claims.yaml", CLAIMS)
    return directory


def write_yaml(path: Path, document: Document) -> None:
    plain = copy.deepcopy(document)
    path.write_text(yaml.safe_dump(plain, allow_unicode=True, sort_keys=False), encoding="utf-8")


def compile_source(source: BankSource) -> Snapshot:
    """A snapshot without a database: ids are made up, parameters are those of the level."""
    bank = parse_bank(source)
    rows = []
    for spec in bank.items.values():
        ids = {option.handle: str(uuid.uuid4()) for option in spec.options}
        b = LEVEL_DIFFICULTIES[spec.level]
        c = find_guess_floor(spec.kind, len(spec.options))
        rows.append(Placed(spec, str(uuid.uuid4()), ids, Parameters(1.0, b, c, 1.0, True)))
    compiled = compile_bank(bank, rows, statuses={})
    return build_snapshot(compiled, bank_version_id=str(uuid.uuid4()), number=1, digest="")
