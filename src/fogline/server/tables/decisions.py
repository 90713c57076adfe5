"""Decisions: what may happen at a table. Each looks at a table and returns the entry to be made, or raises Refused.

Whether the rules allow an action is decided when its entry is applied: `Table.after` raises Refused, too.
"""

from __future__ import annotations

from typing import Any

from fogline.fairness import seal_of
from fogline.game.actions import Action, ActionError, parse_action
from fogline.game.game import PLAYER_COUNTS
from fogline.players.player import PLAYERS
from fogline.server.refused import Refused
from fogline.server.tables import entries as log
from fogline.server.tables.clock import SECONDS
from fogline.server.tables.table import CLOSED, OPEN, OVER, PLAYING, REVEALING, SCHEME, Table

# Before the start.


def open_table(
    person: str, chairs: list[log.Chair], *, map: str, digest: str, invite: str, at: float, **settings: Any
) -> log.Opened:
    if len(chairs) not in PLAYER_COUNTS:
        raise Refused("invalid", f"a table has 2 to 4 chairs, not {len(chairs)}", "1.7")
    for chair in chairs:
        _check_player(chair.player)
    settings["scheme"] = SCHEME
    return log.Opened(at=at, map=map, digest=digest, chairs=tuple(chairs), host=person, invite=invite, **settings)


def sit(table: Table, person: str, name: str, seal: str, at: float, *, invite: str) -> log.Sat | int:
    """Takes an open chair by an invitation; somebody who sits there already may bring another name or seal."""
    if table.chair_of(person) is not None:
        return change(table, person, name, seal, at)
    check_invite(table, person, invite)
    place = next((at for at, chair in enumerate(table.chairs) if chair.kind == "open"), None)
    if place is None:
        raise Refused("conflict", "every chair at this table is taken")
    _must_be_own(table, place, seal)
    return log.Sat(at=at, chair=place, person=person, name=name, seal=seal)


def change(table: Table, person: str, name: str, seal: str, at: float) -> log.Sat | int:
    """Somebody at the table gives another name or seal."""
    place = table.chair_of(person)
    if place is None:
        raise Refused("forbidden", "you do not sit at this table")
    chair = table.chairs[place]
    if (chair.name, chair.seal) == (name, seal) or table.status in (REVEALING, PLAYING, OVER):
        return table.n
    _must_be_open(table)
    _must_be_own(table, place, seal)
    return log.Sat(at=at, chair=place, person=person, name=name, seal=seal, salt=chair.salt)


def _must_be_own(table: Table, place: int, seal: str) -> None:
    """A copied seal would make two chairs out of one salt, and could change places with it."""
    if seal and any(chair.seal == seal for at, chair in enumerate(table.chairs) if at != place):
        raise Refused("conflict", "seal: this is the seal of another chair; choose a salt of your own")


def check_invite(table: Table, person: str, invite: str) -> None:
    """Nobody joins a game that has begun; but people who sit there find their way back by the link."""
    if table.chair_of(person) is None and (invite != table.invite or table.status != OPEN):
        raise Refused("not_found", "this invitation is over: ask for a new link")


def fill(table: Table, person: str, chair: int, player: str, at: float) -> log.Filled | log.Stood | int:
    """The host gives a chair to a bot, or, without one, opens it."""
    _must_host(table, person)
    _must_be_open(table)
    _check_player(player)
    if chair >= len(table.chairs):
        raise Refused("invalid", f"the chairs are numbered from 0 to {len(table.chairs) - 1}")
    found = table.chairs[chair]
    if found.person == person:
        raise Refused("conflict", "this chair is yours: leave the table to give it up")
    if found.player == player and found.kind != "person":
        return table.n
    if found.kind == "person" and not player:
        return log.Stood(at=at, chair=chair)
    return log.Filled(at=at, chair=chair, player=player)


def invite(table: Table, person: str, invite: str, at: float) -> log.Invited:
    """A new link takes the place of the old one; an empty one revokes it."""
    _must_host(table, person)
    _must_be_open(table)
    return log.Invited(at=at, invite=invite)


def watch(table: Table, person: str, spectators: bool, at: float) -> log.Watched | int:
    _must_host(table, person)
    return table.n if table.spectators == spectators else log.Watched(at=at, spectators=spectators)


def start(table: Table, person: str, at: float) -> log.Locked | log.Started | int:
    """The host wants the cards dealt: at once, unless somebody has a salt to reveal first."""
    _must_host(table, person)
    if table.status in (REVEALING, PLAYING, OVER):
        return table.n
    _must_be_open(table)
    if not table.full:
        raise Refused("conflict", "a chair is still open: wait for somebody, or give it to a bot")
    return log.Started(at=at) if table.revealed or table.scheme == 1 else log.Locked(at=at)


def reveal(table: Table, person: str, salt: str, at: float) -> log.Revealed | int:
    """A person reveals the salt of their seal; no other is taken."""
    place = table.chair_of(person)
    if place is None:
        raise Refused("forbidden", "you do not sit at this table")
    chair = table.chairs[place]
    if chair.salt == salt:
        return table.n
    if table.status != REVEALING:
        raise Refused(
            "conflict", "salts are revealed when the host has started the game, and before the cards are dealt"
        )
    if chair.seal != seal_of(salt):
        raise Refused("invalid", "salt: this is not the salt of your seal")
    return log.Revealed(at=at, chair=place, salt=salt)


# During the game.


def play(table: Table, person: str, step: int, text: str, at: float) -> log.Moved | int:
    """A person decides. The step tells which decision is meant, so that a late or repeated message changes nothing."""
    seat = _must_sit(table, person)
    return _move(table, seat, step, text, at, bot=False)


def play_bot(table: Table, seat: int, step: int, text: str, at: float) -> log.Moved | int:
    if table.status != PLAYING or not table.is_bot(seat):
        return table.n  # the person came back meanwhile
    return _move(table, seat, step, text, at, bot=True)


def why_not(table: Table, person: str, text: str) -> Refused | None:
    """Why the person cannot do this now; None when it is legal. A claim without a payment asks about all payments."""
    seat = _must_sit(table, person)
    assert table.match is not None
    try:
        _must_be_there(table, seat)
        route = route_asked(text)
        refusal = table.match.why_not_route(seat, route) if route else table.match.why_not(seat, _read(text))
    except Refused as refused:
        return refused
    return None if refusal is None else Refused.by_rule(refusal)


def route_asked(text: str) -> str | None:
    """The route of a claim that leaves its payment open, such as `claim castro-mission:1`."""
    verb, *words = text.lower().split() or [""]
    return words[0] if verb == "claim" and len(words) == 1 else None


def leave(table: Table, person: str, at: float) -> log.Stood | log.Away | log.Closed | int:
    """Before the start, the chair becomes free, and the host's leaving ends the table; after it, a bot plays on."""
    if table.status == OPEN and person == table.host:
        return log.Closed(at=at)
    chair = table.chair_of(person)
    if chair is None:
        raise Refused("forbidden", "you do not sit at this table")
    if table.status == REVEALING:
        raise Refused("conflict", "the cards are being dealt; leave in a moment")
    if table.status == OPEN:
        return log.Stood(at=at, chair=chair)
    seat = table.seating.index(chair) if table.status == PLAYING else None
    return table.n if seat is None or seat in table.away else log.Away(at=at, seat=seat, why="left")


def hand_over(table: Table, person: str, chair: int, absent: float, at: float, *, patience: float) -> log.Away | int:
    """Somebody who waits lets a bot play on for a person who has been gone for long, where no clock does it.

    Anybody who plays may: the host may be the one who is gone.
    """
    seat = _must_sit(table, person)
    if table.status != PLAYING or table.match is None:
        raise Refused("conflict", "the game is over")
    _must_be_there(table, seat)
    if chair >= len(table.chairs):
        raise Refused("invalid", f"the chairs are numbered from 0 to {len(table.chairs) - 1}")
    gone = table.seating.index(chair)
    if table.is_bot(gone):
        return table.n
    if gone == seat:
        raise Refused("conflict", "this seat is yours: leave the game to let a bot play")
    if SECONDS[table.clock] is not None:
        raise Refused("conflict", "this table has a clock: when it has run out, a bot plays on by itself")
    if gone not in table.match.deciding():
        raise Refused("conflict", "nobody waits for this seat now")
    left = patience - min(absent, at - table.turn_began)
    if absent <= 0 or left > 0:  # whatever the patience, somebody who is here keeps the seat
        raise Refused("still_here", f"not before this person has been gone, and waited for, {left:.0f} seconds more")
    return log.Away(at=at, seat=gone, why="gone")


def come_back(table: Table, person: str, at: float) -> log.Back | int:
    seat = _must_sit(table, person)
    return log.Back(at=at, seat=seat) if seat in table.away and table.status == PLAYING else table.n


def run_out(table: Table, now: float) -> log.Away | log.Started | int:
    """When the clock has run out, a bot takes over for the first person the table waits for;
    the deal waits no longer.
    """
    deadline = table.deadline
    if deadline is None or now < deadline:
        return table.n
    if table.match is None:
        return log.Started(at=now)
    seat = next(seat for seat in table.match.deciding() if not table.is_bot(seat))
    return log.Away(at=now, seat=seat, why="clock")


# After it.


def play_again(table: Table, person: str, new: str, at: float) -> log.Again | str:
    """Another table for the same people; the existing one, if somebody has opened it already."""
    _must_sit(table, person)
    if table.status != OVER:
        raise Refused("conflict", "this game is not over yet")
    return table.again or log.Again(at=at, table=new, person=person)


def _must_be_open(table: Table) -> None:
    if table.status == CLOSED:
        raise Refused("conflict", "the host has closed this table")
    if table.status != OPEN:
        raise Refused("conflict", "the game has begun")


def _must_host(table: Table, person: str) -> None:
    if not person or person != table.host:
        raise Refused("forbidden", "only the host of the table may do this")


def _must_sit(table: Table, person: str) -> int:
    """The seat of a person at a game that has begun."""
    viewer = table.viewer(person)
    if viewer.chair is None:
        raise Refused("forbidden", "you do not sit at this table")
    if viewer.seat is None or table.match is None:
        raise Refused("conflict", "the game has not begun")
    return viewer.seat


def _check_player(player: str) -> None:
    if player and player not in PLAYERS:
        raise Refused("invalid", f"there is no player {player[:40]!r}; there are {', '.join(PLAYERS)}")


def _must_be_there(table: Table, seat: int) -> None:
    if table.status == PLAYING and seat in table.away:
        raise Refused("conflict", "a bot plays for you: come back first")


def _move(table: Table, seat: int, step: int, text: str, at: float, *, bot: bool) -> log.Moved | int:
    match = table.match
    assert match is not None
    done = match.played(seat, step)
    if done is not None:
        return _repeated(table, done, text)
    if step != match.step:
        raise Refused("late", f"this decides step {step}, and the game is at step {match.step}")
    if not bot:
        _must_be_there(table, seat)
    return log.Moved(at=at, seat=seat, action=_read(text), bot=bot)


def _repeated(table: Table, done: object, text: str) -> int:
    """The same decision once more is fine, and changes nothing."""
    if _read(text) == done:
        return table.n
    raise Refused("late", f"you have decided this already: {done}")


def _read(text: str) -> Action:
    try:
        return parse_action(text)
    except ActionError as error:
        raise Refused("not_an_action", str(error)) from None
