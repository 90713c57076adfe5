"""One game, as people use it: at the prompt, in a program, behind a table."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict
from typing import Any

import numpy as np

from fogline.game.actions import (
    Action,
    ActionError,
    Actions,
    Claim,
    action_numbers,
    board_actions,
    parse_action,
)
from fogline.game.events import Before, Event, copy_event, offer_event, setup_events, step_events
from fogline.game.history import History, Reseed, Step, map_of, read_history
from fogline.game.integers import Integer, as_integer
from fogline.game.position import Position, copy_record
from fogline.game.refusals import IllegalAction, Refusal, not_your_turn, refuse, refuse_route
from fogline.game.score import Score, score_seat, winning_seats
from fogline.game.view import View, make_open_view, make_view
from fogline.maps.board import Board
from fogline.maps.digest import digest_rules
from fogline.maps.mapfile import CARDS
from fogline.maps.reader import built_in_maps
from fogline.rules import calls
from fogline.rules.chance import TAPE
from fogline.rules.state import OVER

FORMAT = "fogline-record/1"
PLAYER_COUNTS = (2, 3, 4)


def check_players(players: Integer, board: Board | None = None) -> int:
    """The number of players, checked against the rules and this map."""
    number = as_integer(players)
    if number not in PLAYER_COUNTS:
        raise ValueError(f"1.7 a game has 2 to 4 players, not {players!r}")
    if board is not None and number > board.map_file.players:
        raise ValueError(f"the map {board.id} is for at most {board.map_file.players} players, not {number}")
    return number


def check_seed(seed: Integer) -> int:
    """The seed, checked to be a whole number of 64 bits."""
    number = as_integer(seed)
    if number is None or not 0 <= number < 2**64:
        raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")
    return number


class Game:
    """A game from its deal to its end.

    >>> game = Game(players=3, seed=7)
    >>> game.seat, game.phase
    (0, 'keep_first_tickets')
    >>> events = game.play("keep both")
    >>> game.why_not("pass").rule
    '2.5'
    """

    def __init__(
        self, board: Board | str = "san_francisco", *, players: Integer = 2, seed: Integer | None = None
    ) -> None:
        """`board` is a `Board`, the name of a built-in map or the path of a map file."""
        self._deal(board, players, seed, ())

    @classmethod
    def _dealt(cls, board: Board | str, *, players: Integer, seed: Integer, cards: Sequence[str]) -> Game:
        """A game whose deck brings these cards first, as far as it has them."""
        game = cls.__new__(cls)
        game._deal(board, players, seed, cards)
        return game

    def _deal(self, board: Board | str, players: Integer, seed: Integer | None, cards: Sequence[str]) -> None:
        check_players(players)
        self.seed = secrets.randbits(64) if seed is None else check_seed(seed)
        self.board = board if isinstance(board, Board) else Board.load(board)
        self.players = check_players(players, self.board)
        self.actions: list[Action] = []
        self.position = Position(self.board)
        self._history = History(self.players, self.seed, tuple(cards))
        self._tape = np.zeros(1, TAPE)
        self._force(cards)
        calls.begin(self.board.tables, self.position.array, self.players, np.uint64(self.seed), self._tape)
        self.events: list[Event] = list(setup_events(self.position, self._noted()))

    # What is going on.

    @property
    def seat(self) -> int:
        """The seat that must decide."""
        return int(self.position.seat)

    @property
    def phase(self) -> str:
        """What it must decide: one of `rules.state.PHASES`."""
        return self.position.phase_name

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.position.phase == OVER)

    @property
    def legal_actions(self) -> Actions:
        """Everything that the acting seat may do now, in the order of the numbers; empty once the game is over.

        >>> "keep both" in Game().legal_actions
        True
        """
        actions = board_actions(self.board)
        return Actions((actions[number] for number in self.legal_numbers()), self.board)

    def legal_numbers(self) -> list[int]:
        """The legal actions as plain numbers."""
        if self.over:
            return []
        numbers = np.empty(len(board_actions(self.board)), np.int16)
        count = calls.legal_actions(self.board.tables, self.position.array, numbers)
        return numbers[:count].tolist()  # type: ignore[no-any-return]

    def legal_mask(self) -> np.ndarray:
        """The legal actions as an array of booleans, one for each number."""
        mask = np.zeros(len(board_actions(self.board)), np.bool_)
        if not self.over:
            calls.legal_mask(self.board.tables, self.position.array, mask)
        return mask

    def why_not(self, action: Action | str | Integer, seat: Integer | None = None) -> Refusal | None:
        """Why the action is not legal now, with the rule's id; None when it is legal.

        Pass the seat if the question comes from one: the answer may mention the acting seat's hand.
        """
        value = self._action(action)
        if action_numbers(self.board).get(value) in self.legal_numbers():
            return self.out_of_turn(seat)
        return self.out_of_turn(seat) or refuse(self.position, value)

    def why_not_route(self, route: str, seat: Integer | None = None) -> Refusal | None:
        """Why the route cannot be claimed now by any payment; None when there is one. Pass the seat, as above."""
        if refusal := self.out_of_turn(seat):
            return refusal
        if any(isinstance(action, Claim) and action.route == route for action in self.legal_actions):
            return None
        return refuse_route(self.position, route)

    def view(self, seat: Integer | None, *, since: Integer = 0) -> View:
        """What a seat may know; `None` is a spectator. It holds the events from number `since` on."""
        number = None if seat is None else as_integer(seat)
        if seat is not None and (number is None or not 0 <= number < self.players):
            raise ValueError(f"there is no seat {seat!r} among {self.players} players")
        legal = self.legal_actions if number == self.seat else ()
        return make_view(self.position, self.events, legal, number, since=int(since))

    def open_view(self, *, since: int = 0) -> View:
        """Everything there is to know. Only for replays of finished games: no player may ever see it."""
        return make_open_view(self.position, self.events, self.legal_actions, since=since)

    def scores(self) -> list[Score]:
        """Every seat's points as if the game ended now; final once it is over. Not for players before the end."""
        return [score_seat(self.position, seat) for seat in range(self.players)]

    @property
    def winners(self) -> list[int]:
        """The seats that have won, once the game is over; several when they share the victory (9.3)."""
        return winning_seats(self.position) if self.over else []

    # What happens.

    def play(self, action: Action | str | Integer, seat: Integer | None = None) -> list[Event]:
        """Carries out an action of the acting seat and returns what happened.

        Raises `IllegalAction`, which names the rule, or `ActionError` for a text that is not an action; then nothing
        has changed. With `seat`, it refuses an action out of turn.
        """
        if refusal := self.out_of_turn(seat):
            raise IllegalAction(refusal)
        return [copy_event(event) for event in self._play(action, ())]

    def _play(self, action: Action | str | Integer, cards: Sequence[str]) -> list[Event]:
        """Plays an action; the deck must bring these `cards` first."""
        value = self._action(action)
        number = action_numbers(self.board).get(value, -1)
        if number >= 0:
            value = board_actions(self.board)[number]  # the board's own action, which all games share
        before = Before.of(self.position)
        self._force(cards)
        if not calls.play(self.board.tables, self.position.array, number, self._tape):
            raise IllegalAction(refuse(self.position, value))
        events = list(step_events(before, value, self.position, self._noted()))
        self.actions.append(value)
        self.events.extend(events)
        self._history.note(number, cards)
        return events

    def undo(self) -> Action:
        """Takes back the last action, with all that chance brought, and returns it. To `copy` beforehand is much
        faster.
        """
        if not self.actions:
            raise ValueError("no action has been played that could be taken back")
        history, rest = self._history.before_last()
        before = Game._told(self.board, history)
        again = before.copy()
        again._follow(rest)
        self._check_told(again)
        self.position.array[:] = before.position.array
        self._history = history
        del self.events[len(before.events) :]
        return self.actions.pop()

    def record(self, about: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The game record, ready for JSON, with scores and winners once the game is over.

        With `about`, which says who played and when, it holds that and the digest of the map; see `docs/records.md`.
        """
        record: dict[str, Any] = {
            "format": FORMAT,
            "map": self.board.id,
            "players": self.players,
            "seed": f"{self.seed:#018x}",
            "events": [copy_event(event) for event in self.events],
        }
        if about is not None:
            record |= {"digest": digest_rules(self.board.map_file), "about": deepcopy(dict(about))}
        if self.over:
            record["scores"] = [
                asdict(score) | {"completed": list(score.completed), "failed": list(score.failed)}
                for score in self.scores()
            ]
            record["winners"] = self.winners
        return record

    def reseed(self, seed: Integer) -> None:
        """Gives chance a new seed for everything still to come."""
        number = check_seed(seed)
        calls.reseed(self.position.array, np.uint64(number))
        self._history.steps.append(Reseed(number))

    def to_text(self) -> str:
        """The position as one line of text, from which `from_text` makes the same game.

        It holds every secret: anyone who reads it knows all hands, all tickets and every card to come.
        """
        self._check_told(Game._told(self.board, self._history))
        return self._history.text(self.board)

    @classmethod
    def from_text(cls, text: str, board: Board | None = None) -> Game:
        """The game of such a text, as it stood, and with all that had happened. A map of one's own must be given.

        >>> game = Game(players=2, seed=7)
        >>> Game.from_text(game.to_text()) == game
        True
        """
        name = map_of(text)
        if board is None and name not in built_in_maps():
            raise ValueError(f"the map {name[:40]!r} does not come with the program: give its board")
        board = Board.load(name) if board is None else board
        return cls._told(board, read_history(text, board))

    def copy(self) -> Game:
        """An independent copy of the game."""
        other = self.fork()
        other.events = [copy_event(event) for event in self.events]
        return other

    def fork(self) -> Game:
        """A copy that shares the list of events, for callers that pass none of them on."""
        other = Game.__new__(Game)
        other.board, other.players, other.seed = self.board, self.players, self.seed
        other.events = list(self.events)
        other.actions = list(self.actions)
        other._history = self._history.copy()
        other.position = self.position.copy()
        other._tape = copy_record(self._tape)
        return other

    def __eq__(self, other: object) -> bool:
        """Whether everything is the same: the map, what happened, what is hidden, and what chance will bring."""
        if not isinstance(other, Game):
            return NotImplemented
        return self.seed == other.seed and self.position == other.position and self.events == other.events

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    def __repr__(self) -> str:
        # Without the seed: a repr ends up in logs, and the seed tells every card to come.
        return f"<Game {self.board.id}: {self.players} players, {len(self.actions)} actions, {self.phase}>"

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _repr_svg_(self) -> str:
        """A picture for notebooks: the board, with what a spectator sees."""
        from fogline.drawing.board import draw  # noqa: PLC0415  (which few need)

        return draw(self.board, owners=self.position.owners(), stacks=self.position.stacks())

    # Inside.

    @classmethod
    def _told(cls, board: Board, history: History) -> Game:
        """The game that a history tells."""
        game = cls._dealt(board, players=history.players, seed=history.seed, cards=history.cards)
        if history.tickets:
            game._stack_tickets(history.tickets)
        game._follow(history.steps)
        return game

    def _follow(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if isinstance(step, Reseed):
                self.reseed(step.seed)
            elif isinstance(step, int):
                self._play(step, ())
            else:
                self._play(step.number, step.cards)

    def _check_told(self, again: Game) -> None:
        if again.position != self.position:
            raise ValueError("somebody has written into this game's position, and its history does not lead there")

    def _action(self, action: Action | str | Integer) -> Action:
        if isinstance(action, str):
            return parse_action(action)
        number = as_integer(action)
        if number is not None:
            actions = board_actions(self.board)
            if not 0 <= number < len(actions):
                raise ActionError(f"actions are numbered from 0 to {len(actions) - 1}, not {number}")
            return actions[number]
        if not isinstance(action, Action):
            raise ActionError(f"an action is a text, a number or an action's value, not {type(action).__name__}")
        return action

    def _force(self, cards: Sequence[str]) -> None:
        self._tape["forced_count"] = len(cards)
        if cards:
            self._tape["forced"][0, : len(cards)] = [CARDS.index(card) for card in cards]

    def _stack_tickets(self, order: Sequence[str]) -> None:
        """Gives a new game this ticket deck, from top to bottom, and makes its first offer again."""
        position = self.position
        position.ticket_deck[:] = [self.board.ticket_number[ticket] for ticket in order]
        position.offer[:] = position.ticket_deck[: len(position.offer)]
        self._history.tickets = tuple(order)
        self.events[-1] = offer_event(position)

    def _noted(self) -> list[int]:
        """What the tape records of the last step."""
        count = self._tape["noted_count"].item()
        return self._tape["noted"][0, :count].tolist()  # type: ignore[no-any-return]

    def out_of_turn(self, seat: Integer | None) -> Refusal | None:
        """Why this seat cannot decide now, or None if it can; `None` stands for the acting seat."""
        return None if seat is None or self.over or seat == self.seat else not_your_turn(self.position, int(seat))

    def _lines(self) -> list[str]:
        """The position for a person at the prompt: everything, secrets included."""
        position = self.position
        turn = "over" if self.over else f"seat {self.seat} to decide: {self.phase.replace('_', ' ')}"
        lines = [f"{self.board.name}, {self.players} players, {turn}"]
        piles = f"deck {position.deck_count}, discard {position.discard_count}, tickets {position.ticket_count}"
        lines.append(f"display: {_cards_text(position.cards_of('display'))}   ({piles})")
        if position.offer_count:
            lines.append(f"offer: {' '.join(position.offered())}")
        for seat, score in enumerate(self.scores()):
            mark = ">" if seat == self.seat and not self.over else " "
            hand = _cards_text(position.hand_of(seat))
            lines.append(f"{mark} seat {seat}: {score.routes} points, {position.cars[seat]} cars, {hand}")
            lines.append(
                f"    tickets: {' '.join([*(f'{t} (completed)' for t in score.completed), *score.failed]) or '-'}"
            )
            lines.append(f"    tokens: {' '.join(position.tokens_of(seat)) or '-'}")
        if self.over:
            totals = ", ".join(f"seat {seat} {score.total}" for seat, score in enumerate(self.scores()))
            lines.append(f"result: {totals}; won by {' and '.join(f'seat {seat}' for seat in self.winners)}")
        return lines


def _cards_text(cards: dict[str, int]) -> str:
    return " ".join(f"{card}{count}" for card, count in cards.items()) or "-"
