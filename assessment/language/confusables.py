"""Letters that look like Latin ones, and characters that cannot be seen."""

import re
import unicodedata

LOOK_ALIKES = {
    # Cyrillic, by code point.
    "\u0430": "a", "\u0435": "e", "\u043e": "o", "\u0440": "p", "\u0441": "c", "\u0443": "y",
    "\u0445": "x", "\u0456": "i", "\u0458": "j", "\u0455": "s", "\u0501": "d", "\u051b": "q",
    "\u051d": "w", "\u04bb": "h", "\u0410": "A", "\u0412": "B", "\u0415": "E", "\u0417": "3",
    "\u041a": "K", "\u041c": "M", "\u041d": "H", "\u041e": "O", "\u0420": "P", "\u0421": "C",
    "\u0422": "T", "\u0423": "Y", "\u0425": "X", "\u0406": "I", "\u0408": "J", "\u0405": "S",
    "\u043a": "k", "\u043c": "m", "\u0442": "t", "\u0432": "b", "\u043d": "h", "\u0433": "r",
    "\u043f": "n", "\u0438": "u",
    # Greek.
    "\u03b1": "a", "\u03bf": "o", "\u03c1": "p", "\u03bd": "v", "\u03b9": "i", "\u03ba": "k",
    "\u03c5": "u", "\u03c7": "x", "\u0391": "A", "\u0392": "B", "\u0395": "E", "\u0396": "Z",
    "\u0397": "H", "\u0399": "I", "\u039a": "K", "\u039c": "M", "\u039d": "N", "\u039f": "O",
    "\u03a1": "P", "\u03a4": "T", "\u03a5": "Y", "\u03a7": "X",
    # Latin letters outside ASCII, and full-width ones by NFKC below.
    "\u0131": "i", "\u0251": "a", "\u0261": "g", "\u026f": "m", "\u01c0": "l",
}  # fmt: skip
# A part of Unicode Technical Standard 39 (confusables.txt): what a keyboard near us types.

DIRECTION_MARKS = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
OVERRIDES = re.compile("[\u202d\u202e]")
ISOLATES = {"\u2066": "\u2069", "\u2067": "\u2069", "\u2068": "\u2069"}
# Opening isolates and what closes them (Unicode Standard Annex 9).

HIDDEN = re.compile(
    "[\u200b\u2060-\u2064\ufeff\u00ad\u180e\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\u2028\u2029\ufffd]"
    "|(?<![\u0620-\u06ff])[\u200c\u200d]|[\u200c\u200d](?![\u0620-\u06ff])|[\U000e0000-\U000e007f]"
)
# Zero-width, soft and blank characters: nobody sees them, and no search finds the word. Arabic
# letters are joined and parted by U+200C and U+200D.


def make_skeleton(token: str) -> str:
    """The token as it looks, in ASCII where that is possible."""
    plain = unicodedata.normalize("NFKC", HIDDEN.sub("", token))
    return "".join(LOOK_ALIKES.get(one, one) for one in plain)


def find_scripts(token: str) -> set[str]:
    """Scripts of the letters of a token: LATIN, CYRILLIC, GREEK, ARABIC, ..."""
    return {unicodedata.name(one, "?").split()[0] for one in token if one.isalpha()} - {
        "MODIFIER",
        "COMBINING",
    }


def describe_character(one: str) -> str:
    """U+202E RIGHT-TO-LEFT OVERRIDE"""
    return f"U+{ord(one):04X} {unicodedata.name(one, 'unnamed')}"
