"""Authors over REST: a new item is drafted, linted, published and served without a code change."""

import copy

import pytest
import yaml
from django.conf import settings

from assessment.bank.snapshot import forget_current_version
from tests.people import make_person, read_json, start

ITEM = yaml.safe_load((settings.BANK_DIR / "items" / "bg-1.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def author(course):
    return make_person(course, "dora", "author")


@pytest.fixture
def document():
    made = copy.deepcopy(ITEM)
    made["slug"], made["enemies"] = "bg-1-again", ["bg-1"]
    made["stem"]["en"] = "What is exchanged for memory when activations are recomputed?"
    return made


def put(author, document, **more):
    return author.put("bank/drafts", {"document": document, **more})


def test_a_draft_is_checked_as_it_is_stored(author, document):
    saved = read_json(put(author, document))
    assert (saved["slug"], saved["revision"], saved["state"]) == ("bg-1-again", 1, "draft")
    document["options"][1]["misconception"] = "no-such-belief"
    del document["options"][0]["key"]
    broken = read_json(put(author, document, revision=1))
    assert broken["revision"] == 2
    assert any(one["level"] == "error" for one in broken["findings"])
    assert read_json(put(author, document, revision=1), 409)["code"] == "draft_changed"
    assert author.post("bank/drafts/bg-1-again/publish", {}).status_code == 400


def test_a_published_draft_is_served_and_open_sessions_keep_their_version(
    author, ada, document, make_activity
):
    activity = make_activity()
    before = start(ada, activity, "en")
    put(author, document)
    made = read_json(author.post("bank/drafts/bg-1-again/publish", {}), 201)
    forget_current_version()
    assert made["version"] == before["bank_version"] + 1
    assert read_json(ada.get(f"sessions/{before['id']}"))["bank_version"] == before["bank_version"]
    changes = read_json(
        author.get(f"bank/versions/{before['bank_version']}/changes/{made['version']}")
    )["changes"]
    assert [(one["owner"], one["kind"]) for one in changes if one["kind"] == "added"] == [
        ("item:bg-1-again", "added")
    ]
    gone = read_json(author.post("bank/items/bg-1-again/retire", {"reason": "a test"}), 201)
    assert gone["version"] == before["bank_version"]


@pytest.mark.parametrize(
    "number", ["0", "-1", "01", "1.0", "true", "\u0661", "2147483648", "9223372036854775808", "1e1"]
)
def test_a_number_in_a_path_has_one_form(author, number):
    """And none beyond a column's range is asked for (BB-71)."""
    for path in (f"{number}/changes/1", f"1/changes/{number}"):
        assert author.get(f"bank/versions/{path}").status_code == 404


def test_only_authors_may_look_or_write(author, ada, ben, cleo, stranger, document):
    put(author, document)
    for person, status in ((ada, 403), (ben, 403), (cleo, 403), (stranger, 401)):
        assert person.get("bank/drafts").status_code == status
        assert person.get("bank/drafts/bg-1-again").status_code == status
        assert put(person, document).status_code == status
        assert person.post("bank/drafts/bg-1-again/publish", {}).status_code == status


@pytest.mark.parametrize("revision", ["1", 1.0, True, 0, 2**31, None])
def test_a_revision_is_an_integer(author, document, revision):
    put(author, document)
    problem = read_json(put(author, document, revision=revision), 400)
    assert [one["field"] for one in problem["errors"]] == ["revision"]
