"""What a bearer may see of a course: its activities, their own sessions, those they teach."""

from uuid import UUID

from assessment.accounts.tokens import Bearer
from assessment.bank.snapshot import Snapshot
from assessment.core.errors import NotFound
from assessment.delivery import selectors
from assessment.delivery.models import Activity, Session


def is_shown(activity: Activity, snapshot: Snapshot, *, bearer: Bearer) -> bool:
    """Whether the published bank has its quiz; for a guest, as public practice."""
    quiz = snapshot.quizzes.get(activity.quiz_slug)
    if quiz is None:
        return False
    return not bearer.is_guest or (activity.is_public_practice and quiz.public_practice)


def get_activity(activity_id: UUID, snapshot: Snapshot, *, bearer: Bearer) -> Activity:
    """An activity of the token's course. Raises NotFound, for what a guest may not see too."""
    activity = selectors.get_activity(activity_id, course_id=bearer.course_id)
    if bearer.is_guest and not is_shown(activity, snapshot, bearer=bearer):
        raise NotFound("activity_not_found")
    return activity


def is_taught(session: Session, *, bearer: Bearer) -> bool:
    """Whether the bearer instructs its course."""
    return "instruct" in bearer.rights and session.activity.course_id == bearer.course_id


def get_session(session_id: UUID, *, bearer: Bearer) -> Session:
    """The bearer's own session, or one of the course that the bearer instructs."""
    if "instruct" in bearer.rights:
        return selectors.get_session_of_course(session_id, course_id=bearer.course_id)
    return selectors.get_session(session_id, bearer=bearer)
