"""The YAML documents of a bank, as they lie in a directory."""

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from assessment.core.errors import Invalid

Document = dict[str, object]

MAX_FILE_BYTES = 1_000_000
# One item is a few kilobytes; a file a thousand times as large is a mistake.


MAX_DEPTH = 60
# Levels of nesting; an item has ten. libyaml recurses, so the limit is ours, not the stack's.

_INDENT = re.compile(r"^[ \t?-]*", re.MULTILINE)


@dataclass(frozen=True)
class Problem:
    """Something in a document that cannot be: which file, which field, what is wrong."""

    file: str
    field: str
    message: str

    def __str__(self) -> str:
        return (
            f"{self.file}: {self.field}: {self.message}"
            if self.field
            else (f"{self.file}: {self.message}")
        )


class BankError(Invalid):
    """The documents are no bank. Nothing was stored."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        errors = [
            {"field": f"{one.file}:{one.field}", "code": "invalid", "message": one.message}
            for one in self.problems
        ]
        super().__init__("bank_invalid", "\n".join(map(str, self.problems)), errors=errors)


@dataclass(frozen=True)
class BankSource:
    """Documents by slug. `files` says where each came from, for messages."""

    items: dict[str, Document] = field(default_factory=dict)
    quizzes: dict[str, Document] = field(default_factory=dict)
    families: dict[str, Document] = field(default_factory=dict)
    misconceptions: Document = field(default_factory=dict)
    claims: Document = field(default_factory=dict)
    glossary: Document = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)


if TYPE_CHECKING or not hasattr(yaml, "CSafeLoader"):
    _Loader = yaml.SafeLoader
else:
    # libyaml, where it is built in: twenty times as fast as the same in Python.
    _Loader = yaml.CSafeLoader


class _StrictLoader(_Loader):
    """YAML without the two traps of quiz files: repeated keys, and `no`/`on` read as booleans."""


def _construct_mapping(loader: _StrictLoader, node: yaml.MappingNode) -> dict[Hashable, object]:
    seen: set[Hashable] = set()
    for key_node, _ in node.value:
        if key_node.tag == "tag:yaml.org,2002:merge":
            continue
        key = loader.construct_object(key_node, deep=True)
        if key in seen:
            problem = f"the key {key!r} stands here twice"
            raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
        seen.add(key)
    return loader.construct_mapping(node, deep=True)


_StrictLoader.add_constructor("tag:yaml.org,2002:map", _construct_mapping)
_StrictLoader.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in resolvers
        if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_StrictLoader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", yaml.SafeLoader.yaml_implicit_resolvers["t"][0][1], list("tTfF")
)


def read_bank_directory(directory: Path) -> BankSource:
    """Every document below `directory`. Raises BankError naming each file that is none."""
    problems: list[Problem] = []
    source = BankSource()
    for kind, into in (
        ("items", source.items),
        ("quizzes", source.quizzes),
        ("families", source.families),
    ):
        for path in sorted((directory / kind).glob("*.yaml")):
            name = f"{kind}/{path.name}"
            found = read_document(path, name=name, problems=problems)
            source.files[f"{kind}/{path.stem}"] = name
            into[path.stem] = found
            if found and found.get("slug") != path.stem:
                problems.append(Problem(name, "slug", f"must be {path.stem!r}, as the file name"))
    for kind, shared in (
        ("misconceptions", source.misconceptions),
        ("claims", source.claims),
        ("glossary", source.glossary),
    ):
        path = directory / f"{kind}.yaml"
        if path.exists():
            shared.update(read_document(path, name=path.name, problems=problems))
    if not source.items and not source.families:
        problems.append(Problem(str(directory), "items", "there is no item in this directory"))
    if problems:
        raise BankError(problems)
    return source


def read_document(path: Path, *, name: str, problems: list[Problem]) -> Document:
    """The mapping in a file; {} and a problem when there is none."""
    raw = path.read_bytes()
    if len(raw) > MAX_FILE_BYTES:
        problems.append(Problem(name, "", f"is over {MAX_FILE_BYTES} bytes"))
        return {}
    try:
        return parse_document(raw.decode("utf-8"), name=name, problems=problems)
    except UnicodeDecodeError as error:
        problems.append(Problem(name, "", f"is not UTF-8 (byte {error.start})"))
        return {}


def parse_document(text: str, *, name: str, problems: list[Problem]) -> Document:
    """The mapping in a YAML text; {} and a problem when there is none."""
    if _measure_depth(text) > MAX_DEPTH:
        problems.append(Problem(name, "", f"is not YAML: nested over {MAX_DEPTH} levels"))
        return {}
    try:
        # The loader is a SafeLoader: it makes plain values only.
        found = yaml.load(text, Loader=_StrictLoader)  # noqa: S506
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        problems.append(Problem(name, "", f"is not YAML: {' '.join(str(error).split())}"))
        return {}
    if not isinstance(found, Mapping) or not all(isinstance(key, str) for key in found):
        problems.append(Problem(name, "", "is not a mapping of names to values"))
        return {}
    return dict(found)


def _measure_depth(text: str) -> int:
    """An upper bound of the nesting: open brackets, and marks at the start of a line."""
    depth = deepest = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    marks = max(
        len(found.group().split()) + found.group().count("  ") for found in _INDENT.finditer(text)
    )
    return max(deepest, marks)
