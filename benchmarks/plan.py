"""The plan: how much is measured. Every number of it is also an option of the program."""

from __future__ import annotations

import argparse
from collections.abc import Callable
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
    bot_tables: int = _option(0, "tables of two bots beside those of people, from the start to the end of `play`")
    bot: str = _option("racer", "which bots")
    bot_seconds: float = _option(10.0, "time for which each kind of bot plays alone")
    evening_tables: int = _option(1_000, "tables of the evening, with a move every two seconds at each")
    duels: int = _option(100, "of them, tables of one person against `master`")
    evening_seconds: float = _option(60.0, "time for the evening, and again with somebody who makes trouble")
    idle: int = _option(10_000, "idle tables")
    idle_sockets: int = _option(1_000, "idle sockets at the first of them")
    stored: int = _option(100_000, "stored games")
    bots_due: int = _option(300, "stored games in which a bot is due")
    starts: int = _option(5, "starts with them, and as many without")
    after_start: float = _option(3.0, "time for which a server that has started is asked how it is")


QUICK = Plan(
    tables=30,
    seconds=5.0,
    levels=(1, 3, 10, 30),
    level_seconds=2.0,
    bot_seconds=3.0,
    evening_tables=50,
    duels=5,
    evening_seconds=5.0,
    idle=500,
    idle_sockets=100,
    stored=2_000,
    bots_due=20,
    starts=2,
    after_start=2.0,
)
"""A quick run, for a first impression."""


def add_options(group: argparse._ArgumentGroup) -> None:
    whole = Plan()
    for number in fields(Plan):
        value, meaning = getattr(whole, number.name), number.metadata["meaning"]
        read, metavar = _READERS[type(value)]
        shown = ",".join(map(str, value)) if isinstance(value, tuple) else value
        group.add_argument(
            f"--{number.name.replace('_', '-')}", type=read, metavar=metavar, help=f"{meaning} ({shown})"
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


_READERS: dict[type, tuple[Callable[[str], Any], str]] = {
    tuple: (_levels, "N,N,…"),
    int: (_count, "N"),
    float: (float, "N"),
    str: (str, "NAME"),
}
