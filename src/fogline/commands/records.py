"""`fogline record`, `replay` and `audit`."""

from __future__ import annotations

import argparse
import json
import secrets
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from fogline.arena.about import about_game
from fogline.arena.entrant import parse_entrant
from fogline.arena.match import SEEDS
from fogline.commands.appending import appended
from fogline.commands.command import (
    Command,
    UsageError,
    add_map,
    add_seed,
    console,
    errors,
    load_board,
    natural,
    opened,
    positive,
    progress_bar,
    seats_text,
)
from fogline.fairness import FairnessError, Proof
from fogline.game.game import Game
from fogline.game.record import Audit, audit, prove, replay
from fogline.game.recordfile import RecordError, parse_record, read_records, record_texts
from fogline.game.view import redact
from fogline.maps.board import Board
from fogline.players.player import PLAYERS, player_seed
from fogline.terminal.story import tell

GOOD, UNSEEDED, BAD = "good", "unseeded", "bad"
MOST_SHOWN = 20
"""An audit names this many good games of a file one by one, and every bad one."""


def _record_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="where to write it; - for the screen")
    parser.add_argument(
        "--seats", default="racer,random", metavar="NAMES", help="who plays, from seat 0 on (default: racer,random)"
    )
    parser.add_argument(
        "--games",
        "-n",
        type=positive,
        metavar="N",
        help="play this many games with consecutive seeds, and add them to the file, one a line",
    )
    add_seed(parser, None)
    add_map(parser)


def _record(arguments: argparse.Namespace) -> int:
    names = [name.strip() for name in arguments.seats.split(",")]
    if any(name not in PLAYERS for name in names) or not 2 <= len(names) <= 4:
        raise UsageError(f"--seats takes two to four of {', '.join(PLAYERS)}, not {arguments.seats!r}")
    board = load_board(arguments.map, len(names))
    if arguments.games is not None:
        return _record_many(arguments, board, names)
    game = _play(board, names, arguments.seed)
    with opened(arguments.file) as file:
        file.write(_line(game, names) + "\n")
    if str(arguments.file) != "-":
        console.print(f"{arguments.file}: {len(game.events)} events, won by {seats_text(game.winners)}")
    return 0


def _record_many(arguments: argparse.Namespace, board: Board, names: list[str]) -> int:
    first = secrets.randbits(64) if arguments.seed is None else arguments.seed
    with appended(arguments.file) as write, progress_bar() as progress:
        for number in progress.track(range(arguments.games), description="playing"):
            write([_line(_play(board, names, (first + number) % SEEDS), names)])
    if str(arguments.file) != "-":
        games = "1 game" if arguments.games == 1 else f"{arguments.games:,} games"
        console.print(f"{arguments.file}: {games} more, from seed {first} on")
    return 0


def _play(board: Board, names: list[str], seed: int | None) -> Game:
    game = Game(board, players=len(names), seed=seed)
    players = [PLAYERS[name](player_seed(game.seed, seat)) for seat, name in enumerate(names)]
    while not game.over:
        game.play(players[game.seat].choose(game.view(game.seat)))
    return game


def _line(game: Game, names: list[str]) -> str:
    return json.dumps(game.record(about_game([parse_entrant(name) for name in names])))


def _replay_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a record, or a file with one a line")
    parser.add_argument(
        "--game", type=positive, default=1, metavar="N", help="which game of the file, from 1 (default: 1)"
    )
    parser.add_argument(
        "--at", type=natural, metavar="N", help="stop before event N and show the position there, everyone's cards open"
    )
    parser.add_argument("--seat", type=int, choices=range(4), help="tell it as this seat saw it")
    add_map(parser, None)


def _replay(arguments: argparse.Namespace) -> int:
    board = None if arguments.map is None else load_board(arguments.map)
    try:
        record = next(islice(read_records(arguments.file), arguments.game - 1, None), None)
        if record is None:
            raise UsageError(f"{arguments.file} has no game {arguments.game}")
        game = replay(record, board, at=arguments.at)
    except RecordError as error:
        file = str(arguments.file)
        raise UsageError(str(error) if str(error).startswith(file) else f"{file}: {error}") from None
    if arguments.seat is not None and arguments.seat >= game.players:
        raise UsageError(f"--seat {arguments.seat}: the game has {game.players} players, from seat 0 on")
    if arguments.at is not None and arguments.at > len(record["events"]):
        raise UsageError(f"--at {arguments.at}: the game has {len(record['events'])} events, from 0 on")
    for number, event in enumerate(game.events[: arguments.at]):
        seen = event if arguments.seat is None else redact(event, arguments.seat)
        console.print(f"{number:4}  {tell(game.board, seen)}", markup=False, soft_wrap=True)
    if arguments.seat is None:
        _show_position(game, arguments.at)
    return 0


def _show_position(game: Game, at: int | None) -> None:
    """The position with everyone's cards open. In the middle of a decision's events, it is as before the decision."""
    if at is not None and at < len(game.events):
        return  # the deal is under way, and there is no position yet
    if at is not None and at > len(game.events):
        console.print(f"\nevent {at} follows from event {len(game.events)}; before that decision:", soft_wrap=True)
    console.print(f"\n{game}", markup=False, soft_wrap=True)


def _audit_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a record, or a file with one a line")
    parser.add_argument(
        "--fairness",
        action="store_true",
        help="every game must prove where its chance comes from: tell what was checked",
    )
    parser.add_argument(
        "--receipt",
        type=Path,
        metavar="FILE",
        help="what your browser kept of the game: the record must be of that one (with --fairness)",
    )
    add_map(parser, None)


def _audit(arguments: argparse.Namespace) -> int:
    board = None if arguments.map is None else load_board(arguments.map)
    receipt = None if arguments.receipt is None else _read_receipt(arguments.receipt)
    proving = Proving(receipt) if arguments.fairness or receipt is not None else None
    found: Counter[str] = Counter()
    with progress_bar() as progress:
        task = progress.add_task("auditing", total=None)
        try:
            for number, (where, text) in enumerate(record_texts(arguments.file), 1):
                found[_audit_one(number, where, text, board, proving)] += 1
                progress.advance(task)
        except RecordError as error:
            raise UsageError(str(error)) from None
    summary = f"{found[GOOD] + found[UNSEEDED]} good, {found[BAD]} bad"
    unseeded = f"; the chance of {found[UNSEEDED]} does not come from the seed" if found[UNSEEDED] else ""
    console.print(summary + unseeded)
    return 1 if found[BAD] else 0


class Proving(NamedTuple):
    """Which proof an audit demands: where chance comes from and, with a receipt, that it is the receipt's game."""

    receipt: dict[str, Any] | None


def _read_receipt(path: Path) -> dict[str, Any]:
    try:
        return next(read_records(path))
    except RecordError as error:
        raise UsageError(str(error)) from None


def _audit_one(number: int, where: str, text: str, board: Board | None, proving: Proving | None) -> str:
    """Audits one game of a file, prints the findings, and returns the verdict in a word."""
    try:
        found = _judge(parse_record(text, where), board, proving)
    except (RecordError, FairnessError) as error:
        return _complain(number, f"not fair: {error}" if isinstance(error, FairnessError) else str(error))
    if proving and proving.receipt is not None and isinstance(found.fairness, Proof) and not found.fairness.fair:
        return _complain(number, f"not proven to be fair: {found.fairness}")
    if number <= MOST_SHOWN:
        ending = f"won by {seats_text(found.game.winners)}" if found.finished else "not finished"
        events = f"game {number}: {len(found.game.events)} events, {ending}"
        checked = f": {found.fairness}" if proving else ""
        console.print(f"{events}; breaks no rule; chance {_origin(found)}{checked}", soft_wrap=True)
    return GOOD if found.from_seed or found.fair else UNSEEDED


def _complain(number: int, reason: str) -> str:
    errors.print(f"game {number}: {reason}", markup=False, style="red", soft_wrap=True)
    return BAD


def _judge(record: dict[str, Any], board: Board | None, proving: Proving | None) -> Audit:
    """Raises an error where the record breaks a rule or is not fair."""
    # First: it names the very card that was swapped; the rules may name a later one.
    proof = prove(record, board, proving.receipt) if proving else None
    found = audit(record, board)
    if isinstance(found.fairness, FairnessError):
        raise found.fairness
    return replace(found, fairness=proof or found.fairness)


def _origin(found: Audit) -> str:
    if found.fair:
        return "comes from its secret"
    return "comes from its seed" if found.from_seed else "does not come from its seed"


COMMANDS = (
    Command(
        "record",
        "  fogline record game.json --seats racer,random,random --seed 7\n"
        "  fogline record games.jsonl --games 100 --seats planner,racer",
        _record_arguments,
        _record,
    ),
    Command(
        "replay",
        "  fogline replay games.jsonl --game 3 --at 57\n  fogline replay game.json --seat 1",
        _replay_arguments,
        _replay,
    ),
    Command(
        "audit",
        "  fogline audit games.jsonl\n"
        "  fogline audit game.json --map my_city.toml\n"
        "  fogline audit --fairness --receipt receipt.json game.json",
        _audit_arguments,
        _audit,
    ),
)
