"""The database keeps no number that a reply could not carry."""

import math
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction

from assessment.delivery import services
from assessment.delivery.models import Administration
from assessment.scoring.models import Score
from tests.people import start


@pytest.fixture
def response(ada, make_activity):
    session = start(ada, make_activity(), "en")
    row = Administration.objects.get(pk=session["current"]["administration"])
    return services.record_response(
        row, answer={"options": []}, certainty=None, elapsed_ms=None, now=row.created_at
    )


def keep(response, **values: float) -> Score:
    plain = {"score": 1.0, "max_score": 1.0, "is_correct": True, "rule": "single.1", **values}
    item = UUID(str(response.administration.item_version_id))
    return Score.objects.create(
        response=response,
        session_id=response.session_id,
        item_version_id=item,
        bank_version_id=item,
        scored_at=response.received_at,
        **plain,
    )


@pytest.mark.parametrize("name", ["score", "max_score", "theta", "standard_error"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_refused(response, name, value):
    with pytest.raises(IntegrityError), transaction.atomic():
        keep(response, **{name: value})


def test_a_legal_bank_may_move_theta_far(response):
    assert keep(response, theta=-51.0, standard_error=0.1).pk
