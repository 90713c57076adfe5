"""Logs: one line an event, as JSON for machines or as text for people."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


_ABOUT_SOCKETS = re.compile("WebSocket|without completing handshake|^connection (open|closed|rejected)")


def set_up(form: str, *, quiet: bool = False) -> None:
    """Sends the log to standard error: everything, or only warnings and errors when quiet."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING if quiet else logging.INFO)
    logging.getLogger("uvicorn.error").addFilter(tells_nothing_about_sockets)
    for noisy in ("alembic", "uvicorn.access", "websockets"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def tells_nothing_about_sockets(record: logging.LogRecord) -> bool:
    """Uvicorn logs the address of every socket, which holds a table's id, and calls it an error to refuse one."""
    return _ABOUT_SOCKETS.search(record.getMessage()) is None


def _extras(record: logging.LogRecord) -> dict[str, object]:
    return {key: value for key, value in vars(record).items() if key not in _STANDARD}


class JsonLines(logging.Formatter):
    """A JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **_extras(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class TextLines(logging.Formatter):
    """The same for people."""

    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created).strftime("%H:%M:%S")
        extras = "".join(f" {key}={value}" for key, value in _extras(record).items())
        text = f"{when} {record.levelname.lower():7} {record.getMessage()}{extras}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text
