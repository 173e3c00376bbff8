"""Which frozen item version and which calibration each item of a bank is."""

import hashlib
import uuid
from collections.abc import Mapping

from assessment.bank.compiled import Parameters, Placed, dump_json
from assessment.bank.models import Calibration, Item, ItemVersion
from assessment.bank.provisional import guess_parameters
from assessment.bank.specs import BankSpec, ItemSpec
from assessment.psychometrics.cold_start import LEVEL_SD

AUTHORED = "authored"


def place_items(bank: BankSpec, *, origin: str) -> dict[str, tuple[ItemVersion, Calibration]]:
    """Version and calibration by slug; rows are made for what is new. Needs the bank's lock.

    `origin` marks items that are seen for the first time.
    """
    items = _ensure_items(bank, origin=origin)
    versions = _ensure_versions(bank, items)
    calibrations = _ensure_calibrations(bank, versions)
    return {slug: (versions[slug], calibrations[slug]) for slug in bank.items}


def make_placed(
    bank: BankSpec, rows: Mapping[str, tuple[ItemVersion, Calibration]]
) -> list[Placed]:
    """The compiler's view of the rows."""
    return [
        Placed(
            spec=spec,
            version_id=str(rows[slug][0].id),
            option_ids={one["handle"]: one["id"] for one in rows[slug][0].options},
            parameters=read_parameters(rows[slug][1]),
        )
        for slug, spec in bank.items.items()
    ]


def read_parameters(row: Calibration) -> Parameters:
    return Parameters(row.a, row.b, row.c, row.d, row.provisional)


def digest_content(item: ItemSpec) -> str:
    """Of what the item's answers depend on. Texts are left out: a mended typo changes nothing."""
    numeric = item.numeric
    content = {
        "kind": item.kind,
        "shuffle": item.shuffle,
        "options": [[one.handle, one.is_key, one.pinned] for one in item.options],
        "numeric": _key_of(item) if numeric else None,
        "partial": item.partial,
        "edition": item.edition,
    }
    return hashlib.sha256(dump_json(content)).hexdigest()


def _key_of(item: ItemSpec) -> dict[str, object]:
    if item.numeric is None:
        return {}
    key = item.numeric
    return {
        "value": key.value,
        "unit": key.unit,
        "tolerance": key.tolerance,
        "relative": key.relative,
        "units": dict(key.units),
    }


def _ensure_items(bank: BankSpec, *, origin: str) -> dict[str, Item]:
    found = {row.slug: row for row in Item.objects.filter(slug__in=list(bank.items))}
    new = [Item(slug=slug, origin=origin) for slug in bank.items if slug not in found]
    Item.objects.bulk_create(new)
    return found | {row.slug: row for row in new}


def _ensure_versions(bank: BankSpec, items: Mapping[str, Item]) -> dict[str, ItemVersion]:
    stored: dict[str, dict[str, ItemVersion]] = {slug: {} for slug in items}
    for row in ItemVersion.objects.filter(item__slug__in=list(items)).select_related("item"):
        stored[row.item.slug][row.content_digest] = row
    new: list[ItemVersion] = []
    for slug, spec in bank.items.items():
        digest = digest_content(spec)
        if digest not in stored[slug]:
            row = _make_version(spec, items[slug], number=len(stored[slug]) + 1, digest=digest)
            stored[slug][digest] = row
            new.append(row)
    ItemVersion.objects.bulk_create(new)
    return {slug: stored[slug][digest_content(spec)] for slug, spec in bank.items.items()}


def _make_version(spec: ItemSpec, item: Item, *, number: int, digest: str) -> ItemVersion:
    options = [
        {
            "id": str(uuid.uuid4()),
            "handle": one.handle,
            "is_key": one.is_key,
            "pinned": one.pinned,
        }
        for one in spec.options
    ]
    return ItemVersion(
        item=item,
        number=number,
        kind=spec.kind,
        shuffle=spec.shuffle,
        options=options,
        key=_key_of(spec),
        content_digest=digest,
    )


def _ensure_calibrations(
    bank: BankSpec, versions: Mapping[str, ItemVersion]
) -> dict[str, Calibration]:
    """The newest estimate of each version, else what is guessed of it before there are answers."""
    guesses = guess_parameters(bank)
    wanted = {row.id: slug for slug, row in versions.items()}
    found: dict[str, Calibration] = {}
    rows = Calibration.objects.filter(item_version_id__in=list(wanted)).order_by("created_at")
    for row in rows:
        slug = wanted[row.item_version_id]
        is_guess = row.method == AUTHORED
        if is_guess and slug in found and found[slug].method != AUTHORED:
            continue
        if not is_guess or read_parameters(row) == guesses[slug]:
            found[slug] = row
    new = {
        slug: _make_guess(guesses[slug], row) for slug, row in versions.items() if slug not in found
    }
    Calibration.objects.bulk_create(new.values())
    return found | new


def _make_guess(guess: Parameters, version: ItemVersion) -> Calibration:
    return Calibration(
        item_version=version,
        method=AUTHORED,
        a=guess.a,
        b=guess.b,
        c=guess.c,
        d=guess.d,
        se_b=LEVEL_SD,
        provisional=guess.provisional,
    )
