"""Which answers may calibrate: first exposures, before evidence on the concept was read."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np

from assessment.analytics.exposures import GivenAnswer, keep_first_exposures, make_matrix

ADA, BEN = UUID(int=1), UUID(int=2)
CONCEPTS = {"x": "replay", "y": "replay", "z": "offload"}
START = datetime(2026, 11, 30, tzinfo=UTC)


def give(
    person: UUID, item: str, minute: int, *, right: bool = True, seen: int | None = None
) -> GivenAnswer:
    seen_at = START + timedelta(minutes=seen) if seen is not None else None
    return GivenAnswer(person, item, right, START + timedelta(minutes=minute), seen_at)


def test_a_second_answer_to_an_item_does_not_count():
    first, again = give(ADA, "x", 1, right=False), give(ADA, "x", 9)
    assert keep_first_exposures([again, first], CONCEPTS) == [first]


def test_an_answer_after_evidence_on_its_concept_does_not_count():
    taught = give(ADA, "x", 1, right=False, seen=2)
    same_concept, other_concept = give(ADA, "y", 3), give(ADA, "z", 4)
    kept = keep_first_exposures([taught, same_concept, other_concept], CONCEPTS)
    assert kept == [taught, other_concept]


def test_evidence_that_was_read_later_changes_nothing_before():
    first, second = give(ADA, "x", 1, right=False, seen=9), give(ADA, "y", 3)
    assert keep_first_exposures([first, second], CONCEPTS) == [first, second]


def test_evidence_of_one_person_teaches_nobody_else():
    taught, other = give(ADA, "x", 1, right=False, seen=2), give(BEN, "y", 3)
    assert keep_first_exposures([taught, other], CONCEPTS) == [taught, other]


def test_items_of_another_bank_are_left_out():
    assert keep_first_exposures([give(ADA, "gone", 1)], CONCEPTS) == []


def test_the_matrix_has_a_row_a_person_and_nan_where_nothing_was_answered():
    answers = [give(ADA, "x", 1), give(BEN, "z", 2, right=False)]
    matrix = make_matrix(answers, {"x": 0, "y": 1, "z": 2})
    np.testing.assert_array_equal(matrix, [[1, np.nan, np.nan], [np.nan, np.nan, 0]])
