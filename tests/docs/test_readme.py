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


def test_every_command_of_the_readme_is_known() -> None:
    done = subprocess.run(
        [str(ROOT / "remat")], capture_output=True, text=True, check=True, timeout=60
    )
    for command in set(re.findall(r"\./remat ([a-z]+)", README)):
        assert re.search(rf"^\s+{command}\b", done.stdout, re.M), command


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "README.md", "CONTRIBUTING.md"])
def test_every_file_that_a_page_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:md|py|yml|toml))`", text)
    made = {".remat/", "session.json", "reply.json", "evidence.json"}
    generic = {"models.py", "services.py", "selectors.py", "rules.py", "policy.py", "plans.py"}
    not_taken = {"utils.py", "helpers.py", "common.py", "__init__.py"}
    for name in named:
        if name in made | generic | not_taken or name.startswith((".remat/", "gpu:")):
            continue
        inside = [ROOT / folder / name for folder in ("", "assessment", "tests")]
        assert any(path.exists() for path in inside), f"{page} names {name}"


def test_every_link_of_the_readme_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
