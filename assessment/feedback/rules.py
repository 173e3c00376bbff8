"""What may be revealed, and when. Pure: a table of states, tested row by row."""

from typing import Literal

Reveal = Literal["after_each", "after_finish"]
PredictionState = Literal["not_asked", "pending", "answered", "skipped"]
SessionState = Literal["open", "finished", "expired"]


def may_reveal(
    reveal: Reveal,
    *,
    prediction: PredictionState,
    session: SessionState,
    answered: bool,
    attempts_left: bool,
) -> bool:
    """Whether key, explanation, misconception and evidence of one item may be shown.

    While the session is open, an item tells nothing before it is answered, nothing before
    its prediction was given or skipped, and nothing at all where all is kept for the end.
    When the session is over, an answered item tells everything; an unanswered one tells
    nothing while another attempt could use it.

    attempts_left : True when this person may still open another session of the activity.
    """
    if session == "open":
        return answered and reveal == "after_each" and prediction != "pending"
    return answered or not attempts_left
