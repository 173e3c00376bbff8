"""Run as a program: the two servers under supervision, until a signal comes."""

from launcher.layout import find_layout
from launcher.stack import Interrupted, run_stack
from launcher.supervisor import watch

if __name__ == "__main__":
    try:
        with run_stack(find_layout(), kind="serve") as stack:
            stack.start_servers()
            stack.write_stack(is_ready=True)
            watch(stack.supervisor, until=lambda: False)
    except Interrupted:
        pass
