"""Replays: a game again, step by step, through the eyes of a seat, of the public, or of everyone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fogline.game.game import Game
from fogline.game.record import steps
from fogline.game.view import View, redact
from fogline.maps.board import Board
from fogline.players.player import PLAYERS
from fogline.server.refused import Refused
from fogline.server.tables.table import IMPORTED, OVER, Table, Viewer
from fogline.server.wire.messages import game_view, table_info
from fogline.server.wire.wire import Frame, Mind, Replay, TableInfo

THINKERS = {
    "planner": "planner",
    "search": "planner",
    "newcomer": "neural",
    "local": "neural",
    "neural": "neural",
    "master": "neural",
}
"""Whose thoughts tell what a bot had in mind: those that look ahead begin with them, and others lose them halfway."""

Eyes = int | Literal["all", "public"]


@dataclass(frozen=True, slots=True)
class Reel:
    """All that a replay is made of, wherever it is made."""

    table: TableInfo
    record: dict[str, Any]
    board: Board
    bots: tuple[str, ...]  # by seat; empty for a person
    eyes: Eyes
    at: int | None  # only the frame after this many actions


def choose_eyes(table: Table, viewer: Viewer, asked: str | None) -> Eyes:
    """Through whose eyes a viewer may look: anyone's once the game is over, before that one's own, or the public's."""
    over = table.status in (OVER, IMPORTED)
    own: Eyes = "public" if viewer.seat is None else viewer.seat
    eyes: Eyes = ("all" if over else own) if asked is None else _parse(asked, len(table.chairs))
    if not over and eyes not in (own, "public"):
        raise Refused("forbidden", "while the game goes on, you see it through your own eyes alone")
    return eyes


def reel_of(table: Table, viewer: Viewer, eyes: Eyes, at: int | None) -> Reel:
    bots = tuple(table.chairs[chair].player for chair in table.seating)
    return Reel(table_info(table, viewer), _record(table), table.board, bots, eyes, at)


def make_replay(reel: Reel) -> Replay:
    """All frames of a game, or the one that is asked for."""
    eyes, at = reel.eyes, reel.at
    frames: list[Frame] = []
    shown, mind = 0, None
    for step, game in enumerate(steps(reel.record, reel.board)):
        if at is None or step == at:
            frames.append(_frame(game, step, eyes, shown, mind))
        shown = len(game.events)
        mind = read_mind(reel.bots, game) if eyes == "all" and at in (None, step + 1) else None
    if not frames:
        raise Refused("invalid", f"at: the game has steps 0 to {step}, not {at}")
    return Replay(table=reel.table, eyes=str(eyes), steps=step + 1, frames=tuple(frames))


def _record(table: Table) -> dict[str, Any]:
    if table.record is not None:
        return table.record
    if table.match is None or table.match.choosing:
        raise Refused("conflict", "there is nothing to see again before the first turn")
    return table.match.game.record()


def read_mind(bots: tuple[str, ...], game: Game) -> Mind | None:
    """What the next bot has in mind, if it is a bot that plans.

    It is computed again from what its seat sees, so nothing of it is stored, or can be shown too early.
    """
    if game.over or bots[game.seat] not in THINKERS:
        return None
    thinker = PLAYERS[THINKERS[bots[game.seat]]](0)
    thinker.choose(game.view(game.seat))
    reason = thinker.explain()
    return None if reason is None else Mind(game.seat, reason.ticket, reason.route, reason.feared)


def _frame(game: Game, step: int, eyes: Eyes, since: int, mind: Mind | None) -> Frame:
    view = _view(game, eyes, since)
    deciding = () if view.acting is None else (view.acting,)
    # What was hidden while first tickets were chosen (2.5) was shown when they were.
    events = view.events if eyes == "all" else tuple(redact(event, view.seat) for event in game.events[since:])
    return Frame(step=step, view=game_view(view, step, deciding), events=events, mind=mind)


def _view(game: Game, eyes: Eyes, since: int) -> View:
    if eyes == "all":
        return game.open_view(since=since)
    return game.view(None if eyes == "public" else int(eyes), since=since)


def _parse(text: str, players: int) -> Eyes:
    if text == "all":
        return "all"
    if text == "public":
        return "public"
    if text in [str(seat) for seat in range(players)]:
        return int(text)
    raise Refused("invalid", f"eyes: say all, public, or a seat from 0 to {players - 1}")
