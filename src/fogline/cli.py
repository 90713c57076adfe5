"""The program `fogline`."""

from __future__ import annotations

import argparse
import io
import sys

from fogline import __version__
from fogline.commands import arena, bench, maps, play, records, serve, simulate, study, train
from fogline.commands.command import INTERRUPTED, UsageError, errors

DESCRIPTION = (
    "The San Francisco cable-car board game: exact rules, records, and an engine that plays millions of games."
)
COMMANDS = (
    *play.COMMANDS,
    *serve.COMMANDS,
    *simulate.COMMANDS,
    *arena.COMMANDS,
    *study.COMMANDS,
    *train.COMMANDS,
    *records.COMMANDS,
    *maps.COMMANDS,
    *bench.COMMANDS,
)


def main(argv: list[str] | None = None) -> int:
    parser = _parser()
    words = sys.argv[1:] if argv is None else argv
    if not words:
        parser.print_help()
        return 0
    arguments, others = parser.parse_known_args(words)
    if others and not hasattr(arguments, "others"):
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    arguments.others = others
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # better a question mark than no line at all
    try:
        return int(arguments.run(arguments))
    except UsageError as error:
        errors.print(f"fogline: {error}", markup=False, soft_wrap=True)
        return 2
    except BrokenPipeError:
        return 1  # whoever read our output has seen enough
    except KeyboardInterrupt:
        errors.print("stopped")
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("fogline", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"fogline {__version__}")
    groups = {"": parser.add_subparsers(title="commands", metavar="COMMAND", required=True)}
    for command in COMMANDS:
        group, _, name = command.name.rpartition(" ")
        if group not in groups:
            parent = groups[""].add_parser(
                group, help=f"{group} files: check them, draw them", description=f"Commands for {group} files."
            )
            groups[group] = parent.add_subparsers(title="commands", metavar="COMMAND", required=True)
        sub = groups[group].add_parser(
            name,
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.",
            epilog=f"examples:\n{command.examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.arguments(sub)
        sub.set_defaults(run=command.run)
    return parser
