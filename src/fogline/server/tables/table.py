"""Table: what the entries of a log add up to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from fogline.fairness import Fairness
from fogline.fairness.first_scheme import FirstFairness
from fogline.game.refusals import IllegalAction
from fogline.maps.board import Board
from fogline.server.refused import Refused
from fogline.server.tables import entries as log
from fogline.server.tables.clock import SECONDS, ClockName
from fogline.server.tables.match import Chance, FairChance, Match

OPEN, REVEALING, PLAYING, OVER = "open", "revealing", "playing", "over"
CLOSED, IMPORTED = "closed", "imported"
"""The status of a table: people sit down, reveal their salts, play, have played; or the host gave it up; or it shows an
imported game.
"""

REVEAL_SECONDS = 10.0
"""Seconds that the deal waits for salts. The seal replaces a salt that does not come, so nobody gains by withholding
it.
"""

SCHEME = 2
"""The fairness scheme of all new tables."""


class Viewer(NamedTuple):
    """Someone who looks at a table; without a chair, a spectator."""

    chair: int | None
    seat: int | None  # None before the start, too
    host: bool


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server has for all its tables."""

    boards: Mapping[str, Board]  # to open a table on, by their id
    digests: Mapping[str, str]  # of their rules
    editions: Mapping[tuple[str, str], Board]  # to go on playing on, by id and every digest that a table may have kept


class Unreadable(Exception):
    """A log that this server cannot follow."""


class Table:
    """One table. Made from its log, it follows the log by `apply`; `after` leaves it unchanged."""

    def __init__(self, id: str, secret: bytes, offer: Offer, chance: Chance | None = None) -> None:
        self.id = id
        self.secret = secret
        self.offer = offer
        self.n = 0  # the number of the last entry
        self.status = OPEN
        self.map = self.digest = ""
        self.scheme = SCHEME
        self.clock: ClockName = "none"
        self.spectators = True
        self.autostart = False
        self.host = ""
        self.invite = ""
        self.chairs: list[log.Chair] = []
        self.seating: tuple[int, ...] = ()  # the chair of each seat
        self.away: set[int] = set()  # seats for which a bot plays on
        self.again = ""
        self.match: Match | None = None
        self.record: dict[str, Any] | None = None  # of an imported game
        self.changed = 0.0  # when the last entry was made
        self.turn_began = 0.0
        self.moved = 0.0  # when the last decision of the game was made: a bot takes its time from here
        self.event_counts = [0]  # by the number of an entry: the events shown after it
        self._chance = chance

    # What there is to ask.

    @property
    def board(self) -> Board:
        return self.offer.editions[self.map, self.digest]

    @property
    def fairness(self) -> Fairness | FirstFairness:
        if self.scheme == 1:
            return FirstFairness(self.secret, self.id, tuple(chair.salt for chair in self.chairs))
        seals = tuple(chair.seal or None for chair in self.chairs)
        return Fairness(self.secret, self.id, self.digest, seals, tuple(chair.salt or None for chair in self.chairs))

    @property
    def revealed(self) -> bool:
        """Whether every sealed salt is there."""
        return all(chair.salt or not chair.seal for chair in self.chairs)

    @property
    def full(self) -> bool:
        return all(chair.kind != "open" for chair in self.chairs)

    def chair_of(self, person: str) -> int | None:
        return next((at for at, chair in enumerate(self.chairs) if person and chair.person == person), None)

    def viewer(self, person: str) -> Viewer:
        chair = self.chair_of(person)
        seat = self.seating.index(chair) if chair is not None and self.seating else None
        return Viewer(chair, seat, host=bool(person) and person == self.host)

    def may_watch(self, person: str) -> bool:
        return self.spectators or person == self.host or self.chair_of(person) is not None

    def is_bot(self, seat: int) -> bool:
        """Whether a bot decides for the seat."""
        return seat in self.away or self.chairs[self.seating[seat]].kind == "bot"

    def bots_deciding(self) -> list[int]:
        return [seat for seat in self._deciding() if self.is_bot(seat)]

    @property
    def deadline(self) -> float | None:
        """When the clock of the people who must decide runs out, or the deal stops waiting for their salts."""
        if self.status == REVEALING:
            return self.turn_began + REVEAL_SECONDS
        seconds = SECONDS[self.clock]
        if seconds is None or all(self.is_bot(seat) for seat in self._deciding()):
            return None
        return self.turn_began + seconds

    def due(self, bot_delay: float) -> float | None:
        """When something must happen here without a request."""
        times = [self.deadline] + ([self.moved + bot_delay] if self.bots_deciding() else [])
        return min((time for time in times if time is not None), default=None)

    def _deciding(self) -> tuple[int, ...]:
        return self.match.deciding() if self.match is not None and self.status == PLAYING else ()

    def set_back(self, now: float) -> None:
        """Moves times after now back to now: a clock that was ahead would give people and bots more time."""
        self.turn_began, self.moved = min(self.turn_began, now), min(self.moved, now)

    # What happens.

    def after(self, entry: log.Entry) -> Table:
        """The table as this entry would leave it; this one stays as it is. Raises Refused where the rules forbid it."""
        table = object.__new__(type(self))
        table.__dict__.update(self.__dict__)  # copy.copy takes five times as long
        table.chairs, table.away, table.event_counts = list(self.chairs), set(self.away), list(self.event_counts)
        table.match = self.match.copy() if self.match and isinstance(entry, log.Moved) else self.match
        try:
            table.apply(entry)
        except IllegalAction as illegal:
            raise Refused.by_rule(illegal.refusal) from None
        return table

    def apply(self, entry: log.Entry) -> None:
        """Takes in the next entry of the log."""
        _APPLY[type(entry)](self, entry)
        self.n += 1
        self.changed = entry.at
        self.event_counts.append(self.match.event_count if self.match else 0)

    def _opened(self, entry: log.Opened) -> None:
        self._take_map(entry.map, entry.digest)
        self.scheme = entry.scheme
        self.clock, self.host, self.invite = entry.clock, entry.host, entry.invite
        self.spectators, self.autostart = entry.spectators, entry.autostart
        self.chairs = list(entry.chairs)

    def _sat(self, entry: log.Sat) -> None:
        chair = log.Chair(kind="person", person=entry.person, name=entry.name, seal=entry.seal, salt=entry.salt)
        self.chairs[entry.chair] = chair

    def _stood(self, entry: log.Stood) -> None:
        self.chairs[entry.chair] = log.Chair(kind="open")

    def _filled(self, entry: log.Filled) -> None:
        self.chairs[entry.chair] = log.Chair(kind="bot" if entry.player else "open", player=entry.player)

    def _invited(self, entry: log.Invited) -> None:
        self.invite = entry.invite

    def _watched(self, entry: log.Watched) -> None:
        self.spectators = entry.spectators

    def _closed(self, entry: log.Closed) -> None:
        self.status, self.invite = CLOSED, ""

    def _locked(self, entry: log.Locked) -> None:
        self.status, self.turn_began = REVEALING, entry.at

    def _revealed(self, entry: log.Revealed) -> None:
        self.chairs[entry.chair] = self.chairs[entry.chair].model_copy(update={"salt": entry.salt})
        if self.revealed:
            self._started(entry)

    def _started(self, entry: log.Started | log.Revealed) -> None:
        self.status = PLAYING  # the link still leads those here who sit at the table
        fairness = self.fairness
        self.seating = tuple(fairness.seating())
        self.match = Match(self.board, len(self.chairs), self._chance or FairChance(fairness))
        self.turn_began = self.moved = entry.at

    def _moved(self, entry: log.Moved) -> None:
        assert self.match is not None
        self.match.play(entry.seat, entry.action)
        self.moved = entry.at
        game = self.match.game
        if game.over:
            self.status = OVER
        elif game.phase in ("turn", "place"):
            self.turn_began = entry.at  # one clock for all that a turn asks

    def _away(self, entry: log.Away) -> None:
        self.away.add(entry.seat)

    def _back(self, entry: log.Back) -> None:
        waiting = self.deadline is not None  # for somebody whose time this must not change
        self.away.discard(entry.seat)
        if not waiting and self.deadline is not None and self.deadline <= entry.at:
            self.turn_began = entry.at  # only what had run out: else leaving and coming back would give time

    def _again(self, entry: log.Again) -> None:
        self.again = entry.table

    def _imported(self, entry: log.Imported) -> None:
        self._take_map(entry.record["map"], entry.digest)
        self.status, self.host, self.record = IMPORTED, entry.host, entry.record
        self.chairs = [log.Chair(kind="person", name=name) for name in entry.names]
        self.seating = tuple(range(len(self.chairs)))

    def _take_map(self, name: str, digest: str) -> None:
        if (name, digest) not in self.offer.editions:
            raise Unreadable(f"this game was played on a map {name!r} that is not here, or has changed since")
        self.map, self.digest = name, digest

    # Its game, written down.

    def game_record(self) -> dict[str, Any]:
        """The whole record, secrets and all: only for a game that is over."""
        if self.record is not None:
            return self.record
        assert self.match is not None
        return self.match.game.record() | {"fairness": self.fairness.revealed()}


_APPLY: dict[type, Callable[[Table, Any], None]] = {
    log.Opened: Table._opened,
    log.Sat: Table._sat,
    log.Stood: Table._stood,
    log.Filled: Table._filled,
    log.Invited: Table._invited,
    log.Watched: Table._watched,
    log.Closed: Table._closed,
    log.Locked: Table._locked,
    log.Revealed: Table._revealed,
    log.Started: Table._started,
    log.Moved: Table._moved,
    log.Away: Table._away,
    log.Back: Table._back,
    log.Again: Table._again,
    log.Imported: Table._imported,
}
