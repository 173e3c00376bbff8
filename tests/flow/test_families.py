"""A fixed quiz over parametric families: one instance each, pinned to the session's seed."""

from uuid import UUID

from assessment.bank.snapshot import get_snapshot
from assessment.delivery.models import Administration, Session
from assessment.delivery.selectors import get_activity
from assessment.scoring.progress import choose_first
from tests.people import read_json, start


def test_a_session_meets_one_instance_of_each_family(ada, bank, course, make_activity):
    snapshot = get_snapshot(bank)
    activity = make_activity("whole-bank")
    session = start(ada, activity, "en")
    rows = Administration.objects.filter(session_id=session["id"]).order_by("position")
    items = [snapshot.items[str(row.item_version_id)] for row in rows]
    families = [one.family for one in items if one.family is not None]
    assert len(families) == len(set(families)) >= 8
    told = read_json(ada.get(f"activities/{activity}"))
    assert told["num_items"] == len(items) == session["progress"]["total"]

    seed = Session.objects.get(pk=session["id"]).seed
    stored = get_activity(UUID(str(activity)), course_id=course.id)
    again = choose_first(stored, snapshot, seed=seed)
    assert [one.item.version_id for one in again] == [one.version_id for one in items]
