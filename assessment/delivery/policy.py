"""Which item comes where, and in which order its options stand. Pure."""

import random
from collections.abc import Mapping, Sequence

from assessment.bank.snapshot import Item


def order_options(item: Item, *, seed: int) -> list[str]:
    """Option ids as this session shows them: the same in every language and on every device.

    The order depends on the session's seed and the item version alone, through a stable hash
    (`random.Random` of a string uses SHA-512). Pinned options keep their authored places.
    """
    ids = [option.id for option in item.options]
    if not item.shuffle and item.kind != "ordering":
        return ids
    free = [place for place, option in enumerate(item.options) if not option.pinned]
    moved = [ids[place] for place in free]
    rng = random.Random(f"{seed}:{item.version_id}")
    rng.shuffle(moved)
    if item.kind == "ordering" and moved == [ids[place] for place in free] and len(moved) > 1:
        # Shown in the right order already, the question would answer itself.
        moved = moved[1:] + moved[:1]
    for place, option in zip(free, moved, strict=True):
        ids[place] = option
    return ids


def pick_instances(
    item_ids: Sequence[str], families: Mapping[str, Sequence[str]], *, seed: int
) -> list[str]:
    """The items of a fixed quiz: of each parametric family one instance, by the session's seed.

    It stands where the family's first instance stands in the quiz; the choice depends on
    the seed and the family's name alone.
    """
    members = _group_by_family(item_ids, families)
    picked = []
    for name, instances in members.items():
        rng = random.Random(f"{seed}:{name}")
        picked.append(rng.choice(instances) if len(instances) > 1 else instances[0])
    return picked


def count_given(item_ids: Sequence[str], families: Mapping[str, Sequence[str]]) -> int:
    """How many items a fixed session of this quiz is given."""
    return len(_group_by_family(item_ids, families))


def _group_by_family(
    item_ids: Sequence[str], families: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """Family, or the item's own id where it has none -> its items, in the order of the quiz."""
    names = {one: name for name, instances in families.items() for one in instances}
    members: dict[str, list[str]] = {}
    for one in item_ids:
        members.setdefault(names.get(one, one), []).append(one)
    return members
