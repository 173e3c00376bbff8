"""What the documents say can be done, done."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from launcher.layout import ROOT
from tests.harness import RunningStack

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl here")
def test_rest_by_example_works_as_written(live_stack: RunningStack, tmp_path: Path) -> None:
    example = README.partition("## REST by example")[2].partition("## Commands")[0]
    script = "\n".join(re.findall(r"^```sh\n(.*?)^```", example, re.M | re.S))
    done = subprocess.run(
        ["bash", "-euc", script],
        cwd=tmp_path,
        env={
            "PATH": f"{live_stack.layout.venv / 'bin'}:/usr/local/bin:/usr/bin:/bin",
            "url": live_stack.url,
            "credentials": str(live_stack.layout.demo_credentials),
        },
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"code"' in done.stdout
    assert '"lang":"bg"' in done.stdout.replace(" ", "")
