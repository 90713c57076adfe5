"""Patience: a busy machine's disk may take longer for a commit than a server waits that people play at."""

from __future__ import annotations

from tests.server.serving import PATIENCE


def be_patient() -> None:
    """From here on, servers of this process wait as long for the database as the tests wait for them.

    Only code can ask for it, so no server that runs can be made to. Tests of impatience set times of their own.
    """
    from fogline.server.storage import database, store, timeout
    from fogline.server.tables import hub

    for module in (database, store):
        vars(module)["STATEMENT_SECONDS"] = PATIENCE
    for module in (timeout, hub):
        vars(module)["ANSWER_SECONDS"] = PATIENCE
    database._TIMES.update(connect_timeout=f"{PATIENCE:.0f}", options=f"-cstatement_timeout={PATIENCE * 1000:.0f}")
