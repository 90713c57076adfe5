"""Running a server until it is told to stop."""

from __future__ import annotations

import gc
import hashlib
import logging
import secrets
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from importlib import import_module
from threading import Thread
from types import FrameType

import uvicorn

from fogline.compiler.progress import on_compiling
from fogline.game.game import Game
from fogline.maps.board import Board
from fogline.maps.digest import digest_rules
from fogline.maps.mapfile import MOST_PLAYERS
from fogline.maps.reader import maps_for_tables
from fogline.players.player import PLAYERS
from fogline.players.search.search import Search
from fogline.server.app import make_app
from fogline.server.http.answering import Answering
from fogline.server.http.connections import SocketConnection
from fogline.server.http.flood import FloodGuard
from fogline.server.http.front import Front
from fogline.server.http.web import board_plan, client_files
from fogline.server.settings import Settings
from fogline.server.storage.database import connect
from fogline.server.storage.store import Store
from fogline.server.tables.hub import Hub
from fogline.server.tables.table import Offer
from fogline.server.workers.bots import STAND_IN

GRACEFUL = 5
"""Seconds that open connections have to end."""

FOREVER = 10**9

_LOGGER = logging.getLogger(__name__)


def make_offer(boards: Iterable[Board]) -> Offer:
    """The maps that tables can choose from."""
    named: dict[str, Board] = {}
    for board in boards:
        if board.map_file.players < MOST_PLAYERS:
            raise ValueError(f"{board.id} is for at most {board.map_file.players} players, and a table has more chairs")
        if named.setdefault(board.id, board).map_file != board.map_file:
            raise ValueError(f"two maps have the id {board.id}")
    digests = {name: digest_rules(board.map_file) for name, board in named.items()}
    editions = {(name, known): named[name] for name in named for known in _known_as(named[name], digests[name])}
    return Offer(named, digests, editions)


_EARLIER = {
    "91070cb46aa8af4c": "6c0b5caa60678901aba71d48708bf3cb0a85c1fb82cf433598d978b8e480e655",  # san_francisco
    "b4202f05756b9fb0": "163c972f0846febdb6fbbdbcf8c168dc9240ec3917477d380de1fd1882f78b5c",  # tiny
}
"""What old tables kept as the digest of these maps, when it covered labels too. So the labels may change now."""


def _known_as(board: Board, digest: str) -> list[str]:
    """The digest of a map, and those that tables may have kept before there was this one."""
    whole = hashlib.sha256(repr(board.map_file).encode()).hexdigest()[:16]
    return [digest, whole, *(old for old, new in _EARLIER.items() if new == digest)]


def warm_up(board: Board) -> None:
    """Plays a game, so that no request waits for the compiler."""
    game, player = Game(board, seed=0), PLAYERS[STAND_IN](0)
    PLAYERS["neural"](0).choose(game.view(game.seat))
    while not game.over:
        game.play(player.choose(game.view(game.seat)))
    game.record()  # which counts points as no view does


class Server(uvicorn.Server):
    """Closes streams and sockets first: they would keep the server waiting."""

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
    """Serves on a bound socket; returns when a signal stops it.

    `ready` is called once the database is there; `compiling` before that, if it must compile first.
    """
    _allow_connections()
    store = Store(connect(database), process=secrets.token_hex(4))
    with on_compiling(compiling):
        for board in settings.offer.boards.values():
            warm_up(board)
    ready()
    Thread(target=_make_ready, args=[settings.offer.boards.values()], daemon=True).start()
    hub = Hub(store, settings)
    app = make_app(hub)
    app.openapi()  # which makes the routes: FastAPI would let everybody wait for that while the first request is here
    config = uvicorn.Config(
        Answering(app),
        log_config=None,
        access_log=False,
        server_header=False,
        http=partial(FloodGuard, app.state.reception.flooded),  # type: ignore[arg-type]
        ws=partial(Front, SocketConnection),  # type: ignore[arg-type]
        ws_max_size=settings.limits.message_bytes,
        ws_per_message_deflate=False,
        timeout_keep_alive=FOREVER,  # the front ends idle connections
        timeout_graceful_shutdown=GRACEFUL,
    )
    _spare_collections()
    Server(config, hub).run(sockets=[listener])
    store.engine.dispose()


def _make_ready(boards: Iterable[Board]) -> None:
    """Packs the page, draws the boards, and compiles what the strongest players need, while nobody asks for it yet."""
    client_files()
    for board in boards:
        board_plan(board)
    for board in boards:
        Search(0, iterations=1).choose(Game(board, seed=0).view(0))


def _spare_collections() -> None:
    """Keeps what exists before the first request out of Python's garbage collection.

    Otherwise a full collection would take a tenth of a second, in which nobody is answered.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 5, 500)  # many short pauses: one that looks through 50,000 objects takes 40 milliseconds


def _allow_connections() -> None:
    """Raises the limit of open files to what the system allows: each socket takes one, and the
    default is often 1,024.
    """
    try:
        resource = import_module("resource")
    except ModuleNotFoundError:  # on Windows, which has no such limit
        return
    granted, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # macOS calls the limit infinite, but refuses everything above another limit, which it does not tell.
    for number in (most, 65_536, 10_240):
        if number == granted or 0 <= number < granted:
            return
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (number, most))
            return


if __name__ == "__main__":  # python -m fogline.server.run MAP ...: compiles all that a server needs, and serves nobody
    for each in map(Board.load, sys.argv[1:] or maps_for_tables()):
        warm_up(each)
        _make_ready([each])
