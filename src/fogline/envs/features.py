"""The table of an observation's features, for the docs: `python -m fogline.envs.features docs/environments.md`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from fogline.game.game import PLAYER_COUNTS
from fogline.knowledge.observation import Feature, features, observation_length, places
from fogline.maps.board import Board

BEGIN, END = "<!-- observation: written by make docs -->", "<!-- /observation -->"


def table(board: Board) -> str:
    """Every feature: where its numbers begin, and its shape, for each number of players."""
    kinds = [features(board, players) for players in PLAYER_COUNTS]
    laid = [places(board, players) for players in PLAYER_COUNTS]
    counts = " | ".join(f"{players} players" for players in PLAYER_COUNTS)
    lines = [f"| feature | axes | {counts} | up to | meaning |", f"|---|---|{'---|' * len(PLAYER_COUNTS)}---|---|"]
    for row in zip(*kinds, strict=True):
        found = " | ".join(_place(*part[row[0].name]) for part in laid)
        axes = " × ".join(axis for axis in row[0].axes if axis)
        lines.append(f"| `{row[0].name}` | {axes} | {found} | {_most(row)} | {row[0].meaning} |")
    lengths = " | ".join(f"**{observation_length(board, players)}**" for players in PLAYER_COUNTS)
    return "\n".join([*lines, f"| all | | {lengths} | | |"])


def _place(at: int, _end: int, shape: tuple[int, ...]) -> str:
    return f"{at}: {' × '.join(map(str, shape))}"


def _most(row: tuple[Feature, ...]) -> str:
    """The largest number, or all three where it depends on the players."""
    found = [str(feature.most) for feature in row]
    return found[0] if len(set(found)) == 1 else ", ".join(found)


def write(text: str, board: Board) -> str:
    """A document with the table brought up to date."""
    if len(re.findall(f"{BEGIN}.*?{END}", text, re.S)) != 1:
        raise ValueError(f"the document needs the lines {BEGIN} and {END}, once each")
    return re.sub(f"{BEGIN}.*?{END}", lambda _: f"{BEGIN}\n\n{table(board)}\n\n{END}", text, flags=re.S)


if __name__ == "__main__":
    document = Path(sys.argv[1])
    document.write_text(write(document.read_text("utf-8"), Board.load()), "utf-8")
