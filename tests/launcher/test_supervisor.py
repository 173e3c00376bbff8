"""Supervision without the servers: restarts, logs, requests to ourselves."""

import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from launcher import supervisor as supervision
from launcher.layout import ROOT, Layout
from launcher.loopback import open_url
from launcher.supervisor import trim_logs
from tests.harness import PATIENCE_S, build_environment
from tests.listening import answer_one


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(ROOT, tmp_path / "state", tmp_path / "venv")
    made.make_state()
    return made


def test_what_cannot_even_be_started_is_tried_again(tmp_path: Path) -> None:
    """As on a full disk. In a process of its own: a supervisor ends every child that it meets."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tests.launcher.refused_start"],
        env=build_environment(tmp_path / "state"),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.stdout.split() == ["refused", "started", "stopped"], done.stderr
    assert "cannot be started" in done.stderr


def test_a_log_that_outgrew_its_limit_is_kept_once_and_goes_on(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervision, "LOG_LIMIT", 10)
    log = layout.logs / "web.log"
    with log.open("ab", buffering=0) as stream:
        stream.write(b"a long line of words\n")
        trim_logs(layout.logs)
        stream.write(b"more\n")
    assert log.read_text() == "more\n"
    assert (layout.logs / "web.log.1").read_text() == "a long line of words\n"


def test_our_own_service_is_asked_past_any_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    with answer_one(204) as (port, _):
        request = urllib.request.Request(f"http://127.0.0.1:{port}/readyz")
        with open_url(request, timeout_s=PATIENCE_S) as reply:
            assert reply.status == 204
