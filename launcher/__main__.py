"""The commands of ./remat: parse, then call one function."""

import argparse
import errno
import signal
import sys
from collections.abc import Callable

from launcher import checks, commands
from launcher.layout import LauncherError, Layout, find_layout, say
from launcher.stack import Interrupted, handle_signals

Command = Callable[..., int]

PASS_ON = {
    "manage": ("a management command (./remat manage help)", commands.manage),
    "bank": ("import, lint, audit, verify, publish the item bank", commands.bank),
    "lab": ("run the experiments without any server", commands.lab),
    "simulate": ("simulate adaptive tests on a bank", commands.simulate),
    "calibrate": ("estimate item parameters from a file of responses", commands.calibrate),
    "bench": ("take times beside the rivals: lab, cat, calibration", commands.bench),
    "test": ("lint, then every test on private servers; arguments go to pytest", checks.test),
}
# Commands whose arguments another program reads.

NOT_WRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS)
DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


def main(arguments: list[str]) -> int:
    """Exit status of the command."""
    handle_signals()
    try:
        status = dispatch(find_layout(), arguments)
    except LauncherError as error:
        say(str(error))
        return error.status
    except Interrupted as signal_name:
        say(f"stopped ({signal_name})")
        return 0 if arguments[:1] == ["serve"] else 128 + signal.Signals[str(signal_name)]
    except OSError as error:
        say(explain(error))
        return 1
    # A program that a signal ended has a negative status; a shell says it so.
    return status if status >= 0 else 128 - status


def explain(error: OSError) -> str:
    """What a person can do about it. Raises the error again when that is not known."""
    where = f"{error.filename}: " if error.filename else ""
    if error.errno in NOT_WRITABLE:
        return (
            f"{where}{error.strerror}\n"
            "The state folder must be writable by this user: REMAT_STATE_DIR names another one"
        )
    if error.errno in DISK_FULL:
        return f"{where}{error.strerror}: make room, then type the command again"
    raise error


def dispatch(layout: Layout, arguments: list[str]) -> int:
    if arguments and arguments[0] in PASS_ON:
        return PASS_ON[arguments[0]][1](layout, arguments[1:])
    if arguments and arguments[0] == "help":
        return show_help(arguments[1:])
    options = build_parser().parse_args(arguments)
    match options.command:
        case None:
            return show_help([])
        case "demo":
            return commands.demo(layout, is_json=options.json)
        case "serve":
            return commands.serve(layout, port=options.port)
        case "lint":
            return checks.lint(layout)
        case "screenshots":
            return commands.screenshots(layout)
        case "install":
            return commands.install(layout)
        case _:
            return commands.stop(layout)


def show_help(names: list[str]) -> int:
    if names in ([], ["help"]):
        build_parser().print_help()
    elif names[0] in PASS_ON:
        print(f"./remat {names[0]} ...: {PASS_ON[names[0]][0]}")
        print(f"What may follow: ./remat {names[0]} --help")
    else:
        build_parser().parse_args([names[0], "--help"])
    return 0


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./remat",
        description="Quizzes on training memory, answered by measured experiments.",
        allow_abbrev=False,
    )
    known = parser.add_subparsers(dest="command", metavar="COMMAND")
    known.add_parser("help", help="this list, or one command: ./remat help demo", add_help=False)
    demo = known.add_parser("demo", help="take both quizzes over HTTP and print the evidence")
    demo.add_argument("--json", action="store_true", help="print one JSON document instead")
    serve = known.add_parser("serve", help="run everything on a free port until Ctrl+C")
    serve.add_argument("--port", type=read_port, help="this port instead of a free one")
    known.add_parser("stop", help="stop whatever this checkout runs")
    known.add_parser("lint", help="ruff, mypy, import rules, what the pages say")
    known.add_parser("install", help="make the virtual environment and nothing else")
    known.add_parser("screenshots", help="make the pictures of the documents from the real pages")
    for name, (text, _) in PASS_ON.items():
        known.add_parser(name, help=text, add_help=False)
    return parser


def read_port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65_535:
        raise argparse.ArgumentTypeError(f"{text} is no port: 1 to 65535")
    return int(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
