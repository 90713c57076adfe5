"""Golden games: whole records, stored as data, that every later version must give again.

python -m tests.golden      # writes tests/data/golden.jsonl anew, for when the rules themselves have changed
"""

from __future__ import annotations

import json

from fogline.game.game import Game
from tests.boards import DATA, load_board
from tests.policies import play_out

FILE = DATA / "golden.jsonl"
GAMES = [
    ("san_francisco", 2, 1),
    ("san_francisco", 3, 2),
    ("san_francisco", 4, 3),
    ("san_francisco", 2, 2**64 - 1),
    ("san_francisco", 4, 17),
    ("tiny", 2, 4),
    ("tiny", 3, 5),
    ("tiny", 4, 6),
    ("dead_end", 2, 7),
    ("dead_end", 3, 8),
    ("dead_end", 4, 9),
]
"""The map, the players and the seed, which also seeds the players' tastes."""


def main() -> None:
    records = [
        play_out(Game(load_board(name), players=players, seed=seed), seed).record() for name, players, seed in GAMES
    ]
    FILE.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


if __name__ == "__main__":
    main()
