"""Memory timelines as text: both arms on one scale, peaks kept."""

from collections.abc import Mapping, Sequence
from typing import Any

WIDTH = 64
HEIGHT = 7
BLOCKS = " " + "".join(chr(code) for code in range(0x2581, 0x2589))
# Unicode block elements: an eighth to eight eighths of a cell.
ASCII_BLOCKS = " ....:::#"
COMMA_LANGUAGES = ("bg", "fr", "wo")
MIB = 1 << 20
KIB = 1 << 10


def draw_arms(
    arms: Sequence[Mapping[str, Any]], *, words: Mapping[str, str], lang: str, is_unicode: bool
) -> list[str]:
    """One chart for each arm that has a timeline."""
    shown = [arm for arm in arms if arm.get("timeline") and arm["timeline"]["live"]]
    if not shown:
        return []
    top = max(max(arm["timeline"]["live"]) for arm in shown)
    lines = []
    for arm in shown:
        peak = format_bytes(max(arm["timeline"]["live"]), lang=lang)
        name = words.get(arm["name"], arm["name"])
        lines += ["", f"  {name} - {words['peak']}: {peak}"]
        rows = draw_columns(
            squeeze(arm["timeline"]["op"], arm["timeline"]["live"], width=WIDTH),
            top=top,
            blocks=BLOCKS if is_unicode else ASCII_BLOCKS,
        )
        lines += [f"  |{row}" for row in rows]
        lines.append("  +" + "-" * WIDTH + f"> {words['operations']}")
    return lines


def squeeze(op: Sequence[int], live: Sequence[int], *, width: int) -> list[int]:
    """The highest value over each of `width` equal stretches of operator numbers.

    The line is a staircase: a value stays until the next event.
    """
    first, last = op[0], max(op[-1], op[0] + 1)
    columns = [0] * width
    for i, (number, value) in enumerate(zip(op, live, strict=True)):
        until = op[i + 1] if i + 1 < len(op) else last
        begin = (number - first) * width // (last - first)
        end = (until - first) * width // (last - first)
        for column in range(min(begin, width - 1), min(max(end, begin + 1), width)):
            columns[column] = max(columns[column], value)
    return columns


def draw_columns(columns: Sequence[int], *, top: int, blocks: str) -> list[str]:
    """Rows of text from the highest down; every value above zero shows."""
    levels = [
        max(round(value / top * HEIGHT * 8), 1 if value > 0 else 0) if top > 0 else 0
        for value in columns
    ]
    return [
        "".join(blocks[min(max(level - row * 8, 0), 8)] for level in levels).rstrip()
        for row in range(HEIGHT - 1, -1, -1)
    ]


def format_bytes(count: int, *, lang: str) -> str:
    """As the charts need it; numbers in sentences come formatted from the service."""
    if count >= MIB:
        text = f"{count / MIB:.2f} MiB"
    elif count >= KIB:
        text = f"{count / KIB:.1f} KiB"
    else:
        text = f"{count} B"
    return text.replace(".", ",") if lang in COMMA_LANGUAGES else text
