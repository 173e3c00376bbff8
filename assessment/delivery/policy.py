"""Which item comes where, and in which order its options stand. Pure."""

import random
from collections.abc import Sequence

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


def find_current_position(answered: Sequence[bool]) -> int | None:
    """The first position without an answer, or None when all have one."""
    return next((place for place, done in enumerate(answered) if not done), None)
