"""A game on the tiny map as OpenSpiel tells it: every state with all that its players are shown.

python -m tests.envs.playthrough      # writes it anew into tests/data/playthrough.txt, for when the game has changed
"""

from __future__ import annotations

import sys

from absl import flags
from open_spiel.python.algorithms import generate_playthrough

import fogline.envs.openspiel  # noqa: F401  (registers the game)
from tests.boards import DATA

FILE = DATA / "playthrough.txt"
GAME = "python_fogline(players=2,map=tiny)"
SEED = 4


def replayed() -> tuple[str, str]:
    """The file as it is, and as it would be written now, with the same actions."""
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(sys.argv[:1])
    original, new = generate_playthrough.replay(str(FILE))
    return original, new


def main() -> None:
    FILE.write_text(generate_playthrough.playthrough(GAME, action_sequence=[], seed=SEED), encoding="utf-8")


if __name__ == "__main__":
    main()
