"""The order of options: stable over processes, languages and devices."""

import os
import subprocess
import sys
from collections import Counter

from assessment.bank.snapshot import Item, Option, TextSet
from assessment.delivery.policy import (
    count_given,
    order_options,
    pick_instances,
)

NO_TEXT = TextSet()
PROGRAM = """
import django
django.setup()
from tests.delivery.test_policy import make_item
from assessment.delivery.policy import order_options
print(",".join(order_options(make_item("abcd"), seed=7)))
"""


def make_item(ids: str, *, kind: str = "single", pinned: str = "", shuffle: bool = True) -> Item:
    options = tuple(
        Option(one, one, one == ids[0], one in pinned, None, NO_TEXT, NO_TEXT, None) for one in ids
    )
    return Item(
        version_id="item",
        slug="x",
        kind=kind,
        concept="replay",
        level=2,
        enemies=frozenset(),
        shuffle=shuffle,
        stem=NO_TEXT,
        options=options,
        numeric=None,
        key_evidence=None,
        a=1.0,
        b=0.0,
        c=0.25,
        d=1.0,
        provisional=True,
    )


def test_the_order_is_the_same_in_another_process():
    here = ",".join(order_options(make_item("abcd"), seed=7))
    for salt in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": salt},
        )
        assert done.stdout.strip() == here


def test_every_place_of_the_key_is_about_equally_frequent():
    places = Counter(order_options(make_item("abcd"), seed=seed).index("a") for seed in range(2000))
    # Binomial(2000, 1/4): four standard deviations are 77.
    assert all(abs(places[place] - 500) < 77 for place in range(4))


def test_pinned_options_keep_their_places():
    orders = [order_options(make_item("abcde", pinned="de"), seed=seed) for seed in range(50)]
    assert all(order[3:] == ["d", "e"] for order in orders)
    assert len({tuple(order) for order in orders}) == 6


def test_an_item_that_forbids_it_is_not_shuffled():
    item = make_item("abcd", shuffle=False)
    assert [order_options(item, seed=seed) for seed in range(20)] == [list("abcd")] * 20


def test_an_ordering_never_shows_its_own_solution():
    item = make_item("abc", kind="ordering", shuffle=False)
    assert all(order_options(item, seed=seed) != list("abc") for seed in range(200))


FAMILIES = {"f": ("f1", "f2", "f3", "f4", "elsewhere"), "g": ("g1",)}
QUIZ = ("a", "f1", "b", "f2", "g1", "f3", "f4")


def test_a_fixed_quiz_has_one_instance_of_each_family():
    for seed in range(50):
        given = pick_instances(QUIZ, FAMILIES, seed=seed)
        assert [given[0], given[2], given[3]] == ["a", "b", "g1"]
        assert given[1] in QUIZ
        assert given == pick_instances(QUIZ, FAMILIES, seed=seed)
        assert len(given) == count_given(QUIZ, FAMILIES) == 4


def test_every_instance_has_its_turn():
    counts = Counter(pick_instances(QUIZ, FAMILIES, seed=seed)[1] for seed in range(400))
    assert set(counts) == {"f1", "f2", "f3", "f4"}
    assert min(counts.values()) > 60


def test_without_families_a_quiz_is_as_authored():
    assert pick_instances(QUIZ, {}, seed=1) == list(QUIZ)
