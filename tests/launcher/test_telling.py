from launcher.telling import tell_claim

WORDS = {"predicts": "ви предвидихте", "observed": "наблюдавано", "expected": "очаквано"}


def make_claim(**changes):
    claim = {
        "id": "peak-grows",
        "text": {"text": "Пикът пак расте."},
        "predicts": {"text": {"text": "един и същ пик"}},
        "told": {"text": "Пикът нараства \u00d74,94."},
        "relation": "greater",
        "verdict": "holds",
        "display": {"observed": "\u00d74,94", "expected": "\u00d71"},
    }
    return claim | changes


def test_a_claim_tells_prediction_finding_and_numbers_in_this_order():
    assert tell_claim(make_claim(), words=WORDS) == [
        "  + Пикът пак расте.",
        "      ви предвидихте: един и същ пик",
        "      Пикът нараства \u00d74,94.",
        "      наблюдавано: \u00d74,94; очаквано: > \u00d71",
    ]


def test_what_has_no_words_is_told_in_numbers():
    told = tell_claim(make_claim(told=None, predicts=None, text=None), words=WORDS)
    assert told == ["  + peak-grows", "      наблюдавано: \u00d74,94; очаквано: > \u00d71"]
