"""What the processes are told."""

import os

from launcher.credentials import Credentials
from launcher.environments import (
    build_web_environment,
    build_worker_environment,
    to_broker_url,
)
from launcher.layout import find_layout


def test_a_socket_url_of_redis_py_becomes_one_of_kombu() -> None:
    assert to_broker_url("unix:///run/v.sock?db=3") == "redis+socket:///run/v.sock?virtual_host=3"
    assert (
        to_broker_url("unix://app:pw@/run/v.sock")
        == "redis+socket://app:pw@/run/v.sock?virtual_host=0"
    )
    assert to_broker_url("rediss://host:6380/1") == "rediss://host:6380/1"


def test_an_empty_variable_is_not_set(monkeypatch) -> None:
    monkeypatch.setenv("DJANGO_SECRET_KEY", "")
    credentials = Credentials(secret_key="made", valkey_app="a", valkey_worker="b")
    told = build_web_environment(find_layout(), credentials=credentials, postgres=None, valkey=None)
    assert told["DJANGO_SECRET_KEY"] == "made"


def test_the_gpu_worker_finds_the_queues_where_the_web_does(monkeypatch) -> None:
    web = {"REDIS_URL": "unix:///run/v.sock?db=1"}
    told = build_worker_environment(find_layout(), web=web)
    assert told["REMAT_BROKER_URL"] == "redis+socket:///run/v.sock?virtual_host=1"
    web |= {"REMAT_TASK_BROKER_URL": "redis://host/3", "REMAT_BROKER_URL": ""}
    assert build_worker_environment(find_layout(), web=web)["REMAT_BROKER_URL"] == "redis://host/3"


def test_the_gpu_worker_is_told_no_secret(monkeypatch) -> None:
    monkeypatch.setenv("DJANGO_SECRET_KEY", "a secret")
    monkeypatch.setenv("DATABASE_URL", "postgres://user:a-secret@host/name")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret")
    web = dict(os.environ) | {
        "REMAT_BROKER_URL": "redis://app:a-secret@host/0",
        "REMAT_WORKER_BROKER_URL": "redis://worker:narrow@host/0",
    }
    told = build_worker_environment(find_layout(), web=web)
    assert told["REMAT_BROKER_URL"] == "redis://worker:narrow@host/0"
    assert not [name for name, value in told.items() if "secret" in value]
