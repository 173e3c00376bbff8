"""The environment: when it is made anew, and what is said when it cannot be made."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from launcher import install
from launcher.layout import ROOT, LauncherError, Layout


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(ROOT, tmp_path / "state", tmp_path / "state" / "venv")


@pytest.fixture
def made(layout: Layout) -> Layout:
    """A whole environment, without packages."""
    layout.state.mkdir()
    python = getattr(sys, "_base_executable", sys.executable)
    subprocess.run([python, "-m", "venv", "--without-pip", layout.venv], check=True)
    pip = next(layout.venv.glob("lib/python*/site-packages")) / "pip.py"
    pip.write_text("")
    return layout


def test_an_environment_at_its_place_is_whole(made: Layout) -> None:
    assert install.is_whole(made)


def test_a_moved_environment_is_not(made: Layout) -> None:
    """Its scripts still name the interpreter of the old place."""
    moved = Layout(ROOT, made.state, made.state / "elsewhere")
    made.venv.rename(moved.venv)
    assert not install.is_whole(moved)


def test_one_whose_making_was_cut_short_is_not(made: Layout) -> None:
    install.find_unfinished_mark(made).touch()
    assert not install.is_whole(made)


def test_one_without_its_python_is_neither_whole_nor_current(made: Layout) -> None:
    install.stamp_path(made, lock="dev.lock").write_text(
        install.compute_stamp(made, lock="dev.lock")
    )
    assert install.is_current(made, lock="dev.lock")
    for link in made.venv.glob("bin/python*"):
        link.unlink()
    made.python.symlink_to("/nowhere/python3")
    assert not install.is_whole(made)
    assert not install.is_current(made, lock="dev.lock")


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def test_a_disk_without_room_is_said_before_anything_is_fetched(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout.state.mkdir()
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage(0, 0, 300 << 20))
    with pytest.raises(LauncherError, match=r"0\.3 GB free.*\n.*REMAT_STATE_DIR"):
        install.check_room(layout.state)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("error: Failed to fetch\n  Caused by: dns error: failed to lookup", "is there a network"),
        ("Max retries exceeded ... [Errno -3] Temporary failure in name resolution", "network"),
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("ERROR: No matching distribution found for torch==2.13.0", "TORCH_INDEX_URL"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE FILE", "other files"),
        ("something that nobody has seen", ""),
    ],
)
def test_an_installers_last_words_are_explained(tmp_path: Path, words: str, advice: str) -> None:
    log = tmp_path / "install.log"
    log.write_text(words)
    found = install.find_advice(log)
    assert advice in found
    assert bool(found) == bool(advice)
