"""A game in the terminal, from the deal to the score table."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from fogline.game.game import Game
from fogline.maps.board import Board
from fogline.players.player import PLAYERS, Player, player_seed
from fogline.players.ratings import ratings
from fogline.terminal.keyboard import keyboard
from fogline.terminal.look import Look
from fogline.terminal.person import Leave, Person
from fogline.terminal.screen import Screen
from fogline.terminal.standing import player_text
from fogline.terminal.words import Words


def play(
    board: Board,
    *,
    opponents: Sequence[str],
    seed: int | None,
    seat: int | None = None,
    console: Console,
    read: Callable[[str], str] = input,
    record: Path | None = None,
) -> Game:
    """Plays one game of a person against programs and returns it, finished or left.

    Opponents are names of `PLAYERS`. The seed shuffles the seats, unless the person's is given. The record is added to
    its file as one line. Before anything is played, raises ValueError for names, numbers and seats that make no game,
    and OSError if no record can be written.
    """
    _check(opponents, seat)
    if record is not None:
        record.open("a", encoding="utf-8").close()
    game = Game(board, players=len(opponents) + 1, seed=seed)
    table = _Table(game, opponents, seat, console)
    try:
        table.run(keyboard(console) if read is input else read)
    except (Leave, KeyboardInterrupt):
        table.screen.say("\nYou left the game. Goodbye!")
    if record is not None:
        _add_record(game, record)
        table.screen.say(f"The record is in {record}.")
    return game


class _Table:
    """The players around a game. Each sees its own view and nothing else."""

    def __init__(self, game: Game, opponents: Sequence[str], seat: int | None, console: Console) -> None:
        self.game = game
        chance = random.Random(game.seed)
        order = list(opponents)
        if seat is None:
            chance.shuffle(order)
            seat = chance.randrange(game.players)
        self.seat = seat
        self.programs: dict[int, Player] = {
            other: PLAYERS[name](player_seed(game.seed, other))
            for other, name in zip(self._others(), order, strict=True)
        }
        look = Look.of(console)
        self.screen = Screen.of(console, look, Words(game.board, self._names(), look.glyphs.dash))

    def run(self, read: Callable[[str], str]) -> None:
        """Plays to the end, or until the person leaves."""
        person = Person(self.screen, read, self.game.why_not)
        self._welcome()
        while not self.game.over:
            self._decide(person)
        view = self.game.view(self.seat)
        person.tell(view, "Meanwhile")
        self.screen.result(view)

    def _welcome(self) -> None:
        screen, names = self.screen, self.screen.words.players
        screen.say(f"Welcome to {self.game.board.name}! (Seed {self.game.seed})\n")
        for seat in range(self.game.players):
            description = "at this keyboard" if seat == self.seat else describe(self.programs[seat])
            screen.show(player_text(seat, screen.look, screen.words).append(f": {description}"))
        screen.say(f"\n{names[0]} play{'' if self.seat == 0 else 's'} first. Type help at any time.\n")

    def _decide(self, person: Person) -> None:
        game, seat = self.game, self.game.seat
        if seat == self.seat:
            game.play(person.choose(game.view(seat)))
            person.tell(game.view(seat))
            return
        with self.screen.thinking(self.screen.words.players[seat]):
            action = self.programs[seat].choose(game.view(seat))
        game.play(action)

    def _others(self) -> list[int]:
        return [seat for seat in range(self.game.players) if seat != self.seat]

    def _names(self) -> tuple[str, ...]:
        """`Racer`, or `Racer 1` and `Racer 2` if there are two."""
        kinds = Counter(player.name for player in self.programs.values())
        used: Counter[str] = Counter()
        names = {self.seat: Person.name}
        for seat, player in self.programs.items():
            used[player.name] += 1
            number = f" {used[player.name]}" if kinds[player.name] > 1 else ""
            names[seat] = player.name.replace("_", " ").capitalize() + number
        return tuple(names[seat] for seat in range(self.game.players))


def describe(program: Player) -> str:
    """Its level, what it does, and its strength in games of two."""
    elo = ratings().get(program.name)
    strength = "" if elo is None else f" (Elo {elo})"
    return f"level {program.level}, {program.description}{strength}"


def _check(opponents: Sequence[str], seat: int | None) -> None:
    if not 1 <= len(opponents) <= 3:
        raise ValueError(f"1.7 a person plays against 1 to 3 programs, not {len(opponents)}")
    unknown = [name for name in opponents if name not in PLAYERS]
    if unknown:
        raise ValueError(f"there is no player {unknown[0]!r}; the players are {', '.join(PLAYERS)}")
    if seat is not None and not 0 <= seat <= len(opponents):
        raise ValueError(f"there is no seat {seat}; the seats go from 0 to {len(opponents)}")


def _add_record(game: Game, record: Path) -> None:
    """Appends one line for each game, so that a file can hold many."""
    with record.open("a", encoding="utf-8") as file:
        file.write(json.dumps(game.record(), ensure_ascii=False) + "\n")
