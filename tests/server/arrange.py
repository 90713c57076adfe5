"""Tables for tests of the core: no network, no disk, and a clock that stands where the test puts it."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from fogline.game.game import Game
from fogline.maps.board import Board
from fogline.server.refused import STATUS, Refused
from fogline.server.run import make_offer
from fogline.server.tables import decisions
from fogline.server.tables.entries import Chair, Entry, Imported, read_entry
from fogline.server.tables.match import Chance
from fogline.server.tables.table import Table
from fogline.server.wire.messages import state_of

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


def person(name: str, seal: str = "") -> Chair:
    """Somebody whose id is the name in small letters."""
    return Chair(kind="person", person=name.lower(), name=name, seal=seal)


def bot(player: str = "racer") -> Chair:
    return Chair(kind="bot", player=player)


OPEN_CHAIR = Chair(kind="open")


def sit(table: Table, who: str, name: str, seal: str = "", at: float = 1.0) -> Entry | int:
    """Somebody comes by the link that is valid now."""
    return decisions.sit(table, who, name, seal, at, invite=table.invite)


def dealt(table: Table, salts: dict[str, str], at: float = 10.0) -> Table:
    """The host has started the game, and all who had sealed a salt have revealed it."""
    done(table, decisions.start(table, table.host, at))
    for who, salt in salts.items():
        done(table, decisions.reveal(table, who, salt, at))
    return table


def started(*people: str, at: float = 10.0, **settings: object) -> Table:
    """A game that has just begun between people; the first is the host."""
    table = opened([person(name) for name in people], host=people[0].lower(), **settings)  # type: ignore[arg-type]
    done(table, decisions.start(table, people[0].lower(), at))
    return table


def done(table: Table, entry: Entry | int | str) -> None:
    """Carries out a decision, which must be one."""
    assert not isinstance(entry, int | str), f"nothing was decided: {entry}"
    table.apply(entry)


def tried(table: Table, entry: Entry | int | str) -> None:
    """Carries out a decision on a copy of the table, where the rules may refuse it."""
    if not isinstance(entry, int | str):
        table.after(entry)


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


def finished(*people: str, seed: int = 0, **settings: object) -> Table:
    """A game that people have played to its end."""
    table = started(*people, **settings)  # type: ignore[arg-type]
    play_some(table, 10_000, seed=seed)
    assert table.status == "over"
    return table


def imported(record: dict[str, Any], *names: str, host: str = "ann") -> Table:
    """A game that was played elsewhere."""
    table = Table(TABLE, SECRET, OFFER)
    table.apply(Imported(at=0.0, record=record, digest=OFFER.digests[record["map"]], names=names, host=host))
    return table


def folded(entries: Iterable[str], like: Table) -> Table:
    """A table made anew from its log, as a server does that has just started."""
    table = Table(like.id, like.secret, like.offer)
    for entry in entries:
        table.apply(read_entry(entry))
    return table


def viewers(table: Table) -> list[str]:
    """The host and all who sit at a table; a stranger; and nobody at all."""
    return list(dict.fromkeys([table.host, *(chair.person for chair in table.chairs), "a stranger", ""]))


def observable(table: Table) -> dict[str, Any]:
    """A table to the last detail, as values that later changes of it do not reach."""
    hidden = ("match", "offer", "_chance")
    found = {name: copy.deepcopy(value) for name, value in vars(table).items() if name not in hidden}
    found["states"] = {person: state_of(table, table.viewer(person)) for person in viewers(table)}
    found["watching"] = {person: table.may_watch(person) for person in viewers(table)}
    found["due"] = (table.deadline, table.due(0.0), table.bots_deciding())
    if table.match is not None:
        found["match"] = (dict(table.match.choices), list(table.match.actors), *_exactly(table.match.game))
    return found


def _exactly(game: Game) -> tuple[Any, ...]:
    return game.position.snapshot(), list(game.actions), repr(game.events)


@contextmanager
def refuses(code: str, words: str | None = None, *, rule: str | None = None) -> Iterator[None]:
    """What is decided inside is refused, for this reason."""
    with pytest.raises(Refused, match=words) as caught:
        yield
    assert (caught.value.code, caught.value.rule) == (code, rule)
    assert code in STATUS
