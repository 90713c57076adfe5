"""Tables for tests of the core: no network, no disk, and a clock that stands where the test puts it."""

from __future__ import annotations

import random
from collections.abc import Sequence

from fogline.board import Board
from fogline.server import decisions
from fogline.server.entries import Chair, Entry
from fogline.server.match import Chance
from fogline.server.run import make_offer
from fogline.server.table import Table

OFFER = make_offer([Board.load("san_francisco"), Board.load("tiny")])
SECRET = bytes(range(32))
TABLE = "table-of-tests-1"


def opened(
    chairs: Sequence[Chair],
    *,
    host: str = "ann",
    map: str = "san_francisco",
    clock: str = "none",
    spectators: bool = True,
    secret: bytes = SECRET,
    id: str = TABLE,
    chance: Chance | None = None,
) -> Table:
    """A table at second 0, with its chairs as they are given."""
    table = Table(id, secret, OFFER, chance)
    settings = {"clock": clock, "spectators": spectators, "autostart": False}
    digest = OFFER.digests[map]
    table.apply(
        decisions.open_table(host, list(chairs), map=map, digest=digest, invite="invite-of-tests1", at=0.0, **settings)
    )
    return table


def person(name: str, salt: str = "") -> Chair:
    """Somebody whose id is the name in small letters."""
    return Chair(kind="person", person=name.lower(), name=name, salt=salt)


def bot(player: str = "racer") -> Chair:
    return Chair(kind="bot", player=player)


OPEN_CHAIR = Chair(kind="open")


def started(*people: str, at: float = 10.0, **settings: object) -> Table:
    """A game that has just begun between people; the first is the host."""
    table = opened([person(name) for name in people], host=people[0].lower(), **settings)  # type: ignore[arg-type]
    done(table, decisions.start(table, people[0].lower(), at))
    return table


def done(table: Table, entry: Entry | int | str) -> None:
    """Carries out a decision, which must be one."""
    assert not isinstance(entry, int | str), f"nothing was decided: {entry}"
    table.apply(entry)


def person_in(table: Table, seat: int) -> str:
    return table.chairs[table.seating[seat]].person


def play_some(table: Table, count: int, *, seed: int = 0, at: float = 20.0) -> None:
    """People decide at random, so many times or until the game is over."""
    generator = random.Random(seed)
    for _ in range(count):
        assert table.match is not None
        deciding = table.match.deciding()
        if not deciding:
            return
        seat = generator.choice(deciding)
        action = generator.choice(table.match.view(seat).legal_actions)
        done(table, decisions.play(table, person_in(table, seat), table.match.step, str(action), at))
