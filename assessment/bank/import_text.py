"""Plain-text quiz pages, in the two layouts that such pages come in, to draft documents.

Both layouts end in the same list: numbered questions, each with bulleted options. Above it
stands either a title and an introduction (short layout) or eight paragraphs of a web page
(long layout). Every line is understood or reported; nothing is guessed, and a page with one
error gives no draft at all.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from assessment.bank.documents import Document
from assessment.bank.reading import MAX_TEXT
from assessment.language.confusables import find_scripts
from assessment.language.guard import GuardFinding, check_alone, check_options_alone
from assessment.language.negotiation import get_script
from assessment.language.untranslated import (
    ENGLISH_WORDS,
    SAME_SPELLING,
    SCRIPT_NAMES,
    find_words,
)

ENGLISH_SHARE = 0.12
# Share of English function words from which a question is English; the seeds' English
# questions have 0.15 to 0.42, their other ones 0.

OTHER_SHARE = 0.06
# Up to this share it is not English; between the two nobody should guess.

MAX_BYTES = 1_000_000
# A page of eight questions has 3,000; whatever is larger by far is no quiz page.

_QUESTION = re.compile(r"\s*(?P<number>[0-9]{1,4})[.)]\s+(?P<text>\S.*)")
_DOTS = "\u2022\u25cf\u25e6\u2023\u2043"
# Bullets that stand nowhere in prose; the others are hyphens and signs too.

_OPTION = re.compile(rf"\s*(?P<bullet>[{_DOTS}*\u00b7-])\s+(?P<text>\S.*)")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_LOST = "\ufffd"
# What a decoder leaves where it could not read a character.

_HANDLES = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class PageFinding:
    """Something about a line of the page. level "error" stops the import, "warning" does not."""

    line: int
    level: str
    code: str
    message: str
    excerpt: str = ""


@dataclass(frozen=True)
class PageText:
    text: str
    lang: str
    line: int


@dataclass
class PageQuestion:
    number: int
    stem: PageText
    options: list[PageText] = field(default_factory=list)


@dataclass
class Page:
    """What was understood. Use it only when `is_clean`."""

    language: str
    title: str | None = None
    introduction: str | None = None
    questions: list[PageQuestion] = field(default_factory=list)
    findings: list[PageFinding] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        return not any(one.level == "error" for one in self.findings)


@dataclass(frozen=True)
class _Line:
    number: int
    text: str


def read_page(raw: bytes, language: str) -> Page:
    """The page with its findings, line by line."""
    page = Page(language)
    text = _decode(raw, page)
    if text is None:
        return page
    lines = [_Line(number, one) for number, one in enumerate(text.split("\n"), start=1)]
    _check_characters(page, lines)
    first = next((row for row, line in enumerate(lines) if _QUESTION.fullmatch(line.text)), None)
    if first is None:
        _report(page, lines[0], "no_questions", "no numbered question stands in this file")
        return page
    bullets = _read_questions(page, lines[first:])
    _check_numbers(page)
    _check_bullets(page, bullets)
    _check_options(page)
    _read_header(page, lines[:first])
    _settle_languages(page)
    _guard(page)
    page.findings.sort(key=lambda one: one.line)
    return page


def make_documents(page: Page, *, prefix: str) -> list[Document]:
    """One draft document a question, without key: the page does not say it."""
    return [
        {
            "slug": f"{prefix}-{question.number}",
            "kind": "single",
            "stem": {"seed": {"lang": question.stem.lang, "text": question.stem.text}},
            "options": [
                {"handle": handle, "text": {"seed": {"lang": one.lang, "text": one.text}}}
                for handle, one in zip(_HANDLES, question.options, strict=False)
            ],
        }
        for question in page.questions
    ]


def _decode(raw: bytes, page: Page) -> str | None:
    """The text of a UTF-8 file with plain line ends; None and an error for any other."""
    start = _Line(1, "")
    if len(raw) > MAX_BYTES:
        _report(page, start, "too_large", f"the file has {len(raw)} bytes, over {MAX_BYTES}")
        return None
    if not raw.strip():
        _report(page, start, "empty", "the file is empty")
        return None
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        _report(page, start, "encoding", "the file is UTF-16 or UTF-32; save it as UTF-8")
        return None
    if raw.startswith(b"\xef\xbb\xbf"):
        _report(
            page, start, "byte_order_mark", "the file begins with a byte order mark; save without"
        )
        raw = raw[3:]
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = _Line(raw[: error.start].count(b"\n") + 1, "")
        _report(page, line, "encoding", f"byte {error.start} is not UTF-8; save the file as UTF-8")
        return None
    if "\r" in text:
        line = _Line(text[: text.index("\r")].count("\n") + 1, "")
        _report(page, line, "line_ends", "the lines end in CR or CR LF; save with LF")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _check_characters(page: Page, lines: Iterable[_Line]) -> None:
    """Characters that no text has, and traces of an encoding read as another one."""
    for line in lines:
        control = _CONTROLS.search(line.text)
        if control is not None:
            message = f"a control character stands here: U+{ord(control[0]):04X}"
            _report(page, line, "control_character", message)
        elif _LOST in line.text:
            message = "a character was lost here when the file was saved (U+FFFD)"
            _report(page, line, "encoding", message)
        elif _is_encoded_twice(line.text):
            message = "UTF-8 was read as another encoding and saved again"
            _report(page, line, "encoding", message)
        elif unicodedata.normalize("NFC", line.text) != line.text:
            message = "letters and their accents stand apart; save in Unicode normal form C"
            _report(page, line, "normal_form", message)
        elif len(line.text) > MAX_TEXT:
            _report(page, line, "too_long", f"the line is over {MAX_TEXT} characters")


def _is_encoded_twice(text: str) -> bool:
    """Whether the letters beyond ASCII are bytes of UTF-8 that were taken for letters."""
    for encoding in ("cp1252", "latin-1", "cp1251"):
        try:
            if len(text.encode(encoding).decode("utf-8")) < len(text):
                return True
        except UnicodeError:
            continue
    return False


def _read_questions(page: Page, lines: Iterable[_Line]) -> list[tuple[_Line, str]]:
    """Fill `page.questions`; returns each option's line with its bullet."""
    bullets: list[tuple[_Line, str]] = []
    for line in lines:
        if not line.text.strip():
            continue
        option, question = _OPTION.fullmatch(line.text), _QUESTION.fullmatch(line.text)
        found = option or question
        if found is not None and _is_doubled(found["text"]):
            _report(page, line, "two_marks", "two numbers or bullets stand in one line")
        if option is not None and page.questions:
            bullets.append((line, option["bullet"]))
            page.questions[-1].options.append(
                PageText(option["text"].strip(), page.language, line.number)
            )
        elif question is not None:
            stem = PageText(question["text"].strip(), page.language, line.number)
            page.questions.append(PageQuestion(int(question["number"]), stem))
        else:
            message = "this line is neither a numbered question nor a bulleted option"
            _report(page, line, "not_understood", message)
    return bullets


def _is_doubled(text: str) -> bool:
    """Another number or bullet behind the first, or a bullet in the middle."""
    return (
        _QUESTION.fullmatch(text) is not None
        or _OPTION.fullmatch(text) is not None
        or any(dot in text for dot in _DOTS)
    )


def _check_numbers(page: Page) -> None:
    for expected, question in enumerate(page.questions, start=1):
        if question.number != expected:
            line = _Line(question.stem.line, question.stem.text)
            message = f"question {expected} is due here, the page says {question.number}"
            _report(page, line, "numbering", message)
            return


def _check_bullets(page: Page, bullets: Sequence[tuple[_Line, str]]) -> None:
    usual = Counter(bullet for _, bullet in bullets).most_common(1)
    for line, bullet in bullets:
        if bullet != usual[0][0]:
            message = f"the bullet {bullet!r} stands among {usual[0][0]!r}"
            _report(page, line, "mixed_bullets", message)


def _check_options(page: Page) -> None:
    usual = Counter(len(one.options) for one in page.questions).most_common(1)[0][0]
    for question in page.questions:
        line = _Line(question.stem.line, question.stem.text)
        found = len(question.options)
        if not 2 <= found <= len(_HANDLES):
            _report(page, line, "options", f"question {question.number} has {found} options")
        elif found != usual:
            message = f"question {question.number} has {found} options, the others have {usual}"
            _report(page, line, "options", message)
        texts = [one.text for one in question.options]
        for text, times in Counter(texts).items():
            if times > 1:
                again = [one for one in question.options if one.text == text][1]
                _report(page, _Line(again.line, text), "options", "this option stands here twice")


def _read_header(page: Page, lines: Sequence[_Line]) -> None:
    """Title and introduction; page furniture is recognised by its shape, not by its words."""
    header = [line for line in lines if line.text.strip()]
    num_items = len(page.questions)
    counter = next((row for row, one in enumerate(header) if _is_counter(one, num_items)), None)
    if counter is None:
        _read_short_header(page, header)
    else:
        _read_long_header(page, header, counter)


def _read_short_header(page: Page, header: Sequence[_Line]) -> None:
    if len(header) != 2:
        at = header[2] if len(header) > 2 else (header[0] if header else _Line(1, ""))
        message = f"a title and one line of introduction are due here, not {len(header)} lines"
        _report(page, at, "header", message)
        return
    page.title, page.introduction = (one.text.strip() for one in header)


def _read_long_header(page: Page, header: Sequence[_Line], counter: int) -> None:
    """Kicker, title, description, breadcrumb, counter, first stem, overview, introduction."""
    if counter != 4 or len(header) != 8:
        message = "the eight lines of a page header are due above the questions"
        _report(page, header[min(counter, len(header) - 1)], "header", message)
        return
    kicker, title, description, _, _, stem, overview, introduction = header
    if "\u00b7" not in kicker.text:
        _report(page, kicker, "not_understood", "a line of categories with a middle dot is due")
    if stem.text.strip() != page.questions[0].stem.text:
        _report(page, stem, "not_understood", "the first question is due here once more")
    if str(len(page.questions)) not in re.findall(r"[0-9]+", overview.text):
        _report(page, overview, "not_understood", "the number of questions is due in this line")
    page.title = title.text.strip()
    page.introduction = f"{description.text.strip()}\n{introduction.text.strip()}"


def _is_counter(line: _Line, num_items: int) -> bool:
    """ "Question 1 of 8", whatever the words."""
    return re.findall(r"[0-9]+", line.text) == ["1", str(num_items)] and len(line.text) < 60


def _settle_languages(page: Page) -> None:
    """Each question in the page's language or in English, by its own words."""
    for question in page.questions:
        texts = [question.stem, *question.options]
        lang = _detect(texts, page.language)
        if lang is None:
            line = _Line(question.stem.line, question.stem.text)
            message = f"it is not clear whether this is {page.language} or English"
            _report(page, line, "language_unclear", message)
            continue
        question.stem = _with_language(question.stem, lang)
        question.options = [_with_language(one, lang) for one in question.options]
        for one in texts:
            if lang == "en" and "LATIN" not in find_scripts(one.text) and find_scripts(one.text):
                message = "this option is in another script than its English question"
                _report(page, _Line(one.line, one.text), "language_unclear", message)


def _detect(texts: Sequence[PageText], language: str) -> str | None:
    if language.split("-")[0] == "en":
        return language
    own = SCRIPT_NAMES.get(get_script(language) or "", "LATIN")
    scripts = find_scripts(texts[0].text)
    if own != "LATIN" and own in scripts:
        return language
    if "LATIN" not in scripts:
        return None
    words = find_words(" ".join(one.text for one in texts))
    english = sum(word in ENGLISH_WORDS - SAME_SPELLING for word in words)
    share = english / max(1, len(words))
    if share >= ENGLISH_SHARE:
        return "en"
    return language if own == "LATIN" and share <= OTHER_SHARE else None


def _with_language(one: PageText, lang: str) -> PageText:
    return PageText(one.text, lang, one.line)


def _guard(page: Page) -> None:
    """What the text guard says of single texts and of options as a set."""
    for question in page.questions:
        by_set = check_options_alone([one.text for one in question.options])
        for one, found in zip(question.options, by_set, strict=True):
            _warn(page, one, found or check_alone(one.text, one.lang))
        _warn(page, question.stem, check_alone(question.stem.text, question.stem.lang))


def _warn(page: Page, text: PageText, found: Iterable[GuardFinding]) -> None:
    for one in found:
        message = one.reason + (f"; perhaps {one.suggestion}" if one.suggestion else "")
        page.findings.append(PageFinding(text.line, "warning", one.code, message, text.text))


def _report(page: Page, line: _Line, code: str, message: str) -> None:
    page.findings.append(PageFinding(line.number, "error", code, message, line.text.strip()[:120]))
