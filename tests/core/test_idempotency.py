"""A POST counts once: sequentially, at once, and after a failure."""

import threading

import pytest
from django.db import connection

from assessment.core.errors import Conflict, Invalid, Unprocessable
from assessment.core.idempotency import Reply, RequestKey, answer_once, make_request_key
from assessment.core.models import IdempotencyRecord

pytestmark = pytest.mark.django_db


def make_key(body: object = None, *, scope: str = "person:1", key: str | None = "k") -> RequestKey:
    return make_request_key(scope=scope, route="POST /x", key=key, body=body or {})


def test_work_is_done_once_and_its_reply_replayed():
    calls = []

    def work() -> Reply:
        calls.append(1)
        return Reply(201, {"b": 1, "a": "\u014bam"}, {"Location": "/y"})

    first, second = answer_once(make_key(), work), answer_once(make_key(), work)
    assert len(calls) == 1
    assert (second.status, second.headers, second.replayed) == (201, {"Location": "/y"}, True)
    assert list(second.body.items()) == list(first.body.items())


def test_the_same_key_with_another_body_is_refused():
    answer_once(make_key({"a": 1}), lambda: Reply(200, {}, {}))
    with pytest.raises(Unprocessable):
        answer_once(make_key({"a": 2}), lambda: Reply(200, {}, {}))


def test_keys_of_two_people_never_meet():
    answer_once(make_key(), lambda: Reply(200, {"who": 1}, {}))
    other = answer_once(make_key(scope="person:2"), lambda: Reply(200, {"who": 2}, {}))
    assert other.body == {"who": 2}


def test_a_refusal_is_not_kept():
    def refuse() -> Reply:
        raise Conflict("not_now")

    with pytest.raises(Conflict):
        answer_once(make_key(), refuse)
    assert not IdempotencyRecord.objects.exists()
    assert answer_once(make_key(), lambda: Reply(200, {"ok": True}, {})).body == {"ok": True}


@pytest.mark.parametrize("key", [None, "", "x" * 256, "a\nb", "\u0438"])
def test_a_bad_key_names_the_header(key):
    with pytest.raises(Invalid) as caught:
        make_key(key=key)
    assert caught.value.errors[0]["field"] == "Idempotency-Key"


@pytest.mark.django_db(transaction=True)
def test_ten_at_once_do_the_work_once():
    done: list[int] = []
    replies: list[Reply] = []
    together = threading.Barrier(10)

    def work() -> Reply:
        done.append(1)
        return Reply(201, {"n": len(done)}, {})

    def send() -> None:
        together.wait()
        try:
            replies.append(answer_once(make_key(), work))
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _ in range(10)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(done) == 1
    assert [reply.body for reply in replies] == [{"n": 1}] * 10
    assert sum(not reply.replayed for reply in replies) == 1


def test_a_long_route_has_its_own_key_too():
    def ask(route: str) -> Reply:
        request = make_request_key(scope="person:1", route=route, key="k", body={})
        return answer_once(request, lambda: Reply(201, {"route": route}, {}))

    route = "POST /" + "a" * 5000
    assert not ask(route).replayed
    assert not ask(route + "b").replayed
    assert ask(route).replayed
