"""Timeout: how long anybody waits for the database, which may be frozen, locked or silently gone."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from fogline.server.refused import Refused

ANSWER_SECONDS = 4.0
"""More than the database itself may take for a statement: its own error message should come first."""

_LOGGER = logging.getLogger(__name__)


@asynccontextmanager
async def in_time() -> AsyncIterator[float]:
    """What asks the database within it, or waits for others who do, goes on until the deadline and is then refused."""
    until = deadline()
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            yield until
    except TimeoutError:
        raise no_answer("timeout") from None


def deadline() -> float:
    """The end of the time, by the monotonic clock."""
    return time.monotonic() + ANSWER_SECONDS


def no_answer(error: SQLAlchemyError | str) -> Refused:
    """People see only that; the log has the reason."""
    _LOGGER.error("the database does not answer", extra={"reason": error if isinstance(error, str) else cause(error)})
    return Refused("unavailable", "the database does not answer; nothing is lost, try again")


def cause(error: SQLAlchemyError) -> str:
    """The database's message in one line: its other lines may hold what was to be stored."""
    said = str(error.orig).strip().splitlines() if isinstance(error, DBAPIError) else []
    return said[0] if said else type(error).__name__
