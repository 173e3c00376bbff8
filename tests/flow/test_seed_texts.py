"""An activity with texts "seed" shows the original pages as they were written."""

from pathlib import Path

import pytest

from assessment.bank.import_text import read_page
from tests.people import read_json, start

PAGES = Path(__file__).parents[2] / "fixtures" / "reference" / "pages"
QUIZZES = {
    "bg": ("gradient-checkpointing", "gradient-checkpointing.bg.txt"),
    "wo": ("activation-recomputation", "activation-recomputation.wo.txt"),
}
MENDED = {
    "горелка.оптим.SGD": "torch.optim.SGD",
    "факла.nn.Отпадане": "torch.nn.Dropout",
}
# The two options that the page had translated although they are code.


@pytest.mark.parametrize("asked", ["bg", "wo", "fr", "en"])
@pytest.mark.parametrize("own", QUIZZES)
def test_every_text_is_that_of_the_page_whatever_the_reader_asks_for(
    ada, make_activity, own, asked
):
    quiz, name = QUIZZES[own]
    page = read_page((PAGES / name).read_bytes(), own)
    session = start(ada, make_activity(quiz, texts="seed", reveal="after_finish"), asked)
    shown = read_json(ada.get(f"sessions/{session['id']}/items"))["items"]
    assert len(shown) == len(page.questions) == 8
    for item, question in zip(shown, page.questions, strict=True):
        stem = item["stem"]
        assert (stem["text"], stem["lang"]) == (question.stem.text, question.stem.lang)
        assert (stem["status"], stem["fallback"]) == ("seed", asked != question.stem.lang)
        wordings = {MENDED.get(one.text, one.text) for one in question.options}
        assert {one["text"]["text"] for one in item["options"]} == wordings
        assert {one["text"]["status"] for one in item["options"]} == {"seed"}
