"""Tells a translation from a text that was left as it was."""

import re
from collections.abc import Sequence

from assessment.language.confusables import find_scripts
from assessment.language.negotiation import get_script
from assessment.language.tokens import strip_tokens

ENGLISH_WORDS = frozenset(
    re.findall(
        r"\w+",
        """the of is are was were and to in that which with for from by not it its this these
        those be has have than when where what why how does do only every each would will can
        as at an or but they their you your into during between""",
    )
)
# Function words that stand in nearly every English sentence.

FRENCH_WORDS = frozenset(
    re.findall(
        r"\w+",
        """le les des une est dans que qui pour pas avec sur par plus du au aux sont ce cette ne
        ou et la l d c n s qu un en se sa ses il elle de""",
    )
)
# French function words. Wolof shares some ("la", "sa", "ne"), so that they never decide alone.

SAME_SPELLING = frozenset({"on", "me", "sur", "pour", "par", "as", "an", "or", "but"})
# Spelt alike in English and French; they count for neither.

SCRIPT_NAMES = {"Cyrl": "CYRILLIC", "Arab": "ARABIC", "Grek": "GREEK"}
MIN_WORDS = 4
# Shorter texts may well be alike in two languages ("gradient", "segment", "mode inference").

WINDOW = 8
# Words; in English prose every second one is a function word.

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_LATIN_RUN = re.compile(r"(?:[A-Za-z][A-Za-z'\u2019-]*[ ,]+){3,}[A-Za-z][A-Za-z'\u2019-]*")
_QUOTED = re.compile(r"[\"\u201e\u201c\u00ab(][^\"\u201d\u201c\u00bb)]*[\"\u201d\u201c\u00bb)]")


def find_untranslated(
    source: str, text: str, lang: str, *, names: Sequence[str] = ()
) -> str | None:
    """Why `text` looks like English left as it was; None when it does not."""
    words = find_words(strip_tokens(text, names=names))
    if lang.split("-")[0] == "en":
        return None
    if len(words) >= MIN_WORDS and words == find_words(strip_tokens(source, names=names)):
        return "the text equals its English source"
    script = SCRIPT_NAMES.get(get_script(lang) or "")
    if script is not None:
        return _check_script(text, words, script, names)
    if looks_english(words):
        return "the text is English, not a translation"
    part = find_english_part(words)
    return f"a part of the text is still English: {part!r}" if part else None


def looks_english(words: Sequence[str]) -> bool:
    """At least three English function words, more than any French ones, and a fifth of all."""
    english = sum(word in ENGLISH_WORDS - SAME_SPELLING for word in words)
    french = sum(word in FRENCH_WORDS - SAME_SPELLING for word in words)
    return english >= 3 and english > french and 5 * english >= len(words)


def find_english_part(words: Sequence[str]) -> str | None:
    """A run of WINDOW words in which English function words are many and others none."""
    for start in range(len(words) - WINDOW + 1):
        run = words[start : start + WINDOW]
        english = sum(word in ENGLISH_WORDS - SAME_SPELLING for word in run)
        if 2 * english >= WINDOW and not any(word in FRENCH_WORDS - SAME_SPELLING for word in run):
            return " ".join(run)
    return None


def find_words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _check_script(text: str, words: Sequence[str], script: str, names: Sequence[str]) -> str | None:
    """For languages in another script than Latin."""
    own = [word for word in words if script in find_scripts(word)]
    latin = [word for word in words if find_scripts(word) == {"LATIN"} and len(word) > 1]
    if not own and len(latin) >= MIN_WORDS - 1:
        return "the text has no word in the script of its language"
    plain = _QUOTED.sub(" ", strip_tokens(text, names=names))
    for run in _LATIN_RUN.finditer(plain):
        if looks_english(find_words(run[0])) or len(find_words(run[0])) >= 6:
            return f"a part of the text is still English: {run[0][:60]!r}"
    return None
