"""One game, for people: at the prompt, in a program, behind a table."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from fogline.actions import Action, ActionError, action_numbers, board_actions, parse_action
from fogline.board import Board
from fogline.events import Before, Event, copy_event, offer_event, setup_events, step_events
from fogline.mapfile import CARDS
from fogline.position import Position, copy_record
from fogline.refusals import IllegalAction, Refusal, not_your_turn, refuse
from fogline.rules import calls
from fogline.rules.chance import TAPE
from fogline.rules.state import OVER
from fogline.score import Score, score_seat, winning_seats
from fogline.view import View, make_open_view, make_view

FORMAT = "fogline-record/1"
PLAYER_COUNTS = (2, 3, 4)


def check_players(players: int) -> None:
    if type(players) is not int or players not in PLAYER_COUNTS:
        raise ValueError(f"1.7 a game has 2 to 4 players, not {players!r}")


def check_seed(seed: int) -> None:
    if type(seed) is not int or not 0 <= seed < 2**64:
        raise ValueError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")


class Game:
    """A game from its deal to its end.

    >>> game = Game(players=3, seed=7)
    >>> game.seat, game.phase
    (0, 'keep_first_tickets')
    >>> events = game.play("keep both")
    >>> game.why_not("pass").rule
    '2.5'
    """

    def __init__(self, board: Board | str = "san_francisco", *, players: int = 2, seed: int | None = None) -> None:
        """A board is given itself, or by the name of a built-in map or the path of a map file."""
        self._deal(board, players, seed, ())

    @classmethod
    def _dealt(cls, board: Board | str, *, players: int, seed: int, cards: Sequence[str]) -> Game:
        """A game in which these cards come first from the deck, as far as it has them."""
        game = cls.__new__(cls)
        game._deal(board, players, seed, cards)
        return game

    def _deal(self, board: Board | str, players: int, seed: int | None, cards: Sequence[str]) -> None:
        check_players(players)
        self.seed = secrets.randbits(64) if seed is None else seed
        check_seed(self.seed)
        self.board = board if isinstance(board, Board) else Board.load(board)
        self.players = players
        self.actions: list[Action] = []
        self.position = Position(self.board)
        self._tape = np.zeros(1, TAPE)
        self._force(cards)
        calls.begin(self.board.tables, self.position.array, players, np.uint64(self.seed), self._tape)
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
        return bool(self.position.phase == OVER)

    def legal_actions(self) -> list[Action]:
        """Everything that the acting seat may do now, in the order of the numbers; empty once the game is over."""
        actions = board_actions(self.board)
        return [actions[number] for number in self.legal_numbers()]

    def legal_numbers(self) -> list[int]:
        """The same as numbers."""
        if self.over:
            return []
        numbers = np.empty(len(board_actions(self.board)), np.int16)
        count = calls.legal_actions(self.board.tables, self.position.array, numbers)
        return numbers[:count].tolist()  # type: ignore[no-any-return]

    def legal_mask(self) -> np.ndarray:
        """The same as an array of booleans, one for each number."""
        mask = np.zeros(len(board_actions(self.board)), np.bool_)
        if not self.over:
            calls.legal_mask(self.board.tables, self.position.array, mask)
        return mask

    def why_not(self, action: Action | str | int, seat: int | None = None) -> Refusal | None:
        """Why the action is not legal now, with the rule's id; None when it is legal.

        Where the question comes from a seat, give it: the answer may speak of the acting seat's hand.
        """
        value = self._action(action)
        if action_numbers(self.board).get(value) in self.legal_numbers():
            return self._out_of_turn(seat)
        return self._out_of_turn(seat) or refuse(self.position, value)

    def view(self, seat: int | None, *, since: int = 0) -> View:
        """What a seat may know; `None` is a spectator. Of the events, those from number `since` on are shown."""
        if seat is not None and (type(seat) is not int or not 0 <= seat < self.players):
            raise ValueError(f"there is no seat {seat!r} among {self.players} players")
        legal = self.legal_actions() if seat == self.seat else ()
        return make_view(self.position, self.events, legal, seat, since=since)

    def open_view(self, *, since: int = 0) -> View:
        """Everything that there is to know. Only for replays of games that are over: no player may ever see it."""
        return make_open_view(self.position, self.events, self.legal_actions(), since=since)

    def scores(self) -> list[Score]:
        """Every seat's points as if the game ended now; final once it is over. Not for players' eyes before."""
        return [score_seat(self.position, seat) for seat in range(self.players)]

    @property
    def winners(self) -> list[int]:
        """Who has won, once the game is over; more than one when they share the victory (9.3)."""
        return winning_seats(self.position) if self.over else []

    # What happens.

    def play(self, action: Action | str | int, seat: int | None = None) -> list[Event]:
        """Carries out an action of the acting seat and returns what happened.

        Raises `IllegalAction`, which names the rule, or `ActionError` for a text that is no action; then nothing has
        changed. Where the action comes from a seat, give it: out of turn it is refused.
        """
        if refusal := self._out_of_turn(seat):
            raise IllegalAction(refusal)
        return [copy_event(event) for event in self._play(action, ())]

    def _play(self, action: Action | str | int, cards: Sequence[str]) -> list[Event]:
        """`cards` must come next from the deck, where chance has a say."""
        value = self._action(action)
        number = action_numbers(self.board).get(value, -1)
        if number >= 0:
            value = board_actions(self.board)[number]  # the board's own, which all games share
        before = Before.of(self.position)
        self._force(cards)
        if not calls.play(self.board.tables, self.position.array, number, self._tape):
            raise IllegalAction(refuse(self.position, value))
        events = list(step_events(before, value, self.position, self._noted()))
        self.actions.append(value)
        self.events.extend(events)
        return events

    def record(self) -> dict[str, Any]:
        """The game record, ready for JSON; scores and winners are in it once the game is over."""
        record: dict[str, Any] = {
            "format": FORMAT,
            "map": self.board.id,
            "players": self.players,
            "seed": f"{self.seed:#018x}",
            "events": [copy_event(event) for event in self.events],
        }
        if self.over:
            record["scores"] = [
                asdict(score) | {"completed": list(score.completed), "failed": list(score.failed)}
                for score in self.scores()
            ]
            record["winners"] = self.winners
        return record

    def reseed(self, seed: int) -> None:
        """Gives chance a new seed, for all that is still to come."""
        check_seed(seed)
        calls.reseed(self.position.array, np.uint64(seed))

    def copy(self) -> Game:
        """The same game once more, to go on separately."""
        other = self.fork()
        other.events = [copy_event(event) for event in self.events]
        return other

    def fork(self) -> Game:
        """A copy that shares the events told so far: for who gives none of them away."""
        other = Game.__new__(Game)
        other.board, other.players, other.seed = self.board, self.players, self.seed
        other.events = list(self.events)
        other.actions = list(self.actions)
        other.position = self.position.copy()
        other._tape = copy_record(self._tape)
        return other

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    def __repr__(self) -> str:
        # Without the seed: a repr ends up in logs, and who knows the seed knows every card to come.
        return f"<Game {self.board.id}: {self.players} players, {len(self.actions)} actions, {self.phase}>"

    def __str__(self) -> str:
        return "\n".join(self._lines())

    # Inside.

    def _action(self, action: Action | str | int) -> Action:
        if isinstance(action, str):
            return parse_action(action)
        if isinstance(action, (int, np.integer)):
            actions = board_actions(self.board)
            if not 0 <= action < len(actions):
                raise ActionError(f"actions are numbered from 0 to {len(actions) - 1}, not {action}")
            return actions[action]
        if not isinstance(action, Action):
            raise ActionError(f"an action is a text, a number or an action's value, not {type(action).__name__}")
        return action

    def _force(self, cards: Sequence[str]) -> None:
        self._tape["forced_count"] = len(cards)
        if cards:
            self._tape["forced"][0, : len(cards)] = [CARDS.index(card) for card in cards]

    def _stack_tickets(self, order: Sequence[str]) -> None:
        """Gives a game that has just begun this ticket deck, from top to bottom, and tells its first offer anew."""
        position = self.position
        position.ticket_deck[:] = [self.board.ticket_number[ticket] for ticket in order]
        position.offer[:] = position.ticket_deck[: len(position.offer)]
        self.events[-1] = offer_event(position)

    def _noted(self) -> list[int]:
        """What the tape says of the last step."""
        count = self._tape["noted_count"].item()
        return self._tape["noted"][0, :count].tolist()  # type: ignore[no-any-return]

    def _out_of_turn(self, seat: int | None) -> Refusal | None:
        """Why a seat cannot decide anything now, if it cannot; `None` is whoever may."""
        return None if seat is None or self.over or seat == self.seat else not_your_turn(self.position, seat)

    def _lines(self) -> list[str]:
        """The position as a person at the prompt wants it: everything, the secrets too."""
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
