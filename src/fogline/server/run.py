"""Running a server until it is told to stop."""

from __future__ import annotations

import gc
import hashlib
import logging
import resource
import secrets
import socket
import sys
from collections.abc import Callable, Iterable
from threading import Thread
from types import FrameType

import uvicorn

from fogline.board import Board
from fogline.compiling import on_compiling
from fogline.game import Game
from fogline.mapreader import built_in_maps
from fogline.players.player import PLAYERS
from fogline.players.search import Search
from fogline.server.app import make_app
from fogline.server.bots import STAND_IN
from fogline.server.connections import HttpConnection, SocketConnection
from fogline.server.database import connect
from fogline.server.hub import Hub
from fogline.server.settings import Settings
from fogline.server.store import Store
from fogline.server.table import Offer
from fogline.server.web import board_plan

GRACEFUL = 5
"""Seconds that open connections have to end."""

_LOGGER = logging.getLogger(__name__)


def make_offer(boards: Iterable[Board]) -> Offer:
    """The maps that tables can choose from."""
    named: dict[str, Board] = {}
    for board in boards:
        if _digest(named.setdefault(board.id, board)) != _digest(board):
            raise ValueError(f"two maps have the id {board.id}")
    return Offer(named, {name: _digest(board) for name, board in named.items()})


def _digest(board: Board) -> str:
    return hashlib.sha256(repr(board.map_file).encode()).hexdigest()[:16]


def warm_up(board: Board) -> None:
    """Plays a game, so that nobody waits for the compiler."""
    game, player = Game(board, seed=0), PLAYERS[STAND_IN](0)
    PLAYERS["neural"](0).choose(game.view(game.seat))
    while not game.over:
        game.play(player.choose(game.view(game.seat)))


class Server(uvicorn.Server):
    """Lets those who watch go first: they would else keep it waiting."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self.hub = hub

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        _LOGGER.info("stopping")
        self.hub.stop()
        self.force_exit = self.should_exit  # asked twice, it waits for nobody
        self.should_exit = True  # uvicorn's own way would be to die of the signal once all is done


def log_compiling() -> None:
    _LOGGER.info("compiling the rules, once")


def serve(
    database: str,
    settings: Settings,
    listener: socket.socket,
    ready: Callable[[], None] = lambda: None,
    compiling: Callable[[], None] = log_compiling,
) -> None:
    """Serves on a socket that is bound already; returns when stopped by a signal.

    `ready` is called once the database is there; `compiling` before that, where one must wait for the compiler.
    """
    _allow_connections()
    store = Store(connect(database), process=secrets.token_hex(4))
    with on_compiling(compiling):
        for board in settings.offer.boards.values():
            warm_up(board)
    ready()
    Thread(target=_make_ready, args=[settings.offer.boards.values()], daemon=True).start()
    hub = Hub(store, settings)
    config = uvicorn.Config(
        make_app(hub),
        log_config=None,
        access_log=False,
        server_header=False,
        http=HttpConnection,
        ws=SocketConnection,
        ws_max_size=settings.limits.message_bytes,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=GRACEFUL,
    )
    _spare_collections()
    Server(config, hub).run(sockets=[listener])
    store.engine.dispose()


def _make_ready(boards: Iterable[Board]) -> None:
    """Draws the boards, and compiles what the strongest players need, while nobody asks for either yet."""
    for board in boards:
        board_plan(board)
    for board in boards:
        Search(0, iterations=1).choose(Game(board, seed=0).view(0))


def _spare_collections() -> None:
    """What is there before the first request stays: Python shall not look for garbage in it again and again.

    A full collection would else take a tenth of a second, in which nobody is answered.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 100)


def _allow_connections() -> None:
    """As many as the system grants a program: each takes a file, and often only 1,024 are granted unasked."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":  # python -m fogline.server.run MAP ...: compiles all that a server needs, and serves nobody
    for each in map(Board.load, sys.argv[1:] or built_in_maps()):
        warm_up(each)
        _make_ready([each])
