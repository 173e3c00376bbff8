from itertools import product
from typing import get_args

import pytest

from assessment.feedback.rules import PredictionState, Reveal, SessionState, may_reveal

# reveal, prediction, session, answered, attempts left -> may be revealed
TABLE: list[tuple[Reveal, PredictionState, SessionState, bool, bool, bool]] = [
    # Nothing before the answer, in an open session, whatever else holds.
    ("after_each", "not_asked", "open", False, True, False),
    ("after_each", "not_asked", "open", False, False, False),
    ("after_finish", "not_asked", "open", False, False, False),
    # After each answer.
    ("after_each", "not_asked", "open", True, True, True),
    ("after_each", "not_asked", "open", True, False, True),
    # A prediction stands between the answer and its feedback; a skip is enough.
    ("after_each", "pending", "open", True, True, False),
    ("after_each", "answered", "open", True, True, True),
    ("after_each", "skipped", "open", True, True, True),
    # All at the end.
    ("after_finish", "not_asked", "open", True, False, False),
    ("after_finish", "answered", "open", True, False, False),
    ("after_finish", "not_asked", "finished", True, True, True),
    ("after_finish", "not_asked", "expired", True, True, True),
    # Once it is over, a prediction that never came holds nothing back.
    ("after_each", "pending", "finished", True, True, True),
    ("after_finish", "pending", "expired", True, True, True),
    # An unanswered item is of use to the next attempt.
    ("after_each", "not_asked", "finished", False, True, False),
    ("after_finish", "not_asked", "expired", False, True, False),
    ("after_each", "not_asked", "finished", False, False, True),
    ("after_finish", "not_asked", "finished", False, False, True),
]


@pytest.mark.parametrize(
    ("reveal", "prediction", "session", "answered", "attempts_left", "expected"), TABLE
)
def test_the_table_of_what_may_be_revealed(
    reveal: Reveal,
    prediction: PredictionState,
    session: SessionState,
    answered: bool,
    attempts_left: bool,
    expected: bool,
) -> None:
    revealed = may_reveal(
        reveal,
        prediction=prediction,
        session=session,
        answered=answered,
        attempts_left=attempts_left,
    )
    assert revealed is expected


def test_no_state_of_an_open_session_reveals_an_unanswered_item() -> None:
    states = product(get_args(Reveal), get_args(PredictionState), (True, False))
    for reveal, prediction, attempts_left in states:
        assert not may_reveal(
            reveal,
            prediction=prediction,
            session="open",
            answered=False,
            attempts_left=attempts_left,
        )
