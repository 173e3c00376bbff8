import pytest

from assessment.language.texts import Text, choose_text, get_direction

BG = Text("Памет", "bg", "machine")
EN = Text("Memory", "en", "source")
FR = Text("Mémoire", "fr", "machine")
WO = Text("mémoire", "wo", "seed")


def make_texts(*texts: Text) -> dict[str, Text]:
    return {text.lang: text for text in texts}


@pytest.mark.parametrize(
    ("languages", "lang", "fallback"),
    [
        (["bg"], "bg", False),
        (["BG-bg"], "bg", False),
        (["bg-Cyrl-BG"], "bg", False),
        (["bg-Latn"], "en", True),
        (["wo"], "fr", True),
        (["wo-SN", "bg"], "bg", True),
        (["de"], "en", True),
        (["de", "fr"], "fr", True),
        (["x-nonsense", "bg"], "bg", True),
        (["*"], "en", False),
        ([], "en", False),
    ],
)
def test_it_looks_up_and_falls_back(languages: list[str], lang: str, fallback: bool) -> None:
    found = choose_text(make_texts(BG, EN, FR), languages)
    assert (found.lang, found.fallback) == (lang, fallback)


def test_wolof_falls_to_english_where_there_is_no_french() -> None:
    assert choose_text(make_texts(BG, EN), ["wo"]).lang == "en"


def test_a_refused_language_is_the_last_resort() -> None:
    assert choose_text(make_texts(BG, EN, FR), ["wo"], refused=["fr"]).lang == "en"
    assert choose_text(make_texts(EN), ["wo"], refused=["en"]).lang == "en"


def test_it_serves_whatever_there_is_before_nothing() -> None:
    found = choose_text(make_texts(WO), ["bg"])
    assert (found.lang, found.fallback, found.status) == ("wo", True, "seed")


def test_another_script_is_never_served_silently() -> None:
    cyrillic = Text("памћење", "sr-Cyrl", "human")
    assert choose_text(make_texts(cyrillic, EN), ["sr-Latn"]).lang == "en"
    hans = Text("x", "zh", "human")
    assert choose_text(make_texts(hans, EN), ["zh-TW"]).lang == "en"


def test_no_text_at_all_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        choose_text({}, ["en"])


def test_direction_follows_the_script() -> None:
    assert [get_direction(tag) for tag in ("wo", "wo-Arab", "ar", "bg")] == [
        "ltr",
        "rtl",
        "rtl",
        "ltr",
    ]


def test_the_json_has_the_five_fields() -> None:
    assert choose_text(make_texts(EN), ["en"]).as_json() == {
        "text": "Memory",
        "lang": "en",
        "dir": "ltr",
        "fallback": False,
        "status": "source",
    }
