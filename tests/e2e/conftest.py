"""One stack, one Chromium, a fresh profile for each test; skipped where there is no Chromium."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.e2e.learner import Learner
from tests.harness import RunningStack

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
)
PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}

MakeLearner = Callable[..., Learner]


def find_chromium() -> str | None:
    given = os.environ.get("REMAT_CHROMIUM")
    return given or next((found for found in map(shutil.which, NAMES) if found), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    folder = Path(__file__).parent
    missing = pytest.mark.skip(
        reason="no Chromium found: apt-get install chromium, or name one in REMAT_CHROMIUM"
    )
    for item in items:
        if folder in item.path.parents:
            item.add_marker(pytest.mark.e2e)
            if find_chromium() is None:
                item.add_marker(missing)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Closed after this folder: its event loop must not run while other tests use the database."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
        yield launched
        launched.close()


@pytest.fixture
def make_learner(browser: Browser, live_stack: RunningStack) -> Iterator[MakeLearner]:
    """`make_learner("bg", PHONE)`: a person with a browser profile of their own."""
    contexts: list[BrowserContext] = []
    learners: list[Learner] = []

    def make(
        lang: str = "en", viewport: Any = None, *, service_workers: Any = "block", **more: Any
    ) -> Learner:
        context = browser.new_context(
            locale=lang, viewport=viewport or PHONE, service_workers=service_workers, **more
        )
        contexts.append(context)
        learners.append(Learner(context, live_stack.url))
        learners[-1].lang = lang
        return learners[-1]

    yield make
    errors = [error for one in learners for error in one.errors]
    for context in contexts:
        context.close()
    assert errors == []
