"""`fogline serve`."""

from __future__ import annotations

import argparse
import dataclasses
import socket
from collections.abc import Callable
from contextlib import ExitStack

from fogline.board import Board
from fogline.commands.command import Command, UsageError, console, load_board
from fogline.mapreader import built_in_maps
from fogline.server.limits import Limits
from fogline.server.logs import set_up
from fogline.server.settings import Settings
from fogline.server.table import Offer


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=_port, default=8000, help="the port; 0 takes a free one (default: 8000)")
    parser.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME (default: a file in your data folder)",
    )
    parser.add_argument("--map", action="append", default=[], metavar="FILE", help="a map of your own to offer, too")
    parser.add_argument(
        "--origin", action="append", default=[], metavar="URL", help="an address that a proxy in front is known by"
    )
    parser.add_argument(
        "--bot-delay", type=_seconds(60), default=0.8, metavar="SECONDS", help="time that bots take (default: 0.8)"
    )
    parser.add_argument(
        "--forget-after",
        type=_seconds(86_400),
        default=60.0,
        metavar="SECONDS",
        help="time after which a table that nobody uses is kept in the database alone (default: 60)",
    )
    names = ", ".join(f"{field.name} {field.default}" for field in dataclasses.fields(Limits))
    parser.add_argument(
        "--limit", action="append", default=[], metavar="NAME=NUMBER", help=f"changes one of the limits: {names}"
    )
    parser.add_argument("--log", choices=("text", "json"), default="text", help="the form of the log (default: text)")


def _serve(arguments: argparse.Namespace) -> int:
    from fogline.server.database import DatabaseError, default_url  # noqa: PLC0415  (other commands start without it)
    from fogline.server.run import serve  # noqa: PLC0415  (likewise)

    set_up(arguments.log)
    boards = [load_board(name) for name in (*built_in_maps(), *arguments.map)]
    settings = Settings(
        offer=_offer(boards),
        limits=_limits(arguments.limit),
        origins=frozenset(origin.rstrip("/") for origin in arguments.origin),
        bot_delay=arguments.bot_delay,
        forget_after=arguments.forget_after,
    )
    listener = listen(arguments.host, arguments.port)
    welcome = f"Fogline serves on {address(listener)}  (Ctrl-C stops it)"
    try:
        serve(arguments.database or default_url(), settings, listener, lambda: console.print(welcome, soft_wrap=True))
    except DatabaseError as error:
        raise UsageError(f"--database: {error}") from None
    finally:
        listener.close()
    return 0


def _offer(boards: list[Board]) -> Offer:
    from fogline.server.run import make_offer  # noqa: PLC0415  (likewise)

    try:
        return make_offer(boards)
    except ValueError as error:
        raise UsageError(f"--map: {error}") from None


def listen(host: str, port: int) -> socket.socket:
    """A socket that is bound and listens."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with ExitStack() as undone:
            listener = undone.enter_context(socket.socket(family, kind, protocol))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(2048)
            undone.pop_all()
    except OSError as error:
        raise UsageError(f"cannot listen on {host}, port {port}: {error.strerror or error}") from None
    return listener


def address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _limits(texts: list[str]) -> Limits:
    known = {field.name for field in dataclasses.fields(Limits)}
    changed = {}
    for text in texts:
        name, _, number = text.partition("=")
        if name not in known or not number.isdecimal() or not int(number):
            raise UsageError(f"--limit takes NAME=NUMBER with one of {', '.join(sorted(known))}; not {text!r}")
        changed[name] = int(number)
    return Limits(**changed)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"must be a port from 0 to 65535, not {text!r}")
    return int(text)


def _seconds(most: int) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            seconds = float(text)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds <= most:
            raise argparse.ArgumentTypeError(f"must be from 0 to {most} seconds, not {text!r}")
        return seconds

    return read


COMMANDS = (
    Command(
        "serve",
        "run the table server: games between people and bots over a network",
        "  fogline serve\n"
        "  fogline serve --host 0.0.0.0 --port 80 --database postgresql://fogline:secret@localhost/fogline\n"
        "  fogline serve --limit tables_per_person=100 --log json",
        _arguments,
        _serve,
    ),
)
