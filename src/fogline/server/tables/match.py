"""Match: the game that is played at a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from fogline.fairness.deal import deal_fairly, play_fairly
from fogline.fairness.secret import Source
from fogline.game.actions import Action, Actions, Keep
from fogline.game.game import Game
from fogline.game.refusals import IllegalAction, Refusal
from fogline.game.view import View
from fogline.maps.board import Board

_CHOSEN = Refusal("2.5", "you have chosen your tickets; the others are still choosing", "chosen")


class Chance(Protocol):
    """Where the cards and tickets of a match come from."""

    def deal(self, board: Board, players: int) -> Game: ...

    def play(self, game: Game, action: Action) -> None: ...


@dataclass(frozen=True, slots=True)
class FairChance:
    """Chance that derives from the table's secret: nobody can know it before the game, everybody can check it after."""

    source: Source

    def deal(self, board: Board, players: int) -> Game:
        return deal_fairly(board, players, self.source)

    def play(self, game: Game, action: Action) -> None:
        play_fairly(game, action, self.source)


class Match:
    """A game in which all seats choose their first tickets at the same time (2.5).

    The game itself wants them in turn order, so choices wait here until all are there. Until then everyone is shown the
    events before the first offer, and one's own offer.
    """

    def __init__(self, board: Board, players: int, chance: Chance) -> None:
        self.game = chance.deal(board, players)
        self.chance = chance
        self.choices: dict[int, Action] = {}  # of first tickets, by seat
        self.actors: list[int] = []  # who decided each action
        self._dealt = len(self.game.events) - 1  # all but the first offer

    @property
    def choosing(self) -> bool:
        return self.game.phase == "keep_first_tickets"

    @property
    def step(self) -> int:
        """How many actions have been carried out: the number that a seat gives with its decision."""
        return len(self.game.actions)

    @property
    def event_count(self) -> int:
        """The events that everyone has been shown, each as it may."""
        return self._dealt if self.choosing else len(self.game.events)

    def deciding(self) -> tuple[int, ...]:
        """The seats that must decide something now."""
        if self.game.over:
            return ()
        if self.choosing:
            return tuple(seat for seat in range(self.game.players) if seat not in self.choices)
        return (self.game.seat,)

    def why_not(self, seat: int, action: Action | str) -> Refusal | None:
        if not self.choosing:
            return self.game.why_not(action, seat)
        return _CHOSEN if seat in self.choices else self._as_chooser(seat).why_not(action, seat)

    def why_not_route(self, seat: int, route: str) -> Refusal | None:
        """Why the seat can claim this route by no payment; None where it can."""
        if not self.choosing:
            return self.game.why_not_route(route, seat)
        return _CHOSEN if seat in self.choices else self._as_chooser(seat).why_not_route(route, seat)

    def play(self, seat: int, action: Action) -> None:
        """Carries out a decision. Raises `IllegalAction` where the rules forbid it; then nothing has changed."""
        if not self.choosing:
            self._carry_out(seat, action)
            return
        if seat in self.choices:
            raise IllegalAction(_CHOSEN)
        self._as_chooser(seat).play(action)
        self.choices[seat] = action
        if len(self.choices) == self.game.players:
            for chooser in range(self.game.players):
                self._carry_out(chooser, self.choices[chooser])

    def played(self, seat: int, step: int) -> Action | None:
        """What the seat decided at this step, if it did."""
        if step == 0:
            return self.choices.get(seat)
        return self.game.actions[step] if step < self.step and self.actors[step] == seat else None

    def copy(self) -> Match:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.game, other.choices, other.actors = self.game.fork(), dict(self.choices), list(self.actors)
        return other

    def view(self, seat: int | None, *, since: int = 0) -> View:
        """What a seat, or a spectator, may know."""
        if not self.choosing:
            return self.game.view(seat, since=since)
        view = self.game.view(None) if seat is None else self._as_chooser(seat).view(seat)
        legal = Actions((), view.board) if seat in self.choices else view.legal_actions
        return replace(view, legal_actions=legal, events=view.events[since : self._dealt])

    def _carry_out(self, seat: int, action: Action) -> None:
        if refusal := self.game.out_of_turn(seat):
            raise IllegalAction(refusal)
        self.chance.play(self.game, action)
        self.actors.append(seat)

    def _as_chooser(self, seat: int) -> Game:
        """The game with this seat to choose. What earlier seats keep does not matter: nobody sees it yet."""
        game = self.game.fork()
        for _ in range(seat):
            game.play(Keep("both"))
        return game
