"""Minted tokens: whose, for how long, and that nobody else can make one."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.core import signing
from django.utils import timezone

from assessment.accounts.tokens import (
    Bearer,
    TokenError,
    find_remaining_s,
    mint_token,
    read_token,
    require_right,
)
from assessment.core.errors import Forbidden

ADA = Bearer(
    UUID("11111111-1111-4111-8111-111111111111"),
    UUID("22222222-2222-4222-8222-222222222222"),
    frozenset({"learn", "instruct"}),
    is_guest=False,
)


def issue(age_s: float) -> str:
    """A token as it was minted so many seconds ago."""
    moment = timezone.now() - timedelta(seconds=age_s)
    return mint_token(Bearer(ADA.person_id, ADA.course_id, ADA.rights, False, moment))


def test_it_says_who_where_and_with_which_rights():
    read = read_token(mint_token(ADA))
    assert read == ADA
    assert abs((timezone.now() - read.issued_at).total_seconds()) < 5
    assert read_token(mint_token(Bearer(ADA.person_id, ADA.course_id, ADA.rights, True))).is_guest


def test_it_lasts_an_hour():
    assert 3500 < find_remaining_s(read_token(issue(10))) <= 3590
    for age_s in (3700, 365 * 86_400):
        with pytest.raises(TokenError):
            read_token(issue(age_s))
    assert find_remaining_s(Bearer(ADA.person_id, ADA.course_id, ADA.rights, False)) == 3600


def test_one_that_follows_from_another_ends_with_it():
    first = read_token(issue(1800))
    second = read_token(mint_token(first))
    assert second.issued_at == first.issued_at
    assert find_remaining_s(second) <= 1800


def test_no_part_of_it_can_be_changed():
    """Each single character, the separators too; and what another salt has signed."""
    token = mint_token(ADA)
    for place in range(len(token)):
        other = "A" if token[place] != "A" else "B"
        with pytest.raises(TokenError):
            read_token(token[:place] + other + token[place + 1 :])
    foreign = signing.TimestampSigner(salt="other", sep="~").sign_object(["x"])
    for one in (foreign, token[:-1], token + "A", token * 2, "~~", "", "."):
        with pytest.raises(TokenError):
            read_token(one)


def test_a_new_secret_keeps_the_old_tokens_as_long_as_it_is_listed(settings):
    token = mint_token(ADA)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret of the same server"
    assert read_token(token) == ADA
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(TokenError):
        read_token(token)


def test_keys_of_two_people_or_courses_never_meet():
    other = UUID("33333333-3333-4333-8333-333333333333")
    scopes = {
        ADA.scope,
        Bearer(other, ADA.course_id, ADA.rights, False).scope,
        Bearer(ADA.person_id, other, ADA.rights, False).scope,
    }
    assert len(scopes) == 3
    assert max(map(len, scopes)) <= 100
    # The column's length.


def test_a_right_is_there_or_it_is_forbidden():
    require_right(ADA, "learn")
    with pytest.raises(Forbidden):
        require_right(ADA, "author")


def test_a_token_is_dated_in_whole_seconds_of_utc():
    moment = datetime(2026, 3, 29, 3, 30, 0, 999_999, tzinfo=UTC)
    token = mint_token(Bearer(ADA.person_id, ADA.course_id, ADA.rights, False, moment))
    assert signing.b62_decode(token.split("~")[-2]) == int(moment.timestamp())
