"""Run as a program: a service whose start is refused once after it was killed."""

from launcher.layout import find_layout
from launcher.services import Service
from launcher.supervisor import FIRST_PAUSE_S, Supervisor
from tests.harness import wait_for

refusals: list[str] = []


def check_disk() -> None:
    if refusals:
        raise OSError(refusals[0])


if __name__ == "__main__":
    layout = find_layout()
    layout.make_state()
    supervisor = Supervisor(layout)
    supervisor.start(Service("napper", ("sleep", "3600"), before_start=check_disk))
    child = supervisor.children["napper"]
    first = child.process
    refusals.append("no space left on device")
    first.kill()

    def is_refused() -> bool:
        supervisor.tend()
        return child.pause_s > FIRST_PAUSE_S and child.due_at is not None

    wait_for(is_refused, what="a start that is refused")
    print("refused")
    refusals.clear()

    def is_started() -> bool:
        supervisor.tend()
        return child.process is not first

    wait_for(is_started, what="the start after that")
    print("started" if child.process.poll() is None else "ended")
    supervisor.stop()
    print("stopped" if child.process.poll() is not None else "left")
