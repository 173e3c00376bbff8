"""The titles of problems and the messages of refused fields, in the languages we serve.

A code is stable and for programs, a title is for people. A code that is missing here is
shown with the title of its status. A message may name values that come with the error. The
Wolof wording is a draft, as all Wolof of the bank.
"""

import json
from collections.abc import Mapping
from pathlib import Path

Sentence = Mapping[str, str]

_CATALOGUE = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

TITLES: Mapping[str, Sentence] = _CATALOGUE["titles"]
MESSAGES: Mapping[str, Sentence] = _CATALOGUE["messages"]

STATUS_CODES: Mapping[int, str] = {
    400: "invalid",
    401: "not_authenticated",
    403: "permission_denied",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    411: "length_required",
    413: "body_too_large",
    415: "unsupported_media_type",
    422: "unprocessable",
    429: "throttled",
    500: "internal_error",
    503: "unavailable",
}
# The code, and so the title, of a refusal that has none of its own.


def get_title(code: str, *, status: int) -> Sentence:
    """The title of a code, or that of its status when the code has none of its own."""
    return TITLES.get(code) or TITLES[STATUS_CODES.get(status, "internal_error")]
