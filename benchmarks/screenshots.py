"""`./remat screenshots`: the pictures of the documents, from the pages of a running service."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

import yaml
from playwright.sync_api import Browser, Page, sync_playwright

from launcher.layout import ROOT, LauncherError, find_layout, say
from launcher.stack import read_stack, run_stack

FOLDER = ROOT / "docs" / "pictures"
ITEMS = ROOT / "fixtures" / "bank" / "items"
NUM_ITEMS = 8
BELIEF = "accuracy-is-the-price"
# The wrong option of the pictures: "model accuracy for speed".
PHONE, DESK = (360, 640), (1280, 800)
LIMIT_BYTES = 150_000
# A README is read on phones too.
EVIDENCE_MS = 300_000

FIGURE = "tradeoff-memory"
# The picture that the README shows large: the one on the page, as the service drew it.

Theme = Literal["light", "dark"]


@dataclass(frozen=True)
class View:
    """One visit: who looks, on what, and which moments are kept."""

    lang: str
    size: tuple[int, int]
    theme: Theme
    front: str = ""
    question: str = ""
    evidence: str = ""
    figure: str = ""
    result: str = ""


VIEWS = (
    View("en", DESK, "light", front="front", evidence="evidence", figure=FIGURE, result="result"),
    View("bg", PHONE, "light", evidence="evidence-bg-phone"),
    View("wo", PHONE, "light", question="question-wo-phone"),
    View("en", PHONE, "dark", evidence="evidence-dark-phone"),
)


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with use_service() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        for view in VIEWS:
            visit(browser, url, view)
        browser.close()
    return 0


def find_chromium() -> str:
    names = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
    found = os.environ.get("REMAT_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise LauncherError("no Chromium found: apt-get install chromium, or set REMAT_CHROMIUM")
    return found


@contextmanager
def use_service() -> Iterator[str]:
    """The address of the running service, or of one that is started for the pictures."""
    layout = find_layout()
    row = read_stack(layout)
    if row is not None and row.kind == "serve" and row.ready and row.url is not None:
        yield row.url
        return
    with run_stack(layout, kind="demo") as stack:
        stack.start_servers()
        stack.set_up()
        yield stack.start_processes(port=None)


def visit(browser: Browser, url: str, view: View) -> None:
    """From the front page to the result, keeping the moments that the view names."""
    width, height = view.size
    context = browser.new_context(
        locale=view.lang,
        viewport={"width": width, "height": height},
        color_scheme=view.theme,
        reduced_motion="reduce",
        service_workers="block",
    )
    page = context.new_page()
    page.goto(f"{url}/?lang={view.lang}")
    keep(page, view.front)
    page.goto(f"{url}/learn/?quiz=gradient-checkpointing")
    page.locator("button[type=submit]").click()
    page.locator("#stem").wait_for()
    choose(page, read_wrong_option(view.lang))
    keep(page, view.question)
    if view.evidence:
        page.locator("[data-certainty='3']").click()
        page.locator(".evidence-head .figure-box img").wait_for(timeout=EVIDENCE_MS)
        page.locator(".details").wait_for()
        keep(page, view.evidence)
        keep_figure(page, view.figure)
    if view.result:
        finish(page, view.lang)
        keep(page, view.result)
    context.close()


def read_wrong_option(lang: str) -> str:
    options = read_options(1)
    return read_text(next(one for one in options if one.get("misconception") == BELIEF), lang)


def read_right_option(number: int, lang: str) -> str:
    return read_text(next(one for one in read_options(number) if one.get("key")), lang)


def read_options(number: int) -> list[dict[str, Any]]:
    document: dict[str, Any] = yaml.safe_load((ITEMS / f"bg-{number}.yaml").read_text())
    return list(document["options"])


def read_text(option: dict[str, Any], lang: str) -> str:
    texts = option["text"]
    found = texts.get(lang) or texts.get("en") or texts["seed"]
    return str(found if isinstance(found, str) else found["text"]).replace("`", "")


def choose(page: Page, text: str) -> None:
    pattern = re.compile(r"\s+".join(re.escape(word) for word in text.split()))
    page.locator(".answers .option").filter(has_text=pattern).locator("input").check()


def finish(page: Page, lang: str) -> None:
    """The other questions, each answered right."""
    for number in range(2, NUM_ITEMS + 1):
        page.locator(".bar .button").last.click()
        page.locator(".certainty").wait_for()
        choose(page, read_right_option(number, lang))
        page.locator("[data-certainty='2']").click()
        page.locator(".verdict-line").wait_for()
    page.locator(".bar .button").last.click()
    page.locator(".score-line").wait_for()


def keep(page: Page, name: str) -> None:
    if not name:
        return
    path: Path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    check_size(path)


def keep_figure(page: Page, name: str) -> None:
    """The first figure of the evidence, which the page holds as a data address."""
    if not name:
        return
    source = page.locator(".evidence-head .figure-box img").get_attribute("src") or ""
    path = FOLDER / f"{name}.svg"
    path.write_text(unquote(source.partition(",")[2]))
    check_size(path)


def check_size(path: Path) -> None:
    size = path.stat().st_size
    if size > LIMIT_BYTES:
        raise LauncherError(f"{path} has {size} bytes; the limit is {LIMIT_BYTES}")
    say(f"{path.relative_to(ROOT)}: {size} bytes")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except LauncherError as error:
        say(str(error))
        sys.exit(1)
