"""A game whose chance is decided from outside: it asks for every card and every ticket in turn.

What a step brings is found by trial: the tape forces the cards named so far, and tells from which deck the next one
comes. An unknown ticket deck can be shuffled while it is drawn from: a ticket that was never offered is any of those,
with equal chance. Tickets that were put at the bottom come after them, in the order in which they were put there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from fogline.envs.seats import observe
from fogline.game.actions import board_actions
from fogline.game.events import Event
from fogline.game.game import Game
from fogline.game.position import copy_record
from fogline.game.refusals import IllegalAction
from fogline.game.view import View, make_view
from fogline.knowledge.belief import Belief
from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS
from fogline.rules import calls
from fogline.rules.chance import TAPE
from fogline.rules.state import new_games

FIRST_TICKET = len(CARDS)
"""Everything that chance can bring has a number: the cards, then the tickets."""


def outcome_text(board: Board, outcome: int) -> str:
    return CARDS[outcome] if outcome < FIRST_TICKET else board.tickets[outcome - FIRST_TICKET].id


class Dealer:
    """One game. Call `play` and `deal` in turn: `deal` as long as there are `outcomes`."""

    def __init__(self, board: Board, players: int) -> None:
        self.board, self.players = board, players
        self.game: Game | None = None  # None before all is dealt
        self.outcomes: list[tuple[int, float]] = []
        self.watcher: int | None = None  # the seat whose belief this game is, if any
        self._fresh = len(board.tickets)  # tickets that were never offered: this many from the top of the ticket deck
        self._action = -1
        self._cards: list[int] = []
        self._tickets: list[int] = []
        self._ask()

    @property
    def dealt(self) -> Game:
        if self.game is None:
            raise ValueError("the cards and the first tickets are not dealt yet")
        return self.game

    def play(self, action: int) -> None:
        """Plays an action of the deciding seat, by its number. It takes effect once chance has decided."""
        if self.outcomes:
            raise ValueError(f"chance must deal first: {self._names()}")
        if refusal := self.dealt.why_not(action):
            raise IllegalAction(refusal)
        self._action = action
        self._ask()

    def deal(self, outcome: int) -> None:
        """The numbers of what chance may bring next."""
        if outcome not in (possible for possible, _ in self.outcomes):
            raise ValueError(f"chance cannot bring {outcome}: {self._names() or 'it has no say now'}")
        if outcome < FIRST_TICKET:
            self._cards.append(outcome)
        else:
            self._tickets.append(outcome - FIRST_TICKET)
        self._ask()

    def view(self, seat: int) -> View | None:
        """What a seat may know, as things stood before the action that waits for chance; None before all is dealt."""
        if self.game is None:
            return None
        if self.watcher in (None, seat):
            return self.game.view(seat)
        legal = self.game.legal_actions if seat == self.game.seat else ()
        return make_view(self.game.position, list(_known(self.game.events, seat)), legal, seat)

    def observation(self, seat: int) -> np.ndarray | None:
        """The seat's observation; None before all is dealt."""
        if self.watcher not in (None, seat):
            raise ValueError(f"this game is what seat {self.watcher} believes: what others counted is not known in it")
        view = self.view(seat)
        return None if view is None else observe(view)

    def resample(self, seat: int, seed: int) -> Dealer:
        """Another game that agrees with everything that a seat has seen, as likely as it is for that seat."""
        if self.outcomes:
            raise ValueError("while chance deals, nobody has a belief: deal first")
        other, view = self.fork(), self.dealt.view(seat)
        if self.dealt.over:  # nothing is hidden any more (10.4)
            return other
        other.watcher = seat
        other.dealt.position.array[:] = Belief(view).sample(1, seed)
        other.dealt.events = list(view.events)
        return other

    def fork(self) -> Dealer:
        """An independent copy."""
        other = Dealer.__new__(Dealer)
        other.__dict__.update(self.__dict__)
        other.game = None if self.game is None else self.game.fork()
        other._cards, other._tickets = list(self._cards), list(self._tickets)
        return other

    def __deepcopy__(self, memo: object) -> Dealer:
        return self.fork()

    def __str__(self) -> str:
        names = [CARDS[card] for card in self._cards] + [self.board.tickets[ticket].id for ticket in self._tickets]
        waiting = [str(board_actions(self.board)[self._action])] if self._action >= 0 else []
        dealing = [f"chance after: {' '.join([*waiting, *names]) or 'nothing'}"] if self.outcomes else []
        return "\n".join([*([] if self.game is None else [str(self.game)]), *dealing])

    # Inside.

    def _ask(self) -> None:
        """Finds what chance must decide next. If there is nothing, carries out what waits for it."""
        array, before = self._before()
        tape = np.zeros(1, TAPE)
        tape["forced_count"] = len(self._cards)
        tape["forced"][0, : len(self._cards)] = self._cards
        if self.game is None:
            calls.begin(self.board.tables, array, self.players, np.uint64(0), tape)
        else:
            calls.play(self.board.tables, array, self._action, tape)
        offered = (int(array["ticket_top"][0]) - before) % len(self.board.tickets)
        if tape["used"][0] > len(self._cards):
            self.outcomes = _cards_of(tape["deck"][0].tolist())
        elif len(self._tickets) < min(offered, self._fresh):
            self.outcomes = self._fresh_tickets()
        else:
            self.outcomes = []
            self._happen()

    def _before(self) -> tuple[np.ndarray, int]:
        """A record to try things on, and where its ticket deck begins."""
        if self.game is None:
            return new_games(self.board, 1), 0
        return copy_record(self.game.position.array), self.game.position.ticket_top

    def _happen(self) -> None:
        cards = [CARDS[card] for card in self._cards]
        if self.game is None:
            self.game = Game._dealt(self.board, players=self.players, seed=0, cards=cards)
            order = dict.fromkeys([*self._tickets, *range(len(self.board.tickets))])
            self.game._stack_tickets([self.board.tickets[ticket].id for ticket in order])
        else:
            if self._tickets:
                self._stack_tickets()
            self.game._play(self._action, cards)
        self._fresh -= len(self._tickets)
        self._action, self._cards, self._tickets = -1, [], []

    def _stack_tickets(self) -> None:
        """Moves the tickets that chance named to the top, each in exchange for the one there."""
        ring, places = self.dealt.position.ticket_deck, self._fresh_places()
        for here, ticket in zip(places, self._tickets, strict=False):
            there = next(place for place in places if ring[place] == ticket)
            ring[here], ring[there] = ring[there], ring[here]

    def _fresh_places(self) -> list[int]:
        top, count = self.dealt.position.ticket_top, len(self.board.tickets)
        return [(top + place) % count for place in range(self._fresh)]

    def _fresh_tickets(self) -> list[tuple[int, float]]:
        if self.game is None:
            fresh = set(range(len(self.board.tickets)))
        else:
            fresh = {int(self.game.position.ticket_deck[place]) for place in self._fresh_places()}
        left = sorted(fresh - set(self._tickets))
        return [(FIRST_TICKET + ticket, 1 / len(left)) for ticket in left]

    def _names(self) -> str:
        return ", ".join(f"{outcome} ({outcome_text(self.board, outcome)})" for outcome, _ in self.outcomes)


def _cards_of(deck: list[int]) -> list[tuple[int, float]]:
    return [(card, count / sum(deck)) for card, count in enumerate(deck) if count]


def _known(events: Iterable[Event], seat: int) -> Iterator[Event]:
    """The tickets without the offers to this seat that the belief's owner has not seen, and what was kept of them."""
    unknown = False
    for event in events:
        mine = event["e"] in ("offer", "keep") and event["seat"] == seat
        if event["e"] == "offer" and mine:
            unknown = "tickets" not in event
        if not (mine and unknown):
            yield event
