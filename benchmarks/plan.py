"""The plan: how much is measured. Every number of it is an option of the program, too."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field, fields, replace
from typing import Any


def _option(default: Any, meaning: str) -> Any:
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True)
class Plan:
    """The numbers of a whole run."""

    tables: int = _option(300, "tables at once, and moves a second")
    seconds: float = _option(30.0, "time at that rate")
    levels: tuple[int, ...] = _option((1, 3, 10, 30, 100, 300, 1000), "tables of the curve")
    level_seconds: float = _option(6.0, "time for each of them")
    idle: int = _option(10_000, "idle tables")
    idle_sockets: int = _option(1_000, "idle sockets at the first of them")
    stored: int = _option(100_000, "stored games")
    bots_due: int = _option(300, "stored games in which a bot is due")
    starts: int = _option(5, "starts with them, and as many without")
    after_start: float = _option(3.0, "time for which a server that has started is asked how it is")


QUICK = Plan(30, 5.0, (1, 3, 10, 30), 2.0, 500, 100, 2_000, 20, 2, 2.0)
"""For a first impression."""


def add_options(group: argparse._ArgumentGroup) -> None:
    whole = Plan()
    for number in fields(Plan):
        value, meaning = getattr(whole, number.name), number.metadata["meaning"]
        many = isinstance(value, tuple)
        group.add_argument(
            f"--{number.name.replace('_', '-')}",
            type=_levels if many else _count if isinstance(value, int) else float,
            metavar="N,N,…" if many else "N",
            help=f"{meaning} ({','.join(map(str, value)) if many else f'{value:g}'})",
        )


def chosen_plan(options: argparse.Namespace) -> Plan:
    given = {number.name: getattr(options, number.name) for number in fields(Plan)}
    return replace(QUICK if options.quick else Plan(), **{name: n for name, n in given.items() if n is not None})


def _levels(text: str) -> tuple[int, ...]:
    return tuple(sorted(_count(part) for part in text.split(",")))


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 on, not {text!r}")
    return int(text)
