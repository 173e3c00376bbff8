"""The demo course: both seed quizzes, in the ways they can be taken."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from assessment.accounts.demo import set_up_demo_client
from assessment.bank.snapshot import get_current_version_id, get_snapshot
from assessment.delivery import selectors as delivery
from assessment.delivery import services

FIXED: Mapping[str, object] = {"mode": "fixed", "reveal": "after_each"}
# As both seed pages do: answers and explanations appear while the quiz is taken.

POLICIES: Sequence[Mapping[str, object]] = (
    FIXED,
    {"mode": "fixed", "reveal": "after_finish"},
    {"mode": "fixed", "reveal": "after_each", "has_predictions": True},
    {"mode": "fixed", "reveal": "after_each", "texts": "seed"},
)
LARGE_BANK = 20
# A quiz with more items than that is no page to work through: it is drawn from.
LARGE_POLICIES: Sequence[Mapping[str, object]] = ({"mode": "adaptive", "reveal": "after_each"},)


def set_up_demo(*, client_secret: str) -> dict[str, object]:
    """Client, course and activities, each made when missing; what a client needs to know."""
    demo = set_up_demo_client(client_secret=client_secret)
    made = ensure_activities(demo.course.id)
    return {
        "client_id": demo.client.client_id,
        "client_secret": client_secret,
        "course": demo.course.slug,
        "course_id": str(demo.course.id),
        "activities": made,
    }


def ensure_activities(course_id: UUID) -> list[dict[str, object]]:
    """One activity a public quiz and policy."""
    snapshot = get_snapshot(get_current_version_id())
    found: list[dict[str, object]] = []
    existing = list(delivery.list_activities(course_id))
    for quiz in snapshot.quizzes.values():
        if not quiz.public_practice:
            continue
        is_large = len(quiz.item_ids) > LARGE_BANK
        for policy in LARGE_POLICIES if is_large else POLICIES:
            activity = next(
                (
                    one
                    for one in existing
                    if one.quiz_slug == quiz.slug and services.has_policy(one, policy)
                ),
                None,
            ) or services.create_activity(
                course_id=course_id,
                quiz_slug=quiz.slug,
                policy={**policy, "is_public_practice": True},
            )
            found.append({"id": str(activity.id), "quiz": quiz.slug, **policy})
    return found
