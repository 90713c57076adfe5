"""Plays matches on a Ray of this machine and in this process, and compares them.

python -m tests.arena.cluster
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from fogline.arena.contest import Contest, hold
from fogline.arena.faults import ArenaError
from fogline.arena.pool import Alone, open_pool
from tests.arena.arrange import FIRST, match_of, same_games, write_player


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, open_pool(ray="local") as pool:
        own = write_player(Path(folder))
        for names in (("racer", "random"), ("search@2", f"{own}:First", "random")):
            match = match_of(*names, games=600 if len(names) == 2 else 60)
            assert same_games(hold(Contest(match), pool).outcomes, hold(Contest(match), Alone()).outcomes)
            print(f"{match.games} games of {' and '.join(match.labels)} are the same on {pool.workers} workers")  # noqa: T201
        failing = write_player(Path(folder), FIRST.replace("return view", "return view.nothing"), "failing.py")
        try:
            hold(Contest(match_of(f"{failing}:First", "random")), pool)
        except ArenaError as error:
            print(f"told of: {error}")  # noqa: T201
        else:
            raise AssertionError("a player failed, and nobody was told")


if __name__ == "__main__":
    main()
