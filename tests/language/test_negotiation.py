import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessment.language.negotiation import (
    MAX_RANGES,
    lookup_range,
    parse_accept_language,
    parse_tag,
)


@pytest.mark.parametrize(
    ("raw", "tag"),
    [
        ("BG", "bg"),
        ("bg-cyrl-bg", "bg-Cyrl-BG"),
        ("WO-sn", "wo-SN"),
        ("en-GB-oxendict", "en-GB-oxendict"),
        ("de-u-CO-phonebk", "de-u-co-phonebk"),
        ("bg_BG", None),
        ("../../x", None),
        ("", None),
        ("en-", None),
        ("en-x", None),
        ("b\u0433", None),
        ("e" * 40, None),
        ("en\x00", None),
    ],
)
def test_tags_are_folded_or_refused(raw: str, tag: str | None) -> None:
    assert parse_tag(raw) == tag


@pytest.mark.parametrize(
    ("header", "languages", "refused"),
    [
        ("wo,fr;q=0.8", ("wo", "fr"), set()),
        ("fr;q=0.2, bg ; q=0.9, en", ("en", "bg", "fr"), set()),
        ("bg;q=0, en", ("en",), {"bg"}),
        ("bg;q=0", (), {"bg"}),
        ("*", ("*",), set()),
        ("*;q=0", (), set()),
        ("en-gb;q=1.0000", (), set()),
        ("en;q=nan, bg", ("bg",), set()),
        ("en;level=1, bg", ("bg",), set()),
        ("bg_BG, ../../x, , wo", ("wo",), set()),
        ("bg, bg;q=0", (), {"bg"}),
        ("", (), set()),
    ],
)
def test_the_header_is_read_safely(
    header: str, languages: tuple[str, ...], refused: set[str]
) -> None:
    preference = parse_accept_language(header)
    assert preference.languages == languages
    assert preference.refused == refused


def test_a_huge_header_costs_nothing() -> None:
    header = ",".join(f"a{chr(97 + i % 26)}-x{i}" for i in range(40_000))
    started = time.process_time()
    preference = parse_accept_language(header)
    assert time.process_time() - started < 0.05
    assert len(preference.languages) <= MAX_RANGES


@given(st.text(max_size=300))
def test_no_header_makes_it_fail(header: str) -> None:
    for tag in parse_accept_language(header).languages:
        assert tag == "*" or parse_tag(tag) == tag


@pytest.mark.parametrize(
    ("wanted", "available", "found"),
    [
        ("zh-Hant", {"zh-hans": "zh-Hans"}, None),
        ("zh-Hant", {"zh": "zh"}, None),
        ("zh-Hans-CN", {"zh": "zh"}, "zh"),
        ("en-x-private", {"en": "en"}, "en"),
        ("fr-CA", {"fr": "fr"}, "fr"),
        ("fr", {"fr-ca": "fr-CA"}, None),
    ],
)
def test_lookup_shortens_but_keeps_the_script(
    wanted: str, available: dict[str, str], found: str | None
) -> None:
    assert lookup_range(wanted, available) == found
