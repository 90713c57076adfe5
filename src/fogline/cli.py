"""The program `fogline`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from fogline import __version__
from fogline.commands.listed import LISTED, Listed

DESCRIPTION = (
    "The San Francisco cable-car board game: exact rules, records, and an engine that plays millions of games."
)


def main(argv: list[str] | None = None) -> int:
    parser = _parser()
    words = sys.argv[1:] if argv is None else argv
    if not words:
        parser.print_help()
        return 0
    arguments = parser.parse_args(words)
    from fogline.commands.command import carry_out  # noqa: PLC0415  (the help does without all that it loads)

    return carry_out(lambda: arguments.run(arguments))


class _CommandParser(argparse.ArgumentParser):
    """A command of the command line. It is loaded only once it has been chosen."""

    listed: Listed | None = None

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        listed, self.listed = self.listed, None
        if listed is not None:
            command = listed.load()
            self.epilog = f"examples:\n{command.examples}"
            command.arguments(self)
            self.set_defaults(run=command.run)
        return super().parse_known_args(args, namespace)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("fogline", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"fogline {__version__}")
    groups = {"": _commands(parser)}
    for listed in LISTED:
        group, _, name = listed.name.rpartition(" ")
        if group not in groups:
            parent = groups[""].add_parser(
                group, help=f"{group} files: check them, draw them", description=f"Commands for {group} files."
            )
            groups[group] = _commands(parent)
        sub = groups[group].add_parser(
            name,
            help=listed.summary,
            description=f"{listed.summary[0].upper()}{listed.summary[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.listed = listed
    return parser


def _commands(parser: argparse.ArgumentParser) -> argparse._SubParsersAction[_CommandParser]:
    return parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_CommandParser)
