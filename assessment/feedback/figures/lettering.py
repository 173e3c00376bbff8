"""How wide a text is when it is drawn, and where to break it. Pure: no font is loaded.

A picture is drawn again on every reader's device, in whatever sans-serif font it has. The
widths here are those of DejaVu Sans, the widest of the common ones, rounded up by classes of
letters: what fits by them fits everywhere.
"""

import textwrap

THIN, NARROW, LOWER, UPPER, BROAD = 0.33, 0.45, 0.65, 0.78, 1.05
# Advances in parts of the font size.

THIN_LETTERS = frozenset("ijlI', ")
NARROW_LETTERS = frozenset(".:;|!/()[]ftr-\u00a0\u202f\u00b2\u00b3\u00b9\u00b0")
BROAD_LETTERS = frozenset("mwMW%\u2014\u2026\u2116\u0153\u0436\u0448\u0449\u0416\u0428\u0429\u042e")
# The last ones are Cyrillic zhe, sha, shcha and yu, which stand over three stems.

BOLD = 1.1
# A bold line against the same line in regular weight.


def measure_text(text: str, *, size: float, is_bold: bool = False) -> float:
    """Width in pixels, an upper bound."""
    width = sum(_measure_letter(letter) for letter in text) * size
    return width * BOLD if is_bold else width


def wrap_text(text: str, *, width: float, size: float, is_bold: bool = False) -> list[str]:
    """Lines of whole words, as few as fit into `width` pixels, of about equal length.

    A single word that is wider stays whole.
    """

    def fits(lines: list[str]) -> bool:
        return all(measure_text(one, size=size, is_bold=is_bold) <= width for one in lines)

    trials = [_break_text(text, letters) for letters in range(len(text), 0, -1)]
    fitting = [lines for lines in trials if fits(lines)] or trials[-1:]
    return [lines for lines in fitting if len(lines) == len(fitting[0])][-1] if fitting else []


def _break_text(text: str, letters: int) -> list[str]:
    return textwrap.wrap(text, letters, break_long_words=False, break_on_hyphens=False)


def _measure_letter(letter: str) -> float:
    if letter in THIN_LETTERS:
        return THIN
    if letter in NARROW_LETTERS:
        return NARROW
    if letter in BROAD_LETTERS:
        return BROAD
    return UPPER if letter.isupper() or not letter.isalnum() else LOWER
