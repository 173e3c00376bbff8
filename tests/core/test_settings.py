"""A wrong value in the environment stops the start and names its variable."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from assessment import settings


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("postgres://u:p@db:5432/remat", "db", "5432"),
        ("postgres://u@[::1]:5433/remat", "::1", "5433"),
        ("postgres://u@[2001:db8::7]/remat", "2001:db8::7", ""),
        ("postgres://u@%2Ftmp%2Fpg.sock/remat", "/tmp/pg.sock", ""),
        ("postgresql:///remat", "", ""),
        ("postgres://u:p%40ss@db/remat", "db", ""),
    ],
)
def test_a_database_is_found_where_its_address_says(url, host, port):
    read = settings.read_database(url)
    assert (read["HOST"], read["PORT"], read["NAME"]) == (host, port, "remat")


@pytest.mark.parametrize(
    "url", ["mysql://db/remat", "postgres://db", "postgres://a:b:c/remat", "postgres://[::1/remat"]
)
def test_another_address_is_none_of_a_database(url):
    with pytest.raises((ImproperlyConfigured, ValueError)):
        settings.read_database(url)


@pytest.mark.parametrize("given", ["abc", "-3", "0", "1.5", "1_0", " 5", "\u0661", "9" * 10])
def test_a_count_is_a_whole_number(monkeypatch, given):
    monkeypatch.setenv("REMAT_X", given)
    with pytest.raises(ImproperlyConfigured, match="REMAT_X"):
        settings.read_count("REMAT_X", default=3)


def test_a_count_has_its_default_and_its_least(monkeypatch):
    assert settings.read_count("REMAT_X", default=3) == 3
    monkeypatch.setenv("REMAT_X", "0")
    assert settings.read_count("REMAT_X", default=3, minimum=0) == 0


@pytest.mark.parametrize(
    ("given", "is_on"), [("", False), ("false", False), ("TRUE", True), ("1", True), ("off", False)]
)
def test_a_switch_is_on_or_off(monkeypatch, given, is_on):
    monkeypatch.setenv("REMAT_X", given)
    assert settings.read_flag("REMAT_X") is is_on


def test_a_switch_is_nothing_else(monkeypatch):
    monkeypatch.setenv("REMAT_X", "maybe")
    with pytest.raises(ImproperlyConfigured, match="REMAT_X"):
        settings.read_flag("REMAT_X")


@pytest.mark.parametrize("given", ["", "short", "x" * 15])
def test_a_short_secret_is_none(monkeypatch, given):
    monkeypatch.setenv("REMAT_X", given)
    with pytest.raises(ImproperlyConfigured, match="REMAT_X"):
        settings.read_secret("REMAT_X")


@pytest.mark.parametrize("given", ["http://x", "localhost:6379", "amqp://x"])
def test_a_broker_is_valkey(monkeypatch, given):
    monkeypatch.setenv("REMAT_X", given)
    with pytest.raises(ImproperlyConfigured, match="REMAT_X"):
        settings.read_valkey("REMAT_X")
    monkeypatch.setenv("REMAT_X", "")
    assert settings.read_valkey("REMAT_X", default="redis://x") == "redis://x"
