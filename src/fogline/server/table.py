"""Table: what the entries of a log add up to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from fogline.actions import parse_action
from fogline.board import Board
from fogline.fairness import Fairness
from fogline.server import entries as log
from fogline.server.clock import SECONDS, ClockName
from fogline.server.match import Chance, FairChance, Match

OPEN, PLAYING, OVER, CLOSED, IMPORTED = "open", "playing", "over", "closed", "imported"
"""How a table stands: people sit down, play, have played; was given up; shows a game that was played elsewhere."""


class Viewer(NamedTuple):
    """Who looks at a table; without a chair, a spectator."""

    chair: int | None
    seat: int | None  # None before the start, too
    host: bool


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server has for all its tables: boards by their id, with the digest of each map."""

    boards: Mapping[str, Board]
    digests: Mapping[str, str]


class Unreadable(Exception):
    """A log that this server cannot follow."""


class Table:
    """One table. Made anew from its log, it follows it by `apply`; `after` leaves it as it is."""

    def __init__(self, id: str, secret: bytes, offer: Offer, chance: Chance | None = None) -> None:
        self.id = id
        self.secret = secret
        self.offer = offer
        self.n = 0  # the number of the last entry
        self.status = OPEN
        self.map = ""
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
        return self.offer.boards[self.map]

    @property
    def fairness(self) -> Fairness:
        if self.match is not None and isinstance(self.match.chance, FairChance):
            return self.match.chance.fairness  # the same, and made already
        return Fairness(self.secret, self.id, tuple(chair.salt for chair in self.chairs))

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
        """When the clock of the people who must decide runs out."""
        seconds = SECONDS[self.clock]
        if seconds is None or all(self.is_bot(seat) for seat in self._deciding()):
            return None
        return self.turn_began + seconds

    def due(self, bot_delay: float) -> float | None:
        """When something must happen here by itself."""
        times = [self.deadline] + ([self.moved + bot_delay] if self.bots_deciding() else [])
        return min((time for time in times if time is not None), default=None)

    def _deciding(self) -> tuple[int, ...]:
        return self.match.deciding() if self.match is not None and self.status == PLAYING else ()

    # What happens.

    def after(self, entry: log.Entry) -> Table:
        """The table as this entry would leave it; this one stays as it is."""
        table = object.__new__(type(self))
        table.__dict__.update(self.__dict__)  # copy.copy takes five times as long
        table.chairs, table.away, table.event_counts = list(self.chairs), set(self.away), list(self.event_counts)
        table.match = self.match.copy() if self.match and isinstance(entry, log.Moved) else self.match
        table.apply(entry)
        return table

    def apply(self, entry: log.Entry) -> None:
        """Takes in the next entry of the log."""
        _APPLY[type(entry)](self, entry)
        self.n += 1
        self.changed = entry.at
        self.event_counts.append(self.match.event_count if self.match else 0)

    def _opened(self, entry: log.Opened) -> None:
        self._check_map(entry.map, entry.digest)
        self.map, self.clock, self.host, self.invite = entry.map, entry.clock, entry.host, entry.invite
        self.spectators, self.autostart = entry.spectators, entry.autostart
        self.chairs = list(entry.chairs)

    def _sat(self, entry: log.Sat) -> None:
        self.chairs[entry.chair] = log.Chair(kind="person", person=entry.person, name=entry.name, salt=entry.salt)

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

    def _started(self, entry: log.Started) -> None:
        self.status = PLAYING  # the link still leads those here who sit at the table
        self.seating = tuple(self.fairness.seating())
        self.match = Match(self.board, len(self.chairs), self._chance or FairChance(self.fairness))
        self.turn_began = self.moved = entry.at

    def _moved(self, entry: log.Moved) -> None:
        assert self.match is not None
        self.match.play(entry.seat, parse_action(entry.action))
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
        self._check_map(entry.record["map"], entry.digest)
        self.status, self.map, self.host, self.record = IMPORTED, entry.record["map"], entry.host, entry.record
        self.chairs = [log.Chair(kind="person", name=name) for name in entry.names]
        self.seating = tuple(range(len(self.chairs)))

    def _check_map(self, name: str, digest: str) -> None:
        if self.offer.digests.get(name) != digest:
            raise Unreadable(f"this game was played on a map {name!r} that is not here, or has changed since")

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
    log.Started: Table._started,
    log.Moved: Table._moved,
    log.Away: Table._away,
    log.Back: Table._back,
    log.Again: Table._again,
    log.Imported: Table._imported,
}
