"""What axe-core finds on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES: dict[str, Any] = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
COLOURS: dict[str, Any] = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
# What a theme can break: the rest is the same page.


def list_violations(page: Page) -> list[str]:
    """In both themes; which rule, where."""
    found = []
    for theme, rules in (("light", RULES), ("dark", COLOURS)):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for one in Axe().run(page, options=rules).response["violations"]:
            nodes = [node["html"][:120] for node in one["nodes"][:3]]
            found.append(f"{theme}: {one['id']}: {one['help']}: {nodes}")
    return found
