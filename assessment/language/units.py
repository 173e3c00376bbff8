"""Units as people write them: "Mio" and its Cyrillic spelling are both MiB."""

import json
from pathlib import Path

TIMES_SIGNS = "\u00d7xX"
# In front of a factor, as results are shown, or behind it.

_NAMES = json.loads(Path(__file__).with_name("unit_names.json").read_text(encoding="utf-8"))
# "units": symbol -> names in small letters, in the languages of the bank; "counted": words
# that only say what a bare number counts, which the question has said already.

_COUNTED = frozenset(_NAMES["counted"])
_SYMBOLS = {
    name: symbol
    for symbol, names in _NAMES["units"].items()
    for name in (*names, symbol.casefold())
}


def name_unit(typed: str) -> str:
    """The symbol of a unit; "" for a word that only counts; what is unknown, as it was typed."""
    folded = " ".join(typed.casefold().removesuffix(".").split())
    return "" if folded in _COUNTED else _SYMBOLS.get(folded, typed)
