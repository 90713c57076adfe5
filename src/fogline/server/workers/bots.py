"""Bots: the registered players, thinking in worker processes beside the server and on other machines."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from functools import cache, partial
from inspect import signature
from typing import Any, cast

from fogline.game.actions import Action
from fogline.game.game import Game
from fogline.game.view import View
from fogline.maps.board import Board
from fogline.players.player import PLAYERS
from fogline.players.scripted.compiled_player import POLICIES, RandomPlayer
from fogline.server.settings import Settings
from fogline.server.workers.machine import Machine
from fogline.server.workers.pool import Job, Pool
from fogline.server.workers.worker import Worker

STAND_IN = "planner"
"""Plays on for a person who is away."""

QUICK = frozenset(POLICIES)
"""Players that decide in less time than a worker takes to be asked."""

SOON = 2.0
"""Seconds within which people should have an answer, if bots that think less can achieve it."""

SHORTEST = 0.01
"""In seconds: with less, `search` sees next to nothing, and `master` plays its network's policy."""

UNHURRIED = 0.1
"""In seconds: enough that a player makes use of everything it has."""

NICENESS = 5
"""The priority of bots below the server, where both want a core (see nice(2))."""

_LOGGER = logging.getLogger(__name__)


class Bots:
    """A player is made anew for every decision, so that a restart changes nothing."""

    def __init__(self, settings: Settings) -> None:
        boards = settings.offer.boards.values()
        self._pool = Pool("bots", [Worker(boards, NICENESS, prepare) for _ in range(settings.thinkers)])
        self._machines = [Machine(at, boards, NICENESS, prepare) for at in settings.thinkers_at]
        self._lending: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Asks the other machines, which are used from when they are ready."""
        self._lending = [asyncio.create_task(machine.lend(self._pool)) for machine in self._machines]

    async def choose(self, host: str, name: str, seed: int, view: View) -> str:
        """Decides for a seat. Hosts take turns, so that one host's tables do not delay another's."""
        try:
            action = await self._think(host, name, seed, view)
            if action in view.legal_actions:
                return str(action)
            _LOGGER.error("bot chose what is not legal", extra={"player": name})
        except Exception:
            _LOGGER.exception("bot failed", extra={"player": name})
        return str(RandomPlayer(seed).choose(view))  # a game must go on

    async def close(self) -> None:
        for task in self._lending:
            task.cancel()
        await asyncio.gather(*self._lending, return_exceptions=True)
        await self._pool.close()

    async def _think(self, host: str, name: str, seed: int, view: View) -> Action:
        if name in QUICK:
            return think(name, seed, view)
        return await self._pool.do(host, partial(self._job, host, name, seed, view))

    def _job(self, host: str, name: str, seed: int, view: View, waited: float) -> Job[Action]:
        usual = usual_seconds(name)
        return think, (name, seed, view, usual and budget(usual, waited, self._pool.share(host)))


def budget(usual: float, waited: float, share: float) -> float:
    """The seconds for a decision that has waited this long and gets this many workers."""
    return max(SHORTEST, min(usual, (SOON - waited) * min(share, 1.0)))


@cache
def usual_seconds(name: str) -> float | None:
    """How long a player thinks that decides by the clock."""
    parameter = signature(PLAYERS[name]).parameters.get("seconds")
    return None if parameter is None else float(parameter.default)


def think(name: str, seed: int, view: View, seconds: float | None = None) -> Action:
    given = {} if seconds is None else {"seconds": seconds}
    return cast(Any, PLAYERS[name])(seed, **given).choose(view)  # type: ignore[no-any-return]


def prepare(boards: Iterable[Board]) -> None:
    """Loads what is slow to load, so that no decision waits for it."""
    for board in boards:
        view = Game(board, seed=0).view(0)
        for name in PLAYERS.keys() - QUICK:
            think(name, 0, view, usual_seconds(name) and UNHURRIED)
