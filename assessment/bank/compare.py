"""What changed from one bank version to another."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assessment.bank.models import BankItem, BankVersion


@dataclass(frozen=True)
class Change:
    """One difference. kind: added, removed, key (a new item version), text, data, parameters."""

    owner: str
    kind: str
    field: str
    old: object = None
    new: object = None

    def as_json(self) -> dict[str, object]:
        return dict(vars(self))


def compare_versions(old: BankVersion, new: BankVersion) -> list[Change]:
    """Every difference, by item; texts, data and calibrated parameters told apart."""
    before, after = _read_items(old), _read_items(new)
    found: list[Change] = []
    for slug in sorted(before.keys() | after.keys()):
        owner = f"item:{slug}"
        if slug not in after:
            found.append(Change(owner, "removed", ""))
        elif slug not in before:
            found.append(Change(owner, "added", ""))
        else:
            found += _compare_items(owner, before[slug], after[slug])
    for name in sorted(old.shared.keys() | new.shared.keys()):
        found += _compare_documents(name, old.shared.get(name, {}), new.shared.get(name, {}))
    return found


def _read_items(version: BankVersion) -> dict[str, BankItem]:
    rows = version.bank_items.select_related("item_version__item", "calibration")
    return {row.item_version.item.slug: row for row in rows}


def _compare_items(owner: str, old: BankItem, new: BankItem) -> list[Change]:
    found = []
    if old.item_version_id != new.item_version_id:
        numbers = old.item_version.number, new.item_version.number
        found.append(Change(owner, "key", "version", *numbers))
    if old.calibration_id != new.calibration_id:
        found.append(
            Change(
                owner,
                "parameters",
                old.calibration.method + " -> " + new.calibration.method,
                [getattr(old.calibration, name) for name in "abcd"],
                [getattr(new.calibration, name) for name in "abcd"],
            )
        )
    return found + _compare_documents(owner, old.document, new.document)


def _compare_documents(owner: str, old: object, new: object) -> list[Change]:
    before, after = dict(_flatten("", old)), dict(_flatten("", new))
    found = []
    for path in sorted(before.keys() | after.keys()):
        if before.get(path) != after.get(path):
            kind = "text" if _is_text(path) else "data"
            found.append(Change(owner, kind, path, before.get(path), after.get(path)))
    return found


def _is_text(path: str) -> bool:
    """Whether the last name of a path is a language, or the text or status of one."""
    last = path.rsplit(".", 1)[-1]
    return last in ("text", "status", "checked") or (len(last) == 2 and last.isalpha())


def _flatten(path: str, value: object) -> Iterator[tuple[str, object]]:
    """Leaves of a document by dotted path; options and claims by their handle or id."""
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield from _flatten(f"{path}.{name}" if path else str(name), one)
    elif isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
        for place, one in enumerate(value):
            name = one.get("handle") or one.get("id") or one.get("misconception") or place
            yield from _flatten(f"{path}[{name}]", one)
    else:
        yield path, value
