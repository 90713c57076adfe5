"""`fogline serve`."""

from __future__ import annotations

import argparse
import dataclasses
import socket
from collections.abc import Callable
from contextlib import ExitStack
from shutil import which
from typing import TYPE_CHECKING

from fogline.commands.command import Command, UsageError, console, load_board
from fogline.commands.extras import needing
from fogline.maps.board import Board
from fogline.maps.reader import maps_for_tables
from fogline.server.defaults import BOT_DELAY, FORGET_AFTER, KEEP_IMPORTS, PATIENCE
from fogline.server.http.limits import Limits
from fogline.server.logs import set_up
from fogline.server.tables.clock import DAY
from fogline.server.workers.thinkers import ThinkersAt, usable_cores, usual_thinkers

if TYPE_CHECKING:
    from fogline.server.tables.table import Offer


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=_port, default=8000, help="the port; 0 takes a free one (default: 8000)")
    parser.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME (default: a file in your data folder)",
    )
    parser.add_argument("--map", action="append", default=[], metavar="FILE", help="a map of your own to offer")
    parser.add_argument(
        "--origin", action="append", default=[], metavar="URL", help="the public address of a proxy in front"
    )
    parser.add_argument(
        "--bot-delay",
        type=_number(60, "seconds"),
        default=BOT_DELAY,
        metavar="SECONDS",
        help=f"the least time that a bot takes for a decision (default: {BOT_DELAY:g})",
    )
    parser.add_argument(
        "--keep-imports",
        type=_number(36_500, "days"),
        default=KEEP_IMPORTS,
        metavar="DAYS",
        help=f"days until an imported game is deleted (default: {KEEP_IMPORTS:g})",
    )
    parser.add_argument(
        "--forget-after",
        type=_number(86_400, "seconds"),
        default=FORGET_AFTER,
        metavar="SECONDS",
        help=f"time until an unused table leaves memory and is only in the database (default: {FORGET_AFTER:g})",
    )
    parser.add_argument(
        "--patience",
        type=_number(86_400, "seconds"),
        default=PATIENCE,
        metavar="SECONDS",
        help=f"absence after which others may let a bot play on, where no clock runs (default: {PATIENCE:g})",
    )
    parser.add_argument(
        "--thinkers",
        type=_workers,
        default=usual_thinkers(usable_cores()),
        metavar="N",
        help="processes in which bots think (default: one for each core but one)",
    )
    parser.add_argument(
        "--thinkers-at",
        type=_thinkers_at,
        action="append",
        default=[],
        metavar="HOST=N[:PYTHON]",
        help="N more on a machine of your own that `ssh HOST` reaches; PYTHON starts Python there (default: python3)",
    )
    names = ", ".join(f"{field.name} {field.default}" for field in dataclasses.fields(Limits))
    parser.add_argument(
        "--limit", action="append", default=[], metavar="NAME=NUMBER", help=f"changes one of the limits: {names}"
    )
    parser.add_argument("--log", choices=("text", "json"), default="text", help="the form of the log (default: text)")


def _serve(arguments: argparse.Namespace) -> int:
    with needing("server", "the table server"):  # `--help` works without it
        from fogline.server.run import serve  # noqa: PLC0415
        from fogline.server.settings import Settings  # noqa: PLC0415
        from fogline.server.storage.database import DatabaseError, default_url  # noqa: PLC0415

    if arguments.thinkers_at and not which("ssh"):
        raise UsageError("--thinkers-at needs OpenSSH's `ssh`")
    set_up(arguments.log)
    boards = [load_board(name) for name in (*maps_for_tables(), *arguments.map)]
    settings = Settings(
        offer=_offer(boards),
        limits=_limits(arguments.limit),
        origins=frozenset(origin.rstrip("/") for origin in arguments.origin),
        bot_delay=arguments.bot_delay,
        keep_imports=arguments.keep_imports * DAY,
        forget_after=arguments.forget_after,
        patience=arguments.patience,
        thinkers=arguments.thinkers,
        thinkers_at=tuple(arguments.thinkers_at),
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
    from fogline.server.run import make_offer  # noqa: PLC0415

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
            listener.setsockopt(socket.SOL_SOCKET, _alone(), 1)
            listener.bind(address)
            listener.listen(2048)
            undone.pop_all()
    except OSError as error:
        raise UsageError(f"cannot listen on {host}, port {port}: {error.strerror or error}") from None
    return listener


def _alone() -> int:
    """The socket option that lets one server at a time have a port, and the next one at once.

    Windows has its own: what other systems call reusing an address would let two servers share the port there.
    """
    return getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)


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


def _workers(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError(f"must be a number of processes from 1 to 256, not {text!r}")
    return int(text)


def _thinkers_at(text: str) -> ThinkersAt:
    host, _, there = text.partition("=")
    number, _, python = there.partition(":")
    if not host or host.startswith("-") or not there:
        raise argparse.ArgumentTypeError(f"must be HOST=N or HOST=N:PYTHON, not {text!r}")
    return ThinkersAt(host, _workers(number), python or "python3")


def _number(most: int, unit: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = -1.0
        if not 0 <= number <= most:
            raise argparse.ArgumentTypeError(f"must be from 0 to {most} {unit}, not {text!r}")
        return number

    return read


COMMANDS = (
    Command(
        "serve",
        "  fogline serve\n"
        "  fogline serve --host 0.0.0.0 --port 80 --database postgresql://fogline:secret@localhost/fogline\n"
        "  fogline serve --thinkers 1 --thinkers-at ann@big-box=8:fogline/bin/python\n"
        "  fogline serve --limit tables_per_person=100 --log json",
        _arguments,
        _serve,
    ),
)
