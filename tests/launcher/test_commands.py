"""What a person meets who types a command: clear words, a status, no traceback."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from launcher import __main__ as door
from launcher.layout import ROOT
from tests.harness import PATIENCE_S, build_environment, run_remat

REMAT = ROOT / "remat"


def type_remat(*words: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """./remat as typed, on the interpreter of the tests."""
    return subprocess.run(
        [str(REMAT), *words],
        env={"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "8_0"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    done = type_remat("serve", "--port", port)
    assert done.returncode == 2
    assert "1 to 65535" in done.stderr or "expected one argument" in done.stderr


def test_an_unknown_command_or_option_is_the_persons_mistake() -> None:
    for words in (["nonsense"], ["serve", "--prot", "1"], ["help", "nonsense"], ["bench"]):
        done = type_remat(*words)
        assert done.returncode == 2, words
        assert "remat" in done.stderr


def test_help_tells_of_one_command() -> None:
    assert "--port" in type_remat("help", "serve").stdout
    assert "item bank" in type_remat("help", "bank").stdout


def test_no_suitable_python_is_said_with_what_to_do(tmp_path: Path) -> None:
    """On a PATH with an old Python alone; the shell's own tools are there."""
    for name in ("sh", "dirname", "readlink"):
        found = shutil.which(name)
        assert found
        (tmp_path / name).symlink_to(found)
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    script = tmp_path / "checkout" / "remat"
    script.parent.mkdir()
    shutil.copy(REMAT, script)
    done = subprocess.run(
        [str(script), "demo"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Python 3.11" in done.stderr
    assert "apt-get install" in done.stderr


def test_a_state_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """The errors as the system words them: root may write anywhere."""
    text = door.explain(OSError(errno.EROFS, "Read-only file system", str(tmp_path / ".remat")))
    assert "Read-only file system" in text
    assert "REMAT_STATE_DIR" in text
    assert "make room" in door.explain(OSError(errno.ENOSPC, "No space left on device"))
    with pytest.raises(OSError, match="a bug of ours"):
        door.explain(OSError(errno.EBADF, "a bug of ours"))


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_another_users_checkout_is_said_to_be_unwritable() -> None:
    state = Path(tempfile.mkdtemp(prefix="remat-other-"))
    state.chmod(0o755)
    become = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    try:
        done = subprocess.run(
            [*become, sys.executable, "-P", "-m", "launcher", "stop"],
            env=build_environment(state),
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        state.rmdir()
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert str(state) in done.stderr
    assert "REMAT_STATE_DIR" in done.stderr


def test_stop_makes_no_folder_where_nothing_ever_ran(tmp_path: Path) -> None:
    done = run_remat(tmp_path / "state", "stop")
    assert done.returncode == 0
    assert not (tmp_path / "state").exists()


def test_a_command_that_a_signal_ended_is_told_as_a_shell_does() -> None:
    code = "import sys; from launcher import __main__ as door; door.dispatch = lambda *_: -15;"
    code += "sys.exit(door.main([]))"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode == 143
