from pathlib import Path

import pytest
from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

from assessment.experiments.dispatch import NO_GPU, QUEUE_LOST, WORKER_LOST
from assessment.feedback import messages
from assessment.feedback.messages import (
    LANGUAGES,
    Catalogue,
    choose_catalogue,
    find_local_text,
    get_catalogue,
    get_local_text,
)
from gpu_worker.catalog import EXPERIMENTS
from gpu_worker.contracts import DEVICES, REASONS, RELATIONS, VERDICTS

NOT_RUN_REASONS = (
    "experiment_not_built",
    "no_experiment",
    "not_measurable",
    "needs_cuda",
    "answered_right",
)
DISPATCH_REASONS = (QUEUE_LOST, WORKER_LOST, NO_GPU)


class VariableCollector(Visitor):  # type: ignore[misc]  # the parser ships no types
    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:
        self.names.add(node.id.name)


def read_messages(lang: str) -> dict[str, set[str]]:
    """Message id -> the variables it names."""
    found: dict[str, set[str]] = {}
    for path in sorted((messages.DIRECTORY / lang).glob("*.ftl")):
        resource = FluentParser().parse(Path(path).read_text(encoding="utf-8"))
        for entry in resource.body:
            assert not isinstance(entry, ast.Junk), f"{path.name}: {entry.content}"
            if isinstance(entry, ast.Message):
                assert entry.id.name not in found, f"{entry.id.name} stands twice"
                collector = VariableCollector()
                collector.visit(entry)
                found[entry.id.name] = collector.names
    return found


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_every_language_has_the_messages_of_english_with_the_same_variables(lang: str) -> None:
    english = read_messages("en")
    assert len(english) > 100
    assert read_messages(lang) == english


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_of_the_contract_has_its_words(lang: str) -> None:
    catalogue = get_catalogue(lang)
    names = [
        *(f"reason-{code}" for code in (*REASONS, *NOT_RUN_REASONS, *DISPATCH_REASONS)),
        *(f"verdict-{code}" for code in VERDICTS),
        *(f"relation-{code}" for code in RELATIONS),
        *(f"device-{code}" for code in DEVICES),
        *(f"narrative-{name}" for name in EXPERIMENTS),
    ]
    missing = [name for name in names if not catalogue.has_message(name)]
    assert missing == []


def test_a_missing_fact_leaves_no_text_at_all() -> None:
    catalogue = get_catalogue("en")
    assert catalogue.find_text("figure-memory-alt-peak", {"arm": "plain", "peak": None}) is None
    assert catalogue.find_text("figure-memory-alt-peak", {"arm": "plain"}) is None
    assert catalogue.find_text("figure-memory-alt-peak", {"arm": "plain", "peak": "much"}) is None
    with pytest.raises(LookupError):
        catalogue.text("figure-memory-alt-peak", arm="plain")
    with pytest.raises(LookupError):
        get_local_text("no-such-message", {}, ["en"])


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", "plain: the peak is 9.26 MiB."),
        ("bg", "plain: пикът е 9,26 MiB."),
        ("fr", "plain : pic de 9,26 MiB."),
        ("wo", "plain: peak bi 9,26 MiB la."),
    ],
)
def test_numbers_are_written_as_the_language_does(lang: str, expected: str) -> None:
    text = Catalogue(lang).text("figure-memory-alt-peak", arm="plain", peak=9_707_528)
    assert text == expected


def test_texts_have_no_isolation_marks() -> None:
    text = get_catalogue("bg").text("state-failed", why="x")
    assert "\u2068" not in text
    assert "\u2069" not in text


def test_the_text_says_its_language_and_whether_it_is_a_fallback() -> None:
    wolof = find_local_text("state-waiting", {}, ["wo", "fr"])
    assert wolof is not None
    assert (wolof.lang, wolof.fallback, wolof.status, wolof.dir) == ("wo", False, "machine", "ltr")
    german = find_local_text("state-waiting", {}, ["de"])
    assert german is not None
    assert (german.lang, german.fallback, german.status) == ("en", True, "source")
    assert choose_catalogue(["bg-BG"]).lang == "bg"


def test_an_identifier_without_a_word_stands_for_itself() -> None:
    catalogue = get_catalogue("fr")
    assert catalogue.name("arm", "plain") == "sans points de reprise"
    assert catalogue.name("arm", "a brand/new arm") == "a brand/new arm"


def test_unknown_bytes_are_called_unknown_and_never_zero() -> None:
    assert get_catalogue("bg").exact_bytes(None) == "неизвестно"
    assert get_catalogue("bg").exact_bytes(0) == "0 B"
    assert get_catalogue("en").quantity(None, "s") == "unknown"


def test_truth_values_select_yes_and_no() -> None:
    facts = {"restored_difference": 0.0, "wrong_relative_error": 0.32, "losses_equal": True}
    text = get_catalogue("en").find_text("narrative-dropout-rng", facts)
    assert text is not None
    assert "the loss is the same" in text
    other = get_catalogue("en").find_text("narrative-dropout-rng", {**facts, "losses_equal": False})
    assert other is not None
    assert "the loss is the same" not in other
