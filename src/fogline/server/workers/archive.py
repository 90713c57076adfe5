"""The archive: replays and audits, computed in a worker process beside the server.

It has one of its own: it is given whole games, of which those in which bots think must know nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from fogline.fairness import FairnessError
from fogline.game.record import audit
from fogline.game.recordfile import RecordError
from fogline.maps.board import Board
from fogline.server.refused import Refused
from fogline.server.settings import Settings
from fogline.server.tables.table import Table, Viewer
from fogline.server.wire.replays import Eyes, Reel, make_replay, reel_of
from fogline.server.wire.wire import ImportedRecord, Replay
from fogline.server.workers.pool import Pool
from fogline.server.workers.shelf import Shelf
from fogline.server.workers.worker import Worker

NICENESS = 10
"""Replays have a lower priority than bots, for whom people wait at their tables."""

AT_ONCE = 3
"""Replays and audits that one person may have waiting."""

ROOM = 32_000_000
"""Bytes of replays that are cached; a long one takes a million."""

NOT_JSON = "the body must be a JSON object, with Content-Type: application/json"

T = TypeVar("T")

_REPLAY = TypeAdapter(Replay)


@dataclass(frozen=True, slots=True)
class Brought:
    """A game that was brought along, and breaks no rule."""

    record: dict[str, Any]
    names: tuple[str, ...]  # of those who played, as far as they were told
    players: int


class Archive:
    """One thing is done after the other, and people come in turn."""

    def __init__(self, settings: Settings) -> None:
        self._pool = Pool("archive", [Worker(settings.offer.boards.values(), NICENESS)])
        self._shelf = Shelf(ROOM)

    async def replay(self, who: str, table: Table, viewer: Viewer, eyes: Eyes, at: int | None) -> bytes:
        """A replay, as it is sent."""
        key = (table.id, table.n, viewer, eyes, at)
        found = self._shelf.find(key)
        if found is None:
            found = await self._do(who, write_replay, lambda: (reel_of(table, viewer, eyes, at),))
            self._shelf.put(key, found)
        return found

    async def audit(self, who: str, body: bytes, boards: Mapping[str, Board]) -> Brought:
        """Checks that a game is over, breaks no rule and does not lie about its chance.

        It stays unparsed until here: parsing a large one in the server would delay everybody.
        """
        return await self._do(who, read_game, lambda: (body, dict(boards)))

    async def close(self) -> None:
        await self._pool.close()

    async def _do(self, who: str, function: Callable[..., T], arguments: Callable[[], tuple[Any, ...]]) -> T:
        if self._pool.asked(who) >= AT_ONCE:
            raise Refused("too_many", f"you wait for {AT_ONCE} replays or records already; let one of them come first")
        return await self._pool.do(who, lambda _: (function, arguments()))


def write_replay(reel: Reel) -> bytes:
    return _REPLAY.dump_json(make_replay(reel))


def read_game(body: bytes, boards: Mapping[str, Board]) -> Brought:
    try:
        imported = _read(body)
        board = boards.get(str(imported.record.get("map")))
        if board is None:
            raise Refused("invalid", f"record: there is no such map; there are {', '.join(boards)}")
        return Brought(imported.record, tuple(imported.names), _count_players(imported.record, board))
    except RecursionError:
        raise Refused("invalid", "record: it is nested too deeply") from None


def _read(body: bytes) -> ImportedRecord:
    try:
        return ImportedRecord.model_validate(json.loads(body))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))[:100]
        raise Refused("invalid", f"{where}: {first['msg']}" if where else NOT_JSON) from None
    except ValueError:
        raise Refused("invalid", NOT_JSON) from None


def _count_players(record: dict[str, Any], board: Board) -> int:
    try:
        found = audit(record, board)
    except RecordError as error:
        raise Refused("invalid", f"record: {error}", error.rule) from None
    if not found.finished:
        raise Refused("invalid", "record: the game is not over")
    if isinstance(found.fairness, FairnessError):
        raise Refused("invalid", f"record: {found.fairness}")
    return found.game.players
