"""The commands of ./remat: parse, then call one function."""

import argparse
import sys
from collections.abc import Callable

from launcher import checks, commands
from launcher.layout import LauncherError, find_layout, say
from launcher.stack import Interrupted

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


def main(arguments: list[str]) -> int:
    """Exit status of the command."""
    layout = find_layout()
    try:
        if arguments and arguments[0] in PASS_ON:
            return PASS_ON[arguments[0]][1](layout, arguments[1:])
        options = build_parser().parse_args(arguments)
        if options.command is None:
            build_parser().print_help()
            return 0
        return run_command(options)
    except LauncherError as error:
        say(str(error))
        return 1
    except Interrupted as signal_name:
        say(f"stopped ({signal_name})")
        return 0 if arguments[:1] == ["serve"] else 130
    except KeyboardInterrupt:
        return 130


def run_command(options: argparse.Namespace) -> int:
    layout = find_layout()
    match options.command:
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


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./remat", description="Quizzes on training memory, answered by measured experiments."
    )
    known = parser.add_subparsers(dest="command", metavar="COMMAND")
    demo = known.add_parser("demo", help="take both quizzes over HTTP and print the evidence")
    demo.add_argument("--json", action="store_true", help="print one JSON document instead")
    serve = known.add_parser("serve", help="run everything on a free port until Ctrl+C")
    serve.add_argument("--port", type=int, help="this port instead of a free one")
    known.add_parser("stop", help="stop whatever this checkout runs")
    known.add_parser("lint", help="ruff, mypy, import rules")
    known.add_parser("install", help="make the virtual environment and nothing else")
    known.add_parser("screenshots", help="make the README's pictures from the real pages")
    for name, (text, _) in PASS_ON.items():
        known.add_parser(name, help=text, add_help=False)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
