"""What the pages name is there. Runs without servers, as a part of ./remat lint."""

import functools
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
DOCS = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md"))
LOOKED_UP_IN = ("", "assessment", "tests", "fixtures/bank")
# A page may name a file as its own side knows it: `core/errors.py`.

MADE_BY_THE_READER = {".remat/", "session.json", "reply.json", "evidence.json"}
KINDS_OF_FILE = {"models.py", "services.py", "selectors.py", "rules.py", "policy.py", "plans.py"}
NEVER_A_NAME = {"utils.py", "helpers.py", "common.py", "__init__.py"}
NO_FILES = MADE_BY_THE_READER | KINDS_OF_FILE | NEVER_A_NAME


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@functools.cache
def list_commands() -> set[str]:
    """What `./remat` itself says that it knows."""
    done = subprocess.run(
        [str(ROOT / "remat")], capture_output=True, text=True, check=True, timeout=60
    )
    return set(re.findall(r"^ {4}([a-z]+)\b", done.stdout, re.M))


@pytest.mark.parametrize("page", [*PAGES, *DOCS])
def test_every_command_that_a_page_shows_is_known(page: str) -> None:
    assert set(re.findall(r"\./remat ([a-z]+)", read(page))) <= list_commands()


def test_the_readme_shows_every_command() -> None:
    table = read("README.md").partition("## Commands")[2].partition("\n## ")[0]
    assert list_commands() <= set(re.findall(r"`(?:\./remat )?([a-z]+)\b", table))


@pytest.mark.parametrize("page", [*PAGES, *DOCS])
def test_every_file_that_a_page_names_is_there(page: str) -> None:
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:md|py|yml|toml))`", read(page))
    for name in named:
        if name in NO_FILES or name.startswith((".remat/", "gpu:")):
            continue
        assert any((ROOT / folder / name).exists() for folder in LOOKED_UP_IN), name


@pytest.mark.parametrize("page", [*PAGES, *DOCS])
def test_every_link_leads_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", read(page)):
        assert "://" in target or (ROOT / page).parent.joinpath(target).exists(), target
