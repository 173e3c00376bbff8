"""Timelines as text: peaks survive, the scale is shared, numbers read as the language writes."""

import pytest

from launcher.drawing import BLOCKS, HEIGHT, WIDTH, draw_arms, draw_columns, format_bytes, squeeze

WORDS = {"peak": "peak", "operations": "operations", "plain": "plain step"}


def test_a_peak_of_one_event_survives_the_squeeze() -> None:
    op = list(range(1000))
    live = [10] * 1000
    live[617] = 999
    columns = squeeze(op, live, width=WIDTH)
    assert len(columns) == WIDTH
    assert max(columns) == 999
    assert columns.index(999) == 617 * WIDTH // 999


def test_a_value_stays_until_the_next_event() -> None:
    assert squeeze([0, 90, 100], [5, 0, 0], width=10) == [5] * 9 + [0]


def test_columns_rise_with_their_values() -> None:
    rows = draw_columns([0, 1, 50, 100], top=100, blocks=BLOCKS)
    assert len(rows) == HEIGHT
    heights = [sum(BLOCKS.index(row.ljust(4)[i]) for row in rows) for i in range(4)]
    assert heights == [0, 1, HEIGHT * 4, HEIGHT * 8]


def test_both_arms_share_one_scale() -> None:
    arms = [
        {"name": "plain", "timeline": {"op": [0, 1], "live": [100, 100]}},
        {"name": "half", "timeline": {"op": [0, 1], "live": [50, 50]}},
    ]
    lines = draw_arms(arms, words=WORDS, lang="en", is_unicode=False)
    full = sum("#" in line for line in lines[: len(lines) // 2])
    half = sum("#" in line for line in lines[len(lines) // 2 :])
    assert full == HEIGHT
    assert half == HEIGHT // 2


def test_an_arm_without_a_timeline_is_left_out() -> None:
    assert (
        draw_arms([{"name": "plain", "timeline": None}], words=WORDS, lang="en", is_unicode=True)
        == []
    )


@pytest.mark.parametrize(
    ("count", "lang", "text"),
    [
        (9_710_000, "bg", "9,26 MiB"),
        (9_710_000, "en", "9.26 MiB"),
        (2048, "wo", "2,0 KiB"),
        (12, "bg", "12 B"),
    ],
)
def test_bytes_read_as_the_language_writes_them(count: int, lang: str, text: str) -> None:
    assert format_bytes(count, lang=lang) == text
