"""What a learner sent, checked against the frozen item it answers.

The canonical form (`Answer.as_json`) is what the database keeps; `Answer.is_same` tells
whether a second answer is the same one.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assessment.bank.snapshot import Item
from assessment.core.errors import Invalid
from assessment.language.reading import NumberRefused, parse_quantity, write_plainly

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True)
class Answer:
    """One answer: option ids, an order of them, or a number with its unit.

    value : in the item's own unit, as understood from `raw` in the session's language.
    """

    options: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    raw: str | None = None
    value: float | None = None
    unit: str | None = None

    def as_json(self) -> dict[str, object]:
        """The canonical form: ids sorted where their order says nothing."""
        if self.order:
            return {"order": list(self.order)}
        if self.raw is not None:
            return {"raw": self.raw, "value": self.value, "unit": self.unit}
        return {"options": sorted(self.options)}

    def is_same(self, other: "Answer") -> bool:
        """Whether both say the same: a number may be written in two ways."""
        if self.raw is not None and other.raw is not None:
            return self.value == other.value
        return self.as_json() == other.as_json()


def load_answer(stored: Mapping[str, object]) -> Answer:
    """The answer of its canonical form."""
    options, order = stored.get("options", ()), stored.get("order", ())
    assert isinstance(options, Sequence)
    assert isinstance(order, Sequence)
    value, raw, unit = stored.get("value"), stored.get("raw"), stored.get("unit")
    return Answer(
        options=tuple(map(str, options)),
        order=tuple(map(str, order)),
        raw=raw if isinstance(raw, str) else None,
        value=float(value) if isinstance(value, int | float) else None,
        unit=unit if isinstance(unit, str) else None,
    )


def read_answer(item: Item, response: Mapping[str, object], *, language: str) -> Answer:
    """The checked answer. Raises Invalid naming `response` and the member at fault."""
    member = {"ordering": "order", "numeric": "value"}.get(item.kind, "options")
    for name in response:
        if name != member and not (name == "unit" and item.kind == "numeric"):
            raise _refuse(name, "not_for_this_kind", f"This item is answered by `{member}`.")
    if member not in response:
        raise _refuse(member, "required", f"This item is answered by `{member}`.")
    if item.kind == "numeric":
        return _read_number(item, response, language=language)
    if item.kind == "ordering":
        return _read_order(item, response["order"])
    return _read_options(item, response["options"])


def _read_options(item: Item, value: object) -> Answer:
    ids = _read_ids("options", value)
    if item.kind == "single" and len(ids) != 1:
        raise _refuse("options", "not_one", "Choose exactly one option.")
    if not ids:
        raise _refuse("options", "empty", "Choose at least one option.", sentence="no_option")
    _check_known(item, "options", ids)
    return Answer(options=ids)


def _read_order(item: Item, value: object) -> Answer:
    ids = _read_ids("order", value)
    _check_known(item, "order", ids)
    if len(ids) != len(item.options):
        raise _refuse("order", "incomplete", "Put every option in its place, each once.")
    return Answer(order=ids)


def _read_ids(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > 50:
        raise _refuse(name, "invalid", "A list of at most 50 option ids is due here.")
    for place, one in enumerate(value):
        if not isinstance(one, str) or _ID.fullmatch(one) is None:
            raise _refuse(f"{name}[{place}]", "invalid", "Not an option id.")
    if len(set(value)) != len(value):
        raise _refuse(name, "duplicate", "An option stands here twice.")
    return tuple(value)


def _check_known(item: Item, name: str, ids: Sequence[str]) -> None:
    for place, one in enumerate(ids):
        if one not in item.options_by_id:
            raise _refuse(f"{name}[{place}]", "unknown_option", "This item has no such option.")


def _read_number(item: Item, response: Mapping[str, object], *, language: str) -> Answer:
    key = item.numeric
    assert key is not None
    typed, unit = response["value"], response.get("unit")
    if isinstance(typed, int | float) and not isinstance(typed, bool):
        typed = repr(typed)
        language = "en"
    if not isinstance(typed, str):
        raise _refuse("value", "invalid", "A number, or a text with one, is due here.")
    if unit is not None and not isinstance(unit, str):
        raise _refuse("unit", "invalid", "A text is due here.")
    try:
        found = parse_quantity(typed, language)
    except NumberRefused as error:
        readings = [write_plainly(one, language) for one in error.readings]
        hint = f"Write {' or '.join(readings)}." if readings else "Write one plain number."
        told = {"sentence": f"number_{error.reason}", "readings": "; ".join(readings)}
        raise _refuse("value", error.reason, hint, **told) from error
    named = unit or found.unit
    value = key.convert(found.value, named)
    if value is None:
        units = ", ".join(key.list_units())
        if not units:
            hint = "Write the number alone."
            raise _refuse("unit", "unknown_unit", hint, sentence="unit_not_taken")
        raise _refuse("unit", "unknown_unit", f"Use one of: {units}.", units=units)
    if not math.isfinite(value):
        raise _refuse("value", "not_finite", "Write one plain number.")
    return Answer(raw=typed, value=value, unit=named)


def _refuse(name: str, code: str, message: str, **values: str) -> Invalid:
    return Invalid.field(f"response.{name}", code, message, **values)
