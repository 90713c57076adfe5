"""The game record: read it, replay it, and audit it against the rules.

A record is one JSON object a game; a file holds one, or many with one a line. An audit needs neither the seed nor
trust. It plays the recorded decisions, makes chance bring what the record says it brought, and compares every event
with what the rules say. Where the record reveals the secret behind its chance, the audit checks that too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fogline.fairness import FairnessError, Proof, check_fairness
from fogline.fairness.pieces import Pieces
from fogline.game.actions import Action, Claim, Draw, DrawTickets, Keep, Pass, Place, Token
from fogline.game.events import Event
from fogline.game.game import Game
from fogline.game.recordfile import RecordError, check_structure, describe, exact
from fogline.game.refusals import IllegalAction
from fogline.maps.board import Board
from fogline.maps.digest import digest_rules
from fogline.maps.mapfile import CARDS, FERRY
from fogline.maps.reader import built_in_maps
from fogline.rules.chance import TAPE_LENGTH


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found in a record that breaks no rule."""

    game: Game
    finished: bool
    from_seed: bool  # whether the seed and the decisions alone reproduce every event
    fairness: Proof | FairnessError | None = None  # what was checked or is wrong, where the record reveals its secret

    @property
    def fair(self) -> bool | None:
        """Whether chance comes from the secret that the record reveals; None where it reveals none."""
        return None if self.fairness is None else isinstance(self.fairness, Proof)


def replay(record: dict[str, Any], board: Board | None = None, *, at: int | None = None) -> Game:
    """The game that a record tells; raises RecordError where the record is wrong. Pass the board if the map is not
    built in.

    With `at`, it is the game as it stood before that event: before the decision that the event follows from, or just
    after the deal.
    """
    return _Replay(record, board).run(at)


def steps(record: dict[str, Any], board: Board | None = None) -> Iterator[Game]:
    """Yields the game after the deal and after each action. It is always the same object, which moves on."""
    return _Replay(record, board).steps()


def audit(record: dict[str, Any], board: Board | None = None) -> Audit:
    """Replays a record against the rules, and checks its scores and winners."""
    game = replay(record, board)
    if game.over:
        _check_result(record, game)
    elif "scores" in record or "winners" in record:
        raise RecordError("the game has not ended, so it has no scores and no winners", rule="7.1")
    return Audit(game, game.over, _comes_from_seed(record, game), _fairness(record, game.board))


def prove(record: dict[str, Any], board: Board | None = None, receipt: Any = None) -> Proof:
    """What the record's secret proves about it; raises FairnessError unless all its chance comes from there.

    A receipt is what a client kept while the game was played: the record must be of that game.
    """
    return check_fairness(record, pieces_of(_Replay(record, board).board), receipt)


class _Replay:
    """Walks through the events of a record; `at` is the next one."""

    def __init__(self, record: dict[str, Any], board: Board | None) -> None:
        check_structure(record)
        self.events: list[Event] = record["events"]
        self.players: int = record["players"]
        self.board = board if board is not None else _load_board(record["map"])
        if self.board.id != record["map"]:
            raise RecordError(f"the record is of the map {record['map']}, not {self.board.id}")
        if self.players > self.board.map_file.players:
            raise RecordError(
                f"the map {self.board.id} is for at most {self.board.map_file.players} players", rule="1.7"
            )
        if record.get("digest", digest := digest_rules(self.board.map_file)) != digest:
            raise RecordError(f"the record is of another map {self.board.id}: the digest of this one is {digest}")
        self.seed = int(record["seed"], 16)
        self.at = 0
        self.setting_up = True

    def run(self, at: int | None) -> Game:
        steps = self.steps()
        game = next(steps)
        while True:
            before = game.copy() if at is not None else game
            if next(steps, None) is None:
                return game
            if at is not None and self.at > at:
                return before

    def steps(self) -> Iterator[Game]:
        game = self._begin()
        yield game
        while self.at < len(self.events) and not game.over:
            self._decide(game)
            yield game
        if self.at < len(self.events):
            raise RecordError("the game is over, but the record goes on", event=self.at, rule="7.1")

    def _begin(self) -> Game:
        game = Game._dealt(self.board, players=self.players, seed=self.seed, cards=self._chance_cards())
        game._stack_tickets(self._ticket_order())
        self._compare(game.events)
        return game

    def _decide(self, game: Game) -> None:
        event = self.events[self.at]
        self.setting_up = game.phase == "keep_first_tickets"
        if event["e"] not in _DECIDED:
            raise RecordError(f"no {event['e']} happens here", event=self.at, rule=self._rule(event))
        if event["seat"] != game.seat:
            raise RecordError(f"seat {game.seat} must decide, not seat {event['seat']}", event=self.at, rule="3.1")
        action = self._understand(event, game)
        try:
            events = game._play(action, self._chance_cards())
        except IllegalAction as error:
            raise RecordError(error.refusal.reason, event=self.at, rule=error.rule) from None
        self._compare(events)

    def _understand(self, event: Event, game: Game) -> Action:
        if event["e"] != "keep":
            return _ACTIONS[event["e"]](event)
        offer = list(game.position.offered())
        kept = [offer[:1], offer[1:], sorted(offer)]
        tickets = sorted(event["tickets"])
        if not offer or tickets not in kept:
            text = "the tickets kept are not one or both of those offered"
            raise RecordError(text, event=self.at, rule=self._rule(event))
        return Keep(("first", "second", "both")[kept.index(tickets)])

    def _chance_cards(self) -> list[str]:
        """The cards that came from the deck, from this event up to the next decision."""
        cards: list[str] = []
        for number, event in enumerate(self.events[self.at : self.at + TAPE_LENGTH]):
            kind = event["e"]
            if kind in _DECIDED and (number > 0 or kind not in ("draw", "claim")):
                break
            if kind in ("deal", "display"):
                cards.extend(event["cards"])
            elif kind == "flip" or (kind == "draw" and event["from"] == "deck"):
                cards.append(event["card"])
        return cards[:TAPE_LENGTH]

    def _ticket_order(self) -> list[str]:
        """The ticket deck that the offers reveal: tickets come in its order until those put at the bottom come back."""
        offered = [ticket for event in self.events if event["e"] == "offer" for ticket in event["tickets"]]
        known = self.board.ticket_number
        return list(dict.fromkeys([*(ticket for ticket in offered if ticket in known), *known]))

    def _compare(self, expected: Sequence[Event]) -> None:
        """The next events must be these."""
        for event in expected:
            if self.at >= len(self.events):
                raise RecordError(
                    f"the record stops where {describe(event)} must follow", event=self.at, rule=self._rule(event)
                )
            found = self.events[self.at]
            if _normal(found) != _normal(event):
                self._mismatch(found, event)
            self.at += 1

    def _mismatch(self, found: Event, expected: Event) -> None:
        """Says what is wrong with the first event that differs."""
        drawn = found.get("card", "")
        if found["e"] == expected["e"] and drawn != expected.get("card", ""):
            raise RecordError(f"no {drawn} card is left in the deck", event=self.at, rule="1.4")
        text = f"{describe(expected)} must come here, not {describe(found)}"
        raise RecordError(text, event=self.at, rule=self._rule(expected))

    def _rule(self, event: Event) -> str:
        """The rule that an event follows here: the first tickets have their own."""
        return "2.5" if self.setting_up and event["e"] in ("offer", "keep") else _RULES[event["e"]]


_ACTIONS: dict[str, Callable[[Event], Action]] = {
    "place": lambda event: Place(event["location"]),
    "draw": lambda event: Draw("deck" if event["from"] == "deck" else event["card"]),
    "offer": lambda event: DrawTickets(),
    "claim": lambda event: _claim(event["route"], dict(event["cards"])),
    "token": lambda event: Token(event["location"]),
    "pass": lambda event: Pass(),
}
"""How to read a decision from its event, except `keep`, which needs the offer. At a turn, an offer shows the decision
to draw tickets.
"""

_DECIDED = frozenset({*_ACTIONS, "keep"})

_RULES = {
    "deal": "2.4",
    "display": "2.4",
    "reset": "3.7",
    "offer": "6.1",
    "keep": "6.1",
    "place": "2.7",
    "draw": "3.2",
    "flip": "3.3",
    "recycle": "3.8",
    "claim": "4.1",
    "token": "5.1",
    "pass": "8.3",
    "last_round": "7.1",
    "end": "7.1",
}
"""The rule that an event of each kind follows."""


def _claim(route: str, payment: dict[str, int]) -> Claim:
    ferries = payment.pop(FERRY, 0)
    colour, cards = next(iter(payment.items()), (None, 0))
    return Claim(route, colour, cards, ferries)


def _check_result(record: dict[str, Any], game: Game) -> None:
    expected = game.record()
    for seat, score in enumerate(expected["scores"]):
        found = record.get("scores")
        if not isinstance(found, list) or len(found) != game.players:
            raise RecordError(f"scores must list all {game.players} seats", rule="9.1")
        if exact(found[seat]) != exact(score):
            rule = next((rule for key, rule in _SCORE_RULES.items() if _get(found[seat], key) != score[key]), "9.1")
            raise RecordError(f"seat {seat}'s score is {describe(score)}", rule=rule)
    if exact(record.get("winners")) != exact(expected["winners"]):
        raise RecordError(f"the winners are {expected['winners']}", rule="9.3")


_SCORE_RULES = {"routes": "4.6", "tokens": "9.2"}


def _get(table: Any, key: str) -> Any:
    return table.get(key) if isinstance(table, dict) else None


def _comes_from_seed(record: dict[str, Any], game: Game) -> bool:
    again = Game(game.board, players=game.players, seed=game.seed)
    try:
        for action in game.actions:
            again.play(action)
    except IllegalAction:
        return False
    return [_normal(event) for event in again.events] == [_normal(event) for event in record["events"]]


def _fairness(record: dict[str, Any], board: Board) -> Proof | FairnessError | None:
    try:
        return prove(record, board) if "fairness" in record else None
    except FairnessError as error:
        return error


def pieces_of(board: Board) -> Pieces:
    """What chance needs to know of a board."""
    cards = tuple(card for card, count in zip(CARDS, board.map_file.cards, strict=True) for _ in range(count))
    stacks = zip((location.id for location in board.landmarks), board.souvenirs, strict=False)
    return Pieces(board.id, cards, tuple(board.ticket_number), dict(stacks), digest_rules(board.map_file))


def _load_board(name: str) -> Board:
    """A built-in map: a record must not choose which file is read."""
    if name not in built_in_maps():
        raise RecordError(f"the map {name!r} does not come with the program: give its file")
    return Board.load(name)


def _normal(event: Event) -> Event:
    """An event in a form that does not depend on the order of what has no order."""
    unordered = {"reset": "cards", "keep": "tickets"}.get(event["e"])
    return event | {unordered: sorted(event[unordered])} if unordered else event
