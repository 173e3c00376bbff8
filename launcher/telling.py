"""A missed question as lines of text, in the quiz's language."""

import textwrap
from collections.abc import Mapping
from typing import Any

from launcher.drawing import draw_arms

WIDTH = 92


SIGNS = {
    "less": "< ",
    "greater": "> ",
    "at_least": ">= ",
    "at_most": "<= ",
    "differs": "!= ",
    "within": "~ ",
}
# Before the number that a claim is held against; equality needs none.


def tell_demonstration(
    miss: Mapping[str, Any], *, words: Mapping[str, str], lang: str, is_unicode: bool
) -> list[str]:
    """Question, choice, explanation, misconception, claims, narrative, timelines, files."""
    item, feedback = miss["item"], miss["feedback"]
    demonstration = feedback["demonstration"]
    lines = [
        "",
        *labelled(f"{words['question']} {item['position']}", item["stem"]["text"]),
        *labelled(words["answer"], miss["chosen"]["text"]["text"]),
        *labelled(words["explanation"], read_text(feedback["explanation"])),
    ]
    if feedback["misconception"]:
        lines += labelled(words["misconception"], read_text(feedback["misconception"]["text"]))
    lines += ["", f"{words['evidence']}: {describe_state(demonstration, words=words)}"]
    for claim in demonstration["claims"]:
        lines += tell_claim(claim, words=words)
    if demonstration["narrative"]:
        lines += ["", *wrap(demonstration["narrative"]["text"])]
    memory = demonstration["memory"]
    if memory:
        both = [arm for arm in memory["arms"] if arm["timeline"]][:2]
        charts = draw_arms(both, words=words, lang=lang, is_unicode=is_unicode)
        lines += ["", words["memory"], *charts] if charts else []
    for name, path in miss.get("files", {}).items():
        label = words["document"] if name == "document" else words["figure"]
        lines.append(f"{label}: {path}")
    return lines


def tell_claim(claim: Mapping[str, Any], *, words: Mapping[str, str]) -> list[str]:
    display = claim["display"]
    mark = {"holds": "+", "fails": "x", "undecided": "?"}[claim["verdict"]]
    lines = wrap(f"{mark} {read_text(claim['text']) or claim['id']}", indent="  ")
    if claim["predicts"]:
        said = read_text(claim["predicts"]["text"])
        lines += wrap(f"{words['predicts']}: {said}", indent="      ")
    if claim["told"]:
        lines += wrap(read_text(claim["told"]), indent="      ")
    sign = SIGNS.get(claim["relation"], "")
    expected = f"{sign}{display['expected']}" if display["expected"] else "-"
    numbers = f"{words['observed']}: {display['observed'] or '-'}; {words['expected']}: {expected}"
    return lines + wrap(numbers, indent="      ")


def describe_state(demonstration: Mapping[str, Any], *, words: Mapping[str, str]) -> str:
    parts = [demonstration["experiment"] or "", demonstration["state"]]
    if demonstration["reused_from"]:
        parts.append(f"{words['reused']}: {demonstration['reused_from']}")
    if demonstration["reason"]:
        parts.append(demonstration["reason"])
    return ", ".join(part for part in parts if part)


def labelled(label: str, text: str) -> list[str]:
    return wrap(f"{label}: {text}")


def wrap(text: str, *, indent: str = "") -> list[str]:
    lines = []
    for paragraph in text.splitlines():
        lines += textwrap.wrap(
            paragraph, WIDTH, initial_indent=indent, subsequent_indent=indent + "  "
        )
    return lines


def read_text(localized: Mapping[str, Any] | None) -> str:
    return str(localized["text"]) if localized else ""
