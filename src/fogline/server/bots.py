"""Bots: the registered players, thinking beside the server's own thread."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

from fogline.players.compiled_player import RandomPlayer
from fogline.players.player import PLAYERS
from fogline.view import View

STAND_IN = "planner"
"""Who plays on for a person who is away."""

_LOGGER = logging.getLogger(__name__)


class Bots:
    """A player is made anew for every decision, so that a restart changes nothing."""

    def __init__(self, threads: int = 2) -> None:
        self._threads = ThreadPoolExecutor(threads, "bot")

    async def choose(self, name: str, seed: int, view: View) -> str:
        return await asyncio.get_running_loop().run_in_executor(self._threads, _choose, name, seed, view)

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)


def _choose(name: str, seed: int, view: View) -> str:
    try:
        action = PLAYERS[name](seed).choose(view)
        if action in view.legal_actions:
            return str(action)
        _LOGGER.error("bot chose what is not legal", extra={"player": name})
    except Exception:
        _LOGGER.exception("bot failed", extra={"player": name})
    return str(RandomPlayer(seed).choose(view))  # a game must go on
